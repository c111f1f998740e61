"""The search: curves, a linear model of the game, the change that it proposes, and players who know that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import polars as pl

from analysis.data.results import interval
from analysis.mend.targets import Line, Seen, Trials, Who, farthest
from analysis.stats.intervals import bonferroni, pointwise, with_few
from analysis.stats.moments import Floats
from simcore.errors import UsageError
from simcore.rules.levers import Lever, Point, size_of
from strategies.tuning.retune import TUNINGS

# --- The effect of each lever alone: the curve of every line over the lever's range on common deals, and its shape.


DEAD, STILL, EVEN, TURNS = "dead", "still", "even", "turns"
"""Shapes of a curve.

"dead": no game has a different outcome; "still": no line moves significantly; "turns": the line that moves most
significantly rises in one part of the range and falls in another; "even": anything else.
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


# --- A linear model of the game: how far each lever moves each line (in log-odds if the line is a share) ---


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


def wanted_of(lines: Sequence[Line]) -> Floats:
    """Return the wanted values of lines, scaled."""
    return np.array([float(line.scaled(line.wanted)) for line in lines])


def rooms_of(lines: Sequence[Line]) -> Floats:
    """Return the half-widths of the bands, scaled."""
    return np.array([line.room for line in lines])


def away_of(lines: Sequence[Line], values: Floats) -> Floats:
    """Return how far scaled values, shape (..., lines), are from the middles of their bands, in half-widths."""
    return np.asarray((values - wanted_of(lines)) / rooms_of(lines))


def scaled(lines: Sequence[Line], values: Floats) -> Floats:
    """Return values of lines, shape (..., lines), scaled."""
    return np.stack([line.scaled(values[..., at]) for at, line in enumerate(lines)], axis=-1)


def fit(
    levers: Sequence[Lever], lines: Sequence[Line], seen: Sequence[Seen], former: Surrogate | None = None
) -> Surrogate:
    """Return the plane through scattered points; points whose lines are near their bands have the largest weights."""
    points = np.array([one.point for one in seen], np.float64)
    values = scaled(lines, np.array([one.mean for one in seen]))
    away = np.max(np.abs(away_of(lines, values)), axis=1)
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


# The smallest change in whole numbers that meets the target in a linear model of the game, by integer programming.


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
        self.start = away_of(self.lines, self.surrogate.at([lever.value for lever in self.levers]))
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


# The search: curves, a linear model of the game, the change that it proposes, and players who know that change.


SEARCH, ROUND, LEVEL, RACE, JUDGE, FRESH = 0, 100, 200, 1, 2, 3
"""Numbers of the series of deals, so that each purpose has its own deals.  A round adds its number."""

SURELY = 5
"""Factor by which more games are played if a level is measured or a change is judged."""

MET = 0.5
"""A target within this many half-widths of its band is met well enough, so that a smaller change is preferred."""

STAGES, RADIUS = 2, 0.25
"""Number of rounds of scattered points around the proposed change with the players as they are, and their reach."""


NEAR = 0.1
"""Players who were tuned for a change also know changes within this part of the range of every lever."""

POLISH = 2
"""Largest number of times that the best change is solved for again with all players who know it."""


@dataclass(frozen=True)
class Effort:
    """How much to play."""

    games: int = 10_000  # number of games for each point
    rounds: int = 3
    """Largest number of times that players are tuned for the proposed change and the change is solved for again."""
    finalists: int = 3  # number of changes for which players are tuned and which are then judged

    @property
    def tunings(self) -> int:
        """The largest number of times that players are tuned at each number of players."""
        return self.rounds + TUNINGS * (self.finalists + FRONTIER + VARIANTS)

    def planned(self, levers: Sequence[Lever]) -> int:
        """Return about how many games a search plays, not counting those for tuning and for what else moved."""
        count = len(levers)
        points = 1 + sum(len(lever.tried()) - 1 for lever in levers) + around(count, 4) + STAGES * (1 + around(count))
        points += self.rounds * (SURELY + 1 + around(count)) + 2 * (2 * self.finalists + 2)
        points += (
            (self.finalists + VARIANTS) * 3 * SURELY + SURELY + 3 * SURELY * min(count, FRONTIER) + POLISH * SURELY
        )
        return points * self.games


