"""`eq.simulate` and `eq.replay`: play a run, and play one of its games again."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.runs import Run, load, load_spec
from analysis.runs.writer import RunWriter, check_free, claim, claim_free
from analysis.seats.shares import Estimate, camp_shares, seat_shares, strategy_shares
from analysis.seats.verdicts import judge_totals
from analysis.stats.margin import FAIR
from equipoise.api.following import Following, following
from equipoise.api.notebook import shown
from equipoise.limits import check_threads
from equipoise.retuning import find_how, retune_all
from simcore.errors import Interrupted, KernelFault, UsageError, nearest
from simcore.homes import GAMES
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import Spec
from simcore.running.executors import default_threads, execute
from simcore.running.extra_tables import check_tables
from simcore.running.replay import Replay
from simcore.running.replay import replay as replay_game
from strategies.habit import habits
from strategies.spec import DEFAULT_DESIGN, DEFAULT_GAMES, DEFAULT_SEED, References, make_spec
from strategies.watching import has_own_policy, under_watch, watch_first_deals

if TYPE_CHECKING:
    from simcore.running.executors import Result
    from strategies.tuning.retune import Retuned

FORMATS = ("parquet", "csv", "both", "none")
HERE = Path("runs")
"""Where new run folders are made."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of playing a run; tables are polars frames.

    Parameters
    ----------
    spec
        What was played.
    result
        Totals and digest.
    seconds
        How long it took.
    folder
        Where its table lies; None where none was written.
    retuned
        Players that were tuned for these rules first; None where nobody asked for it.
    """

    spec: Spec
    result: Result
    seconds: float
    folder: Path | None
    retuned: tuple[Retuned, ...] | None = None

    @property
    def seats(self) -> pl.DataFrame:
        """Share of the wins by seat, with intervals, par and mean score."""
        return pl.DataFrame(self.to_dict()["seats"])

    @property
    def by_strategy(self) -> pl.DataFrame:
        """The same by strategy."""
        return pl.DataFrame(self.to_dict()["by_strategy"])

    @property
    def camps(self) -> pl.DataFrame:
        """The same by camp; empty in a game whose seats are alike."""
        return pl.DataFrame(self.to_dict().get("camps", []))

    @property
    def verdicts(self) -> list[str]:
        """What stands out, in sentences, the most important first."""
        from reports.words import ENGLISH

        words = ENGLISH.of_game(self.spec.game.name)
        return [words.verdict(verdict) for verdict in judge_totals(self.spec, self.result.tally)]

    @property
    def warnings(self) -> list[str]:
        """Who was tuned for other rules than those in force, in sentences."""
        return [str(habit) for habit in habits(self.spec)]

    @property
    def run(self) -> Run:
        """The run folder, for its table; raises `UsageError` where none was written."""
        if self.folder is None:
            raise UsageError("no table was written; simulate with out=True, or name a folder", "out")
        return load(self.folder)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that `simulate --json` prints; what cannot be said is None."""
        spec, tally = self.spec, self.result.tally
        shares = seat_shares(spec, tally)
        camps = [_plain(estimate) for estimate in camp_shares(spec, tally).estimates]
        return {
            "game": spec.game.name,
            "players": spec.players,
            "rules": spec.rules.name,
            "rules_digest": spec.rules.digest,
            "settings": list(spec.rules.settings),
            "strategies": list(spec.strategies),
            "habits": [habit.to_dict() for habit in habits(spec)],
            "design": spec.design,
            "seed": spec.seed,
            "games": spec.games,
            "deals": shares.deals,
            **({"camps": camps} if camps else {}),
            "seats": [_plain(estimate) for estimate in shares.estimates],
            "by_strategy": [_plain(estimate) for estimate in strategy_shares(spec, tally).estimates],
            "level": shares.level,
            "margin": str(FAIR),
            "verdicts": [
                {"code": verdict.code, "status": verdict.status, "text": text}
                for verdict, text in zip(judge_totals(spec, tally), self.verdicts, strict=True)
            ],
            "seconds": round(self.seconds, 3),
            "digest": self.result.digest,
            "out": str(self.folder) if self.folder else None,
            **({} if self.retuned is None else {"retuned": [player.to_dict() for player in self.retuned]}),
        }

    def __repr__(self) -> str:
        return f"<Simulation of {self.spec}: {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        tables = [self.seats, *([self.by_strategy] if len(self.spec.cast) > len(self.spec.game.roles) else [])]
        return shown(repr(self.spec)[1:-1], [*self.verdicts, *self.warnings], tables)


