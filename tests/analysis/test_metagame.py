"""Equilibria, dominance and alpha-rank of games whose answers are published or can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from analysis.metagame import (
    RoleGame,
    alpha_rank,
    dominator,
    eliminate,
    equilibrium,
    multisets,
    profiles,
)


def symmetric(payoffs: ArrayLike, players: int = 2) -> RoleGame:
    """Return the game of one role in which a strategy gets this by how the others play, as `multisets` orders it."""
    return RoleGame([payoffs], [[players - 1]])


ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
BIASED = [[0, -0.5, 1], [0.5, 0, -0.1], [-1, 0.1, 0]]
PRISONERS = [[3, 0], [5, 1]]
HAWK_DOVE = [[(2 - 6) / 2, 2], [0, 1]]  # value 2, cost of a fight 6
STAG_HUNT = [[4, 0], [3, 3]]


@pytest.mark.parametrize(
    ("payoffs", "mix"),
    [
        (ROCK_PAPER_SCISSORS, [1 / 3, 1 / 3, 1 / 3]),
        # x = (1/16, 5/8, 5/16): -x2/2 + x3 = x1/2 - x3/10 = -x1 + x2/10 = 0
        (BIASED, [1 / 16, 5 / 8, 5 / 16]),
        (PRISONERS, [0, 1]),
        (HAWK_DOVE, [2 / 6, 4 / 6]),  # hawks: value over cost (Maynard Smith and Price 1973)
        (STAG_HUNT, [0, 1]),  # of the two pure ones, the risk-dominant one: 3 + 3 > 4 + 0 against an even mix
        ([[0, -2, 1], [1, 0, -2], [-2, 1, 0]], [1 / 3, 1 / 3, 1 / 3]),  # replicators spiral away from it
        ([[1, 1], [1, 1]], [1 / 2, 1 / 2]),
    ],
)
def test_symmetric_equilibrium(payoffs: list[list[float]], mix: list[float]) -> None:
    found = equilibrium(symmetric(payoffs))
    assert found.shares == pytest.approx(mix, abs=1e-9)
    assert found.regret == pytest.approx(0, abs=1e-9)


def test_equilibrium_of_three_players() -> None:
    """Volunteer's dilemma (Diekmann 1985): all get 1 if anybody pays c = .25; each of n shirks with c^(1/(n-1))."""
    # two others: both pay, one pays, nobody pays
    game = symmetric([[0.75, 0.75, 0.75], [1, 1, 0]], players=3)
    assert game.ways[0].tolist() == [[2, 0], [1, 1], [0, 2]]
    assert equilibrium(game).shares[1] == pytest.approx(0.25**0.5, abs=1e-9)


def test_random_games_have_an_equilibrium() -> None:
    """Nash (1951): every finite symmetric game has a symmetric one; the regret is counted apart from the search."""
    chance = np.random.default_rng(4)
    for _ in range(16):
        size, players = int(chance.integers(2, 9)), int(chance.integers(2, 5))
        payoffs = chance.normal(size=(size, len(multisets(size, players - 1))))
        mix = equilibrium(symmetric(payoffs, players)).shares
        draws = chance.choice(size, p=mix, size=(8_000, players - 1))
        counts = np.stack([(draws == one).sum(axis=1) for one in range(size)], axis=1)
        place = {tuple(row): number for number, row in enumerate(multisets(size, players - 1).tolist())}
        seen = payoffs[:, [place[tuple(row)] for row in counts.tolist()]]
        gain = seen - mix @ seen
        assert (gain.mean(axis=1) <= 5 * gain.std(axis=1) / np.sqrt(len(draws)) + 1e-6).all()


def test_prisoners_dilemma_is_solved_by_dominance() -> None:
    (gone,) = eliminate(symmetric(PRISONERS))
    assert (gone.strategy, gone.by.tolist(), gone.margin, gone.round) == (0, [0, 1], 1, 1)


def test_a_mix_dominates_where_no_single_strategy_does() -> None:
    """The third gets 1 against both; half and half of the others gets 1.5."""
    mix, margin = dominator(symmetric([[3, 0, 2], [0, 3, 2], [1, 1, 1]]), 2)
    assert mix == pytest.approx([0.5, 0.5, 0])
    assert margin == pytest.approx(0.5)


def test_elimination_goes_on() -> None:
    """The third is dominated by the second; only without it does the first dominate the second."""
    gone = eliminate(symmetric([[3, 2, 0], [2, 1, 1], [1, 0, 0]]))
    assert [(item.strategy, item.round) for item in gone] == [(2, 1), (1, 2)]


def test_nobody_is_dominated_in_a_circle() -> None:
    assert eliminate(symmetric(ROCK_PAPER_SCISSORS)) == []


def test_alpha_rank_of_a_commitment_game() -> None:
    """Han et al. (2013), the numbers of OpenSpiel's test of its alpha-rank: population 20, alpha .1."""
    reward, temptation, punishment, sucker, fine, cost = 1, 2, 0, -1, 4, 0.25
    payoffs = [
        [reward - cost / 2, reward - cost, 0, sucker + fine - cost, reward - cost],
        [reward, reward, sucker, sucker, sucker],
        [0, temptation, punishment, punishment, punishment],
        [temptation - fine, temptation, punishment, punishment, punishment],
        [reward, temptation, punishment, punishment, punishment],
    ]
    found = alpha_rank(symmetric(payoffs), alpha=0.1, population=20)
    assert found == pytest.approx([0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], abs=1e-6)


