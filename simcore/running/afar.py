"""Play a run on workers elsewhere, part by part; they send back totals and the names of the files that they wrote."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from simcore.errors import Interrupted
from simcore.running.batch import Spec
from simcore.running.crew import Crew
from simcore.running.parts import Part, PlayedPart, Player, Sink
from simcore.running.totals import Also, InOrder, Totals

AHEAD = 3
"""Parts that are handed out at a time, for each that is played at a time."""

PULSE = 0.2
"""Seconds between two looks at what is done."""


@dataclass(frozen=True)
class Job:
    """What a worker needs to play any part of a run.

    Parameters
    ----------
    spec, detail, sink, tables, also
        As for `simcore.running.executors.execute`; all of them are sent.
    largest
        Games of the largest part.
    token
        Tells one job from another.
    """

    spec: Spec
    detail: str | None
    sink: Sink | None
    tables: tuple[str, ...]
    also: Also | None
    largest: int
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


_OWN = threading.local()


def play_part(job: Job, part: Part) -> tuple[Totals, Any]:
    """Play one part where this is called; the thread keeps its memory for the next part of the same job."""
    if getattr(_OWN, "token", None) != job.token:
        _OWN.player = Player(job.spec, job.detail, job.largest, job.tables, job.also)
        _OWN.token = job.token
    player: Player = _OWN.player
    totals = player.play(part, threading.Event())
    return totals, job.sink(part.number, player.buffer) if job.sink and player.buffer else None


def play_afar(
    crew: Crew,
    job: Job,
    todo: Sequence[Part],
    merging: InOrder,
    finished: Callable[[PlayedPart], object],
    tick: Callable[[int], None],
) -> None:
    """Have workers elsewhere play parts; whatever becomes of a worker, each part is counted once.

    Parameters
    ----------
    crew
        The workers.
    job
        What they play.
    todo
        Which parts.
    merging
        Takes the totals.
    finished
        Called with each part.
    tick
        Called several times a second with the number of games played so far.

    Raises
    ------
    Interrupted
        After a KeyboardInterrupt.
    """
    queue, games = iter(todo), 0
    waiting: dict[Future[tuple[Totals, Any]], Part] = {}
    try:
        with crew.hands() as hands:
            while True:
                for part in islice(queue, max(AHEAD * hands.size - len(waiting), 0)):
                    waiting[hands.submit(play_part, job, part)] = part
                if not waiting:
                    return
                for future in wait(waiting, PULSE, FIRST_COMPLETED).done:
                    part = waiting.pop(future)
                    totals, written = future.result()
                    finished(PlayedPart(part.number, part.first, part.games, totals, written))
                    merging.add(part.number, totals)
                    games += part.games
                tick(games)
    except KeyboardInterrupt:
        raise Interrupted from None