VARIANTS = 3
"""Largest number of rule sets of the game that are judged as well: those closest to the target, by habit."""

FRONTIER = 3
"""Number of changes with fewer values than the best one that are judged as well."""


def around(levers: int, times: int = 2) -> int:
    """Return how many points are scattered for a number of levers."""
    return times * (levers + 2)


@dataclass(eq=False)
class Search:
    """A search in progress."""

    trials: Trials  # plays the points
    levers: Sequence[Lever]
    lines: Sequence[Line]
    """levers, lines: What may change, and the bands."""
    effort: Effort  # how much to play
    seed: int  # random seed of the scattered points
    level: float = 0.95  # confidence level of the curves
    seen: dict[Point, Seen] = field(default_factory=dict)
    curves: tuple[Curve, ...] = ()
    rounds: list[tuple[Point, float]] = field(default_factory=list)
    tuned: dict[Point, Who] = field(default_factory=dict)

    @property
    def base(self) -> Point:
        """The rules as they are."""
        return tuple(lever.value for lever in self.levers)

    def look(self, points: Sequence[Point]) -> list[Seen]:
        """Play points with the players as they are, each only once, all on the same deals."""
        for point in points:
            if point not in self.seen:
                self.seen[point] = self.trials.see(point, SEARCH, self.effort.games, ())
        return [self.seen[point] for point in points]

    def settle(self) -> None:
        """Play the rules as they are, and find the bands that depend on the results."""
        (base,) = self.look([self.base])
        cards = [abs(value) for value, line in zip(base.mean, self.lines, strict=True) if line.kind == "card"]
        pairs = zip(base.mean, self.lines, strict=True)
        self.lines = [line.settled(float(value), cards) for value, line in pairs]

    def trace(self) -> None:
        """Play the curve of every lever; levers that change no game are fixed from then on.

        Raises UsageError if no lever changes any game.
        """
        for at in range(len(self.levers)):
            self.look(points_of(self.levers, at))
        self.curves, self.table_of_curves = curves_of(self.levers, self.lines, self.seen, self.level)
        if all(curve.shape == DEAD for curve in self.curves):
            keys = ", ".join(lever.key for lever in self.levers)
            raise UsageError(f"no value of {keys} that was tried changes a single game; free other keys", "free")
        pairs = zip(self.levers, self.curves, strict=True)
        self.levers = [lever.fixed if curve.shape == DEAD else lever for lever, curve in pairs]

    def survey(self) -> Surrogate:
        """Return the model of the game from the results of the players as they are."""
        count = sum(lever.width > 0 for lever in self.levers)
        self.look(scatter(self.levers, around(count, 4), self.seed))
        picture = fit(self.levers, self.lines, list(self.seen.values()))
        for stage in range(STAGES):
            middle = promised(picture, self.levers, self.lines) or self.base
            radius = RADIUS / (stage + 1)
            near = scatter(self.levers, around(count), self.seed + stage + 1, middle, radius)
            self.look([middle, *near])
            picture = fit(self.levers, self.lines, list(self.seen.values()), picture)
        return picture

    def learn(self, point: Point, least: int = 1) -> Who:
        """Tune players for a change until so many know it, at least one of them for this very change; return them."""
        for number in range(len(self.tuned.get(point, ())), least):
            if number and len(self.knowing(point)) >= least:
                break
            if made := self.trials.learn(point, number):
                self.tuned[point] = (*self.tuned.get(point, ()), made)
        return self.knowing(point)

    def knowing(self, point: Point) -> Who:
        """Return the players who know a change: first those who were tuned for it, then those for its neighbours.

        Players who win equally often differ in what they win from a seat.  So one of them says less about a change than
        several do.
        """
        room = [max(NEAR * lever.width, 0.5) * lever.step for lever in self.levers]

        def away(other: Point) -> float:
            return max(abs(one - two) / most for one, two, most in zip(point, other, room, strict=True))

        near = sorted((away(other), one) for other, some in self.tuned.items() if away(other) <= 1 for one in some)
        return tuple(number for _, number in near)

    def learned(self, picture: Surrogate) -> tuple[Surrogate, Seen, Who]:
        """Tune players for the proposed change and solve again, until the answer stays the same or all rounds are over.

        Returns Surrogate, Seen, tuple of int: The last model, the results of the change at its centre in many games,
            and the players who know it.
        """
        games, count = self.effort.games, sum(lever.width > 0 for lever in self.levers)
        wish = promised(picture, self.levers, self.lines) or self.base
        best: tuple[float, Surrogate, Seen, Who] | None = None
        for number in range(1, self.effort.rounds + 1):
            who = self.learn(wish)
            here = self.trials.see(wish, LEVEL + number, SURELY * games, who)
            away = farthest(self.lines, here.mean)
            self.rounds.append((wish, away))
            near = scatter(self.levers, around(count), self.seed + 10 * number, wish, RADIUS / 2)
            centre = self.trials.see(wish, ROUND + number, games, who)
            others = [self.trials.see(point, ROUND + number, games, who) for point in near if point != wish]
            picture = anchored(self.levers, self.lines, here.mean, centre, others, picture)
            if best is None or away < best[0]:
                best = away, picture, here, who
            answer = promised(picture, self.levers, self.lines, RADIUS) or wish
            if answer == wish or answer in dict(self.rounds):
                break
            wish = answer
        assert best is not None
        return best[1:]

    def race(self, picture: Surrogate, who: Who) -> list[Point]:
        """Return the most promising changes after a race on fresh deals, best first."""
        wishes: list[Point | None] = [point for point, _ in self.rounds]
        wishes += [closest(picture, self.levers, self.lines, reach=RADIUS)]
        wishes += [smallest(picture, self.levers, self.lines, within, RADIUS) for within in (MET, 1.0)]
        pool = [point for point in dict.fromkeys(wishes) if point is not None and point != self.base]
        runs = [self.trials.see(point, RACE, 2 * self.effort.games, who) for point in pool]
        return [one.point for one in sorted(runs, key=self.merit)][: self.effort.finalists]

    def idea(self, point: Point) -> frozenset[str]:
        """Return what a change touches; changes of the same things by other numbers are the same idea."""
        pairs = zip(self.levers, point, strict=True)
        return frozenset(lever.idea for lever, value in pairs if value != lever.value)

    def others(self, picture: Surrogate, first: Point) -> list[Point]:
        """Return further ideas: in turn, the change that is promised if nothing may move that the former ones touch."""
        found, used = [first], set(self.idea(first))
        while len(found) < self.effort.finalists:
            levers = [lever.fixed if lever.idea in used else lever for lever in self.levers]
            point = promised(picture, levers, self.lines) if any(lever.width for lever in levers) else None
            if point in (None, self.base):
                break
            assert point is not None
            found.append(point)
            used |= self.idea(point)
        return found[1:]

    def unkept(self, picture: Surrogate) -> Point | None:
        """Return the change that is promised if nothing has to stay as it is; None if that is not needed."""
        own = [at for at, line in enumerate(self.lines) if not line.kept]
        kept = smallest(picture, self.levers, self.lines, 1.0)
        if len(own) == len(self.lines) or (kept and self.kept(kept, picture)):
            return None
        free = Surrogate(picture.centre, picture.level[own], picture.slope[own])
        return promised(free, self.levers, [self.lines[at] for at in own])

    def kept(self, point: Sequence[float], picture: Surrogate) -> bool:
        """Return whether what has to stay does, by the model."""
        away = np.abs(away_of(self.lines, picture.at(point)))
        return all(one <= 1 for one, line in zip(away, self.lines, strict=True) if line.kept)

    def merit(self, seen: Seen) -> tuple[float, float]:
        """Return the key that ranks changes: the distance of the farthest target, then the size of the change."""
        return max(farthest(self.lines, seen.mean), MET), size_of(self.levers, seen.point)

    def judge(self, points: Sequence[Point]) -> list[tuple[Seen, Who]]:
        """Return changes with players who know them, ranked on deals that were not used to find them."""
        for point in points:
            self.learn(point, TUNINGS)
        return self._ranked([(self.judged(point, self.knowing(point)), self.knowing(point)) for point in points])

    def judged(self, point: Point, who: Who) -> Seen:
        """Return the results of a change on the deals on which changes are judged."""
        return self.trials.see(point, JUDGE, SURELY * self.effort.games, who)

    def _ranked(self, pairs: Sequence[tuple[Seen, Who]]) -> list[tuple[Seen, Who]]:
        return sorted(pairs, key=lambda pair: self.merit(pair[0]))

    def polish(self, judged: Sequence[tuple[Seen, Who]], picture: Surrogate) -> list[tuple[Seen, Who]]:
        """Solve for the best change again with all who know it, until it stays the same; nobody else is tuned."""
        found = list(judged)
        for _ in range(POLISH if found else 0):
            best, who = found[0]
            local = anchored(self.levers, self.lines, best.mean, best, [], picture)
            answer = promised(local, self.levers, self.lines, NEAR)
            if answer is None or answer in (self.base, *(one.point for one, _ in found)):
                break
            found = self._ranked([*found, (self.judged(answer, who), who)])
        return found

    def fewer(self, survey: Surrogate, learned: Surrogate, who: Who, most: int) -> list[Point]:
        """Return, for every smaller number of changed values, the change that leaves the least tilt.

        It is solved for twice: with a model of the game, and with the same model moved to the first answer.  The change
        with one value less than the best one is near the best one, in the model of players who know that.
        """
        found: list[Point] = []
        for touched in range(max(most - FRONTIER, 1), most):
            picture, known = (learned, who) if touched == most - 1 else (survey, ())
            first = closest(picture, self.levers, self.lines, touched)
            if first is None or first == self.base:
                continue
            here = self.trials.see(first, LEVEL, SURELY * self.effort.games, known)
            local = anchored(self.levers, self.lines, here.mean, here, [], picture)
            found.append(closest(local, self.levers, self.lines, touched) or first)
        return [point for point in dict.fromkeys(found) if point != self.base]

    def touched(self, point: Point) -> int:
        """Return how many values a change affects."""
        return sum(value != lever.value for lever, value in zip(self.levers, point, strict=True))


