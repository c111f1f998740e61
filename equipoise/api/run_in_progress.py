"""Play the games of a run and write them, from the beginning or where it ended early, to a number or a precision."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from analysis.data.one_thread import products_on_one_thread
from analysis.precision import Goal, at_stage, read_goal, shown, stages
from analysis.stats.moments import MIN_DEALS
from equipoise.api.following import Following, Tick, following
from equipoise.signals import together
from simcore.errors import Damaged, Interrupted, KernelFault, UsageError
from simcore.running.batch import Spec
from simcore.running.executors import Part, PlayedPart, Result, execute
from simcore.running.tally import Totals

if TYPE_CHECKING:
    from analysis.runs.manifest import Manifest
    from analysis.runs.writer import Resumed, RunWriter

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
        """Play the run; whatever happens, its folder records how far it came.

        Returns
        -------
        tuple
            The result, and the time in seconds.
        """
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
