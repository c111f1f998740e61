"""Play a run on the workers of a cluster, part by part; they return totals and the names of the files they wrote."""

from __future__ import annotations

import pickle
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from simcore.errors import Interrupted
from simcore.running.batch import Spec
from simcore.running.parts import Part, PlayedPart, Player, Sink
from simcore.running.totals import Also, InOrder
from simcore.running.workers import Cluster

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

    cluster: The workers.
    job: What they play.
    todo: The parts to play.
    merging: Object that merges the totals.
    finished: Function that is called with each part.
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
