"""How far apart the best and the worst seat (or camp) are, and whether a change of the rules brought them closer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.moments import Floats

DISTANCE = ("distance", "distance_low", "distance_high")
"""Columns of the fields of `Distance` in tables."""


@dataclass(frozen=True)
class Ends:
    """Simultaneous intervals of several values, such as what each seat wins above its par."""

    low: Floats
    high: Floats
    """low, high: The ends, shape (values,)."""


@dataclass(frozen=True)
class Distance:
    """The distance between the best and the worst seat or camp, as a part of all wins.

    The distance between the largest and the smallest of several estimates is too large on average, most of all where
    the game is fair.  The interval allows for that: there, it begins at 0.
    """

    value: float  # the distance seen
    low: float | None
    high: float | None
    """low, high: Ends of its interval; None if there are too few deals."""


def distance(share: ArrayLike, low: ArrayLike, high: ArrayLike, par: ArrayLike) -> Distance:
    """Return how far apart the best and the worst seat or camp are, each measured from its par.

    Whenever the intervals of all shares hold, so does that of the distance; its level is at least theirs.

    share, low, high: Shares of the wins with simultaneous intervals, shape (seats,); NaN or None if there are too few
        deals.
    par: The share that each is meant to have.

    Examples
    --------
    >>> found = distance([0.35, 0.25, 0.21, 0.19], [0.33, 0.23, 0.19, 0.17], [0.37, 0.27, 0.23, 0.21], [0.25] * 4)
    >>> print(f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})")
    0.16 (0.12 to 0.20)
    """
    value, least, most = (np.asarray(item, np.float64) - np.asarray(par, np.float64) for item in (share, low, high))
    if np.isnan(least).any() or np.isnan(most).any():
        return Distance(float(np.ptp(value)), None, None)
    return Distance(float(np.ptp(value)), *_range(Ends(least, most)))


def change(before: Ends, after: Ends, shift: Ends) -> tuple[float, float]:
    """Return the ends of the interval of the distance after a change minus the distance before it.

    The difference of two distances depends on which seats are best and worst, which is not known.  So the ends are
    those that any shares within the intervals allow.  Whenever all intervals hold, this one does too.  Where the same
    deals were played twice, `shift` is narrow, and so is the result.

    before, after: What each seat wins above its par.
    shift: The same after the change minus before it.
    """
    (first_low, first_high), (then_low, then_high) = _range(before), _range(after)
    back = Ends(-shift.high, -shift.low)
    return max(-_growth(after, back), then_low - first_high), min(_growth(before, shift), then_high - first_low)


def _range(ends: Ends) -> tuple[float, float]:
    """Return the smallest and the largest distance between values within their intervals."""
    return max(0.0, float(ends.low.max() - ends.high.min())), float(ends.high.max() - ends.low.min())


def _growth(start: Ends, move: Ends) -> float:
    """Return a bound of the growth of the distance if values move from within some intervals by as much as others say.

    If seats i and j are the farthest apart in the end, the distance grows by their own movements, less what is missing
    in the beginning: by how much another value surely lies above that of i, and below that of j.
    """
    above = np.maximum(start.low.max() - start.high, 0.0)
    below = np.maximum(start.low - start.high.min(), 0.0)
    return float((move.high - above).max() - (move.low + below).min())
