"""Play a whole run on several threads, part by part."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simcore.errors import Interrupted
from simcore.kernel.memory import Memory
from simcore.running.batch import Spec, play_into
from simcore.running.columns import ColumnBuffer
from simcore.running.digest import Digest
from simcore.running.extra_tables import ExtraBuffer
from simcore.running.pool import Pool
from simcore.running.tally import Tally

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

Sink = Callable[[int, ColumnBuffer], None]
"""Called with a part's number and its columns; may be called from several threads at once."""


@dataclass(frozen=True)
class Part:
    """Consecutive games of a run; always the same for the same number of games."""

    number: int
    first: int
    games: int


@dataclass(frozen=True)
class Result:
    """What a run came to.

    Parameters
    ----------
    tally
        Totals.
    digest
        Hex digest of all outcomes.
    """

    tally: Tally
    digest: str


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


class _Worker:
    """Memory and totals of one thread."""

    def __init__(self, spec: Spec, detail: str | None, largest: int, tables: Sequence[str] = ()) -> None:
        self.spec = spec
        self.memory = Memory(spec.game)
        self.rows = np.zeros(whole(CHUNK, spec.games_per_deal) * spec.players, spec.game.row_dtype)
        self.buffer = ColumnBuffer(spec, detail, largest, ExtraBuffer(spec, tables)) if detail else None
        self.tally, self.digest = Tally(spec), Digest()
        per_deal = spec.games_per_deal
        self.chunk = per_deal if spec.searches else whole(FIRST_CHUNK, per_deal)
        self.most = whole(CHUNK, per_deal)

    def play(self, part: Part, stop: threading.Event) -> None:
        """Play a part, or as much of it as there is time for."""
        if self.buffer:
            self.buffer.begin(part.first)
        first, last = part.first, part.first + part.games
        while first < last and not stop.is_set():
            began = time.perf_counter()
            games = min(self.chunk, last - first)
            rows = self.rows[: games * self.spec.players]
            facts, notes = self.buffer.extra.room(games) if self.buffer else (None, None)
            play_into(self.spec, np.arange(first, first + games), rows, self.memory, facts, notes)
            self.digest.add(rows, first * self.spec.players)
            self.tally.add(rows)
            if self.buffer:
                self.buffer.add(rows)
                self.buffer.extra.add(first, facts, notes)
            first += games
            if time.perf_counter() - began < BRIEF:
                self.chunk = min(2 * self.chunk, self.most)


def execute(
    spec: Spec,
    threads: int,
    detail: str | None = None,
    sink: Sink | None = None,
    finished: Callable[[Part], None] = lambda part: None,
    tick: Callable[[int], None] = lambda games: None,
    tables: Sequence[str] = (),
) -> Result:
    """Play all games of a run.

    Parameters
    ----------
    spec
        The run.
    threads
        How many threads play; outcomes do not depend on it.
    detail
        Level of detail of the columns for `sink`; None: no columns are made.
    sink
        Takes each part's columns.
    finished
        Called with each part that `sink` has taken.
    tick
        Called several times a second, in the calling thread, with the number of games played so far.
    tables
        Tables next to the one by seat that the columns for `sink` come with; see `simcore.running.extra_tables`.

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
    todo = parts(spec.games, spec.searches, spec.games_per_deal)
    workers = [_Worker(spec, detail, todo[0].games, tables) for _ in range(min(threads, len(todo)))]
    queue, lock, stop = iter(todo), threading.Lock(), threading.Event()

    def run(worker: _Worker) -> None:
        while not stop.is_set():
            with lock:
                part = next(queue, None)
            if part is None:
                return
            worker.play(part, stop)
            if not stop.is_set():
                if sink and worker.buffer:
                    sink(part.number, worker.buffer)
                finished(part)

    with Pool(len(workers)) as pool:
        try:
            futures = [pool.submit(run, worker) for worker in workers]
            _join(futures, lambda: tick(sum(worker.tally.games for worker in workers)))
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            stop.set()
    tally, digest = workers[0].tally, workers[0].digest
    for worker in workers[1:]:
        tally.merge(worker.tally)
        digest.merge(worker.digest)
    return Result(tally, digest.hexdigest())


def _join(futures: list[Future[None]], tick: Callable[[], None]) -> None:
    """Wait for all, waking often enough for Ctrl-C and `tick`; raise what the first to fail raised."""
    pending = set(futures)
    while pending:
        done, pending = wait(pending, timeout=0.2, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()
        tick()
