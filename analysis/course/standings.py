"""The standings of seats in the course of a game of any length: stories made from the table of events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.declarations import Standing
from analysis.data.events import GAME, KIND, SEAT, TURN, VALUES
from analysis.data.source import Array, Block, Source

LEAST = 2
"""Least number of standings in a story."""

AT_ONCE = 4096
"""Number of stories that are laid out at a time, so that long games do not take much memory."""


@dataclass(frozen=True, eq=False)
class Stories:
    """Games, or the parts of games that are counted separately, with at least `LEAST` standings each.

    All arrays are as long as the longest story; the other stories repeat their last standing.
    """

    game: Array  # index of each story's game within the block
    rank: Array  # standing of each seat (higher is better), shape (stories, standings, seats)
    measure: Array  # the value in which gaps are measured, of the same shape
    turn: Array
    last: Array
    """turn, last: Turn of each standing, shape (stories, standings), and of the last one, shape (stories,)."""
    size: Array  # number of standings of each story
    share: Array  # each seat's share of the win, shape (stories, seats)

    @property
    def half(self) -> Array:
        """Index of the last standing in the first half; 0 if all standings come later."""
        return self.at(1, 2).clip(min=0)

    def at(self, part: int, parts: int) -> Array:
        """Return the index of the last standing within the first `part` of `parts` equal parts; -1 if there is none."""
        before = (parts * self.turn <= part * self.last[:, None]).sum(axis=1)
        return np.asarray(np.minimum(before, self.size) - 1)


def columns_of(source: Source, standing: Standing) -> tuple[str, ...]:
    """Return the columns that stories need in addition to the events."""
    return standing.shares or (source.share,)


def stories(source: Source, standing: Standing, block: Block) -> Iterator[Stories]:
    """Yield the stories of a block in order, a limited number at a time.

    source: Source of the block.
    standing: What the game declares.
    block: Games with their events.
    """
    events, kind = block.events, source.event_kinds[standing.kind]
    game, part, story = parts_of(source, standing.begins, block)
    chosen = np.flatnonzero((events[:, KIND] == number_of(source, standing.kind)) & (story >= 0))
    rows, story = events[chosen], story[chosen]
    if not len(rows):
        return
    rank = np.zeros(len(rows), np.int64)
    for name in standing.rank:
        distinct, place = np.unique(rows[:, VALUES + kind.values.index(name)], return_inverse=True)
        rank = rank * len(distinct) + place
    measure = rows[:, VALUES + kind.values.index(standing.rank[0])]
    new = np.ones(len(rows), bool)
    new[1:] = (np.diff(story) != 0) | (np.diff(rows[:, TURN]) != 0)
    step = np.cumsum(new) - 1  # standing of each row, counted over all stories
    of_step = story[new]
    size = np.bincount(of_step, minlength=len(game))
    first = np.cumsum(size) - size
    columns = [block[name] / source.unit for name in columns_of(source, standing)]
    told = np.flatnonzero(size >= LEAST)
    for start in range(0, len(told), AT_ONCE):
        some = told[start : start + AT_ONCE]
        low, high = first[some[0]], first[some[-1]] + size[some[-1]]
        lo, hi = np.searchsorted(step, (low, high))
        shape = (high - low, source.players)
        where = step[lo:hi] - low, rows[lo:hi, SEAT]
        ranks, measures = np.full(shape, -1), np.zeros(shape, np.int64)
        ranks[where], measures[where] = rank[lo:hi], measure[lo:hi]
        place = np.minimum(np.arange(size[some].max()), size[some, None] - 1) + (first[some, None] - low)
        turn = rows[new, TURN][low:high][place].astype(np.int64)
        share = np.stack(columns)[part[some], game[some]]
        yield Stories(game[some], ranks[place], measures[place], turn, turn[:, -1], size[some], share)


def last_but_one(told: Stories) -> Array:
    """Return the index of the last standing but one of each story."""
    return np.asarray(told.size - LEAST)


def number_of(source: Source, kind: str) -> int:
    """Return the number of a kind of event."""
    return list(source.event_kinds).index(kind)


def parts_of(source: Source, begins: str | None, block: Block) -> tuple[Array, Array, Array]:
    """Divide games into the parts that are counted separately.

    source: Source of the block.
    begins: Kind of event that begins a part; its first value is the number of the part.  If None, a game is one part.
    block: Games with their events.
    Returns game, part, of_event : numpy.ndarray: Game and number of each part, and the part that each event belongs to;
        -1 before the first part of its game.
    """
    events = block.events
    if begins is None:
        return np.arange(block.games), np.zeros(block.games, np.int64), events[:, GAME].astype(np.int64)
    begun = events[:, KIND] == number_of(source, begins)
    game, part = events[begun, GAME].astype(np.int64), events[begun, VALUES].astype(np.int64)
    of_event = np.cumsum(begun) - 1
    known = of_event >= 0
    known[known] = game[of_event[known]] == events[known, GAME]
    return game, part, np.where(known, of_event, -1)
