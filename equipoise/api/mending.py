"""`eq.mend`: the smallest changes of the rules that mend a game."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from analysis.data.declarations import load_declarations
from analysis.mend import Effort, Mend, find_levers
from analysis.mend import mend as search
from analysis.stats.margin import Margin, as_margin
from analysis.sweep.target import CAMPS, SEATS
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, Stages, keeping
from equipoise.api.sweeping import patience
from equipoise.retuning import find_how, retune_all
from reports.mend import compose_mend
from simcore.errors import UsageError
from simcore.homes import GAMES
from simcore.rules.chain import shipped_files
from simcore.rules.files import FORMAT, Rules, differences
from simcore.rules.settings import Settings
from simcore.running.batch import Spec
from simcore.toml_tables import write
from strategies.kit import load_kit
from strategies.spec import DEFAULT_SEED, References, make_spec, whole_games
from strategies.tuning import retune as tuning
from strategies.tuning.plan import Budget, default_population
from strategies.tuning.retune import Retuned
from strategies.tuning.search import FINAL_GAMES, SCORE_GAMES

DEFAULT_GAMES = 10_000
BUDGET = "15"
"""Budget of each tuning, in generations."""

MARGIN = Margin(0.04)
"""How far from its target a share may lie: one point at four players."""

MOST_ROUNDS, MOST_FINALISTS = 20, 10

Texts = str | Sequence[str]


@dataclass(frozen=True, eq=False, repr=False)
class Mended(Experiment):
    """The smallest changes of the rules that mend a game."""

    @property
    def mend(self) -> Mend:
        """The result with all its tables."""
        found: Mend = self.results[0]
        return found

    def rule_files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of the rule file of each change, the best one first."""
        for row, own in zip(self.mend.changes.iter_rows(named=True), self.mend.best, strict=True):
            yield f"mended-{row['rank']}.toml", rule_file(self.rules, own, row["rank"], row["change"])

    def more_files(self) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Yield the rule files, which are written next to the page."""
        yield from ((name, text.encode) for name, text in self.rule_files())

    def parquet(self) -> bytes:
        """Return the Parquet file of the response curves of all levers."""
        buffer = io.BytesIO()
        self.mend.curves.write_parquet(buffer)
        return buffer.getvalue()


def rule_file(before: Rules, after: Rules, rank: int, change: str) -> str:
    """Return a rule file: changes to shipped rules, or complete rules if the old rules are not shipped."""
    name, title = f"mended-{rank}", f"{before.title[:40]}, mended"
    if before.settings or before.name not in shipped_files(before.game_name):
        whole = after.values.model_copy(update={"name": name, "title": title})
        return Rules(after.game_name, whole).to_toml()
    table: dict[str, Any] = {"extends": before.name, "format": FORMAT, "name": name, "title": title}
    for key, pair in differences(before, after).items():
        here = table
        *above, last = key.split(".")
        for part in above:
            here = here.setdefault(part, {})
        here[last] = pair["new"]
    return f"# {change}\n\n{write(table)}"


def mend(
    game: str = GAMES[0],
    players: int | None = None,
    target: Texts = (),
    free: Texts | Mapping[str, str] = (),
    keep: Texts = (),
    strategies: References = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    games: float = DEFAULT_GAMES,
    rounds: int = Effort.rounds,
    best: int = Effort.finalists,
    seed: int = DEFAULT_SEED,
    margin: Margin | float | str = MARGIN,
    habit: bool = False,
    retune: str | int = BUDGET,
    level: float = 0.95,
    threads: int | None = None,
    yes: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Mended:
    """Find the smallest changes of the rules that mend a game, with players who are tuned for the changed rules.

    Parameters
    ----------
    game, strategies, rules, settings
        As for `eq.simulate`.
    players
        Players at the table.  If None, the game's usual number.
    target
        What to mend: "seats", "camps", "cards", or a seat, role, camp or measure with the value that it should have,
        such as "lord=0.5" or "length=12".  Several may be named.  If empty, "camps" in a game with roles, otherwise
        "seats".
    free
        What may change: keys, tables, lists or patterns, each with an optional range, as in "starting_coins=0..40".
        If empty, what the game declares as free.
    keep
        Measures that must stay as they are, within 10 % of their value or another percentage, as in
        "lead_changes=20%".
    games
        Games of each point.  Five times as many are played to judge a change.
    rounds
        Largest number of rounds.  In each round, players are tuned for the change found so far, and the change is
        solved for again.
    best
        Number of changes that are judged with players tuned for them and written as rule files.
    seed
        Random seed for everything.
    margin
        How far from its target a share may be: "4%" of the target, or "1pp" (percentage points).
    habit
        Whether the players keep their strategies and none is tuned.
    retune
        Budget of each tuning: a number of generations, or a time such as "20s".  With a time, results cannot be
        repeated exactly.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    yes
        Whether to start even if the work takes more than half an hour.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Raises
    ------
    UsageError
        If a key or target is unknown, the rules forbid a value, no lever changes any game, or the work takes too long.
    """
    for name, number, most in (("rounds", rounds, MOST_ROUNDS), ("best", best, MOST_FINALISTS)):
        if not 1 <= number <= most:
            raise UsageError(f"{number} is out of range; give a whole number from 1 to {most}", name)
    how = find_how(retune, threads)
    spec = make_spec(game, players, strategies, rules, settings, seed, "rotate", whole_games(games))
    declared = load_declarations(spec.game.name)
    wanted = [f"{key}={room}" for key, room in free.items()] if isinstance(free, Mapping) else listed(free)
    levers = find_levers(spec.game, spec.rules, spec.players, wanted, declared.levers)
    targets = listed(target) or [CAMPS if spec.game.asymmetric else SEATS]
    quiet = progress is not True
    with keeping(), Stages(progress, rest=True) as tick:

        def tune(specs: Sequence[Spec]) -> tuple[list[Spec], tuple[Retuned, ...]]:
            tick.close()
            return retune_all(specs, how, quiet)

        found = search(
            spec, levers, targets, as_margin(margin), listed(keep),
            None if habit else tune, Effort(spec.games, rounds, best), level,
            threads, tick, partial(patience, yes), _tuning_games(spec.game.name, how.budget),
        )  # fmt: skip
    return Mended("mend", (found,), spec.rules, partial(compose_mend, found, spec.rules), tuple(command))


def _tuning_games(game: str, budget: Budget) -> float:
    """Return about how many games a tuning plays; a negative number means a tuning of that many seconds."""
    if budget.generations is None:
        return -(budget.seconds or 0.0)
    generation = default_population(len(load_kit(game).features)) * tuning.GAMES
    return budget.generations * generation + 5 * FINAL_GAMES + SCORE_GAMES
