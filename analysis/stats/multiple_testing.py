"""Corrections for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.intervals import LEAST_TUNINGS, pointwise, rate_interval, with_few
from analysis.stats.moments import Floats

if TYPE_CHECKING:
    import polars as pl

FARTHEST, HALVINGS = 37.0, 60
"""Largest normal quantile whose tail is above zero, and how often the search for one halves its range."""


def p_values(
    effect: ArrayLike, se: ArrayLike, deals: ArrayLike, spread: ArrayLike = 0.0, tunings: int = LEAST_TUNINGS
) -> Floats:
    """Return two-sided p-values of means against 0 (Student's t); NaN if the standard error is undefined.

    No p-value is smaller than that of the sign test if all n deals point one way, which is 1 / 2**(n - 1).  With a
    `spread` between tunings, it is the level at which the interval of `widened` ends at 0; NaN if there are too few.
    """
    from scipy.special import ndtr, stdtr

    value, error, count = (np.asarray(item, np.float64) for item in (effect, se, deals))
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(value / error)
    certain = np.where(value == 0, 1.0, 0.0)
    found = np.where(error > 0, 2 * stdtr(np.maximum(count - 1, 1), -score), certain)
    apart = np.asarray(spread, np.float64)
    if (apart > 0).any():
        low, high = np.zeros(value.shape), np.full(value.shape, FARTHEST)
        for _ in range(HALVINGS):
            constant = (low + high) / 2
            chance = np.where(error > 0, with_few(constant, count, 0) * error, 0)
            within = np.hypot(chance, with_few(constant, tunings, 0) * apart) < np.abs(value)
            low, high = np.where(within, constant, low), np.where(within, high, constant)
        told = 2 * ndtr(-low) if tunings >= LEAST_TUNINGS else np.nan
        found = np.where(apart > 0, told, found)
    return np.where(np.isfinite(error) & (count >= 2), np.maximum(found, 2.0 ** (1 - count)), np.nan)


def adjust(p: ArrayLike, method: str) -> Floats:
    """Return adjusted p-values of one family; NaN stays NaN and does not count as a test.

    method: "holm" (Holm 1979) or "bonferroni" to control the probability of any false positive; "fdr_bh" (Benjamini and
        Hochberg 1995) to control the share of false ones among the positives.
    """
    raw = np.asarray(p, np.float64)
    known = np.isfinite(raw)
    adjusted = np.full(raw.shape, np.nan)
    if known.any():
        adjusted[known] = _METHODS[method](raw[known])
    return adjusted


def _holm(p: Floats) -> Floats:
    """Multiply the smallest p-value by the number of tests, the next by one less, and so on, without decreases."""
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def _bonferroni(p: Floats) -> Floats:
    return np.minimum(p * len(p), 1)


def _fdr_bh(p: Floats) -> Floats:
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p), np.float64)


_METHODS = {"holm": _holm, "fdr_bh": _fdr_bh, "bonferroni": _bonferroni}


def adjust_within(p: ArrayLike, families: Iterable[object], method: str) -> Floats:
    """Return adjusted p-values of several families; `families` gives the family of each p-value."""
    raw = np.asarray(p, np.float64)
    members: dict[object, list[int]] = {}
    for number, family in enumerate(families):
        members.setdefault(family, []).append(number)
    adjusted = np.full(raw.shape, np.nan)
    for rows in members.values():
        adjusted[rows] = adjust(raw[rows], method)
    return adjusted


# --- Superlatives: which of several estimates may be the largest, with valid intervals after the choice ---


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

    def ends(self, name: str, prefix: str = "", scale: float = 1.0) -> dict[str, float]:
        """Return the value under a name, and the ends of its interval, for a sentence."""
        return {name: scale * self.value, f"{prefix}low": scale * self.low, f"{prefix}high": scale * self.high}

    @property
    def sole(self) -> bool:
        """Whether there is only one candidate for the largest."""
        return len(self.names) == 1


def contenders(value: ArrayLike, se: ArrayLike, deals: ArrayLike, level: float, parts: bool = False) -> list[int]:
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
    level: float,
    by: str = "largest",
    ends: Ends = of_means,
    parts: bool = True,
) -> Pick | None:
    """Return which of several rows may be the largest; None if no row has an estimate with a standard error.

    rows: One row for each candidate: `column`, its standard error (`_se`) and `deals`.
    column, label: Columns of the estimate and of the name.
    level: Probability that the largest is named, and that the interval is right whichever row is chosen.
    by: "largest", "smallest" or "size", which is the distance from zero.
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


# --- Sequential tests, which may be evaluated while games are still being played, and tests of equivalence ---


def mixture_rho(planned: float, alpha: float) -> float:
    """Return the rho that makes `mixture_bound` tightest at a time (Howard, Ramdas, McAuliffe and Sekhon 2021, eq. 25).

    planned: Variance of the sum (deals x variance) at which the bound is to be tightest.
    alpha: Probability of ever leaving the bound.
    """
    return planned / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))


def mixture_bound(time: float, rho: float, alpha: float) -> float:
    """Return the two-sided normal mixture bound on a sum minus its expectation, which holds at all times at once.

    With estimated variances it holds for many deals (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024).

    time: Variance of the sum so far.
    rho: See `mixture_rho`.
    alpha: Probability of ever leaving the bound.
    """
    return math.sqrt((time + rho) * math.log((time + rho) / (rho * alpha**2)))


def anytime_half_width(se: float, deals: float, planned: float, alpha: float) -> float:
    """Return the half-width of a mean's interval that stays valid at any number of looks; tightest at `planned` deals.

    Only the ratio of the two numbers of deals matters.
    """
    return se * mixture_bound(deals, mixture_rho(planned, alpha), alpha) / math.sqrt(deals)


def gsprt(mean: float, se: float, low: float, high: float) -> float:
    """Return the log-likelihood ratio of the mean `high` against `low` (generalised SPRT).

    n (high - low) (2 mean - low - high) / (2 s^2), with s^2 / n = se^2; (Van den Bergh 2020; Wald 1945 for the bounds).
    """
    return (high - low) * (2 * mean - low - high) / (2 * se**2)


def gsprt_bound(alpha: float) -> float:
    """Return the distance of both bounds from zero if either error has the probability `alpha`: 5 % gives ln 19."""
    return math.log((1 - alpha) / alpha)


def tost(value: float, se: float, low: float, high: float) -> tuple[float, float]:
    """Return the z statistics against both ends of a range (two one-sided tests, Schuirmann 1987).

    A value is significantly inside if the first statistic is large and the second is far below zero; it is
    significantly outside if one of them is far on the other side of zero.
    """
    return (value - low) / se, (value - high) / se
