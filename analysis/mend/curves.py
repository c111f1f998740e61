"""The effect of each lever alone: the curve of every line over the lever's range on common deals, and its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from analysis.mend.targets import Line
from analysis.mend.trials import Seen
from analysis.stats.intervals import bonferroni, with_few
from simcore.rules.levers import Lever, Point

DEAD, STILL, EVEN, TURNS = "dead", "still", "even", "turns"
"""Shapes of a curve.

"dead": no game has a different outcome; "still": no line moves significantly; "even": the line that moves most moves in
one direction only; "turns": it significantly rises in one part of the range and falls in another.
"""


@dataclass(frozen=True)
class Curve:
    """The effect of a lever alone."""

    key: str  # the lever
    line: str  # the line that it moves most
    shape: str  # "dead", "still", "even" or "turns"


def points_of(levers: Sequence[Lever], at: int) -> list[Point]:
    """Return the points of a lever's curve; all other levers keep their values."""
    base = [lever.value for lever in levers]
    return [(*base[:at], value, *base[at + 1 :]) for value in levers[at].tried()]


def curves_of(
    levers: Sequence[Lever], lines: Sequence[Line], seen: Mapping[Point, Seen], level: float
) -> tuple[tuple[Curve, ...], pl.DataFrame]:
    """Return the shape of every lever's curve, and the curves as a table.

    levers, lines: What moves, and what is measured.
    seen: The results at every point of the curves, all on the same deals.
    level: Confidence level; the intervals of the differences are simultaneous for all levers, values and lines.
    """
    base = seen[tuple(lever.value for lever in levers)]
    count = sum(len(lever.tried()) - 1 for lever in levers) * len(lines)
    constant = float(with_few(bonferroni(level, count), len(base.blocks)))
    shapes, rows = [], []
    for at, lever in enumerate(levers):
        course = [seen[point] for point in points_of(levers, at)]
        moves = [later.blocks - earlier.blocks for earlier, later in pairwise(course)]
        mean = np.array([move.mean(axis=0) for move in moves])
        error = np.array([move.std(axis=0, ddof=1) for move in moves]) / np.sqrt(len(base.blocks))
        sure = np.where(np.abs(mean) > constant * error, np.sign(mean), 0)
        unit = np.array([line.half for line in lines])
        most = int(np.argmax(np.ptp([one.mean for one in course], axis=0) / unit))
        signs = set(sure[:, most]) - {0.0}
        dead = all(one.fate == base.fate for one in course)
        shape = DEAD if dead else TURNS if len(signs) > 1 else EVEN if (sure != 0).any() else STILL
        shapes.append(Curve(lever.key, lines[most].name, shape))
        for one in course:
            shift = one.blocks - base.blocks
            half = constant * shift.std(axis=0, ddof=1) / np.sqrt(len(shift))
            for number, line in enumerate(lines):
                value, difference = float(one.mean[number]), float(shift[:, number].mean())
                wide = constant * float(one.error[number])
                rows.append(
                    {
                        "lever": lever.key,
                        "value": one.point[at],
                        "name": line.name,
                        "kind": line.kind,
                        "is_share": line.is_share,
                        "mean": value,
                        "mean_low": value - wide,
                        "mean_high": value + wide,
                        "difference": difference,
                        "difference_low": difference - half[number],
                        "difference_high": difference + half[number],
                        "wanted": line.wanted,
                        "lowest": line.wanted - line.near,
                        "highest": line.wanted + line.near,
                        "shape": shape,
                    }
                )
    return tuple(shapes), pl.DataFrame(rows)
