"""Confidence intervals: single ones, simultaneous ones for all seats, and intervals for rare rates."""

from __future__ import annotations

import math
from functools import lru_cache, reduce
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.moments import MIN_DEALS, Floats

MAX_T = {1: 1.960, 2: 1.960, 3: 2.344, 4: 2.469, 5: 2.555, 6: 2.621, 7: 2.676, 8: 2.721}
"""`max_t(n)` at 95 % and many deals, for uses that cannot wait for SciPy to load."""

POWER = 0.9
"""Probability that the number of deals in a sentence settles the question."""

NEAR = 0.1
"""Fraction of a margin: an estimate that is closer to the margin's edge will hardly be settled by more deals."""

EXTRA_DEALS = 2
"""Number of deals with the largest possible variance that `share_interval` adds to the observed deals."""

LEAST_TUNINGS = 3
"""Number of tunings from which an interval holds how much tunings differ: two leave one degree of freedom."""

_DRAWS = 1 << 18


def check_level(level: float) -> float:
    """Return a confidence level; raise `UsageError` unless it is strictly between 0 and 1."""
    from simcore.errors import UsageError

    if not 0 < level < 1:
        raise UsageError(f"{level} is not a confidence level; give a number between 0 and 1, such as 0.95", "level")
    return level


@lru_cache
def max_t(means: int, level: float = 0.95) -> float:
    """Return c such that exchangeable means with a constant sum are all within c standard errors with some probability.

    The z_i are deviations of iid normals from their mean, scaled to variance 1 (Halperin, Greenhouse, Cornfield and
    Zalokar 1955).  Given a zero sum, the probability that all are within a is the density at zero of a sum of normals
    truncated at a, divided by that of full normals; the former is found by inverting its characteristic function.

    means: Number of means, at least 1.
    level: Probability, which is the simultaneous confidence level.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    if means <= 2:
        return float(ndtri((1 + level) / 2))
    points, weights = np.polynomial.legendre.leggauss(200)

    def density(x: Floats) -> Floats:
        return np.asarray(np.exp(-(x**2) / 2.0) / np.sqrt(2 * np.pi))

    def chance(c: float) -> float:
        bound = c * np.sqrt((means - 1) / means)
        far = max(12.0, 60.0 / bound)  # where the characteristic function has died out
        t, x = far / 2 * (points + 1), bound * points
        wave = np.cos(np.outer(t, x)) @ (density(x) * weights * bound)
        return float(np.sqrt(2 * np.pi * means) * (wave**means @ weights) * far / 2 / np.pi)

    return float(brentq(lambda c: chance(c) - level, 0.3, 8.0, xtol=1e-10))


def max_t_of(covariance: ArrayLike, level: float = 0.95) -> float:
    """Return the same for means with any covariance, by simulation with fixed random numbers (Hothorn et al. 2008)."""
    matrix = np.asarray(covariance, np.float64)
    spread = np.sqrt(np.maximum(np.diag(matrix), 0))
    known = np.isfinite(spread) & (spread > 0)
    if not known.any():
        return float("nan")
    matrix = matrix[np.ix_(known, known)] / np.outer(spread[known], spread[known])
    values, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(values, 0))
    drawn = _draws(int(known.sum())) @ root.T
    return float(np.quantile(reduce(np.maximum, np.abs(drawn, out=drawn).T), level))


def simultaneous(covariance: Floats, level: float) -> float:
    """Return the constant of simultaneous intervals: `max_t_of`, or Bonferroni's constant if nothing varies."""
    wide = max_t_of(covariance, level)
    return bonferroni(level, len(covariance)) if np.isnan(wide) else wide


@lru_cache(maxsize=4)
def _draws(means: int) -> Floats:
    """Return the random numbers of `max_t_of`, which take longer to draw than to use."""
    return np.random.Generator(np.random.PCG64(1)).standard_normal((_DRAWS, means))


def each_look(level: float, looks: int) -> float:
    """Return the level of the intervals at one look, so that those of all looks hold together (Bonferroni)."""
    return 1 - (1 - level) / looks if looks > 1 else level


def with_few(constant: ArrayLike, deals: ArrayLike, least: int = MIN_DEALS) -> Floats:
    """Widen a normal constant for few deals: the quantile of Student's t with the same tail; NaN below the least."""
    from scipy.special import ndtr, stdtrit  # scipy.stats takes most of a second to load

    count = np.asarray(deals)
    wide = np.abs(stdtrit(np.maximum(count - 1, 1), ndtr(-np.asarray(constant, np.float64))))
    return np.where(count >= least, wide, np.nan)


