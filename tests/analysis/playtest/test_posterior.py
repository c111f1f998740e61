"""The posterior of a playtest: its formulas, and that its chances come true as often as they say."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import dirichlet_multinomial, multinomial, multivariate_normal

from analysis.playtest import result
from analysis.playtest.posterior import (
    CORRELATIONS,
    SHIFTS,
    Data,
    Posterior,
    draw_other,
    draw_scores,
    draw_wins,
    groups_of,
    log_mean,
    of_scores,
    of_wins,
)
from analysis.playtest.result import NAMED, contradicted, judge_games, plan_games, power
from analysis.playtest.sheet import Match, Sheet
from tests.analysis.playtest.ladders import LEVELS, drawn, made_grid


@pytest.fixture
def few_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make up fewer results where their number does not matter."""
    monkeypatch.setattr(result, "SETS", 10)
    monkeypatch.setattr(result, "MORE_SETS", 10)


SHARES = np.array([[0.5, 0.25, 0.15, 0.1], [0.2, 0.2, 0.25, 0.35]])


def test_wins_of_groups_are_dirichlet_multinomial() -> None:
    won = np.array([[[4.0, 2, 1, 1], [0, 0, 3, 0]], [[1, 1, 1, 1], [0, 0, 0, 0]]])
    found = of_wins(SHARES, won)
    assert found.shape == (2, 2, len(CORRELATIONS))
    orders = multinomial(8, SHARES[0]).logpmf([4, 2, 1, 1]) - 4 * np.log(0.5) - 2 * np.log(0.25) - np.log(0.015)
    assert found[0, 0, 0] == pytest.approx(4 * np.log(0.5) + 2 * np.log(0.25) + np.log(0.015) + 3 * np.log(0.15))
    strength = 1 / CORRELATIONS[2] - 1
    first = dirichlet_multinomial(strength * SHARES[0], 8).logpmf([4, 2, 1, 1]) - orders
    second = dirichlet_multinomial(strength * SHARES[0], 3).logpmf([0, 0, 3, 0])
    assert found[0, 0, 2] == pytest.approx(first + second)


def test_scores_of_groups_are_normal_around_their_own_means() -> None:
    scores, group = np.array([100.0, 112, 95, 130]), np.array([0, 0, 1, 1])
    sums = np.zeros((1, 2, 1, 3))
    for value, own in zip(scores, group, strict=True):
        sums[0, own, 0] += 1, value, value**2
    error = 0.1
    same = (group[:, None] == group[None, :]).astype(float)
    each = [
        multivariate_normal(np.full(4, 110.0), 225 * (np.eye(4) + shift**2 * same + error**2)).logpdf(scores)
        for shift in SHIFTS
    ]
    found = of_scores(np.array([[110.0]]), np.array([[15.0]]), np.array([error]), sums)
    assert found[0, 0] == pytest.approx(log_mean(np.array(each), 0))


def test_other_shares_are_integrated_over_their_prior() -> None:
    """Without correlation the evidence has a closed form."""
    won, prior = np.array([9.0, 5, 3, 1]), np.ones(4)
    other = draw_other([prior], [won])
    found = log_mean(of_wins(other.shares[0], won[None, None])[0, :, 0] + other.weights[0], 0)
    orders = multinomial(18, SHARES[0]).logpmf(won) - won @ np.log(SHARES[0])
    assert found == pytest.approx(dirichlet_multinomial(prior, 18).logpmf(won) - orders, abs=0.05)


def test_chances_come_true_as_often_as_they_say() -> None:
    """A small version of tests/verification/test_playtest.py."""
    grid, chance = made_grid(), np.random.default_rng(1)
    believed, happened, held, shares = [], [], [], []
    for _ in range(50):
        truth = drawn(grid, chance, groups_of(30, 3))
        found = Posterior(grid, truth.data)
        believed.append(found.chances()[1])
        happened.append(truth.point is None)
        if truth.point is not None:
            low, high = np.searchsorted(np.cumsum(found.given_ladder), (0.05, 0.95))
            held.append(low <= truth.point <= high)
        low, high = found.ranges(0, 0.95)
        shares.append(low[0] <= truth.shares[0] <= high[0])
    none = np.array(believed)
    assert abs(none.mean() - np.mean(happened)) < 3 * np.sqrt((none * (1 - none)).sum()) / len(none)
    assert np.mean(held) > 0.82
    assert np.mean(shares) > 0.88
    assert none[np.array(happened)].mean() > 3 * none[~np.array(happened)].mean()


