"""Intervals against published figures and other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from analysis.data.results import rate_columns
from analysis.stats.intervals import (
    MAX_T,
    at_edge,
    bonferroni,
    check_level,
    deals_if_fair,
    difference_interval,
    max_t,
    max_t_of,
    pointwise,
    rate_interval,
    share_interval,
    widened,
    with_few,
)
from analysis.stats.moments import MIN_DEALS
from simcore.errors import UsageError
from tests.analysis.tunings import SHAPES, held

pytestmark = pytest.mark.usefixtures("as_users_draw")


@pytest.mark.parametrize(
    ("means", "constant"), [(2, 1.960), (3, 2.344), (4, 2.469), (5, 2.555), (6, 2.621), (8, 2.721)]
)
def test_max_t_constants_are_those_of_methods(means: int, constant: float) -> None:
    assert max_t(means) == pytest.approx(constant, abs=6e-4)
    assert MAX_T[means] == pytest.approx(max_t(means), abs=6e-4)


def test_max_t_of_one_and_two_means_is_the_normal_point() -> None:
    assert max_t(1) == max_t(2) == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("means", [3, 4, 6, 8])
def test_inversion_and_simulation_agree(means: int, level: float) -> None:
    simulated = max_t_of(np.eye(means) - 1 / means, level)
    assert simulated == pytest.approx(max_t(means, level), abs=0.02)


def test_max_t_of_independent_means_is_sidaks() -> None:
    from scipy.stats import norm

    assert max_t_of(np.diag([1.0, 4.0, 9.0])) == pytest.approx(norm.isf((1 - 0.95 ** (1 / 3)) / 2), abs=0.01)


def test_max_t_of_leaves_out_what_never_varies() -> None:
    assert max_t_of([[1.0, 0], [0, 0]]) == pytest.approx(1.96, abs=0.01)
    assert np.isnan(max_t_of(np.zeros((2, 2))))


@pytest.mark.parametrize(("wins", "games"), [(0, 50), (1, 200), (37, 120), (200, 200)])
def test_rates_of_independent_games_have_clopper_pearsons_interval(wins: int, games: int) -> None:
    rate = wins / games
    low, high = rate_interval(rate, np.sqrt(rate * (1 - rate) / games), games)
    assert (float(low), float(high)) == pytest.approx(proportion_confint(wins, games, method="beta"), abs=1e-9)


def test_a_rate_that_varied_in_no_deal_is_not_certain() -> None:
    """Half of every deal's games: as if each deal were one game, of which 50 in 100 were so."""
    low, high = rate_interval(0.5, 0.0, 100)
    assert (low, high) == pytest.approx(proportion_confint(50, 100, method="beta"))


def test_a_rate_whose_games_hang_together_has_a_wider_interval() -> None:
    alone, together = rate_interval(0.1, 0.02, 100), rate_interval(0.1, 0.04, 100)
    assert together[0] < alone[0] < 0.1 < alone[1] < together[1]


def test_few_deals_widen_and_too_few_say_nothing() -> None:
    assert float(with_few(1.959964, 31)) == pytest.approx(2.0423, abs=1e-4)  # Student's t, 30 degrees of freedom
    assert float(with_few(1.959964, 10**7)) == pytest.approx(1.959964, abs=1e-5)
    assert np.isnan(with_few(1.96, MIN_DEALS - 1))
    assert np.isnan(rate_interval(0.5, 0.1, MIN_DEALS - 1)[0])


def test_rates_of_a_table_stay_on_their_scale_and_grow_with_the_number_of_exceptions() -> None:
    rate = np.arange(41) / 40
    columns = rate_columns("rate", rate, np.sqrt(rate * (1 - rate) / 39), np.full(41, 40), 0.95, scale=5)
    low, high = columns["rate_low"], columns["rate_high"]
    assert columns["rate"][1] == 5 / 40
    assert (np.diff(low) > 0).all() and (np.diff(high) > 0).all()
    assert (low[0], high[-1]) == (0, 5)
    assert high[0] == pytest.approx(5 * (1 - 0.025 ** (1 / 40)))


def test_a_share_of_all_or_nothing_has_the_exact_interval() -> None:
    low, high = share_interval([0.0, 1.0], 0.0, 60, 1.959964)
    assert low.tolist() == pytest.approx([0, 0.025 ** (1 / 60)])
    assert high.tolist() == pytest.approx([1 - 0.025 ** (1 / 60), 1])
    assert np.isnan(share_interval(0.5, 0.1, MIN_DEALS - 1, 1.96)[0])


def test_a_share_of_independent_games_has_clopper_and_pearsons_interval() -> None:
    low, high = share_interval(0.03, np.sqrt(0.03 * 0.97 / 10**5), 10**5, 1.959964)
    assert (float(low), float(high)) == pytest.approx(proportion_confint(3_000, 10**5, method="beta"), rel=1e-4)


