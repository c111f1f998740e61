"""`eq.simulate` and `eq.resume`: who plays, the run in progress, and its result."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.data.player_notes import player_notes
from analysis.data.threads import products_on_one_thread
from analysis.pictured import Pictured
from analysis.precision import LONG, Goal, at_stage, lasting, read_goal, shown, stages
from analysis.runs.manifest import SUMMARY
from analysis.seats.shares import Estimate, camp_shares, judge_totals, nobody, seat_shares, strategy_shares, won_in
from analysis.stats.margin import FAIR, OF_STAKE
from analysis.stats.moments import MIN_DEALS
from equipoise.api.experiment import notebook_html
from equipoise.output.progress import Following, Tick, following
from equipoise.parameters import Threads
from equipoise.process import command_line, together
from simcore.errors import Damaged, Interrupted, KernelFault, UsageError
from simcore.judged import Judged
from simcore.running import batch
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.executors import Part, PlayedPart, Result, default_threads, execute
from simcore.running.tally import Also, Totals
from strategies.habit import habits
from strategies.skill import weak_players

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from analysis.measures.requested import Found
    from analysis.runs import Run
    from analysis.runs.folders import Place
    from analysis.runs.manifest import Manifest
    from analysis.runs.writer import Resumed, RunWriter
    from reports.figures.base import Figure
    from simcore.running.executors import Result
    from strategies.tuning.retune import Retuned

# --- Play the games of a run and write them, from the beginning or where it ended early, to a number or a precision ---


SEATS = read_goal("seats=0.1pp")
"""The shares whose precision the progress bar shows if the user asked for no precision."""

LOOK = 0.5
"""Seconds between two calculations of the present precision."""

PROBE = 0.3
"""Seconds of play that are needed to estimate the number of games per second."""


@dataclass
class RunInProgress:
    """A run that is being played."""

    spec: Spec  # what is played
    threads: int  # number of threads
    writer: RunWriter | None = None  # writes the run's table.  If None, nothing is written.
    tables: Sequence[str] = ()  # names of the tables to write in addition to the table of seats
    goal: Goal | None = None
    """The precision at which the run ends.  If None, it ends after the number of games in `spec`."""

    def __post_init__(self) -> None:
        self.also = self.writer.also if self.writer else self.goal.also(self.spec) if self.goal else None
        self.totals = self.writer.totals if self.writer else Totals(self.spec, self.also)
        self._lock, self._due = threading.Lock(), 0.0

    def play(self, progress: Following) -> tuple[Result, float]:
        """Play the run, and return the result and the seconds; whatever happens, its folder records how far it came."""
        with _honest(self.writer):
            began = self._compiled()
            if self.writer and self.writer.replaced:
                self._check_room(self.writer)
            with following(progress, "games", self.spec.games) as tick:
                result = self._to_goal(tick, 0) if self.goal else self._execute(self.spec, tick, None)
            if self.writer:
                with together():
                    self.writer.close(result)
        return result, time.perf_counter() - began

    def go_on(self, resumed: Resumed, progress: Following) -> tuple[Result, float]:
        """Play the games that are left, and write files again that were lost; otherwise like `play`."""
        assert self.writer
        made = resumed.manifest
        if made.status == "complete" and not (resumed.lost or resumed.todo):
            return _known(self.writer, made)
        with _honest(self.writer):
            began = self._compiled()
            with following(progress, "games", self.spec.games) as tick:
                execute(
                    self.spec,
                    self.threads,
                    self.writer.columns,
                    self.writer.write,
                    tables=self.tables,
                    todo=resumed.lost,
                )
                result = self._execute(self.spec, tick, resumed.todo)
                if self.goal and made.status != "complete" and not self.goal.reached(self.spec, self.totals):
                    result = self._to_goal(tick, self.spec.games)
            with together():
                self.writer.close(result)
        return result, made.seconds + time.perf_counter() - began

    def _to_goal(self, tick: Tick, done: int) -> Result:
        """Play the stages with more than `done` games, until the goal or the largest size of a run is reached."""
        assert self.goal
        result = Result(self.totals)
        for stage in stages(self.spec, self.goal):
            if stage.games <= done:
                continue
            self.spec = at_stage(self.spec, stage)
            if self.writer:
                self.writer.extend(stage.games)
            result = self._execute(self.spec, tick, stage.parts)
            if self.goal.reached(self.spec, result.totals):
                break
        return result

    def _execute(self, spec: Spec, tick: Tick, todo: Sequence[Part] | None) -> Result:
        """Play some parts, and add them to what was played before."""

        def finished(part: PlayedPart) -> None:
            if self.writer:
                self.writer.finished(part)
            else:
                with self._lock:
                    self.totals.merge(part.totals)

        def look(games: int) -> None:
            if tick.shows(games):
                self._look(tick)
            tick(games)

        before = self.totals if self.totals.games else None
        columns, write = (self.writer.columns, self.writer.write) if self.writer else (None, None)
        with products_on_one_thread():  # the sums of a summary multiply small matrices on every thread
            return execute(spec, self.threads, columns, write, finished, look, self.tables, todo, before, self.also)

    def _look(self, tick: Tick) -> None:
        """Show how precise the shares are at present, and how many games the goal will take."""
        if time.perf_counter() < self._due:
            return
        self._due = time.perf_counter() + LOOK
        with self._lock:
            widths = (self.goal or SEATS).widths(self.spec, self.totals).items()
        tick.note(", ".join(_told(what, half, self.goal) for what, half in widths if isfinite(half)))
        if self.goal:
            tick.total = self.goal.left(self.spec, self.totals)

    def _check_room(self, writer: RunWriter) -> None:
        """Raise `UsageError` if the disk has no room for this run beside the one that it replaces."""
        some, took = self.spec.games_per_deal, 0.0
        while took < PROBE and some < self.spec.games:
            some = min(4 * some, self.spec.games)
            began = time.perf_counter()
            execute(replace(self.spec, games=some), 1, writer.columns, writer.write, tables=self.tables)
            took = time.perf_counter() - began
        writer.refuse_beyond_room(some)

    def _compiled(self) -> float:
        """Compile or load everything that the run needs, and return the time at which play begins."""
        execute(replace(self.spec, games=1), 1, self.writer.columns if self.writer else None)
        return time.perf_counter()


def probed(spec: Spec, threads: int, goal: Goal) -> tuple[int, float]:
    """Estimate how many games and seconds a run to a precision will take, by playing a few games."""
    also, some, took = goal.also(spec), spec.games_per_deal * (MIN_DEALS if goal.measures else 1), 0.0
    execute(replace(spec, games=1), 1)
    while True:
        began = time.perf_counter()
        totals = execute(replace(spec, games=some), threads, also=also).totals
        took = time.perf_counter() - began
        games = goal.needed(spec, totals)
        if took >= PROBE or some >= games:
            return games, games * took / some
        some *= 4


def _told(what: str, half: float, goal: Goal | None) -> str:
    """Return the present precision of some shares, or of a measure, in words."""
    wanted = f" of {shown(what, dict(goal.wishes)[what])}" if goal else ""
    return f"{what} ±{shown(what, half)}{wanted}"


def _known(writer: RunWriter, made: Manifest) -> tuple[Result, float]:
    """Return the result of a complete run, and the seconds that it took."""
    result = Result(writer.totals)
    if result.digest != made.digest:
        writer.place.release()
        raise Damaged(f"{writer.folder}: the totals do not match the digest; the manifest was changed or damaged")
    writer.settle()
    return result, made.seconds


@contextmanager
def _honest(writer: RunWriter | None) -> Iterator[None]:
    """If the games end early, record that in the run's folder."""
    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        if not writer:
            raise Interrupted from None
        if not writer.abandon("interrupted"):
            raise Interrupted("nothing was written; run it again") from None
        again = f"simulate --resume {writer.folder}" if writer.command else f"eq.resume('{writer.folder}')"
        holds = "the games that were complete" if writer.totals.games else "no games yet"
        stays = f"{writer.replaced} is as it was; " if writer.replaced else ""
        raise Interrupted(f"{stays}{writer.folder} holds {holds}; continue with: {again}") from None
    except (UsageError, KernelFault, OSError):
        if writer:
            writer.abandon("failed")
        raise