def test_beliefs_beforehand_matter_as_bayes_says() -> None:
    grid = made_grid()
    found = Posterior(grid, Data([np.array([[[15.0, 8, 4, 3]]])]))
    odds = {none: found.chances(none)[1] / (1 - found.chances(none)[1]) for none in (0.05, 0.2, 0.5)}
    assert odds[0.5] / odds[0.2] == pytest.approx(4)
    assert odds[0.2] / odds[0.05] == pytest.approx(0.25 * 19)
    assert sum(found.rungs()) + found.chances()[1] == pytest.approx(1)


def test_levels_have_probabilities_if_the_ladder_holds_however_clearly_results_contradict_it() -> None:
    grid = made_grid(scored=False)
    for games in (10, 40, 400, 4000):
        posterior = Posterior(grid, Data([np.array([[[0.0, 0, 0, 1]] * 10]) * games / 10]))
        levels, none = posterior.chances()
        assert posterior.given_ladder.sum() == pytest.approx(1)
        if none < 0.999:
            assert posterior.given_ladder == pytest.approx(levels / levels.sum())
    assert none == 1
    (level,) = [
        one
        for one in judge_games(grid, Sheet((Match("one", 4, (0.0, 0.0, 0.0, 1.0)),) * 4000), ()).verdicts
        if one.code.startswith("playtest_level")
    ]
    assert 1 / 3 <= level.values["chance"] <= 1


def test_games_of_many_groups_tell_more_than_those_of_one() -> None:
    grid = made_grid(scored=False)
    won = np.array([20.0, 10, 6, 4])
    one = Posterior(grid, Data([won[None, None]])).rungs()
    many = Posterior(grid, Data([np.tile(won / 10, (1, 10, 1))])).rungs()
    assert many[2] > one[2]


def test_claims_that_are_true_are_seldom_contradicted_and_wrong_ones_are() -> None:
    grid, chance = made_grid(), np.random.default_rng(2)
    sizes, own, other = groups_of(30, 3), 0, 0
    for _ in range(12):
        won = draw_wins(chance, np.array([LEVELS["high"]]), sizes)
        scores = draw_scores(chance, np.array([125.0]), np.array([15.0]), sizes)[:, :, None]
        found = contradicted(grid, Data([won], scores), 0.95)
        assert len(found) == 15
        own += found.filter((found["rung"] == 2) & found["contradicted"]).height
        other += found.filter((found["rung"] == 0) & found["contradicted"]).height
    assert own <= 2 and other >= 6


def test_clear_results_contradict_at_any_level_of_confidence() -> None:
    """Enough results are made up for the smallest chance that counts, however many claims are judged."""
    won = np.zeros((1, 8, 4))
    won[:, :, 3] = 10  # the last seat wins all of 80 games
    for level in (0.95, 0.995):
        found = contradicted(made_grid(scored=False), Data([won]), level)
        assert found.filter(what="seat-4", level="high")["contradicted"].all()


def test_power_grows_with_the_games_and_the_least_number_is_that_of_the_divergence() -> None:
    table = power(made_grid(), 20, 2)
    assert table.rows(named=True)[1]["neighbours"] is False
    low, high = (np.array(LEVELS[name]) for name in ("low", "high"))
    divergence = min((low * np.log(low / high)).sum(), (high * np.log(high / low)).sum())
    wide = table.filter(weak="low", strong="high").row(0, named=True)
    assert wide["least"] == int(np.ceil(np.log(19) / divergence)) == 10
    assert 0.2 < wide["winners"] <= wide["scores"] <= 1 and wide["enough_scores"] <= wide["enough_winners"]
    assert power(made_grid(), 60, 6).filter(weak="low", strong="high")["winners"].item() > wide["winners"]
    assert power(made_grid(scored=False), 20, 2)["scores"].null_count() == 3
    found = plan_games(made_grid(scored=False), 20, 2, ())
    assert {verdict.code for verdict in found.verdicts} <= {"plan_pair_enough", "plan_pair_never"}


