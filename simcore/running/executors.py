"""Play a whole run on several threads, part by part."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass

from simcore.errors import Interrupted
from simcore.running.batch import Spec
from simcore.running.on_cluster import Job, play_on_cluster
from simcore.running.parts import Part, PlayedPart, Player, Sink, parts
from simcore.running.pool import Pool
from simcore.running.tally import Tally
from simcore.running.totals import Also, InOrder, Totals
from simcore.running.workers import cluster_in_use


@dataclass(frozen=True)
class Result:
    """The result of a run.

    Parameters
    ----------
    totals
        Totals of all games.
    """

    totals: Totals

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

    spec: The run.
    threads: Number of threads, unless a cluster is in use; it does not affect the outcomes.
    detail: Level of detail of the columns for `sink`.  If None, no columns are made.
    sink: Function that receives each part's columns.
    finished: Function that is called with each part after `sink`, and its totals; several threads may call it at once.
    tick: Function that is called several times a second, in the calling thread, with the number of games played so far,
        including those of `before`.
    tables: Further tables that are filled together with the columns for `sink`; see `simcore.running.extra_tables`.
    todo: The parts to play.  If None, all parts of the run.
    before: Totals of games that were played earlier, to which those of the parts are added.
    also: Makes further sums over the rows; see `simcore.running.totals`.
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
