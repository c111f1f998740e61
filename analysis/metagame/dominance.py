"""Who is dominated: does worse than some mix of the others of its role whatever everybody else plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.metagame.game import RoleGame
from analysis.stats.moments import Floats

DUST = 1e-9


@dataclass(frozen=True)
class Elimination:
    """A strategy that is dominated.

    Parameters
    ----------
    strategy
        Its number.
    by
        Shares of the mix that does better by most, all strategies' in order.
    margin
        What the mix gets above it, at least.
    round
        1 where it is dominated in the whole game, 2 where it is once those of round 1 are gone, and so on.
    """

    strategy: int
    by: Floats
    margin: float
    round: int


def dominator(game: RoleGame, strategy: int) -> tuple[Floats, float]:
    """Return the mix of other strategies of its role that does better than one by most, and by how much, at least.

    A linear program: the margin is the largest m for which the mix gets m more whatever the others play; it is negative
    where the strategy is not dominated.  A single strategy is named where one does nearly as well as any mix.
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
        np.append(np.zeros(size), -1.0), A_ub=np.column_stack([-gap.T, np.ones(gap.shape[1])]),
        b_ub=np.zeros(gap.shape[1]), A_eq=[np.append(np.ones(size), 0.0)], b_eq=[1.0],
        bounds=[(0, None)] * size + [(None, None)],
    )  # fmt: skip
    mix[others] = found.x[:-1]
    return mix, float(found.x[-1])


def eliminate(game: RoleGame) -> list[Elimination]:
    """Return the dominated strategies, those that go first before those that go once they are gone."""
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
