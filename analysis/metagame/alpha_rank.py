"""alpha-rank: how long a population that copies what does better stays with each strategy (Omidshafiei et al. 2019).

A population all of one kind; now and then a mutant comes, and its kind takes over or dies out by Fermi's rule.  The
shares of time of the chain of take-overs rank the strategies, also where they beat each other in a circle.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from scipy.stats import hypergeom

from analysis.metagame.game import SymmetricGame
from analysis.stats.moments import Floats

POPULATION = 50
SETTLED = 1e-3
LARGEST = 1e6
FAINT = -600.0
"""Logarithm of the rarest take-over that is told from none."""

NOTHING = 1e-9
"""Share of time that counts as none."""


def alpha_rank(game: SymmetricGame, alpha: float | None = None, population: int = POPULATION) -> Floats:
    """Return the share of time spent with each strategy.

    Parameters
    ----------
    game
        The game; in a population of one kind and another, opponents are drawn from it without return.
    alpha
        How strictly what does better is copied, per unit of payoff; None: doubled from 1 on until the shares stay.
    population
        How many there are.
    """
    log_odds = _take_overs(game, population)
    if alpha is not None:
        return _stationary(_fixation(log_odds, alpha))
    alpha, shares = 1.0, _stationary(_fixation(log_odds, 1.0))
    while alpha < LARGEST:
        before, alpha = shares, 2 * alpha
        shares = _stationary(_fixation(log_odds, alpha))
        if alpha >= 64 and np.abs(shares - before).max() < SETTLED:
            break
    return shares


def _take_overs(game: SymmetricGame, population: int) -> Floats:
    """Return what a resident gets above a mutant, by resident, mutant and number of mutants, 1 .. population - 1."""
    size, others, count = game.strategies, game.players - 1, np.arange(1, population)
    alike = np.arange(others + 1)
    draws = hypergeom.pmf(alike[None, :], population - 1, count[:, None] - 1, others)
    seen = hypergeom.pmf(alike[None, :], population - 1, (population - count)[:, None] - 1, others)
    found = np.zeros((size, size, len(count)))
    for resident in range(size):
        for mutant in range(size):
            if resident != mutant:
                found[resident, mutant] = seen @ game.between(resident, mutant)
                found[resident, mutant] -= draws @ game.between(mutant, resident)
    return found


def _fixation(log_odds: Floats, alpha: float) -> Floats:
    """Return logarithms of the chance that one mutant takes over, by resident and mutant."""
    sums = np.cumsum(alpha * log_odds, axis=2)
    return np.asarray(-logsumexp(np.concatenate([np.zeros((*sums.shape[:2], 1)), sums], axis=2), axis=2))


def _stationary(fixation: Floats) -> Floats:
    """Return the stationary shares of the take-overs, without subtractions (Grassmann, Taksar, Heyman 1985)."""
    size = len(fixation)
    rates = np.exp(np.maximum(fixation, FAINT)) / max(size - 1, 1)
    np.fill_diagonal(rates, 0)
    for state in range(size - 1, 0, -1):
        rates[:state, state] /= rates[state, :state].sum()
        rates[:state, :state] += np.outer(rates[:state, state], rates[state, :state])
    shares = np.ones(size)
    for state in range(1, size):
        shares[state] = shares[:state] @ rates[:state, state]
    shares /= shares.sum()
    return np.where(shares < NOTHING, 0.0, shares)
