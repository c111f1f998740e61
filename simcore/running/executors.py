"""Play a whole run part by part, on several threads or on the workers of a cluster."""

from __future__ import annotations

import os
import pickle
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np

from simcore.errors import Interrupted
from simcore.kernel.driver import Memory
from simcore.running.batch import Spec, play_into
from simcore.running.columns import ColumnBuffer, ExtraBuffer
from simcore.running.tally import Also, InOrder, Tally, Totals

# --- The parts of a run, and the playing of one part, here or on a worker of a cluster ---


FIRST_CHUNK, CHUNK = 60, 1920
"""Number of games that a thread plays at first, and at most, before it checks whether it should stop.

`whole` rounds these numbers to complete deals.
"""

BRIEF = 0.05
"""Seconds; a chunk that took less time is followed by one with twice as many games."""

PART_SIZES = (30_720, 122_880)
"""Numbers of games in one file of the table; multiples of four chunks."""

LEAST_PARTS = (0, 128)
"""Number of parts that a run must have for each of these sizes."""

SLOW_PART, FEW = 240, 2048
"""Size of parts if players look ahead, and the largest number of such parts."""

Sink = Callable[[int, ColumnBuffer], Any]
"""Function that is called with a part's number and its columns, on the machine that plays the part; several threads may
call it at once.  Its result is passed on with the part."""


@dataclass(frozen=True)
class Part:
    """Consecutive games of a run; always the same for the same number of games."""

    number: int
    first: int
    games: int


@dataclass(frozen=True)
class PlayedPart(Part):
    """A part that was played."""

    totals: Totals  # totals of its games
    written: Any = None  # the result of the sink


