"""Fief 2: the kingdom laid out in the plane, so that a map can be drawn of any roads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.games.fief_2.rules import distances

STEPS = 200
"""Steps of the majorization; the last ones make no visible difference."""

CLEAR = 0.3
"""Smallest distance between a village and a road that does not end there, in lengths of a road."""


def places(near: NDArray[Any]) -> NDArray[Any]:
    """Return places in the plane whose distances are like those by road, shape (villages, 2).

    Classical scaling gives the first places; majorization of the stress (SMACOF) then moves neighbours apart.
    """
    way = distances(near).astype(float)
    count = len(way)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centre @ way**2 @ centre / 2)
    found = vectors[:, -2:] * np.sqrt(values[-2:])
    found = found * np.where(found[np.abs(found).argmax(axis=0), [0, 1]] < 0, -1, 1)
    away = np.where(way > 0, way, np.inf)
    pull = np.diag((away**-2).sum(axis=1)) - away**-2
    back = np.linalg.pinv(pull)
    for _ in range(STEPS):
        apart = np.sqrt(((found[:, None] - found) ** 2).sum(axis=2))
        ratio = 1 / (away * np.where(apart > 0, apart, np.inf))
        found = back @ (np.diag(ratio.sum(axis=1)) - ratio) @ found
    return off_the_roads(near, np.asarray(found))


def off_the_roads(near: NDArray[Any], found: NDArray[Any]) -> NDArray[Any]:
    """Push villages away from roads that do not end there."""
    roads = np.argwhere(np.triu(near))
    for _ in range(STEPS):
        for start, end in roads:
            along = found[end] - found[start]
            part = np.clip((found - found[start]) @ along / (along @ along), 0, 1)
            away = found - found[start] - part[:, None] * along
            gap = np.sqrt((away**2).sum(axis=1))
            close = (gap < CLEAR) & (part > 0) & (part < 1)
            close[[start, end]] = False
            side = np.where(gap[:, None] > 0, away / np.maximum(gap, 1e-9)[:, None], [[-along[1], along[0]]])
            found = found + close[:, None] * side * (CLEAR - gap)[:, None] / 2
    return found
