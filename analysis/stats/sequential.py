"""Sequential tests, which may be evaluated while games are still being played, and tests of equivalence."""

from __future__ import annotations

import math


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