def whole(games: int, per_deal: int) -> int:
    """Round a number of games down to complete deals, but to at least one deal."""
    return max(games // per_deal, 1) * per_deal


def parts(games: int, slow: bool = False, per_deal: int = 1) -> list[Part]:
    """Divide a run into parts, larger ones for large runs, and its end into quarters, so that threads finish together.

    slow: Whether players look ahead, so that parts should be small.
    per_deal: Number of games that share a random stream; no part begins within a deal.
    """
    size = max(size for size, least in zip(PART_SIZES, LEAST_PARTS, strict=False) if games >= size * least)
    if slow and games < SLOW_PART * FEW:
        size = SLOW_PART
    quarter = whole(size // 4, per_deal)
    size = 4 * quarter
    end = max(0, games // size - 1) * size
    firsts = [*range(0, end, size), *range(end, games, quarter), games]
    return [Part(number, first, after - first) for number, (first, after) in enumerate(pairwise(firsts))]


class Player:
    """The memory of one thread, and the number of games that it has played."""

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
        """Play a part, or as much of it as is possible until `stop` is set."""
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


# --- A pool of threads that play; a process that is told to stop does not wait for threads that do not respond ---


PATIENCE = 1.0
"""Seconds that threads get to end after an error or Ctrl-C; a policy with an endless loop would take more."""


class Pool(ThreadPoolExecutor):
    """A pool of threads; if a block ends with an exception, threads that run for too long are abandoned."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.size = threads
        self._under_way: set[Future[Any]] = set()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Let a thread carry out some work."""
        future = super().submit(work, *arguments, **named)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for all threads; after an error, not for long."""
        if kind is None or kind is GeneratorExit:
            self.shutdown(cancel_futures=True)
            return
        self.shutdown(wait=False, cancel_futures=True)
        wait(list(self._under_way), PATIENCE)


# --- Who does the work: threads of this process, or the workers of a cluster while one is in use ---


class Workers(Protocol):
    """Executors of work while a block runs; work that is not done at its end is dropped."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None: ...

    @property
    def size(self) -> int:
        """Number of pieces of work that are done at a time."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Submit some work; on a cluster it must be a function of a module, whose arguments can be sent."""


class Cluster(Protocol):
    """The workers of a cluster."""

    def workers(self) -> Workers:
        """Return those who do some work."""


_IN_USE: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


@contextmanager
def use_cluster(cluster: Cluster) -> Iterator[None]:
    """Let workers elsewhere play instead of threads of this process while the block runs."""
    token = _IN_USE.set(cluster)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def cluster_in_use() -> Cluster | None:
    """Return the workers of the cluster in use; None if threads of this process play."""
    return _IN_USE.get()


def find_workers(threads: int) -> Workers:
    """Return the workers of the cluster in use; without one, a number of threads of this process."""
    cluster = cluster_in_use()
    return Pool(threads) if cluster is None else cluster.workers()


# Play a run on the workers of a cluster, part by part; they return totals and the names of the files they wrote.


AHEAD = 3
"""Number of tasks that are submitted at a time, for each task that is played at a time."""

TASK = 2.0
"""Seconds that a task should take; several shorter parts make one task."""

PULSE = 0.5
"""Seconds between two checks of what is done."""


@dataclass(frozen=True)
class Job:
    """What a worker needs to play any part of a run."""

    spec: Spec
    detail: str | None
    sink: Sink | None
    tables: tuple[str, ...]
    also: Also | None
    """spec, detail, sink, tables, also: As for `simcore.running.executors.execute`; all of them are sent to the
    workers."""
    largest: int  # number of games of the largest part
    token: str = field(default_factory=lambda: uuid.uuid4().hex)  # identifier that distinguishes jobs


_OWN = threading.local()


def play_parts(job: Job, task: Sequence[Part]) -> bytes:
    """Play some parts in the calling thread, which keeps its memory for the next parts of the same job.

    Returns bytes: The result of each part with what the sink returned, and the total time in seconds, pickled: a worker
        that returns what it cannot pickle would never be heard of again.
    """
    began = time.perf_counter()
    if getattr(_OWN, "token", None) != job.token:
        _OWN.player = Player(job.spec, job.detail, job.largest, job.tables, job.also)
        _OWN.token = job.token
    player: Player = _OWN.player
    found = []
    for part in task:
        totals = player.play(part, threading.Event())
        found.append((totals, job.sink(part.number, player.buffer) if job.sink and player.buffer else None))
    return pickle.dumps((found, time.perf_counter() - began))


def play_on_cluster(
    cluster: Cluster,
    job: Job,
    todo: Sequence[Part],
    merging: InOrder,
    finished: Callable[[PlayedPart], object],
    tick: Callable[[int], None],
) -> None:
    """Let the workers of a cluster play parts; each part is counted once, even if workers fail.

    tick: Function that is called several times a second with the number of games played so far.
    Raises Interrupted after a KeyboardInterrupt.
    """
    queue, games, seconds, played = deque(todo), 0, 0.0, 0
    waiting: dict[Future[bytes], list[Part]] = {}
    try:
        with cluster.workers() as workers:
            while True:
                while queue and len(waiting) < AHEAD * workers.size:
                    fair = len(queue) // (2 * workers.size)  # for all to end at about the same time
                    size = max(1, min(fair, int(TASK * played / seconds) if played else 1))
                    task = [queue.popleft() for _ in range(size)]
                    waiting[workers.submit(play_parts, job, task)] = task
                if not waiting:
                    return
                for future in wait(waiting, PULSE, FIRST_COMPLETED).done:
                    task = waiting.pop(future)
                    found, took = pickle.loads(future.result())
                    seconds, played = seconds + took, played + len(task)
                    for part, (totals, written) in zip(task, found, strict=True):
                        finished(PlayedPart(part.number, part.first, part.games, totals, written))
                        merging.add(part.number, totals)
                        games += part.games
                tick(games)
    except KeyboardInterrupt:
        raise Interrupted from None


# --- Play a whole run on several threads, part by part ---


@dataclass(frozen=True)
class Result:
    """The result of a run."""

    totals: Totals  # totals of all games

    @property
    def tally(self) -> Tally:
        """The wins by seat and by strategy."""
        return self.totals.tally

    @property
    def digest(self) -> str:
        """The digest of all outcomes, in hexadecimal."""
        return self.totals.digest.hexdigest()


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    """Play all games of a run, or those that are left.

    threads: Number of threads, unless a cluster is in use; it does not affect the outcomes.
    detail: Level of detail of the columns for `sink`.  If None, no columns are made.
    finished: Function that is called with each part after `sink`, and its totals; several threads may call it at once.
    tick: Function that is called several times a second, in the calling thread, with the number of games played so far,
        including those of `before`.
    tables: Further tables that are filled together with the columns for `sink`; see `simcore.running.columns`.
    todo: The parts to play.  If None, all parts of the run.
    before: Totals of games that were played earlier, to which those of the parts are added.
    also: Makes further sums over the rows; see `simcore.running.tally`.
    Returns Result: Totals and digest.
    Raises Interrupted after a KeyboardInterrupt; every part that `finished` received is complete.
    Raises KernelFault if a game breaks an invariant.
    """
    left = parts(spec.games, spec.searches, spec.games_per_deal) if todo is None else todo
    total = Totals(spec, also)
    if before is not None:
        total.merge(before)
    if not left:
        return Result(total)
    largest, earlier = max(part.games for part in left), total.games
    merging = InOrder(total, [part.number for part in left])
    if cluster := cluster_in_use():
        job = Job(spec, detail, sink, tuple(tables), also, largest)
        play_on_cluster(cluster, job, left, merging, finished, lambda games: tick(earlier + games))
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
    """Wait for all, waking often enough for Ctrl-C and `tick`; raise the error of the first that failed."""
    pending = set(futures)
    while pending:
        done, pending = wait(pending, timeout=0.2, return_when=FIRST_EXCEPTION)
        for future in done:
            future.result()
        tick()
