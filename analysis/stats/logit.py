"""Conditional logit on aggregated line-ups: P(i wins) ~ exp(strength of its strategy + advantage of its seat)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from analysis.stats.moments import Floats

ITERATIONS = 60
FAR = 15.0
"""A coefficient beyond this diverges to infinity, because the data do not bound it."""


SINGULAR = 1e-9
"""Least information per game, in any direction, below which a coefficient is not identified."""


class Separated(ValueError):
    """Raised if the likelihood has no unique maximum: one never or always won, or two things always coincided."""


@dataclass(frozen=True)
class Fit:
    """Coefficients of strategies, then of seats; each group sums to zero, with equal weights."""

    strength: Floats
    seat: Floats
    """strength, seat: Coefficient of each strategy and each seat."""
    covariance: Floats  # inverse Hessian of the negative log-likelihood, mapped to these coefficients
    log_likelihood: float  # log-likelihood at the maximum


class Model:
    """The conditional logit model of a set of line-ups.

    strategy: Number of the strategy in each seat, shape (line-ups, seats).
    strategies: Number of strategies, or the sizes of groups if the strategies of each role sum to zero.
    seats: Number of the seat coefficient that applies, shape (line-ups, seats); -1 for a seat that does not exist.
    groups: Sizes of the groups of seat coefficients, one group for each number of players; each group sums to zero.
    """

    def __init__(
        self,
        strategy: NDArray[np.int64],
        strategies: int | Sequence[int],
        seats: NDArray[np.int64],
        groups: Sequence[int],
    ) -> None:
        roles = (strategies,) if isinstance(strategies, int) else tuple(strategies)
        strategies = self.strategies = sum(roles)
        self.there = seats >= 0
        cases, places = strategy.shape
        self.design = np.zeros((cases, places, strategies + sum(groups)))
        case, place = np.nonzero(self.there)
        self.design[case, place, strategy[case, place]] = 1
        self.design[case, place, strategies + seats[case, place]] = 1
        self.gauge = block_diag(*(_sum_to_zero(size) for size in (*roles, *groups)))
        self.reduced = self.design @ self.gauge

    def chances(self, coefficients: Floats) -> Floats:
        """Return each seat's probability of winning, shape (line-ups, seats)."""
        lines = np.where(self.there, self.reduced @ coefficients, -np.inf)
        odds = np.exp(lines - lines.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def fit(self, wins: Floats, start: Floats | None = None) -> Fit:
        """Return the maximum likelihood fit by Newton's method.

        wins: Wins of each seat, shape (line-ups, seats); shared wins count in parts.
        start: Reduced coefficients to start from.
        Raises Separated if there is no unique maximum.
        """
        total = wins.sum(axis=1)
        free = np.zeros(self.gauge.shape[1]) if start is None else start
        for _ in range(ITERATIONS):
            gradient, hessian = self._slopes(free, wins, total)
            if free.size and np.linalg.eigvalsh(hessian)[0] <= SINGULAR * total.sum():
                raise Separated
            step = np.linalg.solve(hessian, gradient)
            step *= min(1.0, 3.0 / max(float(np.abs(step).max(initial=0)), 1e-12))
            free = free + step
            if np.abs(free).max(initial=0) > FAR:
                raise Separated
            if np.abs(step).max(initial=0) < 1e-10:
                break
        else:
            raise Separated
        inverse = np.linalg.inv(self._slopes(free, wins, total)[1])
        full = self.gauge @ free
        lines = np.log(np.where(self.there, self.chances(free), 1))
        covariance = self.gauge @ inverse @ self.gauge.T
        return Fit(full[: self.strategies], full[self.strategies :], covariance, float((wins * lines).sum()))

    def _slopes(self, free: Floats, wins: Floats, total: Floats) -> tuple[Floats, Floats]:
        chance = self.chances(free)
        expected = total[:, None] * chance
        gradient = np.einsum("cs,csp->p", wins - expected, self.reduced)
        mean = np.einsum("cs,csp->cp", chance, self.reduced)
        hessian = np.einsum("cs,csp,csq->pq", expected, self.reduced, self.reduced, optimize=True)
        return gradient, hessian - np.einsum("c,cp,cq->pq", total, mean, mean, optimize=True)

    def reduce(self, fit: Fit) -> Floats:
        """Return the reduced coefficients of a fit, from which another fit can start."""
        return np.asarray(self.gauge.T @ np.concatenate([fit.strength, fit.seat]))

    def scores(self, fit: Fit, wins: Floats) -> Floats:
        """Return the gradient by all coefficients, shape (..., coefficients), for wins of shape (..., line-ups, seats).

        Multiplied by `Fit.covariance`, it says how much those wins moved the fit.
        """
        expected = wins.sum(axis=-1, keepdims=True) * self.chances(self.reduce(fit))
        return np.asarray(np.einsum("...cs,csp->...p", wins - expected, self.design))


def _sum_to_zero(size: int) -> Floats:
    """Return an orthonormal basis, shape (size, size - 1), of the vectors that sum to zero."""
    helmert = np.zeros((size, size - 1))
    for column in range(size - 1):
        helmert[: column + 1, column] = 1
        helmert[column + 1, column] = -(column + 1)
    return np.asarray(helmert / np.linalg.norm(helmert, axis=0))
