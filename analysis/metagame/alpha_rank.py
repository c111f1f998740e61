"""alpha-rank: how long a population that copies better strategies stays with each strategy (Omidshafiei et al. 2019).

Each role has a population in which all play the same strategy.  Occasionally a mutant appears in one of them, and its
strategy takes over or dies out by Fermi's rule.  The stationary distribution of the chain of take-overs ranks the
strategies, even if they beat each other in a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import hypergeom

from analysis.metagame.game import RoleGame
from analysis.stats.moments import Floats

POPULATION = 50
SETTLED = 1e-3
LARGEST = 1e6
FAINT = -600.0
"""Logarithm of the smallest probability of a take-over that is not taken as zero."""

MOST_STATES = 200
"""Largest number of combinations of one strategy for each role."""

MOST_RATIO = 1e40
"""Ratio of two shares above which all are scaled down, so that none can overflow."""

NOTHING = 1e-9
"""Share of time below which a strategy counts as absent."""


def alpha_rank(game: RoleGame, alpha: float | None = None, population: int = POPULATION) -> Floats:
    """Return the share of time spent with each strategy; the shares sum to 1 within each role.

    game: The game.  Opponents are drawn from a population without replacement.  With several roles and more than
        `MOST_STATES` combinations of one strategy for each, nothing is computed and all values are NaN.
    alpha: Strength of selection: how strictly better strategies are copied, per unit of payoff.  If None, it is
        doubled, starting at 1, until the shares no longer change.
    population: Size of the population in each role.
    """
    states = np.array(list(product(*(group.tolist() for group in game.groups))), np.int64)
    if len(game.sizes) > 1 and len(states) > MOST_STATES:
        return np.full(game.strategies, np.nan)
    contests = list(_contests(game, states, population))
    if alpha is not None:
        return _by_strategy(game, states, _stationary(_rates(states, contests, alpha)))
    alpha, shares = 1.0, _stationary(_rates(states, contests, 1.0))
    while alpha < LARGEST:
        before, alpha = shares, 2 * alpha
        shares = _stationary(_rates(states, contests, alpha))
        if alpha >= 64 and np.abs(shares - before).max() < SETTLED:
            break
    return _by_strategy(game, states, shares)


def _by_strategy(game: RoleGame, states: NDArray[np.int64], shares: Floats) -> Floats:
    """Return the share of time of each strategy from the share of each state."""
    found = np.zeros(game.strategies)
    for played in states.T:
        np.add.at(found, played, shares)
    return found


def _contests(game: RoleGame, states: NDArray[np.int64], population: int) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """Yield states that differ in only one role, and what a resident there gets more than a mutant (`_take_overs`)."""
    for role in range(len(game.sizes)):
        rest = np.delete(states, role, axis=1)
        for others in np.unique(rest, axis=0):
            yield np.flatnonzero((rest == others).all(axis=1)), _take_overs(game, role, others.tolist(), population)


def _take_overs(game: RoleGame, role: int, rest: Sequence[int], population: int) -> Floats:
    """Return what a resident gets more than a mutant, by resident, mutant and number of mutants from 1."""
    group, others, count = game.groups[role].tolist(), game.others[role][role], np.arange(1, population)
    alike = np.arange(others + 1)
    draws = hypergeom.pmf(alike[None, :], population - 1, count[:, None] - 1, others)
    seen = hypergeom.pmf(alike[None, :], population - 1, (population - count)[:, None] - 1, others)
    found = np.zeros((len(group), len(group), len(count)))
    for row, resident in enumerate(group):
        for column, mutant in enumerate(group):
            if resident != mutant:
                found[row, column] = seen @ game.between(resident, mutant, rest)
                found[row, column] -= draws @ game.between(mutant, resident, rest)
    return found


def _rates(states: NDArray[np.int64], contests: Sequence[tuple[NDArray[np.int64], Floats]], alpha: float) -> Floats:
    """Return the rate at which each state is replaced by each other one, with all mutants equally frequent."""
    rates = np.zeros((len(states), len(states)))
    kinds = sum(len(np.unique(played)) - 1 for played in states.T)
    for places, log_odds in contests:
        rates[np.ix_(places, places)] = np.exp(np.maximum(_fixation(log_odds, alpha), FAINT)) / max(kinds, 1)
    np.fill_diagonal(rates, 0)
    return rates


def _fixation(log_odds: Floats, alpha: float) -> Floats:
    """Return the logarithms of the probability that one mutant takes over, by resident and mutant."""
    sums = np.cumsum(alpha * log_odds, axis=2)
    return np.asarray(-logsumexp(np.concatenate([np.zeros((*sums.shape[:2], 1)), sums], axis=2), axis=2))


def _stationary(rates: Floats) -> Floats:
    """Return the stationary distribution without subtractions (Grassmann, Taksar and Heyman 1985)."""
    size = len(rates)
    for state in range(size - 1, 0, -1):
        rates[:state, state] /= rates[state, :state].sum()
        rates[:state, :state] += np.outer(rates[:state, state], rates[state, :state])
    shares = np.ones(size)
    for state in range(1, size):
        shares[state] = shares[:state] @ rates[:state, state]
        if shares[state] > MOST_RATIO:  # by a power of two, which rounds nothing
            shares *= 2.0 ** -np.frexp(shares[state])[1]
    shares /= shares.sum()
    return np.where(shares < NOTHING, 0.0, shares)
