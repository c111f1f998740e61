"""Empirical games: the wins of strategies against each other are taken as the payoffs of a game of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial, lgamma, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

from analysis.stats.moments import Floats

# --- Role-symmetric games: players of the same role have the same choices, and only the numbers of choices matter ---
#
# Strategies are numbered across roles, starting with the first role.  A mix contains the share of every strategy in
# that order; its shares sum to 1 within each role.


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


# A Nash equilibrium: a mix for each role such that nobody gains by deviating while all others keep their mixes.
#
# It is found by following the quantal response equilibria of McKelvey and Palfrey (1995) from the uniform mix: at
# precision 0 everybody plays at random, and replies improve as the precision grows.  In almost every game this curve
# leads to one equilibrium, the limiting logit equilibrium.  It is traced as in Turocy (2005), in logarithms, with a
# predictor and a corrector.


STEPS = 4000
CLOSE = 1e-5
"""Regret, relative to the largest difference of payoffs, at which the curve is close enough to its end."""

EXACT = 1e-9
NEWTON = 40


@dataclass(frozen=True)
class Mix:
    """A mix of strategies."""

    shares: Floats  # share of each strategy
    regret: float  # what the best reply gets more than the mix; 0 at an equilibrium


def equilibrium(game: RoleGame) -> Mix:
    """Return the equilibrium to which logit responses lead from the uniform mix; each role plays one mix."""
    low, high = min(own.min() for own in game.payoffs), max(own.max() for own in game.payoffs)
    span = float(high - low)
    if max(game.sizes) == 1 or span == 0:
        even = game.even()
        return Mix(even, max(game.regret(even), 0.0))
    scaled = RoleGame([(own - low) / span for own in game.payoffs], game.others)
    shares = _polished(scaled, _trace(scaled))
    return Mix(shares, max(game.regret(shares), 0.0))


def _conditions(game: RoleGame, point: Floats) -> tuple[Floats, Floats]:
    """Return the distance of a point (logarithms of the mix, then precision) from the curve, and its derivatives."""
    logs, precision = point[:-1], point[-1]
    mix = np.exp(logs)
    payoff, slope = game.expected(mix), precision * game.slopes(mix)
    off = logs - precision * payoff
    lines = np.eye(len(logs)) - slope
    size = len(logs)
    values, jacobian = np.empty(size), np.zeros((size, size + 1))
    for group in game.groups:
        first, rest, rows, total = group[0], group[1:], group[:-1], group[-1]
        values[rows], values[total] = off[rest] - off[first], mix[group].sum() - 1
        jacobian[rows, :-1] = lines[rest] - lines[first]
        jacobian[rows, -1] = payoff[first] - payoff[rest]
        jacobian[total, group] = mix[group]
    return values, jacobian


def _trace(game: RoleGame) -> Floats:
    """Follow the curve until its mix is nearly an equilibrium; return that mix."""
    size = game.strategies
    point = np.append(-np.log(np.repeat(game.sizes, game.sizes)), 0.0)
    ahead = np.append(np.zeros(size), 1.0)
    step, best, least = 0.1, np.exp(point[:-1]), np.inf
    for _ in range(STEPS):
        tangent = np.linalg.svd(_conditions(game, point)[1])[2][-1]
        tangent = tangent if tangent @ ahead >= 0 else -tangent
        found = _corrected(game, point + step * tangent, tangent)
        if found is None:
            step /= 2
            if step < 1e-9:
                break
            continue
        ahead = tangent
        point, rounds = found
        step = min(step * (1.5 if rounds <= 2 else 1.0 if rounds <= 4 else 0.6), 0.2 * max(point[-1], 5.0))
        mix = game.normalised(np.exp(point[:-1]))
        if (regret := game.regret(mix)) < least:
            best, least = mix, regret
        if regret < CLOSE:
            break
    return np.asarray(best)


def _corrected(game: RoleGame, point: Floats, tangent: Floats) -> tuple[Floats, int] | None:
    """Return the point of the curve close to another point, and the number of steps to it; None if there is none."""
    for rounds in range(8):
        off, jacobian = _conditions(game, point)
        if not np.isfinite(off).all():
            return None
        if np.abs(off).max() < 1e-9 * max(point[-1], 1.0):
            return point, rounds
        try:
            change = np.linalg.solve(np.vstack([jacobian, tangent]), np.append(off, 0.0))
        except np.linalg.LinAlgError:
            return None
        if np.abs(change).max() > 2:
            return None
        point = point - change
    return None


def _polished(game: RoleGame, near: Floats) -> Floats:
    """Return the equilibrium close to a mix with the fewest of its most frequent strategies, if there is one."""
    best, least = near, game.regret(near)
    order = np.argsort(-near, kind="stable")
    tops = [int(group[near[group].argmax()]) for group in game.groups]
    rest = [number for number in order.tolist() if number not in tops]
    for size in range(len(rest) + 1):
        found = _indifferent(game, np.sort([*tops, *rest[:size]]), near)
        if found is not None and (regret := game.regret(found)) < least:
            best, least = found, regret
            if regret <= EXACT:
                break
    return best


def _indifferent(game: RoleGame, support: NDArray[np.int64], near: Floats) -> Floats | None:
    """Return the mix in which some strategies of each role get the same, by Newton's method; None if not found."""
    own = [np.flatnonzero(game.role_of[support] == role) for role in range(len(game.sizes))]
    mix = np.zeros(game.strategies)
    for places in own:
        mix[support[places]] = near[support[places]] / near[support[places]].sum()
    for _ in range(NEWTON):
        payoff = game.expected(mix)[support]
        off = np.concatenate(
            [
                np.append(payoff[places[1:]] - payoff[places[0]], mix[group].sum() - 1)
                for places, group in zip(own, game.groups, strict=True)
            ]
        )
        if np.abs(off).max() < 1e-13:
            break
        slope = (game.slopes(mix) / np.where(mix > 0, mix, 1))[np.ix_(support, support)]
        lines = [
            np.vstack([slope[places[1:]] - slope[places[0]], np.isin(np.arange(len(support)), places).astype(float)])
            for places in own
        ]
        change = np.linalg.lstsq(np.vstack(lines), off, rcond=None)[0]
        mix[support] -= change
        if not (mix[support] > 0).all():
            return None
    return game.normalised(mix)


