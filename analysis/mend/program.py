"""The smallest change in whole numbers that meets the target in a linear model of the game, by integer programming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.mend.surrogate import Surrogate, rooms_of, wanted_of
from analysis.mend.targets import Line
from analysis.stats.moments import Floats
from simcore.rules.levers import Lever, Point

SECONDS = 5.0
"""Largest time in seconds for one integer program."""

WELL = 0.2
"""A target is met well within this many half-widths of its band, which leaves room for errors of the model."""

FAR, SLIGHT = 20.0, 1e-3
"""Cost of a half-width outside the band of a kept line, and weight of the secondary aim."""


def closest(
    surrogate: Surrogate,
    levers: Sequence[Lever],
    lines: Sequence[Line],
    touched: int | None = None,
    reach: float | None = None,
) -> Point | None:
    """Return the change that leaves the farthest target least far from the middle of its band.

    surrogate, levers, lines: The linear model, what may change, and the bands.
    touched: Largest number of values that may change.  If None, all may.
    reach: How far a lever may be from the centre of the model, as a fraction of its range.  If None, anywhere.
    """
    program = _Program(surrogate, levers, lines)
    program.bound_reach(reach)
    if touched is not None:
        program.bound(program.row(touched=1.0), -np.inf, touched)
    return program.solve(SLIGHT * program.size() + program.row(away=1.0, outside=FAR))


def promised(
    surrogate: Surrogate, levers: Sequence[Lever], lines: Sequence[Line], reach: float | None = None
) -> Point | None:
    """Return the smallest change that meets every target well or, if there is none, the closest change."""
    return smallest(surrogate, levers, lines, WELL, reach) or closest(surrogate, levers, lines, None, reach)


def smallest(
    surrogate: Surrogate, levers: Sequence[Lever], lines: Sequence[Line], within: float, reach: float | None = None
) -> Point | None:
    """Return the smallest change that brings every target within a part of its band's half-width, or None."""
    program = _Program(surrogate, levers, lines)
    program.bound_reach(reach)
    program.bound(program.row(away=1.0), -np.inf, within)
    return program.solve(program.size() + program.row(away=SLIGHT, outside=FAR))


@dataclass
class _Program:
    """An integer program.

    Its variables are the steps up and down of every lever, whether the lever is touched, the largest distance of a
    target, and how far the kept lines are outside their bands.
    """

    surrogate: Surrogate
    levers: Sequence[Lever]
    lines: Sequence[Line]
    constraints: list[tuple[Floats, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = len(self.levers)
        step = np.array([lever.step for lever in self.levers], np.float64)
        self.per_step = self.surrogate.slope * step / rooms_of(self.lines)[:, None]
        self.start = (self.surrogate.at([lever.value for lever in self.levers]) - wanted_of(self.lines)) / rooms_of(
            self.lines
        )
        for at, line in enumerate(self.lines):
            effect = np.concatenate([self.per_step[at], -self.per_step[at], np.zeros(count)])
            for sign in (1.0, -1.0):
                tail = (0.0, -1.0) if line.kept else (-1.0, 0.0)
                self.bound(np.concatenate([sign * effect, tail]), -np.inf, float(line.kept) - sign * self.start[at])
        eye, none = np.eye(count), np.zeros((count, count))
        for room, block in (("up", [eye, none]), ("down", [none, eye])):
            most = np.diag([float(getattr(lever, room)) for lever in self.levers])
            self.constraints.append((np.hstack([*block, -most, np.zeros((count, 2))]), -np.inf, 0.0))

    def row(self, touched: float = 0.0, away: float = 0.0, outside: float = 0.0) -> Floats:
        """Return coefficients: of each touched lever, of the largest distance, and of the excess outside kept bands."""
        count = len(self.levers)
        return np.concatenate([np.zeros(2 * count), np.full(count, touched), [away, outside]])

    def size(self) -> Floats:
        """Return the coefficients of the size of a change; see `simcore.rules.levers.size_of`."""
        part = np.array([1 / max(lever.width, 1) for lever in self.levers])
        return np.concatenate([part, part, np.ones(len(part)), [0.0, 0.0]])

    def bound(self, row: Floats, low: float, high: float) -> None:
        """Add a constraint."""
        self.constraints.append((row[None, :], low, high))

    def bound_reach(self, reach: float | None) -> None:
        """Keep every lever near the centre of the model, but allow at least one step to either side."""
        for at, lever in enumerate(self.levers) if reach is not None else ():
            assert reach is not None
            row = np.zeros(3 * len(self.levers) + 2)
            row[at], row[at + len(self.levers)] = 1.0, -1.0
            centre = (self.surrogate.centre[at] - lever.value) / lever.step
            room = max(reach * lever.width, 1.0)
            self.bound(row, max(centre - room, -lever.down), min(centre + room, lever.up))

    def solve(self, cost: Floats) -> Point | None:
        """Return the point of least cost: within the bands of the kept lines or, if none is, one not far outside.

        None if no point meets the constraints.
        """
        return self._solve(cost, 0.0) or self._solve(cost, np.inf)

    def _solve(self, cost: Floats, outside: float) -> Point | None:
        """Return the point of least cost among those that are at most so far outside the bands of the kept lines."""
        from scipy.optimize import Bounds, milp  # takes half a second to load

        count = len(self.levers)
        up, down = ([float(getattr(lever, room)) for lever in self.levers] for room in ("up", "down"))
        found = milp(
            cost,
            integrality=np.concatenate([np.ones(3 * count), [0, 0]]),
            bounds=Bounds(0.0, np.array([*up, *down, *[1.0] * count, np.inf, outside])),
            constraints=self.constraints,
            options={"time_limit": SECONDS},
        )
        if found.x is None:
            return None
        steps = np.rint(found.x[:count] - found.x[count : 2 * count]).astype(int)
        return tuple(lever.value + lever.step * int(move) for lever, move in zip(self.levers, steps, strict=True))
