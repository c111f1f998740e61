"""The standings of seats in the course of a game of any length: stories made from the table of events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.declarations import Standing
from analysis.data.events import GAME, KIND, SEAT, TURN, VALUES
from analysis.data.results import Result
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, open_source
from analysis.stats.moments import Floats
from simcore.kernel.driver import Memory
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.pointers import call
from simcore.running.accumulator import Accumulator
from simcore.running.batch import Spec
from simcore.tabletop import Area, Moment

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

    @cached_property
    def passed(self) -> Array:
        """Whether the lead passes to another seat at each standing, shape (stories, standings)."""
        return lead_passes(self.rank)

    @property
    def won(self) -> Array:
        """Whether anybody won each story."""
        return np.asarray(self.share.any(axis=1))

    @property
    def course(self) -> Array:
        """Number of lead changes, and whether a story is of each kind in `RATES`, shape (stories, 1 + kinds)."""
        kinds = fortunes(self.rank, self.share, self.half, self.size - LEAST)
        return np.column_stack([self.passed.sum(axis=1), kinds])

    def at(self, part: int, parts: int) -> Array:
        """Return the index of the last standing within the first `part` of `parts` equal parts; -1 if there is none."""
        before = (parts * self.turn <= part * self.last[:, None]).sum(axis=1)
        return np.asarray(np.minimum(before, self.size) - 1)


def columns_of(source: Source, standing: Standing) -> tuple[str, ...]:
    """Return the columns that stories need in addition to the events."""
    return standing.shares or (source.share,)


def stories(source: Source, standing: Standing, block: Block) -> Iterator[Stories]:
    """Yield the stories of a block in order, a limited number at a time.

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


def number_of(source: Source, kind: str) -> int:
    """Return the number of a kind of event."""
    return list(source.event_kinds).index(kind)


