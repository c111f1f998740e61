"""Conditional logit with several effects for each seat, such as the seat and the person who sits there.

P(i wins) ~ exp(sum of the effects of i), over the seats of one game (McFadden 1974).  Errors are clustered in two ways
at once (Cameron, Gelbach and Miller 2011): rows of one person are alike, and so are rows of one game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from analysis.stats.moments import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PRIOR = 2.0
"""Standard deviation, in logits, of the normal prior of the effect of a person or role.

It keeps the effect of somebody who never won finite.  After ten games of four it draws an effect 12 % towards zero, and
after a hundred 1 %.
"""

SEAT_PRIOR = 5.0
"""The same for seats, which have many games: it only matters if a seat always won, or never did."""

ITERATIONS = 50

DECIDED = 2
"""Number of games with one winner that are added where draws make the error smaller."""

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Games:
    """Games with one number of seats."""

    effects: Codes  # number of each effect of each seat, shape (games, seats, effects)
    won: Floats  # each seat's part of the win, shape (games, seats); the parts of a game sum to one
    cluster: Codes  # number of the cluster of each game, such as its group, shape (games,)
    person: Codes | None = None  # number of the person in each seat, shape (games, seats); None if nobody is named
    weight: Floats | None = None  # how much each effect counts, of the shape of `effects`; None if all count fully


@dataclass(frozen=True)
class Fit:
    """Effects, and the covariance of their errors."""

    effect: Floats  # the effects; each family sums to zero
    covariance: Floats  # inverse Hessian, less for draws: right if the games are independent and the model holds
    clustered: Floats  # sandwich covariance, clustered by person and by game (or the cluster that is given)
    clusters: int  # number of clusters of the kind that has fewer: games, groups or people
    blind: Floats  # directions in which the games tell nothing, whatever their number, shape (effects, directions)

    def variance(self, lines: Floats) -> Floats:
        """Return the covariance of linear combinations, shape (lines, effects): clustered, but never below the other.

        Where clusters are few, the sandwich is too small as often as too large; the larger of both is cautious.
        """
        matrices = [lines @ matrix @ lines.T for matrix in (self.clustered, self.covariance)]
        scale = [np.sqrt(np.maximum(np.diag(matrix), 0)) for matrix in matrices]
        if (scale[0] <= 0).any():
            return np.asarray(matrices[1])
        factor = np.maximum(*scale) / scale[0]
        return np.asarray(matrices[0] * np.outer(factor, factor))

    def tells(self, lines: Floats) -> NDArray[np.bool_]:
        """Return which linear combinations the games tell: not what always goes together, as a seat and its person."""
        return np.asarray(np.abs(lines @ self.blind).max(axis=1, initial=0.0) < 1e-6)


class Choice:
    """The model of some games.

    games: The games, with one entry for each number of seats.
    families: Number of effects in each family, in the order of their numbers; each family sums to zero.
    priors: Standard deviation of the prior of the effects of each family.
    """

    def __init__(self, games: Sequence[Games], families: Sequence[int], priors: Sequence[float]) -> None:
        self.games, self.size = games, sum(families)
        self._weight = np.repeat(np.array(priors, np.float64) ** -2, families)
        ends = np.cumsum([0, *families])
        self._gauge = np.zeros((self.size, self.size))
        for first, last in pairwise(ends.tolist()):
            self._gauge[first:last, first:last] = 1.0  # the likelihood does not change in this direction

    @cached_property
    def _design(self) -> list[csr_array]:
        """The effects of each row, one matrix for each number of seats, shape (rows, effects)."""
        from scipy.sparse import csr_array

        found = []
        for one in self.games:
            rows, count = one.won.size, one.effects.shape[2]
            ends = np.arange(0, rows * count + 1, count)
            values = np.ones(rows * count) if one.weight is None else one.weight.ravel()
            found.append(csr_array((values, one.effects.ravel(), ends), (rows, self.size)))
        return found

    def chances(self, effect: Floats, one: Games) -> Floats:
        """Return each seat's probability of winning, shape (games, seats)."""
        own = effect[one.effects]
        lines = (own if one.weight is None else own * one.weight).sum(axis=2)
        odds = np.exp(lines - lines.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _slopes(self, effect: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the negative Hessian of the log posterior."""
        gradient = -self._weight * effect - self._gauge @ effect
        hessian = np.diag(self._weight) + self._gauge
        for one, design in zip(self.games, self._design, strict=True):
            chance = self.chances(effect, one)
            gradient += (one.won - chance).ravel() @ design
            weighted = design.multiply(chance.ravel()[:, None]).tocsr()
            mean = _summed(weighted, np.repeat(np.arange(len(chance)), chance.shape[1]))
            hessian += (design.T @ weighted - mean.T @ mean).toarray()
        return gradient, hessian

    def fit(self) -> Fit:
        """Return the effects by Newton's method.  The posterior has one maximum, so that this ends."""
        effect = np.zeros(self.size)
        for _ in range(ITERATIONS):
            gradient, hessian = self._slopes(effect)
            step = np.linalg.solve(hessian, gradient)
            step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-12))
            effect = effect + step
            if np.abs(step).max() < 1e-9:
                break
        inverse = np.linalg.inv(self._slopes(effect)[1])
        told, directions = np.linalg.eigh(self._slopes(np.zeros(self.size))[1] - np.diag(self._weight) - self._gauge)
        blind = directions[:, told < 1e-8 + told[-1] * self.size * np.finfo(np.float64).eps]
        meat, clusters = self._meat(effect)
        values, vectors = np.linalg.eigh(inverse @ meat @ inverse)
        clustered = np.asarray((vectors * np.maximum(values, 0)) @ vectors.T, np.float64)
        return Fit(effect, np.asarray(inverse * self._draws(effect), np.float64), clustered, clusters, blind)

    def _draws(self, effect: Floats) -> float:
        """Return how much the results vary, as a part of what they would if every game had one winner.

        A draw is half a win for each, and lies nearer to what is expected than a win or a loss; `DECIDED` more games
        with one winner keep the variance above zero.
        """
        expected, won = 0.0, 0.0
        for one in self.games:
            expected += float((self.chances(effect, one) ** 2).sum())
            won += float((one.won**2).sum())
        games = sum(len(one.won) for one in self.games)
        single = games - expected
        more = DECIDED * single / games
        return (won - expected + more) / (single + more)

    def _meat(self, effect: Floats) -> tuple[Floats, int]:
        """Return the covariance of the score, clustered by game and by person, and the smaller number of clusters."""
        from scipy.sparse import csr_array, vstack

        scores, game, person = [], [], []
        for one, design in zip(self.games, self._design, strict=True):
            rest = (one.won - self.chances(effect, one)).ravel()
            scores.append(design.multiply(rest[:, None]).tocsr())
            game.append(np.repeat(one.cluster, one.won.shape[1]))
            person.append(np.full(one.won.size, -1) if one.person is None else one.person.ravel())
        rows, by_game, by_person = csr_array(vstack(scores)), np.concatenate(game), np.concatenate(person)
        meat, count = _outer(rows, by_game)
        if (by_person < 0).all():
            return meat, count
        of_people, people = _outer(rows, by_person)
        both, _ = _outer(rows, by_game * (int(by_person.max()) + 1) + by_person)
        return meat + of_people - both, min(count, people)


