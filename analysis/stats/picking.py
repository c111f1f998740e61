"""Superlatives: which of several estimates may be the largest, and what may be said of what was picked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.intervals import pointwise


def contenders(value: ArrayLike, se: ArrayLike, deals: ArrayLike, level: float = 0.95) -> list[int]:
    """Return the numbers of all that cannot be distinguished from the largest, the largest estimate first.

    The set holds the one whose true value is the largest with at least the chance `level` (Gupta 1965): one is left
    out where some other is larger by more than c errors of their difference, one-sided, at a level for all the others
    together (Bonferroni).  Errors of different estimates are taken as independent.

    Parameters
    ----------
    value, se, deals
        Estimates, their errors, and the deals behind each.
    level
        Chance that the largest is in the set.
    """
    own, error, count = (np.asarray(item, np.float64) for item in (value, se, deals))
    if len(own) < 2:
        return list(range(len(own)))
    tail = 2 * (1 - level) / (len(own) - 1)  # `pointwise` is two-sided
    constant = pointwise(1 - tail, np.minimum(count[:, None], count[None, :]))
    reach = constant * np.hypot(error[:, None], error[None, :])
    behind = set(np.flatnonzero((own[None, :] - own[:, None] > reach).any(axis=1)).tolist())
    order = np.argsort(-own, kind="stable")
    return [at for at in order.tolist() if at not in behind]
