"""`eq.learn`: make a player who looks a little ahead and judges by a learned value, and write it as a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from analysis.runs.manifest import versions
from equipoise.api.arguments import listed
from equipoise.api.following import Following, following
from equipoise.api.notebook import shown
from equipoise.api.tuning import continued, strategy_name
from equipoise.files import whole_file
from equipoise.limits import check_threads
from simcore.errors import UsageError
from simcore.homes import GAMES
from simcore.rules.files import Rules, Settings
from simcore.running.executors import default_threads
from strategies.learning import GAMES as LEARNT_GAMES
from strategies.learning import Made, Plan, Status, described, joined, make_plan, shipped_name
from strategies.learning import learn as find
from strategies.library import load_strategy
from strategies.spec import DEFAULT_SEED, whole_games
from strategies.tuning import Budget, Journal

LEAST_SECONDS = 30


@dataclass(frozen=True, eq=False)
class Learning:
    """The result of a learning."""

    plan: Plan  # what was to be learnt
    made: tuple[Made, ...]  # what was made, by number of players
    file: Path  # strategy file, which can be named as a strategy
    seconds: float
    cpu_seconds: float
    """seconds, cpu_seconds: Time, including earlier sessions."""

    @property
    def scores(self) -> pl.DataFrame:
        """What one thinker wins among bases, one base among thinkers, in times of par, and what the checks found."""
        return pl.DataFrame(self.to_dict()["scores"])

    def to_dict(self) -> dict[str, Any]:
        """Return what `learn --json` prints."""
        from equipoise.output.learned import summary

        return summary(self)

    def __repr__(self) -> str:
        return f"<Learning: {self.file}; see scores>"

    def _repr_html_(self) -> str:
        return shown(f"Learnt: {self.file}", (), [self.scores])


def learn(
    game: str = GAMES[0],
    *,
    players: int | Sequence[int] = (),
    base: str | Path | None = None,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    budget: str | int = "5m",
    games: float = LEARNT_GAMES,
    like: str | Path | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    out: str | Path = "learned.toml",
    by_players: bool = False,
    force: bool = False,
    progress: Following = None,
) -> Learning:
    """Make a player who looks a little ahead and judges by a learned value, and write it as a file.

    `eq.tune` finds weights for a player who decides at once; this makes one who looks ahead with such a player.

    Parameters
    ----------
    game, rules, settings
        As for `eq.simulate`.
    players
        Numbers of players, each of which gets values of its own.  If empty, the game's usual number.
    base
        Strategy that plays the imagined tables.  If None, the game's default; if that differs by role or looks ahead,
        the base of the game's `rollout`.
    budget
        For each number of players, a time such as "5m", or a number of rounds of self-play.
    games
        Games of each of the three kinds of tables in the first round.
    like
        A thinker that says how far to look, on how many tables, at which decisions, and how much imagined players err.
        If None, that is found out.
    seed
        Random seed.
    threads
        Number of threads; it does not affect what a number of rounds gives.  If None, one for each processor.
    out
        Strategy file to write; the strategy takes its name from the file.
    by_players
        Whether to keep what the file has for other numbers of players.
    force
        Whether to replace the file if it exists.
    progress
        How to show progress; see `equipoise.api.following.Following`.

    Returns
    -------
    Learning
        The attribute `file` can be named as a strategy; `scores` is a table of wins.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.
    Interrupted
        After Ctrl-C; the same call continues from there.

    References
    ----------
    * docs/tuning.md

    Examples
    --------
    >>> import equipoise as eq
    >>> made = eq.learn(players=2, base="random", budget=1, games=300, out="thinks.toml")
    >>> made.file.name
    'thinks.toml'
    """
    check_threads(threads)
    file, allowed = Path(out), Budget.parse(str(budget))
    if allowed.seconds is not None and allowed.seconds < LEAST_SECONDS:
        raise UsageError(
            f"{budget} is too short; the first values take about a minute, so give {LEAST_SECONDS}s or more", "budget"
        )
    name = strategy_name(file)
    plan = make_plan(
        game,
        listed(players),
        rules=rules,
        settings=settings,
        base=base,
        seed=seed,
        games=whole_games(games),
        like=like,
    )
    known = load_strategy(plan.game, file) if by_players and file.exists() else None
    if known and known.policy != "thinker":
        raise UsageError(
            f"{file} plays '{known.policy}', which does not judge by a value; choose another file", "by_players"
        )
    with whole_file(file, force or known is not None) as write, continued(file, plan.describe()) as journal:
        made = _learned(plan, allowed, threads or default_threads(), journal, progress)
        found = described(plan, made, name, journal.seconds, journal.cpu_seconds, versions())
        whole = joined(known, found) if known else found
        write(whole.to_toml(shipped_name(plan)).encode())
    journal.close()
    return Learning(plan, tuple(made), file, journal.seconds, journal.cpu_seconds)


def _learned(plan: Plan, budget: Budget, threads: int, journal: Journal, progress: Following) -> list[Made]:
    """Learn with progress."""
    by_time = budget.seconds is not None
    each = math.ceil(budget.seconds or 0) if budget.generations is None else budget.generations
    unit = "seconds" if by_time else "rounds"
    with following(progress, unit, each * len(plan.players)) as tick:

        def hear(status: Status) -> None:
            before = each * plan.players.index(status.players)
            done = int(journal.seconds) if by_time else before + status.round - 1
            tick(done, f"{unit}; {status.players} players, round {status.round}: {status.doing}")

        return find(plan, budget, threads, journal, hear)