def widened(
    value: ArrayLike, low: ArrayLike, high: ArrayLike, spread: ArrayLike, tunings: int, constant: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the ends of an interval that also holds how much tunings differ; NaN if there are too few tunings.

    The variance between m tunings has m - 1 degrees of freedom, however many deals they play.

    value, low, high: An estimate and the ends of its interval by chance alone.
    spread: The standard error that the choice among tunings adds; 0 if there is no choice.
    constant: Constant for many: `max_t_of` or `bonferroni`.
    """
    mean, least, most, error = (np.asarray(item, np.float64) for item in (value, low, high, spread))
    reach = np.where(error > 0, with_few(constant, tunings, LEAST_TUNINGS) * error, 0.0)
    return mean - np.hypot(mean - least, reach), mean + np.hypot(most - mean, reach)


def pointwise(level: float, deals: ArrayLike, family: int = 1) -> Floats:
    """Return the constant of one interval, or of `family` simultaneous intervals (Bonferroni)."""
    return with_few(bonferroni(level, family), deals)


def bonferroni(level: float, family: int = 1) -> float:
    """Return the same for many deals."""
    return NormalDist().inv_cdf(1 - (1 - level) / 2 / max(family, 1))


def share_interval(share: ArrayLike, se: ArrayLike, deals: ArrayLike, constant: ArrayLike) -> tuple[Floats, Floats]:
    """Return low and high ends for shares of the wins, which are also valid near 0 and 1 and for few deals.

    This is the interval of Clopper and Pearson with the effective sample size that the standard error implies (Korn and
    Graubard 1998), at the level of the constant.  A few exceptions in many deals say little about the variance;
    therefore the error counts `EXTRA_DEALS` more deals with the largest variance that a mean of this size allows.  If a
    share is 0 or 1, the sample size is the number of deals.  The result is NaN below `MIN_DEALS` deals.

    share, se: Means of values between 0 and 1, and their standard errors from deals.
    deals: Number of deals behind them.
    constant: Constant for many deals: `max_t`, `max_t_of` or `bonferroni`.
    """
    from scipy.special import betaincinv, ndtr, stdtrit

    p, error, count, wide = np.broadcast_arrays(
        *(np.asarray(item, np.float64) for item in (share, se, deals, constant))
    )
    p, tail, largest = np.clip(p, 0, 1), ndtr(-wide), p * (1 - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (count * (count * error**2) + EXTRA_DEALS * largest) / (count + EXTRA_DEALS)
        few = (wide / stdtrit(np.maximum(count - 1, 1), 1 - tail)) ** 2
        effective = np.where(largest > 0, count * largest / variance * few, count)
        low = np.where(p > 0, betaincinv(p * effective, effective * (1 - p) + 1, tail), 0.0)
        high = np.where(p < 1, betaincinv(p * effective + 1, effective * (1 - p), 1 - tail), 1.0)
    known = (count >= MIN_DEALS) & np.isfinite(p)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def difference_interval(
    one: tuple[ArrayLike, ArrayLike, ArrayLike],
    other: tuple[ArrayLike, ArrayLike, ArrayLike],
    se: ArrayLike | None = None,
    constant: ArrayLike = 1.0,
) -> tuple[Floats, Floats]:
    """Return low and high ends for the difference of two estimates, from the ends of each (Zou and Donner 2008).

    If one of the two is near the end of its range, its interval is asymmetric, and so is that of the difference.

    one, other: Estimate, low and high end of each.
    se: Standard error of the difference, which expresses the correlation of the two.  If None, they are independent.
    constant: Number of standard errors between the estimate and the ends of a symmetric interval.
    """
    a, a_low, a_high = (np.asarray(item, np.float64) for item in one)
    b, b_low, b_high = (np.asarray(item, np.float64) for item in other)
    first, second = ((high - low) / 2 / np.asarray(constant) for low, high in ((a_low, a_high), (b_low, b_high)))
    with np.errstate(divide="ignore", invalid="ignore"):
        squared = first**2 + second**2 if se is None else np.asarray(se, np.float64) ** 2
        found = (first**2 + second**2 - squared) / (2 * first * second)
    together = np.clip(np.where(np.isfinite(found), found, 0.0), -1, 1)

    def reach(up: Floats, down: Floats) -> Floats:
        return np.asarray(np.sqrt(np.maximum(up**2 + down**2 - 2 * together * up * down, 0)))

    return a - b - reach(a - a_low, b_high - b), a - b + reach(a_high - a, b - b_low)


def rate_interval(
    value: ArrayLike, se: ArrayLike, deals: ArrayLike, level: float = 0.95
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return low and high ends for rates, which are also valid for rare ones.

    This is the interval of Clopper and Pearson with the effective sample size that the standard error implies (Korn and
    Graubard 1998).  If a rate is 0 or 1, the sample size is the number of deals.  The result is NaN below `MIN_DEALS`
    deals.
    """
    from scipy.special import betainccinv, betaincinv

    p, error, count = np.broadcast_arrays(np.asarray(value, np.float64), np.asarray(se, np.float64), np.asarray(deals))
    alpha = (1 - level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where((error > 0) & (p > 0) & (p < 1), p * (1 - p) / error**2, count)
        low = np.where(p > 0, betaincinv(p * effective, effective * (1 - p) + 1, alpha), 0.0)
        high = np.where(p < 1, betainccinv(p * effective + 1, effective * (1 - p), alpha), 1.0)
    known = (count >= MIN_DEALS) & np.isfinite(p)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def at_edge(size: ArrayLike, room: ArrayLike, half: ArrayLike) -> NDArray[np.bool_]:
    """Return which estimates are so close to the edge of a margin that more deals will hardly settle them.

    size: Distance of each estimate from par.
    half: Half-width of the interval; as long as it is wider than the margin, more deals may settle anything.
    """
    off, margin, wide = (np.asarray(item, np.float64) for item in (size, room, half))
    return np.asarray((np.abs(off - margin) < NEAR * margin) & (wide < margin))


def deals_if_fair(room: float, half: float, se: float, deals: int, shares: int = 1) -> int:
    """Return about how many deals show in `POWER` of all runs that fair shares are within a margin, to two digits.

    An interval around par from n deals lies within the margin with that probability if n is deals x ((half + z error) /
    margin)^2, where z is the normal quantile of `POWER` (1.28 for one share).  The estimate itself is not used: the
    number of deals that would settle shares as they look varies by a factor of fifty among samples of the same game.

    half: Present half-width of the interval.
    se: Present standard error of the estimate.
    deals: Present number of deals behind the interval.
    shares: Number of shares that have to be within the margin at once.
    """
    z = NormalDist().inv_cdf(1 - (1 - POWER) / shares)
    needed = max(deals * ((half + z * se) / room) ** 2, deals + 1.0)
    digit = int(10 ** max(math.floor(math.log10(needed)) - 1, 0))
    return math.ceil(needed / digit) * digit
