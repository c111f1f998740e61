"""The parts of a run, and the playing of one part, here or on a worker of a cluster."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from simcore.kernel.memory import Memory
from simcore.running.batch import Spec, play_into
from simcore.running.columns import ColumnBuffer
from simcore.running.extra_tables import ExtraBuffer
from simcore.running.totals import Also, Totals

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

    games: Number of games in the run.
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