def simulate(
    game: str = GAMES[0],
    *,
    games: float = DEFAULT_GAMES,
    players: int | None = None,
    strategies: References = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    retune: str | None = None,
    design: str = DEFAULT_DESIGN,
    threads: int | None = None,
    out: str | Path | bool | None = None,
    format: str = "parquet",
    detail: str = "standard",
    tables: Sequence[str] = (),
    check_policies: bool = False,
    trust: bool = False,
    force: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Simulation:
    """Play whole games, and say who wins from which seat.

    Parameters
    ----------
    game, players, strategies, rules, settings, seed, design, games, trust
        See `strategies.spec.make_spec`; `settings` may be a mapping, such as `{"shortfall": "debt"}`.
    retune
        Tune players first that were tuned for other rules: time for each, such as "60s", or a number of generations.
    threads
        How many threads play; the results stay the same.  None: all cores.
    out
        Run folder to make for the table; True: a new folder in `runs/`; None: no table is written.
    format, detail, tables
        Of the table: "parquet", "csv" or "both"; "minimal", "standard" or "full"; further tables, "games" or "events".
    check_policies
        Whether to watch every policy, and stop if one changes the game or uses hidden information.
    force
        Whether to replace the run folder if it exists.
    progress
        See `equipoise.api.following.Following`.
    command
        Command line that the run's manifest keeps.

    Returns
    -------
    Simulation
        Its table is `Simulation.run`, where one was written.

    Raises
    ------
    UsageError
        Saying what cannot be used, and why.
    KernelFault
        If a game breaks an invariant.
    Interrupted
        After Ctrl-C; a run folder holds the games that were whole.
    """
    check_threads(threads)
    how = None if retune is None else find_how(retune, threads)
    if format not in FORMATS:
        raise UsageError(f"no format '{format}'{nearest(format, FORMATS)}", "format")
    writes = bool(out) and format != "none"
    if not writes and (tables or isinstance(out, str | Path)):
        what = "tables" if tables else "out"
        raise UsageError("nothing is written with the format 'none' or without a folder; leave this out", what)
    if isinstance(out, str | Path):
        check_free(Path(out), force)  # before anything is compiled
    spec = make_spec(game, players, strategies, rules, settings, seed, design, games, trust)
    check_tables(spec.game, tables)
    retuned: tuple[Retuned, ...] | None = None
    if how is not None:
        (spec,), retuned = retune_all([spec], how, quiet=progress is not True)
    if check_policies:
        spec = under_watch(spec)
    elif has_own_policy(spec):
        watch_first_deals(spec)
    writer = _writer(spec, out, force, detail, format, command) if writes else None
    return replace(_play(spec, threads or default_threads(), writer, detail, tables, progress), retuned=retuned)


def replay(data: Run | Spec | Simulation | str | Path, index: int = 0, trust: bool = False) -> Replay:
    """Play one game of a run again, and record every step.

    Parameters
    ----------
    data
        A run, its folder, what `simulate` returned, or a specification.
    index
        The game, counted from 0 as the column `game_id` is.
    trust
        Whether Python code that a run's manifest names may run.

    Returns
    -------
    Replay
        See its `text()` and `jsonl()`.

    Raises
    ------
    UsageError
        If the run cannot be read, or the game is too long to be recorded.
    """
    if isinstance(data, str | Path):
        data = load_spec(data, trust)
    return replay_game(data if isinstance(data, Spec) else data.spec, index)


def _writer(
    spec: Spec, out: str | Path | bool | None, force: bool, detail: str, format: str, command: Sequence[str]
) -> RunWriter:
    if isinstance(out, bool) or out is None:
        folder = claim_free(HERE, f"{spec.game.name}-{spec.players}p")
    else:
        claim(folder := Path(out), force)
    return RunWriter(folder, spec, detail, format, list(command))


def _play(
    spec: Spec, threads: int, writer: RunWriter | None, detail: str, tables: Sequence[str], progress: Following
) -> Simulation:
    """Play a run; whatever happens, its folder says how far it came."""
    try:
        execute(replace(spec, games=1), 1, detail)  # compiles
        began = time.perf_counter()
        with following(progress, "games", spec.games) as tick:
            if writer:
                result = execute(spec, threads, detail, writer.write, writer.finished, tick, tables)
                writer.close(result)
            else:
                result = execute(spec, threads, tick=tick)
    except (Interrupted, KeyboardInterrupt):
        if not writer:
            raise Interrupted from None
        if not writer.abandon("interrupted"):
            raise Interrupted("nothing was written; run it again") from None
        raise Interrupted(f"{writer.folder} holds the games that were whole; delete it or run again") from None
    except (UsageError, KernelFault, OSError):
        if writer:
            writer.abandon("failed")
        raise
    return Simulation(spec, result, time.perf_counter() - began, writer.folder if writer else None)


def _plain(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate as plain values; what cannot be said is None."""
    values: Mapping[str, Any] = {
        "name": estimate.name,
        **({"role": estimate.role} if estimate.role else {}),
        **({"camp": estimate.camp} if estimate.camp else {}),
        "win_share": estimate.share,
        "low": estimate.low,
        "high": estimate.high,
        "par": estimate.par,
        "par_normalised": estimate.par_normalised,
        "mean_score": estimate.score,
    }
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}
