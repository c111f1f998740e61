"""A Nash equilibrium: a mix for each role such that nobody gains by deviating while all others keep their mixes.

It is found by following the quantal response equilibria of McKelvey and Palfrey (1995) from the uniform mix: at
precision 0 everybody plays at random, and replies improve as the precision grows.  In almost every game this curve
leads to one equilibrium, the limiting logit equilibrium.  It is traced as in Turocy (2005), in logarithms, with a
predictor and a corrector.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.metagame.game import RoleGame
from analysis.stats.moments import Floats

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