def _summed(rows: csr_array, cluster: Codes) -> csr_array:
    """Return the sums of the rows of each cluster."""
    from scipy.sparse import csr_array

    _, number = np.unique(cluster, return_inverse=True)
    shape = (int(number.max()) + 1, len(number))
    order = np.argsort(number, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(number))])
    return csr_array(csr_array((np.ones(len(number)), order, ends), shape) @ rows)


def _outer(rows: csr_array, cluster: Codes) -> tuple[Floats, int]:
    """Return the sum of outer products of the sums of clusters, corrected for their number, and that number."""
    sums = _summed(rows, cluster)
    count = sums.shape[0]
    return np.asarray((sums.T @ sums).toarray()) * count / max(count - 1, 1), count


# --- Conditional logit on aggregated line-ups: P(i wins) ~ exp(strength of its strategy + advantage of its seat) ---


NEWTON_STEPS = 60
FAR = 15.0
"""A coefficient beyond this diverges to infinity, because the data do not bound it."""


SINGULAR = 1e-9
"""Least information per game, in any direction, below which a coefficient is not identified."""


class Separated(ValueError):
    """Raised if the likelihood has no unique maximum: one never or always won, or two things always coincided."""


@dataclass(frozen=True)
class LogitFit:
    """Coefficients of strategies, then of seats; each group sums to zero, with equal weights."""

    strength: Floats
    seat: Floats
    """strength, seat: Coefficient of each strategy and each seat."""
    covariance: Floats  # inverse Hessian of the negative log-likelihood, mapped to these coefficients


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
        from scipy.linalg import block_diag  # takes a quarter of a second to load

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

    def fit(self, wins: Floats, start: Floats | None = None) -> LogitFit:
        """Return the maximum likelihood fit by Newton's method.

        wins: Wins of each seat, shape (line-ups, seats); shared wins count in parts.
        start: Reduced coefficients to start from.
        Raises Separated if there is no unique maximum.
        """
        total = wins.sum(axis=1)
        free = np.zeros(self.gauge.shape[1]) if start is None else start
        for _ in range(NEWTON_STEPS):
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
        covariance = self.gauge @ inverse @ self.gauge.T
        return LogitFit(full[: self.strategies], full[self.strategies :], covariance)

    def _slopes(self, free: Floats, wins: Floats, total: Floats) -> tuple[Floats, Floats]:
        chance = self.chances(free)
        expected = total[:, None] * chance
        gradient = np.einsum("cs,csp->p", wins - expected, self.reduced)
        mean = np.einsum("cs,csp->cp", chance, self.reduced)
        hessian = np.einsum("cs,csp,csq->pq", expected, self.reduced, self.reduced, optimize=True)
        return gradient, hessian - np.einsum("c,cp,cq->pq", total, mean, mean, optimize=True)

    def reduce(self, fit: LogitFit) -> Floats:
        """Return the reduced coefficients of a fit, from which another fit can start."""
        return np.asarray(self.gauge.T @ np.concatenate([fit.strength, fit.seat]))

    def scores(self, fit: LogitFit, wins: Floats) -> Floats:
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
