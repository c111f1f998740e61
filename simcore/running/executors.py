"""Play a whole run on several threads, part by part."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass

from simcore.errors import Interrupted
from simcore.running.afar import Job, play_afar
from simcore.running.batch import Spec
from simcore.running.crew import workers_elsewhere
from simcore.running.parts import Part, PlayedPart, Player, Sink, parts
from simcore.running.pool import Pool
from simcore.running.tally import Tally
from simcore.running.totals import Also, InOrder, Totals


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


def default_threads() -> int:
    """Return how many processors this process may use."""
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
