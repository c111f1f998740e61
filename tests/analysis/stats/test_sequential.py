"""Sequential tests and equivalence, against the figures that METHODS.md quotes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.proportion import tost_proportions_2indep

from analysis.stats.multiple_testing import anytime_half_width, gsprt, gsprt_bound, mixture_bound, mixture_rho, tost


def test_normal_mixture_has_the_published_rho_and_bound() -> None:
    """METHODS, "Stopping at a precision": v = V = 100, a = .05."""
    rho = mixture_rho(100, 0.05)
    assert rho == pytest.approx(12.60056, abs=5e-6)
    assert mixture_bound(100, rho, 0.05) == pytest.approx(30.35209, abs=5e-6)


def test_interval_of_a_mean_is_the_bound_of_its_sum() -> None:
    """100 deals of variance 1: the sum's bound over 100."""
    assert anytime_half_width(0.1, 100, 100, 0.05) == pytest.approx(0.3035209, abs=5e-8)


def test_pentanomial_gsprt_has_the_published_ratio() -> None:
    """METHODS, "CI regression of win rates": 223 9863 21279 10037 246, logistic Elo 0.5 against 2.5 gives -3.07."""
    counts, scores = np.array([223, 9863, 21279, 10037, 246]), np.linspace(0, 1, 5)
    deals = counts.sum()
    mean = counts @ scores / deals
    se = math.sqrt(counts @ (scores - mean) ** 2 / deals / deals)
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (0.5, 2.5))
    assert gsprt(mean, se, low, high) == pytest.approx(-3.07, abs=0.005)


def test_bounds_of_the_gsprt() -> None:
    """METHODS: 5 % and 5 % gives ln 19."""
    assert gsprt_bound(0.05) == pytest.approx(math.log(19))


def test_tost_has_the_published_z() -> None:
    """METHODS, "Comparing two rule sets": 25,100 of 100,000 against 25,000 of 100,000, margin .01."""
    first, second, games = 0.251, 0.25, 100_000
    se = math.sqrt((first * (1 - first) + second * (1 - second)) / games)
    found = tost(first - second, se, -0.01, 0.01)
    assert found == pytest.approx((5.677, -4.645), abs=6e-4)
    result = tost_proportions_2indep(25_100, games, 25_000, games, -0.01, 0.01, method="wald")
    assert found == pytest.approx((result.results_larger.statistic, result.results_smaller.statistic))


@pytest.mark.parametrize("deals", [100, 1_000, 10_000])
def test_interval_narrows_with_deals_and_is_wider_than_one_look_allows(deals: int) -> None:
    half = anytime_half_width(1 / math.sqrt(deals), deals, 1_000, 0.05)
    assert 1.96 / math.sqrt(deals) < half < 4 / math.sqrt(deals)


def test_mixture_holds_at_all_looks_at_once() -> None:
    """Peeking at 100 looks gives 37.4 % false alarms (Armitage, McPherson, Rowe 1969); the mixture keeps its 5 %."""
    steps = np.random.default_rng(1).standard_normal((4_000, 100))
    sums, times = np.abs(steps.cumsum(axis=1)), np.arange(1, 101)
    naive = (sums > 1.96 * np.sqrt(times)).any(axis=1).mean()
    bound = np.array([mixture_bound(time, mixture_rho(50, 0.05), 0.05) for time in times])
    assert naive == pytest.approx(0.374, abs=0.02)
    assert (sums > bound).any(axis=1).mean() < 0.05