# --- The fair price of each seat: the coins at which all seats are worth the same ---


GROUPS = 50
"""Number of groups of blocks for the jackknife, each of which is left out once."""


def fair_prices(
    levers: Sequence[Lever],
    lines: Sequence[Line],
    surrogate: Surrogate,
    here: Seen,
    key: str,
    players: int,
    level: float,
) -> pl.DataFrame:
    """Return what each seat may cost so that all are worth the same; empty unless every seat's coins are free.

    The linear model of the game at the best change is solved for the (fractional) coins at which every seat has its
    par. A seat's price is the difference between the largest number of coins and its own.

    levers, lines: What moves, and what is measured.
    surrogate: The linear model around the best change.
    here: The results of the best change, by block.
    key: Key of the list of coins by seat.
    players: Number of seats.
    level: Simultaneous confidence level of the intervals of all prices.
    """
    names = [f"{key}.{seat + 1}" for seat in range(players)]
    at = [number for number, lever in enumerate(levers) if lever.key in names]
    seats = [number for number, line in enumerate(lines) if line.kind == "seat" and not line.kept]
    if len(at) < players or len(seats) < players:
        return pl.DataFrame()
    slope, wanted = surrogate.slope[np.ix_(seats, at)], wanted_of(lines)[seats]
    coins = np.array(here.point, np.float64)[at]

    def prices(mean: Floats) -> Floats:
        level_here = scaled(lines, mean)[seats]
        given = coins + np.linalg.lstsq(slope, wanted - level_here, rcond=1e-3)[0]
        return np.asarray(given.max() - given)

    parts = np.array_split(np.arange(len(here.blocks)), GROUPS)
    left = np.array([prices(np.delete(here.blocks, part, axis=0).mean(axis=0)) for part in parts])
    error = np.sqrt((GROUPS - 1) / GROUPS * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    value = prices(here.mean)
    constant = pointwise(level, GROUPS, players)
    return pl.DataFrame({"seat": list(range(1, players + 1)), **interval("price", value, error, constant)})