@pytest.mark.parametrize("payoffs", [ROCK_PAPER_SCISSORS, BIASED])
def test_alpha_rank_shares_a_circle_out(payoffs: list[list[float]]) -> None:
    """Omidshafiei et al. (2019): in both, a third each where alpha is large, unlike the biased game's equilibrium."""
    assert alpha_rank(symmetric(payoffs)) == pytest.approx([1 / 3] * 3, abs=2e-3)


def test_alpha_rank_of_games_with_one_end() -> None:
    assert alpha_rank(symmetric(PRISONERS)) == pytest.approx([0, 1])
    assert alpha_rank(symmetric([[2, 0], [0, 1]])) == pytest.approx([1, 0])


def test_alpha_rank_counts_opponents_drawn_without_return() -> None:
    """Three players, a population of 3: everybody plays with both others, whoever is a mutant; worked out by hand."""
    game = symmetric([[0, 1, 5], [2, 3, 0]], players=3)  # beside 2, 1 and 0 of the first
    alpha = 0.7

    def takes_over(resident: int, mutant: int) -> float:
        at_one = game.between(resident, mutant)[1] - game.between(mutant, resident)[0]
        at_two = game.between(resident, mutant)[0] - game.between(mutant, resident)[1]
        return float(1 / (1 + np.exp(alpha * at_one) + np.exp(alpha * (at_one + at_two))))

    lost, won = takes_over(0, 1), takes_over(1, 0)
    assert game.between(0, 1).tolist() == [5, 1, 0]
    assert game.between(1, 0).tolist() == [2, 3, 0]
    assert alpha_rank(game, alpha, 3) == pytest.approx([won / (won + lost), lost / (won + lost)])


PENNIES = RoleGame([[[2, 0], [0, 1]], [[0, 1], [1, 0]]], [[0, 1], [1, 0]])
"""Matching pennies in which the first player gains more on heads; each role has one player."""


def test_roles_mix_so_that_the_other_role_gains_nothing_by_leaving() -> None:
    found = equilibrium(PENNIES)
    # the first makes the second indifferent with 1 : 1, the second the first with 2q = 1 - q
    assert found.shares == pytest.approx([1 / 2, 1 / 2, 1 / 3, 2 / 3])
    assert found.regret == pytest.approx(0, abs=1e-12)
    assert eliminate(PENNIES) == []


def test_a_role_of_one_and_a_role_of_two_find_the_equilibrium_worked_out_by_hand() -> None:
    """A guard watches a door or a gate; two thieves try one each, and crowd each other at the same one."""
    ways = [(2, 0), (1, 1), (0, 2)]  # thieves at the door and at the gate
    guard = [[door for door, _ in ways], [gate for _, gate in ways]]
    # By guard (door, gate) and then the other thief (door, gate): a thief at the guarded place gets 0, elsewhere 2
    # alone and 1 in company.
    thief = [[0, 0, 1, 2], [2, 1, 0, 0]]
    game = RoleGame([guard, thief], [[0, 2], [1, 1]])
    assert game.ways[1].tolist() == [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]]
    found = equilibrium(game)
    assert found.shares == pytest.approx([0.5, 0.5, 0.5, 0.5])
    assert game.expected(found.shares) == pytest.approx([1, 1, 0.75, 0.75])


def test_random_role_games_end_in_equilibria() -> None:
    chance = np.random.default_rng(5)
    for sizes, seats in (([2, 3], [1, 2]), ([3, 2], [2, 2]), ([2, 2, 2], [1, 1, 2])):
        others = [[count - (own == role) for own, count in enumerate(seats)] for role in range(len(seats))]
        payoffs = [
            chance.normal(size=(size, len(profiles(sizes, row)))) for size, row in zip(sizes, others, strict=True)
        ]
        game = RoleGame(payoffs, others)
        found = equilibrium(game)
        assert [found.shares[group].sum() for group in game.groups] == pytest.approx([1] * len(sizes))
        assert found.regret < 1e-6


def test_strategies_are_dominated_within_their_role_once_those_of_the_other_are_gone() -> None:
    # the first's second choice is always worse; without it the second's first is worse than its second
    game = RoleGame([[[3, 3], [1, 2]], [[1, 9], [2, 0]]], [[0, 1], [1, 0]])
    gone = eliminate(game)
    assert [(item.strategy, item.round, item.by.tolist()) for item in gone] == [
        (1, 1, [1, 0, 0, 0]),
        (2, 2, [0, 0, 0, 1]),
    ]


def test_alpha_rank_of_roles_takes_turns_where_they_chase_each_other() -> None:
    found = alpha_rank(RoleGame([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], [[0, 1], [1, 0]]))
    assert found == pytest.approx([0.5] * 4, abs=2e-3)
    sure = alpha_rank(RoleGame([[[3, 3], [1, 2]], [[1, 9], [2, 0]]], [[0, 1], [1, 0]]))
    assert sure == pytest.approx([1, 0, 0, 1])
