"""Find a game of a run that is worth a look: the closest, the longest, the biggest comeback, one that a seat wins."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.course.standings import LEAST, columns_of, lead_passes, number_of, parts_of, stories
from analysis.data.declarations import Standing
from analysis.data.events import KIND, SEAT, TURN, VALUES
from analysis.data.results import Unanswered
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, RunSource, SpecSource, open_source, played
from analysis.measures.quantities import Quantities
from simcore.errors import KernelFault, UsageError, nearest
from simcore.kernel.compilation import COMPILED, is_cold
from simcore.running.batch import Spec
from simcore.running.replay import END, Round
from strategies.learning.fit import Scale
from strategies.learning.self_play import Samples, gathering, play_and_look

CLOSEST, LONGEST, SHORTEST, COMEBACK = KINDS = ("closest", "longest", "shortest", "comeback")
"""What can be looked for, beside `seat-N`."""

SEAT_NUMBER = re.compile(r"seat-([1-9][0-9]?)")

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
    whole = set(quest.columns) <= source.available and (source.has_events or not quest.events)
    if isinstance(source, SpecSource) or (isinstance(source, RunSource) and whole):
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
    if seat := SEAT_NUMBER.fullmatch(what):
        return f"seat {seat[1]} wins none of the {games:,} games; look among more games, or for another seat"
    return f"in none of the {games:,} games the winner was behind; look for {CLOSEST} or {LONGEST}"


def _blocks(source: Source, quest: _Quest) -> Iterator[tuple[int, Block]]:
    for stretch in source.stretches():
        if quest.events:
            for first, columns, events in source.read_with_events(stretch, quest.columns):
                yield first, Block(1, columns, events)
        else:
            for first, columns in source.read(stretch, quest.columns):
                yield first, Block(1, columns)


def _quest(source: Source, what: str) -> _Quest:
    if seat := SEAT_NUMBER.fullmatch(what):
        return _by_seat(source, int(seat[1]))
    if what == CLOSEST:
        score, ends = source.scored("the closest game"), Quantities(source, ["margin", "spread"])
        order = [ends.members(name)[""] for name in ("margin", "spread")]
        return _Quest(ends.columns, lambda block: -ends.of(block)[:, order], measure=score)
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


# --- The course of a single game: the standing after each round, and the rounds that changed it most ---


@dataclass(frozen=True, eq=False)
class Holding:
    """What the seats have in the course of a game, or of a part that is counted separately, such as a deal of a
    match.
    """

    measure: str  # key of what is counted
    turn: NDArray[Any]  # round of each row, shape (rows,)
    value: NDArray[Any]  # what the seats have, shape (rows, seats); NaN where that says nothing of a seat


@dataclass(frozen=True, eq=False)
class Course(Holding):
    """The standings of a game, or of such a part: what is counted says who is ahead, although the fewest may be
    best.
    """

    rank: NDArray[Any]  # standing of each seat (higher is better), shape (rows, seats)
    lead: NDArray[Any]  # what the seats have, so that more is better

    def seated(self, rows: Sequence[int]) -> Course:
        """Return the same with the seats in another order, given the row of the game behind each."""
        order = list(rows)
        return replace(self, rank=self.rank[:, order], value=self.value[:, order], lead=self.lead[:, order])

    @property
    def passes(self) -> Array:
        """Whether the lead passes to another seat in each round, shape (standings,)."""
        return np.asarray(lead_passes(self.rank[None])[0])


@dataclass(frozen=True)
class Turning:
    """A round that changed the standing."""

    turn: int  # the round
    seat: int  # the seat, from 0, whose distance from its best opponent changed most
    change: float  # how much it gained on its best opponent; negative if it lost ground
    passes: bool  # whether the lead passed
    leader: int  # the seat, from 0, that leads after it; the first of several


def courses(spec: Spec, index: int) -> tuple[Course | None, ...]:
    """Return the course of each part of one game.

    index: Index of the game, which is played again.
    Returns tuple of (Course or None): One for each part, in order; None for a part without a standing.  Empty if the
        game declares neither a score after each round nor a standing.
    """
    source = SpecSource(spec)
    declared, game = source.declarations, range(index, index + 1)
    if declared.trajectory:
        _, columns = next(source.read(game, declared.trajectory))
        lead = source.ranked(Block(1, columns), declared.trajectory)[0]
        value = -lead if spec.game.lowest_wins else lead
        return (Course(str(source.score), np.arange(1, len(lead) + 1), value, lead, lead),)
    if declared.standing:
        _, columns, events = next(source.read_with_events(game, [source.share]))
        return tuple(_by_part(source, declared.standing, Block(1, columns, events)))
    return ()


def _by_part(source: Source, standing: Standing, block: Block) -> list[Course | None]:
    game, _, part_of = parts_of(source, standing.begins, block)
    events, kind = block.events, source.event_kinds[standing.kind]
    found: list[Course | None] = []
    for part in range(len(game)):
        rows = events[(events[:, KIND] == number_of(source, standing.kind)) & (part_of == part)]
        found.append(_course(rows, kind.values, standing.rank, source.players) if len(rows) else None)
    return found


def _course(rows: Array, names: tuple[str, ...], rank: tuple[str, ...], seats: int) -> Course:
    turns, step = np.unique(rows[:, TURN], return_inverse=True)
    ranks, values = np.full((len(turns), seats), -1), np.zeros((len(turns), seats), np.int64)
    distinct = [rows[:, VALUES + names.index(name)] for name in rank]
    _, order = np.unique(np.column_stack(distinct), axis=0, return_inverse=True)
    ranks[step, rows[:, SEAT]], values[step, rows[:, SEAT]] = order.reshape(-1), distinct[0]
    return Course(rank[0], turns, values, ranks, values)


def holding(part: Sequence[Round]) -> Holding | None:
    """Return what stands in the place of a standing that the game does not declare: the first thing that seats hold.

    Returns Holding or None: None unless it is known after two rounds.
    """
    known = [one for one in part if one.held and one.clock != END]
    if len(known) < LEAST:
        return None
    measure = next(iter(known[0].held))
    told = [one for one in known if measure in one.held]
    value = np.array([one.held[measure] for one in told], np.float64)
    return Holding(measure, np.array([one.number for one in told]), value)


def turnings(course: Course, most: int) -> tuple[Turning, ...]:
    """Return the rounds that changed the standing most, the largest change first.

    most: Largest number of rounds.
    """
    margin, passes = _margins(course.lead), course.passes
    change = np.diff(margin, axis=0, prepend=margin[:1])
    size = np.abs(change).max(axis=1)
    order = np.lexsort((course.turn, ~passes, -size))
    found = [at for at in order if size[at] > 0 or passes[at]][:most]
    seats = ((at, int(np.lexsort((change[at] <= 0, -np.abs(change[at])))[0])) for at in found)
    return tuple(
        Turning(int(course.turn[at]), seat, float(change[at][seat]), bool(passes[at]), int(course.rank[at].argmax()))
        for at, seat in seats
    )


def _margins(lead: Array) -> NDArray[np.float64]:
    """Return by how much each seat leads its best opponent; negative if it trails."""
    ordered = np.sort(lead.astype(np.float64), axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    alone = (lead == best) & ((lead == best).sum(axis=1, keepdims=True) == 1)
    return np.asarray(np.where(alone, lead - second, lead - best))


# --- The chance to win of every seat in the course of one game, estimated from what the seats see ---


LOG = logging.getLogger("equipoise.kernels")

GAMES = 500
"""Number of games from which the chances are estimated: the first of the run."""

ROWS = 32_000
"""About so many times a seat looks in these games; in long games, not in every round."""

STEPS = 6
RIDGE = 1e-3
"""Steps of the fit, and how strongly it prefers small weights."""

Amounts = NDArray[np.float64]
Chance = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Chances:
    """Estimated chances to win."""

    value: Amounts
    """Chance of each seat before each round and, as the last row, its share of the win; shape (rounds + 1, seats)."""
    games: int  # number of games from which they are estimated


@dataclass(frozen=True)
class Swing:
    """A round that changed the chances."""

    at: int  # the round, from 0
    seat: int  # the seat, from 0, whose chance changed most
    before: float
    after: float
    """before, after: Its chance before the round and after it."""


def estimate_chances(spec: Spec, index: int) -> Chances | None:
    """Estimate every seat's chance to win in the course of one game.

    A logistic regression says how often a seat wins that sees such numbers, in other games of the same players.

    index: Index of the game, which is played again.
    Returns Chances or None: None if the game does not say what a seat sees, is not played for wins or breaks off, or if
        so many games would take long: of players who look ahead, or without a compiler.
    """
    game, seats = spec.game, spec.players
    if game.search is None or game.search.look is None or game.payoff or spec.searches or not COMPILED:
        return None
    if is_cold(gathering(game)):
        LOG.info("Compiling what the seats of %s see; this happens once ...", game.title)
    try:
        own = play_and_look(spec, index, 1, 1, 0, ROWS)
        every = max(len(own.seat) * GAMES // ROWS, 1)
        others = [(0, index), (index + 1, GAMES - index)] if index < GAMES else [(0, GAMES)]
        samples = Samples.joined([play_and_look(spec, *some, every, 0, 2 * ROWS) for some in others])
    except KernelFault:
        return None
    value = np.zeros(len(own.seat))
    for role in game.roles:
        of_role = role.at(seats)
        value[np.isin(own.seat, of_role)] = _fitted(samples.of(of_role))(own.of(of_role).numbers)
    shared = value.reshape(-1, seats)
    return Chances(np.vstack([shared / shared.sum(axis=1, keepdims=True), own.share[:seats]]), GAMES)


def _fitted(samples: Samples) -> Chance:
    """Return the function that says from what seats see how likely each of them wins."""
    scale = Scale.of(samples)

    def widened(numbers: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([scale.inputs(numbers), np.ones(len(numbers), np.float32)])

    inputs = widened(samples.numbers)
    weights, ridge = np.zeros(inputs.shape[1], np.float32), RIDGE * len(inputs)
    for _ in range(STEPS):
        chance = _logistic(inputs @ weights)
        slope = inputs.T @ (samples.share - chance) - ridge * weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs
        weights = weights + np.linalg.solve(bend + ridge * np.eye(len(weights), dtype=np.float32), slope)
    return lambda numbers: _logistic(widened(numbers) @ weights)


def _logistic(level: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(1 / (1 + np.exp(-level.clip(-15, 15))))


def swings(chances: Chances, most: int) -> tuple[Swing, ...]:
    """Return the rounds that changed the chance of a seat most, in the order of the game."""
    change = np.diff(chances.value, axis=0)
    size = np.abs(change).max(axis=1)
    largest = [int(at) for at in sorted(np.argsort(-size, kind="stable")[:most]) if size[at] > 0]
    seats = [int(np.lexsort((change[at] <= 0, -np.abs(change[at]).round(9)))[0]) for at in largest]
    ends = chances.value
    return tuple(Swing(at, seat, *map(float, ends[at : at + 2, seat])) for at, seat in zip(largest, seats, strict=True))
