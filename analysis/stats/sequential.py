"""Tests that may be looked at while games are still being played, and tests of equivalence."""

from __future__ import annotations

import math


def mixture_rho(planned: float, alpha: float) -> float:
    """Return the rho that makes `mixture_bound` tightest at a time (Howard, Ramdas, McAuliffe, Sekhon 2021, eq. 25).

    Parameters
    ----------
    planned
        Variance of the sum (deals x variance) at which the bound shall be tightest.
    alpha
        Chance of ever leaving it.
    """
    return planned / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))


def mixture_bound(time: float, rho: float, alpha: float) -> float:
    """Return the normal mixture's bound on a sum less its expectation: it holds at all times at once, both sides.

    With estimated variances it holds for many deals (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2024).

    Parameters
    ----------
    time
        Variance of the sum so far.
    rho
        See `mixture_rho`.
    alpha
        Chance of ever leaving it.
    """
    return math.sqrt((time + rho) * math.log((time + rho) / (rho * alpha**2)))


def anytime_half_width(se: float, deals: float, planned: float, alpha: float) -> float:
    """Return the half width of a mean's interval that holds however often one looks; tightest at `planned` deals.

    Only the ratio of the two numbers of deals counts.
    """
    return se * mixture_bound(deals, mixture_rho(planned, alpha), alpha) / math.sqrt(deals)


def gsprt(mean: float, se: float, low: float, high: float) -> float:
    """Return the log-likelihood ratio of the mean `high` against `low` (generalised SPRT).

    n (high - low) (2 mean - low - high) / (2 s^2), with s^2 / n = se^2; (Van den Bergh 2020; Wald 1945 for the bounds).
    """
    return (high - low) * (2 * mean - low - high) / (2 * se**2)


def gsprt_bound(alpha: float) -> float:
    """Return the distance of both bounds from zero where either error has the chance `alpha`: 5 % gives ln 19."""
    return math.log((1 - alpha) / alpha)


def tost(value: float, se: float, low: float, high: float) -> tuple[float, float]:
    """Return z against either end of a range (two one-sided tests, Schuirmann 1987).

    A value is significantly inside where the first is large and the second as far below zero, and outside where one of
    them is as far on the other side.
    """
    return (value - low) / se, (value - high) / se
