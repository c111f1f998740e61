"""Superlatives: which of several estimates may be the largest, with valid intervals after the choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.intervals import pointwise, rate_interval
from analysis.stats.moments import Floats

if TYPE_CHECKING:
    import polars as pl

Ends = Callable[[Floats, Floats, Floats, float], tuple[Floats, Floats]]
"""Function of values, standard errors, deals and a level that returns the ends of simultaneous intervals."""


class Tied(tuple[str, ...]):
    """Names of all that cannot be distinguished from the largest, largest estimate first."""

    __slots__ = ()


@dataclass(frozen=True)
class Pick:
    """Which of several may be the largest, and the one with the largest estimate."""

    names: Tied  # names of all that cannot be distinguished from the largest
    row: Mapping[str, Any]  # the row of the largest estimate
    value: float
    low: float
    high: float
    """value, low, high: The largest estimate, with an interval that is valid whichever row is chosen."""
    of: int  # number of candidates

    @property
    def sole(self) -> bool:
        """Whether there is only one candidate for the largest."""
        return len(self.names) == 1


def contenders(
    value: ArrayLike, se: ArrayLike, deals: ArrayLike, level: float = 0.95, parts: bool = False
) -> list[int]:
    """Return the indices of all that cannot be distinguished from the largest, largest estimate first.

    The set contains the one with the largest true value with probability at least `level` (Gupta 1965).  One is left
    out if another is larger by more than c standard errors of their difference, where c is one-sided and corrected for
    the number of others (Bonferroni).

    value, se, deals: Estimates, their standard errors, and the number of deals behind each.
    level: Probability that the largest is in the set.
    parts: Whether estimates are negatively correlated, like parts of a whole.  The standard error of a difference is
        then taken as the sum of both, which it never exceeds; otherwise the estimates are taken as independent.
    """
    own, error, count = (np.asarray(item, np.float64) for item in (value, se, deals))
    if len(own) < 2:
        return list(range(len(own)))
    tail = 2 * (1 - level) / (len(own) - 1)  # `pointwise` is two-sided
    constant = pointwise(1 - tail, np.minimum(count[:, None], count[None, :]))
    first, second = error[:, None], error[None, :]
    reach = constant * (first + second if parts else np.hypot(first, second))
    behind = set(np.flatnonzero((own[None, :] - own[:, None] > reach).any(axis=1)).tolist())
    order = np.argsort(-own, kind="stable")
    return [at for at in order.tolist() if at not in behind]


def overlapping(names: Sequence[str], value: Sequence[float], low: Sequence[float], high: Sequence[float]) -> Tied:
    """Return the names that may have the largest value, by simultaneous intervals."""
    first = max(range(len(value)), key=value.__getitem__)
    others = sorted((at for at in range(len(value)) if at != first), key=lambda at: -value[at])
    return Tied(names[at] for at in (first, *(at for at in others if high[at] >= low[first])))


def of_means(value: Floats, se: Floats, deals: Floats, level: float) -> tuple[Floats, Floats]:
    """Return simultaneous intervals of means, which are valid whichever one is chosen."""
    half = pointwise(level, deals, len(value)) * se
    return value - half, value + half


def of_rates(value: Floats, se: Floats, deals: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the same for rates."""
    return rate_interval(value, se, deals, 1 - (1 - level) / len(value))


def pick(
    rows: pl.DataFrame,
    column: str,
    label: str,
    level: float = 0.95,
    by: str = "largest",
    ends: Ends = of_means,
    parts: bool = True,
) -> Pick | None:
    """Return which of several rows may be the largest; None if no row has an estimate with a standard error.

    rows: One row for each candidate: `column`, its standard error (`_se`) and `deals`.
    column, label: Columns of the estimate and of the name.
    level: Probability that the largest is named, and that the interval is right whichever row is chosen.
    by: "largest", "smallest" or "size", which is the distance from zero.
    ends: Which intervals to use.
    parts: See `contenders`.
    """
    import polars as pl

    known = rows.filter(pl.col(f"{column}_se").is_finite() & pl.col(column).is_finite())
    if known.is_empty():
        return None
    value, se, deals = (known[key].to_numpy().astype(np.float64) for key in (column, f"{column}_se", "deals"))
    ranked = {"largest": value, "smallest": -value, "size": np.abs(value)}[by]
    found = contenders(ranked, se, deals, level, parts)
    low, high = ends(value, se, deals, level)
    first = found[0]
    names = Tied(str(name) for name in known[label].gather(found))
    return Pick(names, known.row(first, named=True), value[first], float(low[first]), float(high[first]), len(known))