def judged(shares: tuple[float, ...], games: int, mean: float = 125.0, groups: int = 4) -> list[str]:
    """Return the codes of what is concluded from results that are as typical as can be."""
    chance = np.random.default_rng(3)
    seats = np.repeat(np.arange(4), np.rint(np.array(shares) * games).astype(int))
    scores = mean + 15 * chance.standard_normal(len(seats))
    matches = tuple(
        Match(str(number % groups), 4, tuple(np.eye(4)[seat].tolist()), float(score))
        for number, (seat, score) in enumerate(zip(chance.permutation(seats), scores, strict=True))
    )
    found = judge_games(made_grid(), Sheet(matches, grouped=True), ())
    assert found.shares["share"].sum() == pytest.approx(1, abs=0.01)
    assert found.matches.height == 4 * len(matches)
    return [verdict.code for verdict in found.verdicts] + [note.code for note in found.notes]


@pytest.mark.usefixtures("few_sets")
def test_verdicts() -> None:
    same = judged(LEVELS["high"], 40)
    assert same[0] == "playtest_agrees" and {"playtest_level", "playtest_level_one"} & set(same)
    strange = judged((0.02, 0.03, 0.9, 0.05), 40, mean=60)
    assert strange[0] == "playtest_contradicts"
    assert any(code.startswith("playtest_claims_s") for code in strange)
    few = judged((0.25, 0.25, 0.25, 0.25), 4, mean=112)
    assert few[0] == "playtest_open" and few[1] in ("playtest_more", "playtest_more_many")
    assert "playtest_claims_none" in few and "playtest_few" in few
    assert "playtest_most_seat" in same and "playtest_most_open_seat" in few


@pytest.mark.usefixtures("few_sets")
def test_the_clearest_claim_is_the_one_that_is_farthest_off_where_p_is_as_low_as_it_can_be() -> None:
    matches = [Match("one", 4, (0.0, 0.0, 1.0, 0.0))] * 108 + [Match("two", 4, (1.0, 0.0, 0.0, 0.0))] * 12
    judgement = judge_games(made_grid(scored=False), Sheet(tuple(matches), grouped=True), ())
    far = (judgement.claims["seen"] - judgement.claims["simulated"]).abs() / (
        judgement.claims["high"] - judgement.claims["low"]
    )
    lowest = judgement.claims.with_columns(far=far).filter(pl.col("p") == pl.col("p").min())
    assert lowest["far"].arg_max() > 0
    top = lowest.row(lowest["far"].arg_max(), named=True)
    (said,) = [one.values for one in judgement.verdicts if one.code == "playtest_claims_seat"]
    assert (said["level"], said["what"]) == (top["level"], top["what"].removeprefix("seat-")) == ("high", "3")
    assert said["levels"] == tuple(LEVELS)


def test_scores_do_not_move_the_shares_of_the_wins() -> None:
    """Every seat won 25 of 100 games, with the mean score of a level at which the first seat wins half of them."""
    won = np.full((1, 5, 4), 5.0)
    scores = np.zeros((1, 5, 1, 3))
    scores[:, :, 0] = 20, 20 * 125.0, 20 * (125.0**2 + 15**2)
    found = Posterior(made_grid(), Data([won], scores))
    draws, weights = found.shares(0)
    assert weights @ draws == pytest.approx(np.full(4, 0.25), abs=0.02)
    assert np.bincount(draws.argmax(axis=1), weights, 4).max() < NAMED
    assert found.rungs()[2] > found.rungs()[0], "the scores say who these people are"


def test_a_mixed_table_lies_between_its_level_and_par() -> None:
    grid = made_grid()
    high = grid.shares[0][-1]
    assert high[0] == pytest.approx(LEVELS["high"], abs=0.001)
    assert high[-1] == pytest.approx([0.25] * 4)
    assert ((high[:, 0] > 0.24) & (high[:, 0] < 0.52)).all()


@pytest.mark.parametrize("shares", [LEVELS["high"], (0.25, 0.25, 0.25, 0.25), (0.9, 0.04, 0.03, 0.03)])
def test_intervals_of_shares_hold_at_each_skill(shares: tuple[float, ...]) -> None:
    """A small version of tests/verification/test_playtest.py, whatever the ladder says."""
    grid, chance, held = made_grid(), np.random.default_rng(4), []
    for _ in range(60):
        won = chance.multinomial(groups_of(30, 3), shares)[None].astype(np.float64)
        low, high = Posterior(grid, Data([won])).ranges(0, 0.95)
        held.append((low <= shares) & (shares <= high))
    assert np.mean(held, axis=0).min() >= 0.95 - 2 * np.sqrt(0.95 * 0.05 / len(held))
