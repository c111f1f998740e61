"""Dominated strategies: those that do worse than some mix of the others of their role, whatever all others play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.metagame.game import RoleGame
from analysis.stats.moments import Floats

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
