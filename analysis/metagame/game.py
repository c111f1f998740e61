"""Role-symmetric games: players of the same role have the same choices, and only the numbers of choices matter.

Strategies are numbered across roles, starting with the first role.  A mix contains the share of every strategy in that
order; its shares sum to 1 within each role.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, lgamma, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.moments import Floats


def multisets(strategies: int, others: int) -> NDArray[np.int64]:
    """Return all ways in which the others may play, shape (ways, strategies): how many of them play each strategy."""
    ways = [np.bincount(way, minlength=strategies) for way in combinations_with_replacement(range(strategies), others)]
    return np.array(ways, np.int64).reshape(len(ways), strategies)


def profiles(strategies: Sequence[int], others: Sequence[int]) -> NDArray[np.int64]:
    """Return all ways in which the others of every role may play, shape (ways, strategies of all roles).

    strategies, others: For each role: the number of strategies, and the number of others who have the role.

    Examples
    --------
    >>> profiles([2, 2], [0, 1])
    array([[0, 0, 1, 0],
           [0, 0, 0, 1]])
    """
    parts = [multisets(*role) for role in zip(strategies, others, strict=True)]
    return np.array([np.concatenate(way) for way in product(*parts)], np.int64)


class RoleGame:
    """A role-symmetric game (Wellman 2006).

    payoffs: For each role, shape (strategies of the role, ways): what a strategy gets for each way in which the others
        may play, in the order of `profiles`.
    others: For each role: the number of others in each of the roles, from the point of view of a player in that role.
    Raises ValueError if a shape does not fit.
    """

    def __init__(self, payoffs: Sequence[ArrayLike], others: Sequence[Sequence[int]]) -> None:
        self.payoffs: tuple[Floats, ...] = tuple(np.asarray(own, np.float64) for own in payoffs)
        self.others = tuple(tuple(counts) for counts in others)
        self.sizes = tuple(len(own) for own in self.payoffs)
        self.ways = tuple(profiles(self.sizes, counts) for counts in self.others)
        for own, ways in zip(self.payoffs, self.ways, strict=True):
            if own.shape != (len(own), len(ways)):
                raise ValueError(f"payoffs of shape {own.shape} for {len(ways)} ways in which the others may play")

    @property
    def strategies(self) -> int:
        """Number of strategies of all roles together."""
        return sum(self.sizes)

    @cached_property
    def groups(self) -> tuple[NDArray[np.int64], ...]:
        """Numbers of the strategies of each role."""
        ends = np.cumsum(self.sizes)
        return tuple(np.arange(end - size, end) for end, size in zip(ends, self.sizes, strict=True))

    @cached_property
    def role_of(self) -> NDArray[np.int64]:
        """Role of each strategy."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def _orders(self) -> tuple[Floats, ...]:
        """For each role, the number of orders of the others that give each way."""
        found = []
        for counts, ways in zip(self.others, self.ways, strict=True):
            below = np.array([[lgamma(count + 1) for count in row] for row in ways.tolist()]).sum(axis=1)
            found.append(np.asarray(prod(factorial(count) for count in counts) * np.exp(-below)))
        return tuple(found)

    def even(self) -> Floats:
        """Return the mix that plays all strategies of a role equally often."""
        return np.repeat(1 / np.array(self.sizes, np.float64), self.sizes)

    def normalised(self, mix: Floats) -> Floats:
        """Return a mix whose shares sum to 1 within each role."""
        return np.concatenate([mix[group] / mix[group].sum() for group in self.groups])

    def chances(self, role: int, mix: Floats) -> Floats:
        """Return the probability of each way in which the others play if all of them draw from a mix."""
        return np.asarray(self._orders[role] * np.prod(mix ** self.ways[role], axis=1))

    def expected(self, mix: Floats) -> Floats:
        """Return what each strategy gets if all others draw their strategies from a mix."""
        return np.concatenate([own @ self.chances(role, mix) for role, own in enumerate(self.payoffs)])

    def slopes(self, mix: Floats) -> Floats:
        """Return the derivatives of `expected` by the logarithms of a mix, shape (strategies, strategies)."""
        return np.concatenate(
            [own @ (self.chances(role, mix)[:, None] * self.ways[role]) for role, own in enumerate(self.payoffs)]
        )

    def gains(self, mix: Floats) -> Floats:
        """Return what each strategy gets more than the mix of its role, if all others draw from the mix."""
        found = self.expected(mix)
        return np.concatenate([found[group] - mix[group] @ found[group] for group in self.groups])

    def regret(self, mix: Floats) -> float:
        """Return the exploitability of a mix: what the best reply gets more, in the role where that is largest."""
        return float(self.gains(mix).max())

    def between(self, one: int, other: int, rest: Sequence[int] = ()) -> Floats:
        """Return what `one` gets if 0, 1, .. others of its role play the same and the rest of the role play `other`.

        one, other: Two strategies of one role.
        rest: A strategy for each of the other roles, which all players of that role play.
        """
        role = self.role_of[one]
        ways = self.ways[role]
        fits = ways[:, sorted({one, other, *rest})].sum(axis=1) == sum(self.others[role])
        order = np.argsort(ways[fits, one])
        return np.asarray(self.payoffs[role][one - self.groups[role][0], fits][order])

    def among(self, kept: NDArray[np.int64]) -> RoleGame:
        """Return the game restricted to some strategies, at least one for each role."""
        gone = np.setdiff1d(np.arange(self.strategies), kept)
        left = []
        for group, own, ways in zip(self.groups, self.payoffs, self.ways, strict=True):
            rows = np.intersect1d(group, kept) - group[0]
            left.append(own[np.ix_(rows, ways[:, gone].sum(axis=1) == 0)])
        return RoleGame(left, self.others)


class SymmetricGame(RoleGame):
    """A game in which all players have the same choices, because there is only one role.

    payoffs: What a strategy gets for each way in which the others may play, shape (strategies, ways), in the order of
        `multisets(strategies, players - 1)`.  With two players this is the payoff matrix, row against column.
    players: Number of players.
    """

    def __init__(self, payoffs: ArrayLike, players: int = 2) -> None:
        super().__init__([payoffs], [[players - 1]])