# Dominated strategies: those that do worse than some mix of the others of their role, whatever all others play.


DUST = 1e-9


@dataclass(frozen=True)
class Elimination:
    """A strategy that is dominated."""

    strategy: int  # number of the strategy
    by: Floats  # shares of the mix that dominates it most, for all strategies in order
    margin: float  # the least difference between what the mix gets and what the strategy gets
    round: int
    """1 if it is dominated in the whole game, 2 if it is dominated once those of round 1 are removed, and so on."""


def dominator(game: RoleGame, strategy: int) -> tuple[Floats, float]:
    """Return the mix of other strategies of its role that dominates a strategy most, and the margin.

    A linear program finds the largest margin m such that the mix gets at least m more, whatever the others play; m is
    negative if the strategy is not dominated.  A single strategy is preferred if it does nearly as well as any mix.
    """
    from scipy.optimize import linprog

    role = game.role_of[strategy]
    group, payoffs = game.groups[role], game.payoffs[role]
    others = np.setdiff1d(group, [strategy])
    mix = np.zeros(game.strategies)
    if not len(others):
        return mix, -np.inf
    gap = payoffs[others - group[0]] - payoffs[strategy - group[0]]
    single = int(gap.min(axis=1).argmax())
    if (least := float(gap[single].min())) > 0:
        mix[others[single]] = 1
        return mix, least
    size = len(others)
    found = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=np.column_stack([-gap.T, np.ones(gap.shape[1])]),
        b_ub=np.zeros(gap.shape[1]),
        A_eq=[np.append(np.ones(size), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * size + [(None, None)],
    )
    mix[others] = found.x[:-1]
    return mix, float(found.x[-1])


def eliminate(game: RoleGame) -> list[Elimination]:
    """Return the dominated strategies by iterated elimination, in order of the rounds."""
    kept, number = np.arange(game.strategies), 0
    found: list[Elimination] = []
    while True:
        number += 1
        left = game.among(kept)
        gone = []
        for place, strategy in enumerate(kept.tolist()):
            mix, margin = dominator(left, place)
            if margin > DUST:
                by = np.zeros(game.strategies)
                by[kept] = mix
                gone.append(Elimination(strategy, by, margin, number))
        if not gone:
            return found
        found += gone
        kept = np.setdiff1d(kept, [item.strategy for item in gone])


# alpha-rank: how long a population that copies better strategies stays with each strategy (Omidshafiei et al. 2019).
#
# Each role has a population in which all play the same strategy.  Occasionally a mutant appears in one of them, and its
# strategy takes over or dies out by Fermi's rule.  The stationary distribution of the chain of take-overs ranks the
# strategies, even if they beat each other in a cycle.


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
    from scipy.stats import hypergeom  # takes most of a second to load

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
