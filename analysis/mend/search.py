"""The search: curves, a linear model of the game, the change that it proposes, and players who know that change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.mend.curves import DEAD, Curve, curves_of, points_of
from analysis.mend.program import closest, promised, smallest
from analysis.mend.surrogate import Surrogate, anchored, fit, rooms_of, scatter, wanted_of
from analysis.mend.targets import Line, farthest
from analysis.mend.trials import Seen, Trials, Who
from simcore.errors import UsageError
from simcore.rules.levers import Lever, Point, size_of
from strategies.tuning.retune import TUNINGS

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

    def look(self, points: Iterable[Point]) -> list[Seen]:
        """Play points with the players as they are, each only once, all on the same deals."""
        for point in points:
            if point not in self.seen:
                self.seen[point] = self.trials.see(point, SEARCH, self.effort.games, ())
        return [self.seen[point] for point in points]

    def settle(self) -> None:
        """Play the rules as they are, and find the bands that depend on the results."""
        (base,) = self.look([self.base])
        cards = [abs(value) for value, line in zip(base.mean, self.lines, strict=True) if line.kind == "card"]
        self.lines = [line.settled(float(value), cards) for line, value in zip(self.lines, base.mean, strict=True)]

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
        for number in range(least):
            known = self.tuned.get(point, ())
            if known and len(self.knowing(point)) >= least:
                break
            if made := self.trials.learn(point, number):
                self.tuned[point] = (*known, made)
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
        away = np.abs(picture.at(point) - wanted_of(self.lines)) / rooms_of(self.lines)
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