def test_an_ordinary_share_has_the_ordinary_interval() -> None:
    """A million deals, as in the README: mean +- c SE to the last printed digit."""
    low, high = share_interval(0.25, 0.0004, 10**6, 2.469)
    assert (float(low), float(high)) == pytest.approx((0.25 - 2.469 * 0.0004, 0.25 + 2.469 * 0.0004), abs=2e-6)


def test_a_share_that_varied_in_no_deal_or_in_one_is_not_certain() -> None:
    """Rotation gives every seat a quarter of each deal; two deals more, of the largest variance there is."""
    low, high = share_interval(0.25, 0.0, 50, 2.469)
    assert float(high - low) > 0.05
    one = share_interval(0.25, 0.25 / 50, 50, 2.469)
    assert float(one[1] - one[0]) > float(high - low)


def test_a_family_of_intervals_is_bonferronis() -> None:
    assert float(pointwise(0.95, 10**8, 10)) == pytest.approx(2.80703, abs=1e-4)  # normal point of .9975


def test_deals_that_show_that_a_game_is_fair() -> None:
    """(.02 + 1.2816 x .01)^2 over .01^2 is 10.77; in two digits, rounded up."""
    assert deals_if_fair(0.01, 0.02, 0.01, 1_000) == 11_000
    assert deals_if_fair(0.02, 0.02, 0.01, 1_000, shares=4) == 4_000  # z of .975: (.02 + .0196)^2 / .02^2 = 3.92
    assert deals_if_fair(0.02, 0.001, 0.0005, 1_000) == 1_100, "always more than were played"
    assert at_edge([0.0201, 0.0201, 0.03], 0.02, [0.01, 0.03, 0.01]).tolist() == [True, False, False]


def test_the_interval_of_a_difference_comes_from_both_ends() -> None:
    """56 of 70 against 48 of 80: .0524 to .3339 (Newcombe 1998, method 10, from Wilson's intervals)."""
    one, other = ((hit / of, *proportion_confint(hit, of, method="wilson")) for hit, of in ((56, 70), (48, 80)))
    apart = [(high - low) / 2 / 1.96 for _, low, high in (one, other)]
    for found in (difference_interval(one, other), difference_interval(one, other, np.hypot(*apart), 1.96)):
        assert (float(found[0]), float(found[1])) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_the_interval_of_a_difference_is_narrow_where_both_go_together_and_lopsided_near_the_end() -> None:
    even = (0.5, 0.4, 0.6)
    together = difference_interval((0.6, 0.5, 0.7), even, 0.01, 2.0)
    assert together[1] - together[0] == pytest.approx(0.04)
    low, high = difference_interval((0.0, 0.0, 0.1), (0.0, 0.0, 0.1), 0.0, 2.0)
    assert low < 0 < high, "never won is not sure never to win"


def test_one_interval_among_several_is_wider() -> None:
    """Two-sided normal points of 95 % and of 1 - .05 / 4 on each side."""
    assert bonferroni(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert pointwise(0.95, 10**9) == pytest.approx(1.95996, abs=1e-4)
    assert pointwise(0.95, 10**9, 2) == pytest.approx(2.24140, abs=1e-4)


def test_a_level_lies_between_nothing_and_certainty() -> None:
    assert [check_level(level) for level in (0.001, 0.95, 0.999)] == [0.001, 0.95, 0.999]
    for wrong in (0.0, 1.0, 95.0, -0.5, np.nan):
        with pytest.raises(UsageError, match=r"^level: .* is not a confidence level; give a number between 0 and 1"):
            check_level(wrong)


@pytest.mark.parametrize("tunings", [3, 5])
@pytest.mark.parametrize("shape", SHAPES)
def test_ranges_of_tuned_columns_hold_for_all_seats_at_once(tunings: int, shape: str) -> None:
    """With a normal constant they hold in 78 to 91 % of the runs; tests/verification/test_coverage.py plays more."""
    assert min(held(tunings, shape, ratio, 10_000) for ratio in (1e9, 4.0)) > 0.95


def test_two_tunings_widen_no_range_but_leave_none() -> None:
    """By tables, t(2) at 2.5 % is 4.303."""
    low, high = widened([0.5, 0.5], [0.4, 0.4], [0.6, 0.6], [0.1, 0.0], 3, 1.959964)
    assert high - 0.5 == pytest.approx([np.hypot(0.1, 0.4303), 0.1], rel=1e-3) and low + high == pytest.approx([1, 1])
    assert (
        np.isnan(widened([0.5, 0.5], [0.4, 0.4], [0.6, 0.6], [0.1, 0.0], 2, 1.959964)).tolist() == [[True, False]] * 2
    )