def parts_of(source: Source, begins: str | None, block: Block) -> tuple[Array, Array, Array]:
    """Divide games into the parts that are counted separately.

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


# --- What happens to seats that lead or trail: the result of `drama`, and the rates of single games ---


@dataclass(frozen=True, eq=False, repr=False)
class Drama(Result):
    """The course of games.

    Parameters
    ----------
    table
        One row: the mean number of `lead_changes`, and the rates of four kinds of games: `runaway` (a winner led alone
        after every round from half-time on), `wire_to_wire` (a winner led alone after every round), `comeback` (a
        winner was last or tied for last at half-time) and `last_round` (one round before the end, no winner led or was
        tied for the lead).  If the length of games varies, these are means over `stories`: games, or such parts of them
        as the deals of a match.  There are then also two means over winners: `taken` (when the winner took the lead for
        good, as a share of the length) and `deficit` (the winner's largest deficit).
    rounds
        One row for each round: `leader_wins`, the win share of the seat that leads after the round (shared among tied
        leaders); `last_wins`, the same for the seat that is last; the mean `gap` between the leader and the second; and
        `passed`, how often the lead passed to another seat in that round.  If the length of games varies, one row for
        each tenth of the length, with `elapsed` instead of `round`.
    changes
        One row for each number of lead changes: the number of games, or of their parts, and their share.
    """

    rounds: pl.DataFrame
    changes: pl.DataFrame


def fortunes(score: Array, share: Array, half: Array | int | None = None, before: Array | int = -2) -> Array:
    """Return whether each game is of each kind in `RATES`, shape (games, rates).

    `score` has shape (games, rounds, seats), `share` (games, seats); `half` and `before` are the indices of half-time
    (the middle if None) and of the last round but one, for all games or for each.
    """
    games, rounds = np.arange(len(score)), np.arange(score.shape[1])
    middle = np.broadcast_to(score.shape[1] // 2 - 1 if half is None else half, len(score))
    winner = share > 0
    ordered = np.sort(score, axis=2)
    top, second, bottom = ordered[:, :, -1], ordered[:, :, -2], ordered[:, :, 0]
    leads, trails = score == top[:, :, None], score == bottom[:, :, None]
    alone = leads & (top > second)[:, :, None]
    early = rounds < middle[:, None]
    found = [
        ((alone | early[:, :, None]).all(axis=1) & winner).any(axis=1),
        (alone.all(axis=1) & winner).any(axis=1),
        (trails[games, middle] & winner).any(axis=1),
        winner.any(axis=1) & ~(leads[games, before] & winner).any(axis=1),
    ]
    return np.stack(found, axis=1)


def lead_passes(scores: Array) -> Array:
    """Return whether the lead passes to another seat in each round, shape (games, rounds).

    A seat takes the lead when it alone is ahead after a round; while several are tied, the previous leader keeps it.

    scores: Shape (games, rounds, players).
    """
    ordered = np.sort(scores, axis=2)
    alone = ordered[:, :, -1] > ordered[:, :, -2]
    first = scores.argmax(axis=2)
    passes = np.zeros(alone.shape, bool)
    leader = np.full(len(scores), -1)
    for round_ in range(scores.shape[1]):
        here = alone[:, round_]
        passes[:, round_] = here & (leader >= 0) & (first[:, round_] != leader)
        leader = np.where(here, first[:, round_], leader)
    return passes


# --- The distribution of each seat's scores ---


MOST_BINS = 4096
"""Largest number of bins; if the scores span more, neighbouring scores share a bin."""


class Scores(Accumulator):
    """Number of games by score and seat, in bins whose width is the smallest power of two that will do."""

    about = "analysis.course.scores.Scores"  # the name under which runs without rows hold it

    def __init__(self, source: Source) -> None:
        self.source, self.first, self.width = source, 0, 1
        self.counts: Floats = np.zeros((source.players, 0))

    def add(self, block: Block) -> None:
        """Add a block of games."""
        score = np.floor(block[str(self.source.score)]).astype(np.int64)
        width = self.width
        while score.max() // width - score.min() // width >= MOST_BINS:
            width *= 2
        bins = score // width
        first, size = int(bins.min()), int(bins.max() - bins.min()) + 1
        counts = np.stack([np.bincount(column - first, minlength=size) for column in bins.T]).astype(np.float64)
        self._take(first, width, counts)

    def merge(self, other: Self) -> None:
        if other.counts.size:
            self._take(other.first, other.width, other.counts)

    def _take(self, first: int, width: int, counts: Floats) -> None:
        if not self.counts.size:
            self.first, self.width, self.counts = first, width, counts
            return
        while self.width < width:
            self.first, self.width, self.counts = _wider(self.first, self.width, self.counts)
        while width < self.width:
            first, width, counts = _wider(first, width, counts)
        while self._size(first, counts) > MOST_BINS:
            first, width, counts = _wider(first, width, counts)
            self.first, self.width, self.counts = _wider(self.first, self.width, self.counts)
        low = min(self.first, first)
        room = np.zeros((len(counts), self._size(first, counts)))
        for start, part in ((self.first, self.counts), (first, counts)):
            room[:, start - low : start - low + part.shape[1]] += part
        self.first, self.counts = low, room

    def _size(self, first: int, counts: Floats) -> int:
        """Return the number of bins from the first to the last of both."""
        return int(max(self.first + self.counts.shape[1], first + counts.shape[1]) - min(self.first, first))


def _wider(first: int, width: int, counts: Floats) -> tuple[int, int, Floats]:
    """Merge neighbouring bins into bins of twice the width."""
    padded = np.pad(counts, ((0, 0), (first % 2, (first + counts.shape[1]) % 2)))
    return first // 2, 2 * width, padded[:, ::2] + padded[:, 1::2]


def scores(data: Data) -> Scores:
    """Return the number of games by score and seat.

    data: A run, a run folder, or a specification to play.
    Raises UsageError if the game has no score, or the run cannot be read.
    """
    source = open_source(data)
    found, _ = accumulate(source, [source.scored("the distribution of scores")], lambda: Scores(source))
    return found


# --- How the table of a single game looks after each of its rounds ---


MOST_ROUNDS = 200
"""Number of rounds beyond which no tables are shown: they would make the page too long."""


def tables(spec: Spec, index: int) -> dict[int, tuple[Area, ...]]:
    """Return the table after each round of a game, by the number of the round, as somebody sees it who sees everything.

    Returns dict: Empty if the game does not say how its tables look or what counts its rounds, if it consists of
        several parts, such as the deals of a match, or if it has more than `MOST_ROUNDS` rounds.
    """
    game = spec.game
    if game.tabletop is None or game.search is None or not game.compiled:
        return {}
    memory = Memory(game)
    lineup, state, trace = memory.seated(spec.lineup_record, spec.players), memory.state, memory.trace
    seat_lineup(lineup, spec.players, np.uint64(spec.seed), np.int64(index), state["rng"])
    state["fault"] = trace["on"] = trace["noting"] = 0
    found: dict[int, tuple[Area, ...]] = {}
    goes_on, starting, number = True, 1, 0
    while goes_on and number <= MOST_ROUNDS:
        goes_on = bool(call(game.driver, spec.rules_record, lineup, state, trace, starting, number))
        moment = Moment(spec.rules.values, spec.rules_record, state)
        found[number] = tuple(game.tabletop.areas(moment))
        starting, number = 0, number + 1
    return {} if goes_on or state["fault"] else found
