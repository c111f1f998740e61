"""Symmetric games of several players: everybody has the same choices, and only how many chose what matters."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, lgamma

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.moments import Floats


def companies(strategies: int, others: int) -> NDArray[np.int64]:
    """Return all ways in which others may play, shape (ways, strategies): how many of them play what."""
    ways = [np.bincount(way, minlength=strategies) for way in combinations_with_replacement(range(strategies), others)]
    return np.array(ways, np.int64).reshape(len(ways), strategies)


class SymmetricGame:
    """A symmetric game.

    Parameters
    ----------
    payoffs
        Shape (strategies, companies): what a strategy gets beside each company of others, in the order of
        `companies(strategies, players - 1)`.  With two players that is the payoff matrix, row against column.
    players
        How many play.

    Raises
    ------
    ValueError
        If the shape does not fit.
    """

    def __init__(self, payoffs: ArrayLike, players: int = 2) -> None:
        self.payoffs: Floats = np.asarray(payoffs, np.float64)
        self.players = players
        self.company = companies(len(self.payoffs), players - 1)
        if self.payoffs.shape != (len(self.payoffs), len(self.company)):
            raise ValueError(f"payoffs of shape {self.payoffs.shape} for {len(self.company)} companies")

    @property
    def strategies(self) -> int:
        """How many strategies there are."""
        return len(self.payoffs)

    @cached_property
    def _ways(self) -> Floats:
        """Orders in which the others may make up each company."""
        below = np.array([[lgamma(count + 1) for count in row] for row in self.company.tolist()]).sum(axis=1)
        return np.asarray(factorial(self.players - 1) * np.exp(-below))

    def chances(self, mix: Floats) -> Floats:
        """Return the chance of each company where all others draw their strategy from a mix."""
        return np.asarray(self._ways * np.prod(mix**self.company, axis=1))

    def expected(self, mix: Floats) -> Floats:
        """Return what each strategy gets where all others draw theirs from a mix."""
        return np.asarray(self.payoffs @ self.chances(mix))

    def slopes(self, mix: Floats) -> Floats:
        """Return how `expected` changes with the logarithms of a mix, shape (strategies, strategies)."""
        return np.asarray(self.payoffs @ (self.chances(mix)[:, None] * self.company))

    def gains(self, mix: Floats) -> Floats:
        """Return what each strategy gets above the mix itself, where all others draw theirs from the mix."""
        found = self.expected(mix)
        return np.asarray(found - mix @ found)

    def regret(self, mix: Floats) -> float:
        """Return what the best reply to a mix gets above the mix: its exploitability within the game."""
        return float(self.gains(mix).max())

    def between(self, one: int, other: int) -> Floats:
        """Return what `one` gets where 0, 1, .. of the others play as it does and the rest play `other`."""
        of_pair = self.company[:, [one, other]].sum(axis=1) == self.players - 1
        order = np.argsort(self.company[of_pair, one])
        return np.asarray(self.payoffs[one, of_pair][order])

    def among(self, kept: NDArray[np.int64]) -> SymmetricGame:
        """Return the game that is left where only some strategies may be played."""
        gone = np.setdiff1d(np.arange(self.strategies), kept)
        left = self.company[:, gone].sum(axis=1) == 0
        return SymmetricGame(self.payoffs[np.ix_(kept, left)], self.players)
