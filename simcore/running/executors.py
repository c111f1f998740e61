"""Play a whole run on several threads, part by part."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from simcore.errors import Interrupted
from simcore.kernel.memory import Memory
from simcore.running.batch import Spec, play_into
from simcore.running.columns import ColumnBuffer
from simcore.running.crew import workers_elsewhere
from simcore.running.extra_tables import ExtraBuffer
from simcore.running.pool import Pool
from simcore.running.tally import Tally
from simcore.running.totals import Also, InOrder, Totals

FIRST_CHUNK, CHUNK = 60, 1920
"""Games that a thread first plays, and most that it plays, before it looks whether it is to stop.

Cut to whole deals by `whole`.
"""

BRIEF = 0.05
"""Seconds; a chunk that took less is followed by one of twice as many games."""

PART_SIZES = (30_720, 122_880)
"""Games that go into one file of the table; multiples of four chunks."""

LEAST_PARTS = (0, 128)
"""Parts that a run must have for each of these sizes."""

SLOW_PART, FEW = 240, 2048
"""Size of the parts of players who look ahead, and how many such parts there may be."""

Sink = Callable[[int, ColumnBuffer], Any]
"""Called with a part's number and its columns; may be called from several threads at once, and where the part is
played.  What it returns is handed on with the part."""


@dataclass(frozen=True)
class Part:
    """Consecutive games of a run; always the same for the same number of games."""

    number: int
    first: int
    games: int


@dataclass(frozen=True)
class PlayedPart(Part):
    """A part that was played.

    Parameters
    ----------
    totals
        What its games came to.
    written
        What the sink returned.
    """

    totals: Totals
    written: Any = None


@dataclass(frozen=True)
class Result:
    """What a run came to.

    Parameters
    ----------
    totals
        Totals of all games.
    """

    totals: Totals

    @property
    def tally(self) -> Tally:
        """Who won how much."""
        return self.totals.tally

    @property
    def digest(self) -> str:
        """Hex digest of all outcomes."""
        return self.totals.digest.hexdigest()


def whole(games: int, per_deal: int) -> int:
    """Return the most games of whole deals that are no more than some games, and at least one deal."""
    return max(games // per_deal, 1) * per_deal


def parts(games: int, slow: bool = False, per_deal: int = 1) -> list[Part]:
    """Cut a run into parts, large runs into larger ones, and its end into quarters, for threads to finish together.

    Parameters
    ----------
    games
        Games in the run.
    slow
        Whether players look ahead, so that parts should be small.
    per_deal
        Games that share a chance stream; no part begins within a deal.
    """
    size = max(size for size, least in zip(PART_SIZES, LEAST_PARTS, strict=False) if games >= size * least)
    if slow and games < SLOW_PART * FEW:
        size = SLOW_PART
    quarter = whole(size // 4, per_deal)
    size = 4 * quarter
    end = max(0, games // size - 1) * size
    firsts = [*range(0, end, size), *range(end, games, quarter), games]
    return [Part(number, first, after - first) for number, (first, after) in enumerate(pairwise(firsts))]


def default_threads() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Player:
    """Memory of one thread, and how many games it has played."""

    def __init__(
        self, spec: Spec, detail: str | None, largest: int, tables: Sequence[str] = (), also: Also | None = None
    ) -> None:
        self.spec, self.also, self.games = spec, also, 0
        self.memory = Memory(spec.game)
        self.rows = np.zeros(whole(CHUNK, spec.games_per_deal) * spec.players, spec.game.row_dtype)
        self.buffer = ColumnBuffer(spec, detail, largest, ExtraBuffer(spec, tables)) if detail else None
        per_deal = spec.games_per_deal
        self.chunk = per_deal if spec.searches else whole(FIRST_CHUNK, per_deal)
        self.most = whole(CHUNK, per_deal)

    def play(self, part: Part, stop: threading.Event) -> Totals:
        """Play a part, or as much of it as there is time for."""
        totals = Totals(self.spec, self.also)
        if self.buffer:
            self.buffer.begin(part.first)
        first, last = part.first, part.first + part.games
        while first < last and not stop.is_set():
            began = time.perf_counter()
            games = min(self.chunk, last - first)
            rows = self.rows[: games * self.spec.players]
            facts, notes = self.buffer.extra.room(games) if self.buffer else (None, None)
            play_into(self.spec, np.arange(first, first + games), rows, self.memory, facts, notes)
            totals.add(rows, first * self.spec.players)
            if self.buffer:
                self.buffer.add(rows)
                self.buffer.extra.add(first, facts, notes)
            first += games
            self.games += games
            if time.perf_counter() - began < BRIEF:
                self.chunk = min(2 * self.chunk, self.most)
        return totals


def execute(
    spec: Spec,
    threads: int,
    detail: str | None = None,
    sink: Sink | None = None,
    finished: Callable[[PlayedPart], object] = lambda part: None,
    tick: Callable[[int], None] = lambda games: None,
    tables: Sequence[str] = (),
    todo: Sequence[Part] | None = None,
    before: Totals | None = None,
    also: Also | None = None,
) -> Result:
    """Play all games of a run, or those that are left of it.

    Parameters
    ----------
    spec
        The run.
    threads
        How many threads play, where no workers elsewhere are called in; outcomes do not depend on it.
    detail
        Level of detail of the columns for `sink`; None: no columns are made.
    sink
        Takes each part's columns.
    finished
        Called with each part that `sink` has taken, and its totals; may be called from several threads at once.
    tick
        Called several times a second, in the calling thread, with the number of games played so far, those of
        `before` included.
    tables
        Tables next to the one by seat that the columns for `sink` come with; see `simcore.running.extra_tables`.
    todo
        The parts that are to be played; all parts of the run if None.
    before
        Totals of games that were played earlier, on top of which those of the parts come.
    also
        Makes further sums over the rows; see `simcore.running.totals`.

    Returns
    -------
    Result
        Totals and digest.

    Raises
    ------
    Interrupted
        After a KeyboardInterrupt; every part that `finished` saw is whole.
    KernelFault
        If a game breaks an invariant.
    """
    left = parts(spec.games, spec.searches, spec.games_per_deal) if todo is None else todo
    total = Totals(spec, also)
    if before is not None:
        total.merge(before)
    if not left:
        return Result(total)
    largest, earlier = max(part.games for part in left), total.games
    merging = InOrder(total, [part.number for part in left])
    if crew := workers_elsewhere():
        from simcore.running.afar import Job, play_afar

        job = Job(spec, detail, sink, tuple(tables), also, largest)
        play_afar(crew, job, left, merging, finished, lambda games: tick(earlier + games))
        return Result(total)
    workers = [Player(spec, detail, largest, tables, also) for _ in range(min(threads, len(left)))]
    queue, lock, stop = iter(left), threading.Lock(), threading.Event()

    def run(worker: Player) -> None:
        while not stop.is_set():
            with lock:
                part = next(queue, None)
            if part is None:
                return
            found = worker.play(part, stop)
            if not stop.is_set():
                written = sink(part.number, worker.buffer) if sink and worker.buffer else None
                finished(PlayedPart(part.number, part.first, part.games, found, written))
                with lock:
                    merging.add(part.number, found)

    with Pool(len(workers)) as pool:
        try:
            futures = [pool.submit(run, worker) for worker in workers]
            _join(futures, lambda: tick(earlier + sum(worker.games for worker in workers)))
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            stop.set()
    return Result(total)


def _join(futures: list[Future[None]], tick: Callable[[], None]) -> None:
    """Wait for all, waking often enough for Ctrl-C and `tick`; raise what the first to fail raised."""
    pending = set(futures)
    while pending:
        done, pending = wait(pending, timeout=0.2, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()
        tick()
