"""Measures of the game, in addition to shares of the wins, whose precision can decide the length of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.data.accumulate import Counts, key_of
from analysis.data.source import Block, Source
from analysis.data.sources import SpecSource
from analysis.data.summary import Asked, Summary
from analysis.measures.quantities import BY_SEAT, MEAN, Family, families, values
from analysis.measures.rows import LENGTH, MEASURES
from analysis.seats.shares import LEVEL
from analysis.stats.intervals import pointwise, rate_interval
from analysis.stats.moments import Moments
from simcore.errors import UsageError
from simcore.running.batch import Spec
from simcore.running.tally import Totals

ABOUT = "analysis.precision.measures.Measured"
"""The name under which runs without rows keep the sums; all are whole numbers, so that none depends on their order."""


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


def _in_rows(source: Source) -> dict[str, Family]:
    """Return the measures that can be computed from the rows of a source's games; a score is that of every seat."""
    found, others = families(source), {"score": "score" + BY_SEAT, LENGTH: f"{MEAN}{source.declarations.length}"}
    pairs = ((name, found.get(others.get(name, name))) for name in (*MEASURES, LENGTH))
    return {name: family for name, family in pairs if family and not family.noting}


def empty_sums(source: Source, wanted: Mapping[str, Family], about: str = "") -> Counts:
    """Return empty sums over deals."""

    def count(sums: Counts, block: Block) -> None:
        sums.moments.add(block.totals(values(source, list(wanted.values()), block)))

    moments = Moments(sum(len(family.members) for family in wanted.values()))
    return Counts(count, about, wanted=wanted, moments=moments)


def check(spec: Spec, names: Sequence[str]) -> None:
    """Raise `UsageError` unless some measures can be computed from the rows of a game."""
    known = _in_rows(SpecSource(spec))
    for name in names:
        if name not in known:
            raise UsageError(
                f"the rows of {spec.game.title} do not show '{name}'; ask for {', '.join(known)}", "precision"
            )


def asked_of(spec: Spec, names: Sequence[str]) -> dict[str, Asked]:
    """Return what a run to a precision of some measures has to count; see `Summary`."""
    if not names:
        return {}
    source = SpecSource(replace(spec, games=spec.games_per_deal))
    shown = _in_rows(source)
    make = partial(empty_sums, source, {name: shown[name] for name in names}, ABOUT)
    sums = make()
    columns = columns_of(sums.wanted)
    return {key_of(sums, columns): Asked(columns, make)}


def columns_of(wanted: Mapping[str, Family]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for family in wanted.values() for name in family.columns))


def measured(totals: Totals) -> list[Found]:
    """Return the estimates of the measures whose precision was requested; empty if there are none."""
    if not isinstance(totals.more, Summary):
        return []
    per_deal = totals.more.spec.games_per_deal
    filled = [one for one in totals.more.filled.values() if getattr(one, "about", "") == ABOUT]
    return [found for sums in filled for found in estimates(sums, per_deal)]


def estimates(sums: Counts, per_deal: int) -> Iterator[Found]:
    mean, deals, at = sums.moments.mean / per_deal, sums.moments.deals, 0
    error = np.sqrt(np.maximum(np.diag(sums.moments.covariance), 0)) / per_deal
    for name, family in sums.wanted.items():
        here = slice(at, at + len(family.members))
        at = here.stop
        if family.is_share:
            low, high = rate_interval(mean[here], error[here], deals, LEVEL)
        else:
            half = pointwise(LEVEL, deals, len(family.members)) * error[here]
            low, high = mean[here] - half, mean[here] + half
        for member, value, *ends in zip(family.members, mean[here], low, high, strict=True):
            least, most = map(float, ends)
            yield Found(name, member.replace("-", " "), float(value), least, most, family.is_share)