# --- The result of playing a run ---


@dataclass(frozen=True, eq=False)
class Simulation(Pictured):
    """The result of playing a run; tables are polars frames."""

    spec: Spec  # what was played
    result: Result  # totals and digest
    seconds: float  # how long it took
    folder: Path | str | None  # the run folder, or its URL in an object store; None if no table was written
    retuned: tuple[Retuned, ...] | None = None
    """Players that were tuned for these rules first; None if the caller did not ask for that."""

    @property
    def seats(self) -> pl.DataFrame:
        """Each seat's share of the wins, with interval, par and mean score; one row for each seat."""
        return _frame(self.to_dict()["seats"])

    @property
    def by_strategy(self) -> pl.DataFrame:
        """Each strategy's share of the wins, with interval, par and mean score; one row for each strategy."""
        return _frame(self.to_dict()["by_strategy"])

    @property
    def camps(self) -> pl.DataFrame:
        """Each camp's share of the wins, with interval and par; empty if the game has no camps."""
        return _frame(self.to_dict().get("camps", []))

    @property
    def measures(self) -> pl.DataFrame:
        """What else the run was played to a precision of, such as scores, with intervals; empty if nothing."""
        return _frame(self.to_dict().get("measures", []))

    @property
    def verdicts(self) -> list[str]:
        """The conclusions as sentences, most important first."""
        return [text for _, text, _ in self._judged()[0]]

    @property
    def levels(self) -> list[dict[str, Any]]:
        """Which levels of play the verdict holds at, with a sentence that says so; empty if nothing is judged."""
        return self._judged()[1]

    def _judged(self) -> tuple[list[tuple[str, str, str]], list[dict[str, Any]]]:
        """Return the code, sentence and status of each verdict, and what players who look ahead say to them."""
        from analysis.data.inputs import inputs_of
        from reports.opinion import heard
        from reports.words import ENGLISH

        spec, words = self.spec, ENGLISH.of_game(self.spec.game.name)
        verdicts = judge_totals(spec, self.result.tally)
        file = spec.rules_reference if spec.rules_reference.endswith(".toml") else ""
        one = heard(inputs_of(spec, spec.games, self.result.tally.deals), spec.rules, verdicts, file=file)
        said = [(verdict.code, *one.sentence(words, verdict)) for verdict in verdicts]
        return said, [one.to_dict(words)] if one.verdict else []

    @property
    def warnings(self) -> list[str]:
        """Sentences on games that nobody wins, and on strategies too weak for verdicts, or tuned for other rules."""
        from reports.words import ENGLISH

        notes = (*nobody(won_in(self.result.tally), self.spec.judged), *player_notes(self.spec))
        return [ENGLISH.of_game(self.spec.game.name).note(note) for note in notes]

    @property
    def run(self) -> Run:
        """The run folder, opened to read its table; raises `UsageError` if none was written."""
        from analysis.runs import load

        if self.folder is None:
            raise UsageError("no table was written; simulate with out=True, or name a folder", "out")
        if isinstance(self.folder, str):
            raise UsageError(f"{self.folder} is in an object store; copy it to this machine to read it", "out")
        return load(self.folder)

    @property
    def measured(self) -> list[Found]:
        """What `measures` is made from."""
        if self.result.totals.more is None:
            return []
        from analysis.measures.requested import measured

        return measured(self.result.totals)

    def figures(self, lang: str = "en") -> dict[str, Figure]:
        """Return the figure of the seats by its name."""
        from reports.figures.seats import SeatAdvantage
        from reports.study.study import words_of
        from reports.words import Words

        words = words_of(self.spec.game.name, self.spec.rules, Words(lang))
        who = words.listed(list(dict.fromkeys(map(words.name, self.spec.strategies))))
        shares = seat_shares(self.spec, self.result.tally)
        return {"seats": SeatAdvantage.of_shares({who: shares}, words=words)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything that `simulate --json` prints; values that are undefined are None."""
        spec, tally = self.spec, self.result.tally
        shares, (verdicts, levels) = seat_shares(spec, tally), self._judged()
        measures = [_measure(found) for found in self.measured]
        camps = [_plain(estimate, spec.judged) for estimate in camp_shares(spec, tally).estimates]
        return {
            "game": spec.game.name,
            "players": spec.players,
            "rules": spec.rules.name,
            "rules_digest": spec.rules.digest,
            "settings": list(spec.rules.settings),
            "strategies": list(spec.strategies),
            "weak": list(weak_players(spec)),
            "habits": [habit.to_dict() for habit in habits(spec)],
            "design": spec.design,
            "seed": spec.seed,
            "games": spec.games,
            "deals": shares.deals,
            **({"camps": camps} if camps else {}),
            "seats": [_plain(estimate, spec.judged) for estimate in shares.estimates],
            "by_strategy": [_plain(estimate, spec.judged) for estimate in strategy_shares(spec, tally).estimates],
            **({"measures": measures} if measures else {}),
            "level": shares.level,
            "margin": f"{OF_STAKE:.0%} of the stake" if spec.judged.is_payoff else str(FAIR),
            **({"unit": spec.judged.unit} if spec.judged.is_payoff else {}),
            "warnings": self.warnings,
            "verdicts": [{"code": code, "status": status, "text": text} for code, text, status in verdicts],
            "levels": levels,
            "seconds": round(self.seconds, 3),
            "digest": self.result.digest,
            "out": str(self.folder) if self.folder else None,
            **({} if self.retuned is None else {"retuned": [player.to_dict() for player in self.retuned]}),
        }

    def __repr__(self) -> str:
        return f"<Simulation of {self.spec}: {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        tables = [self.seats, *([self.by_strategy] if len(self.spec.cast) > len(self.spec.game.roles) else [])]
        return notebook_html(repr(self.spec)[1:-1], [*self.verdicts, *self.warnings], tables)


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(rows)


def _measure(found: Found) -> dict[str, Any]:
    values = {"name": found.name, "member": found.member, "value": found.value, "low": found.low, "high": found.high}
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}


def _plain(estimate: Estimate, judged: Judged) -> dict[str, Any]:
    """Return an estimate as plain values; undefined values are None."""
    values: Mapping[str, Any] = {
        "name": estimate.name,
        **({"role": estimate.role} if estimate.role else {}),
        **({"camp": estimate.camp} if estimate.camp else {}),
        "payoff" if judged.is_payoff else "win_share": judged.amount(estimate.share),
        "low": judged.amount(estimate.low),
        "high": judged.amount(estimate.high),
        "par": judged.amount(estimate.par),
        **({} if judged.is_payoff else {"par_normalised": estimate.par_normalised}),
        "mean_score": estimate.score,
    }
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}


# --- `eq.simulate` and `eq.resume`: play a run, and continue it ---


HERE = Path("runs")
"""Folder in which new run folders are made."""


def resume(
    folder: str | Path, *, threads: Threads = None, trust: bool = False, progress: Following = None
) -> Simulation:
    """Continue a run that ended early, for whatever reason; the result is the same as without the interruption.

    Parameters
    ----------
    folder
        The run folder, or its URL in an object store; it says what is played.  Of a complete run, only damaged files
        are written again.
    threads, progress
        As for `eq.simulate`.
    trust
        Whether Python code that the run names may be run.

    Returns
    -------
    Simulation
        The result of the complete run.

    Raises
    ------
    UsageError
        If the folder is no run folder, another process is writing to it, or another version of the code began the run.
    KernelFault, Interrupted
        As for `eq.simulate`.

    References
    ----------
    * docs/reference/commands.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> eq.resume("runs/first").seats.equals(found.seats)
    True
    """
    from analysis.runs.folders import place_of
    from analysis.runs.writer import resume as take_up

    found = take_up(place_of(folder), _sums, trust)
    made = found.manifest
    run = RunInProgress(found.spec, threads or default_threads(), found.writer, tuple(made.tables), found.goal)
    result, seconds = run.go_on(found, progress)
    return Simulation(run.spec, result, seconds, found.writer.folder)


def first_stage(spec: Spec, goal: Goal, threads: int, yes: bool) -> Spec:
    """Return the first stage of a run to a precision.

    Raises UsageError if the precision cannot be reached, or takes longer than the user has agreed to.
    """
    goal.check(spec)
    games, seconds = probed(spec, threads, goal)
    goal.refuse_beyond(games)
    if seconds > LONG and not yes:
        raise UsageError(
            f"'{goal.text}' takes about {games:.2g} games, which is {lasting(seconds)} on this machine; ask for less "
            "precision",
            "precision",
            (", or confirm with", "yes"),
        )
    return at_stage(spec, next(stages(spec, goal)))


def writer_of(
    spec: Spec,
    out: str | Path | bool | None,
    force: bool,
    detail: str,
    format: str,
    tables: Sequence[str],
    goal: Goal | None,
) -> RunWriter:
    from analysis.runs.folders import Folder, claim_free, place_of
    from analysis.runs.writer import RunWriter, SummaryWriter

    spec.judged.check_sums(spec.games, spec.games_per_deal)
    if isinstance(out, bool) or out is None:
        place: Place = Folder(claim_free(HERE, f"{spec.game.name}-{spec.players}p"))
    else:
        place = place_of(out).claim(force)
    if detail == SUMMARY:
        kept = _sums(spec, goal.asked(spec) if goal else {})
        return SummaryWriter(place, spec, list(command_line()), kept, goal.text if goal else None)
    precision, also = (goal.text, goal.also(spec)) if goal else (None, None)
    return RunWriter(place, spec, detail, format, list(command_line()), tables, precision, also)


def _sums(spec: Spec, asked: Mapping[str, Any]) -> Also:
    """Return what makes the totals of a run that keeps no rows; only such runs load what this takes."""
    from analysis.headlines import summary_of

    return summary_of(spec, asked)


# --- The rows of a few games, as an array ---


def run_chunk(spec: Spec, first: int, games: int) -> np.ndarray[Any, Any]:
    """Play games `first` .. `first + games - 1` of a run.

    Parameters
    ----------
    spec
        The run.
    first
        Index of the first game, from 0.
    games
        Number of games to play.

    Returns
    -------
    numpy.ndarray
        One row for each game and seat, shape (games * players,), of the game's `row_dtype`; seats vary fastest.

    Raises
    ------
    UsageError
        If there are no such games, or their rows do not fit into the memory.
    KernelFault
        If a game breaks an invariant.

    References
    ----------
    * docs/reference/columns.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> rows = eq.run_chunk(run, first=0, games=10)
    >>> rows["share60"].shape
    (20,)
    """
    if not 0 <= first < MAX_GAMES:
        raise UsageError(f"{first} is out of range; give a whole number from 0 to {MAX_GAMES - 1:,}", "first")
    if not 0 <= games <= MAX_GAMES - first:
        raise UsageError(f"{games} is out of range; give a whole number from 0 to {MAX_GAMES - first:,}", "games")
    try:
        return batch.run_chunk(spec, first, games)
    except MemoryError:
        raise UsageError(f"{games:,} games do not fit into the memory; play fewer at a time", "games") from None
