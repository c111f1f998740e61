"""Find a game of a run that is worth a look: the closest, the longest, the biggest comeback, one that a seat wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from analysis.course.standings import columns_of, parts_of, stories
from analysis.data.declarations import Standing
from analysis.data.events import TURN
from analysis.data.results import Unanswered
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, RunSource, SpecSource, open_source, played
from simcore.errors import UsageError, nearest

CLOSEST, LONGEST, SHORTEST, COMEBACK = KINDS = ("closest", "longest", "shortest", "comeback")
"""What can be looked for, beside `seat-N`."""

SEAT = re.compile(r"seat-([1-9][0-9]?)")

REPLAYED, SLOWLY = 10_000, 100
"""Number of games of a run that are played again if its rows lack what is looked for; of players who look ahead."""

Judge = Callable[[Block], NDArray[np.float64]]


@dataclass(frozen=True)
class Found:
    """A game that was looked for."""

    what: str  # what was looked for
    index: int  # index of the game: the first, if several are as good
    games: int  # number of games that it was found among, from the first of the run
    value: float  # the margin, the length, the winner's largest deficit, or the seat's share of the win
    measure: str = ""  # key of what the value is counted in, if the game has a name for it


@dataclass(frozen=True)
class _Quest:
    """How games are judged: the columns it takes, whether events are needed, and what is best.

    `judge` returns shape (games, values); the first values decide, more is better, and NaN is out of the question.
    """

    columns: tuple[str, ...]
    judge: Judge
    events: bool = False
    measure: str = ""


def findable(data: Data) -> tuple[str, ...]:
    """Return what can be looked for among games: those of `KINDS` that the game declares enough for, and every seat.

    data: A run, a run folder, or a specification to play.
    """
    source = open_source(data)
    seats = (f"seat-{seat}" for seat in range(1, source.players + 1))
    return tuple(what for what in (*KINDS, *seats) if _is_findable(source, what))


def _is_findable(source: Source, what: str) -> bool:
    try:
        _quest(source, what)
    except UsageError:
        return False
    return True


def searched(data: Data, what: str) -> Source:
    """Return the games among which a game is looked for.

    data: A run, a run folder, or a specification to play.  If the rows of a run lack what is looked for, its first
        games are played again.
    what: One of `KINDS`, or `seat-N`.
    Raises UsageError if nothing of this kind can be found.
    """
    source = open_source(data)
    quest = _quest(source, what)
    if isinstance(source, SpecSource) or (isinstance(source, RunSource) and _has(source, quest)):
        return source
    return played(source, min(source.planned, SLOWLY if source.spec.searches else REPLAYED))


def find(source: Source, what: str, tick: Callable[[int], None] = lambda games: None) -> Found:
    """Return the game that is the closest, longest or shortest, the biggest comeback, or won by a seat.

    source: The games; see `searched`.
    what: One of `KINDS`, or `seat-N`.
    tick: Called with the number of games done so far.
    Raises UsageError if nothing of this kind can be found, or no game is of this kind.
    """
    quest = _quest(source, what)
    best, best_value, games = -1, [-np.inf], 0
    for first, block in _blocks(source, quest):
        values = quest.judge(block)
        known = np.flatnonzero(~np.isnan(values).any(axis=1))
        games = first + block.games
        if len(known):
            at = known[np.lexsort((known, *(-values[known].T[::-1])))[0]]
            if list(values[at]) > best_value:
                best, best_value = first + int(at), list(values[at])
        tick(games)
    if best < 0:
        raise UsageError(_none(what, games), "find")
    return Found(what, best, games, abs(float(best_value[0])), quest.measure)


def _none(what: str, games: int) -> str:
    if seat := SEAT.fullmatch(what):
        return f"seat {seat[1]} wins none of the {games:,} games; look among more games, or for another seat"
    return f"in none of the {games:,} games the winner was behind; look for {CLOSEST} or {LONGEST}"


def _has(source: Source, quest: _Quest) -> bool:
    """Return whether a source has the columns and the events."""
    return set(quest.columns) <= source.available and (source.has_events or not quest.events)


def _blocks(source: Source, quest: _Quest) -> Iterator[tuple[int, Block]]:
    for stretch in source.stretches():
        if quest.events:
            for first, columns, events in source.read_with_events(stretch, quest.columns):
                yield first, Block(1, columns, events)
        else:
            for first, columns in source.read(stretch, quest.columns):
                yield first, Block(1, columns)


def _quest(source: Source, what: str) -> _Quest:
    if seat := SEAT.fullmatch(what):
        return _by_seat(source, int(seat[1]))
    if what == CLOSEST:
        score = source.scored("the closest game")
        return _Quest((score,), partial(_closeness, source, score), measure=score)
    if what in (LONGEST, SHORTEST):
        return _by_length(source, 1 if what == LONGEST else -1)
    if what == COMEBACK:
        return _by_deficit(source)
    raise UsageError(f"'{what[:40]}'{nearest(what, (*KINDS, 'seat-1'))}", "find")


def _by_seat(source: Source, seat: int) -> _Quest:
    if seat > source.players:
        raise UsageError(f"seat-{seat}: the table has seats 1 to {source.players}", "find")

    def won(block: Block) -> NDArray[np.float64]:
        share = source.shares(block)[:, [seat - 1]]
        return np.where(share > 0, share, np.nan)

    return _Quest((source.share,), won)


def _closeness(source: Source, score: str, block: Block) -> NDArray[np.float64]:
    """Return the margin, and the distance from the best to the worst, both with a minus."""
    ranked = np.sort(source.ranked(block, (score,))[:, 0], axis=1).astype(np.float64)
    return np.column_stack([ranked[:, -2] - ranked[:, -1], ranked[:, 0] - ranked[:, -1]])


def _by_length(source: Source, sign: int) -> _Quest:
    declared = source.declarations
    if declared.length:
        length = declared.length

        def lasts(block: Block) -> NDArray[np.float64]:
            return np.asarray(sign * block[length].max(axis=1, keepdims=True), np.float64)

        return _Quest((length,), lasts, measure=length)
    if declared.standing:
        return _Quest((source.share,), partial(_turns, source, declared.standing, sign), events=True, measure="turns")
    if declared.trajectory:
        raise UsageError(f"every game of {source.spec.game.title} lasts {len(declared.trajectory)} rounds", "find")
    raise _undeclared(source, "length of its games")


def _turns(source: Source, standing: Standing, sign: int, block: Block) -> NDArray[np.float64]:
    """Return the number of turns of each game, those of all its parts together."""
    game, _, part_of = parts_of(source, standing.begins, block)
    last = np.zeros(len(game), np.int64)
    known = part_of >= 0
    np.maximum.at(last, part_of[known], block.events[known, TURN])
    total = np.zeros((block.games, 1))
    np.add.at(total, game, last[:, None])
    return sign * total


def _by_deficit(source: Source) -> _Quest:
    declared = source.declarations
    if declared.trajectory:
        columns = declared.trajectory

        def deficit(block: Block) -> NDArray[np.float64]:
            return _behind(source.ranked(block, columns), block[source.share])[:, None]

        return _Quest((source.share, *columns), deficit, measure=str(source.score))
    if declared.standing:
        standing = declared.standing
        names = tuple(dict.fromkeys((source.share, *columns_of(source, standing))))
        return _Quest(names, partial(_from_behind, source, standing), events=True, measure=standing.rank[0])
    raise _undeclared(source, "standing in the course of its games")


def _from_behind(source: Source, standing: Standing, block: Block) -> NDArray[np.float64]:
    """Return the largest deficit of a winner in any part of each game."""
    found = np.full(block.games, np.nan)
    for told in stories(source, standing, block):
        np.fmax.at(found, told.game, _behind(told.measure, told.share))
    return found[:, None]


def _behind(score: Array, share: Array) -> NDArray[np.float64]:
    """Return the largest deficit of the winner, of the least of several; NaN if the winner was never behind.

    `score` has the shape (games, rounds, seats), and `share` (games, seats).
    """
    deficit = (score.max(axis=2, keepdims=True) - score).max(axis=1).astype(np.float64)
    least = np.where(share > 0, deficit, np.inf).min(axis=1)
    return np.where((least > 0) & np.isfinite(least), least, np.nan)


def _undeclared(source: Source, what: str) -> Unanswered:
    title = source.spec.game.title
    return Unanswered(
        "undeclared", "{game} declares no {what}; this analysis does not apply to it", game=title, what=what
    )
