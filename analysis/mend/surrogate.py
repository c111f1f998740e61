"""A linear model of the game: how far each lever moves each line (in log-odds if the line is a share)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.mend.targets import Line
from analysis.mend.trials import Seen
from analysis.stats.moments import Floats
from simcore.rules.levers import Lever, Point

DAMPING = 0.02
"""Strength with which a poorly known slope is pulled towards the former slope, in points of weight 1."""


@dataclass(frozen=True, eq=False)
class Surrogate:
    """A plane through observed values."""

    centre: Floats  # a point, shape (levers,)
    level: Floats  # the value of every line at that point, scaled (`Line.scaled`), shape (lines,)
    slope: Floats  # the change of every line for one unit of every lever, shape (lines, levers)

    def at(self, point: Sequence[float]) -> Floats:
        """Return the value of every line at a point, scaled."""
        return np.asarray(self.level + self.slope @ (np.asarray(point, np.float64) - self.centre))

    def distance(self, lines: Sequence[Line], point: Sequence[float]) -> float:
        """Return how far the farthest target is from the middle of its band at a point, in half-widths."""
        away = np.abs(self.at(point) - wanted_of(lines)) / rooms_of(lines)
        return max((one for one, line in zip(away, lines, strict=True) if not line.kept or one > 1), default=0.0)


def wanted_of(lines: Sequence[Line]) -> Floats:
    """Return the wanted values of lines, scaled."""
    return np.array([float(line.scaled(line.wanted)) for line in lines])


def rooms_of(lines: Sequence[Line]) -> Floats:
    """Return the half-widths of the bands, scaled."""
    return np.array([line.room for line in lines])


def scaled(lines: Sequence[Line], values: Floats) -> Floats:
    """Return values of lines, shape (..., lines), scaled."""
    return np.stack([line.scaled(values[..., at]) for at, line in enumerate(lines)], axis=-1)


def fit(
    levers: Sequence[Lever], lines: Sequence[Line], seen: Sequence[Seen], former: Surrogate | None = None
) -> Surrogate:
    """Return the plane through scattered points; points whose lines are near their bands have the largest weights."""
    points = np.array([one.point for one in seen], np.float64)
    values = scaled(lines, np.array([one.mean for one in seen]))
    away = np.max(np.abs(values - wanted_of(lines)) / rooms_of(lines), axis=1)
    weight = 1 / (1 + (away / np.median(away)) ** 2) if np.median(away) > 0 else np.ones(len(seen))
    centre = np.average(points, axis=0, weights=weight)
    level = np.average(values, axis=0, weights=weight)
    return Surrogate(centre, level, _slopes(levers, points - centre, values - level, weight, former))


def anchored(
    levers: Sequence[Lever],
    lines: Sequence[Line],
    here: Floats,
    centre: Seen,
    others: Sequence[Seen],
    former: Surrogate,
) -> Surrogate:
    """Return the plane through a point, with its level from many games and its slopes from neighbours on common deals.

    levers, lines: What moves, and what is measured.
    here: The values of the lines at the point, measured in many games.
    centre, others: Results of the point and its neighbours, all on the same deals.
    former: An earlier plane, towards whose slopes the new ones are pulled.
    """
    if not others:
        return Surrogate(np.array(centre.point, np.float64), scaled(lines, here), former.slope)
    moves = np.array([one.point for one in others], np.float64) - np.array(centre.point)
    shifts = scaled(lines, np.array([one.mean for one in others])) - scaled(lines, centre.mean)
    slope = _slopes(levers, moves, shifts, np.ones(len(others)), former)
    return Surrogate(np.array(centre.point, np.float64), scaled(lines, here), slope)


def _slopes(levers: Sequence[Lever], moves: Floats, shifts: Floats, weight: Floats, former: Surrogate | None) -> Floats:
    """Return slopes by damped least squares; levers are in units of their ranges."""
    wide = np.array([max(lever.width, 1) * lever.step for lever in levers], np.float64)
    before = former.slope * wide if former else np.zeros((shifts.shape[1], len(levers)))
    unit = moves / wide
    matrix = unit.T @ (unit * weight[:, None]) + DAMPING * np.mean(unit**2) * np.eye(len(levers))
    change = np.linalg.solve(matrix, unit.T @ ((shifts - unit @ before.T) * weight[:, None]))
    return np.asarray((before + change.T) / wide)


def scatter(
    levers: Sequence[Lever], count: int, seed: int, centre: Sequence[float] | None = None, radius: float = 1.0
) -> list[Point]:
    """Return points spread evenly over the ranges of the levers, or over parts of the ranges around a point."""
    from scipy.stats.qmc import Sobol

    low = np.array([lever.value - lever.down * lever.step for lever in levers], np.float64)
    wide = np.array([lever.width * lever.step for lever in levers], np.float64)
    middle = low + wide / 2 if centre is None else np.asarray(centre, np.float64)
    drawn = Sobol(len(levers), seed=seed).random(1 << (count - 1).bit_length())[:count]
    raw = middle + (drawn - 0.5) * wide * radius
    return list(
        dict.fromkeys(tuple(lever.nearest(value) for lever, value in zip(levers, row, strict=True)) for row in raw)
    )
