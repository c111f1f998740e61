"""Measures of the game, in addition to shares of the wins, whose precision can decide the length of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.cards.counterfactual import lead_passes
from analysis.course.standings import RATES, fortunes
from analysis.data.accumulate import key_of
from analysis.data.source import Array, Block, Source
from analysis.data.sources import SpecSource
from analysis.data.summary import Asked, Summary
from analysis.measures.names import LEAD_CHANGES, LENGTH, MARGIN, SCORE, SPREAD, TIES, is_rate
from analysis.seats.shares import LEVEL
from analysis.stats.intervals import pointwise, rate_interval
from analysis.stats.moments import Moments
from simcore.errors import UsageError
from simcore.running.accumulator import Accumulator
from simcore.running.batch import Spec
from simcore.running.tally import Totals

Part = tuple[tuple[str, ...], tuple[str, ...], Callable[[Block], Array]]
"""Members of a measure, its columns, and the function that computes it: whole numbers, shape (games, members)."""


@dataclass(frozen=True)
class Found:
    """The estimate of a measure."""

    name: str
    member: str
    """name, member: Name of the measure, and its owner: "seat 1", or "" for the whole table."""
    value: float  # mean over all games
    low: float
    high: float
    """low, high: Ends of its 95 % interval; the intervals of all members are simultaneous.  NaN if there are too few
    deals."""
    is_rate: bool  # whether it is a share of the games

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Measured(Accumulator):
    """Sums of some measures over deals.  All are whole numbers, so that no sum depends on the order of addition.

    source: Source of the games.
    names: Names of the measures, in order.
    """

    about = "analysis.precision.measures.Measured"  # the name under which runs without rows hold it

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        known = parts_of(source)
        self.names, self.per_deal = tuple(names), source.spec.games_per_deal
        self._parts = {name: known[name] for name in names}
        self.moments = Moments(sum(len(members) for members, _, _ in self._parts.values()))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the measures need."""
        return tuple(dict.fromkeys(name for _, columns, _ in self._parts.values() for name in columns))

    def add(self, block: Block) -> None:
        """Add a block of games."""
        self.moments.add(block.totals(np.hstack([make(block) for _, _, make in self._parts.values()])))

    def found(self) -> list[Found]:
        """Return the estimates of the measures."""
        mean = self.moments.mean / self.per_deal
        error = np.sqrt(np.maximum(np.diag(self.moments.covariance), 0)) / self.per_deal
        deals, at, found = self.moments.deals, 0, []
        for name, (members, _, _) in self._parts.items():
            value, se = mean[at : at + len(members)], error[at : at + len(members)]
            at += len(members)
            if is_rate(name):
                low, high = rate_interval(value, se, deals, LEVEL)
            else:
                half = pointwise(LEVEL, deals, len(members)) * se
                low, high = value - half, value + half
            found += [
                Found(name, member, float(value[number]), float(low[number]), float(high[number]), is_rate(name))
                for number, member in enumerate(members)
            ]
        return found


def parts_of(source: Source) -> dict[str, Part]:
    """Return the measures that can be computed from the rows of a source's games."""
    columns = source.declarations.trajectory
    found: dict[str, Part] = {TIES: (("",), (source.share,), lambda block: source.shared(block)[:, None])}
    if source.score:
        seats = tuple(f"seat {seat + 1}" for seat in range(source.players))
        found[SCORE] = seats, (source.score,), lambda block: block[str(source.score)]
        found[MARGIN] = ("",), (source.score,), partial(_behind, source, -2)
        found[SPREAD] = ("",), (source.score,), partial(_behind, source, 0)
    if columns:
        found[LEAD_CHANGES] = ("",), columns, partial(_lead_changes, source)
        for number, name in enumerate(RATES):
            found[name] = ("",), (source.share, *columns), partial(_fortune, source, number)
    if length := source.declarations.length:
        found[LENGTH] = ("",), (length,), lambda block: block[length][:, :1]
    return found


def _behind(source: Source, place: int, block: Block) -> Array:
    ranked = source.contested(block)
    return np.asarray(ranked[:, -1] - ranked[:, place])[:, None]


def _lead_changes(source: Source, block: Block) -> Array:
    course = source.ranked(block, source.declarations.trajectory)
    return np.asarray(lead_passes(course).sum(axis=1, keepdims=True))


def _fortune(source: Source, number: int, block: Block) -> Array:
    course = source.ranked(block, source.declarations.trajectory)
    return fortunes(course, source.shares(block))[:, number : number + 1]


def check(spec: Spec, names: Sequence[str]) -> None:
    """Raise `UsageError` unless some measures can be computed from the rows of a game."""
    known = parts_of(SpecSource(spec))
    for name in names:
        if name not in known:
            raise UsageError(
                f"the rows of {spec.game.title} do not show '{name}'; ask for {', '.join(known)}", "precision"
            )


def asked_of(spec: Spec, names: Sequence[str]) -> dict[str, Asked]:
    """Return what a run to a precision of some measures has to count; see `Summary`."""
    if not names:
        return {}
    make = partial(Measured, SpecSource(replace(spec, games=spec.games_per_deal)), tuple(names))
    columns = make().columns
    return {key_of(make(), columns): Asked(columns, make)}


def measured(totals: Totals) -> list[Found]:
    """Return the estimates of the measures whose precision was requested; empty if there are none."""
    filled = totals.more.filled.values() if isinstance(totals.more, Summary) else ()
    return [found for one in filled if isinstance(one, Measured) for found in one.found()]
