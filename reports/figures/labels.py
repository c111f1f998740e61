"""Where to put the labels of points on a map, so that lines, points and other labels cover them least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEPS = np.linspace(0, 1, 40)
"""Number of points along a line that are checked for being under a label."""

CROWD = 20.0
"""Weight of a point or of another label in the way, compared with a point of a line."""

PASSES = 5
"""How often every label may move again after the others have moved."""

SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0), *product((1, -1), (1, -1)))
"""Sides of a point on which a label may be; the first of equally free ones is used."""


def label_places(points: Floats, lines: Sequence[tuple[int, int]], sizes: Floats, gap: float) -> Floats:
    """Return the centres of labels, shape (points, 2).

    points: Where the points are, shape (points, 2).
    lines: Pairs of indices of points that are joined by a line.
    sizes: Width and height of each label, shape (points, 2).
    gap: Distance of a label from its point.
    """
    along = [points[start] + STEPS[:, None] * (points[end] - points[start]) for start, end in lines]
    drawn = np.concatenate(along) if along else np.zeros((0, 2))
    sides = np.array(SIDES, float)
    shifts = sides / np.linalg.norm(sides, axis=1, keepdims=True) * gap + sides * sizes[:, None] / 2
    choices = points[:, None] + shifts
    everywhere = range(len(points))
    fixed = np.array(
        [
            [
                _inside(drawn, choice, sizes[number])
                + CROWD * _inside(np.delete(points, number, axis=0), choice, sizes[number] + gap)
                for choice in choices[number]
            ]
            for number in everywhere
        ]
    )
    found: Floats = choices[everywhere, fixed.argmin(axis=1)]
    for _ in range(PASSES):
        for number in everywhere:
            apart = abs(choices[number][:, None] - found) < (sizes[number] + sizes) / 2
            hidden = np.delete(apart.all(axis=2), number, axis=1).sum(axis=1)
            found[number] = choices[number][(fixed[number] + CROWD * hidden).argmin()]
    return found


def _inside(points: Floats, centre: Floats, size: Floats) -> int:
    """Return the number of points in a box."""
    return int((abs(points - centre) < size / 2).all(axis=1).sum())
