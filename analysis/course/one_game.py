"""The course of a single game: the standing after each round, and the rounds that changed it most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.cards.outcomes import lead_passes
from analysis.course.standings import LEAST, number_of, parts_of
from analysis.data.declarations import Standing
from analysis.data.events import KIND, SEAT, TURN, VALUES
from analysis.data.source import Array, Block, Source
from analysis.data.sources import SpecSource
from simcore.running.batch import Spec
from simcore.running.rounds import END, Round


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

    spec: The run.
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

    part: The rounds of a game, or of a part of it.
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

    course: A game, or a part of it.
    most: Largest number of rounds.
    """
    margin, passes = _margins(course.lead), course.passes
    change = np.diff(margin, axis=0, prepend=margin[:1])
    size = np.abs(change).max(axis=1)
    order = np.lexsort((course.turn, ~passes, -size))
    found = [at for at in order if size[at] > 0 or passes[at]][:most]
    return tuple(_turning(course, change, bool(passes[at]), int(at)) for at in found)


def _turning(course: Course, change: Array, passes: bool, at: int) -> Turning:
    seat = int(np.lexsort((change[at] <= 0, -np.abs(change[at])))[0])
    return Turning(int(course.turn[at]), seat, float(change[at][seat]), passes, int(course.rank[at].argmax()))


def _margins(lead: Array) -> NDArray[np.float64]:
    """Return by how much each seat leads its best opponent; negative if it trails."""
    ordered = np.sort(lead.astype(np.float64), axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    alone = (lead == best) & ((lead == best).sum(axis=1, keepdims=True) == 1)
    return np.asarray(np.where(alone, lead - second, lead - best))
