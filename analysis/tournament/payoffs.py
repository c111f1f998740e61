"""From wins at tables to the payoffs of an empirical game: wins per seat, divided by par."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import lcm
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from analysis.metagame.game import RoleGame, profiles
from analysis.stats.intervals import bonferroni, share_interval, with_few
from analysis.stats.moments import Floats
from analysis.tournament.playing import Scores
from analysis.tournament.schedule import turned

PAR = -1
"""Index of a payoff that needs no games: at a table with a single strategy, every seat wins par."""


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Wins of every strategy at every table."""

    scores: Scores  # the tournament

    @cached_property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The table, the strategy and its seats there for each cell, which is one estimate."""
        return tuple(
            (number, one, table.count(one))
            for number, table in enumerate(self.scores.schedule.tables)
            for one in sorted(set(table))
        )

    @cached_property
    def lineups(self) -> tuple[NDArray[np.int64], ...]:
        """The strategies in the seats for each order, each of shape (rotations, seats)."""
        schedule = self.scores.schedule
        return tuple(
            np.array([turned(ring, schedule.seats, turn) for turn in range(turns)], np.int64)
            for (_, ring, _), turns in zip(schedule.orders, schedule.turns, strict=True)
        )

    @cached_property
    def par(self) -> Floats:
        """The share of what is judged that the game is meant to give to a seat, by role."""
        seats = self.scores.schedule.seats
        ends = np.cumsum(seats)
        return np.array(
            [fmean(self.scores.spec.judged.par[end - size : end]) for end, size in zip(ends, seats, strict=True)]
        )

    @cached_property
    def sums(self) -> Floats:
        """Sums over deals of the win share per seat divided by par, shape (blocks, cells)."""
        schedule, wins = self.scores.schedule, self.scores.wins
        place = {(table, one): number for number, (table, one, _) in enumerate(self.cells)}
        seats = np.array([count for *_, count in self.cells])
        most = lcm(*schedule.turns)
        found = np.zeros((len(self.scores.deals), len(self.cells)))
        for number, (table, ring, weight) in enumerate(schedule.orders):
            for one in set(ring):
                here = self.lineups[number] == one
                scale = weight * (most // schedule.turns[number])
                found[:, place[table, one]] += scale * wins[number][:, here].sum(axis=1)
        par = np.array([self.par[schedule.role_of[one]] for _, one, _ in self.cells])
        return np.asarray(found / seats / (self.scores.spec.judged.parts * (most * par)))

    def amount(self, value: Floats | float) -> Floats:
        """Return the payoffs that values of cells stand for, in a game that is played for a payoff."""
        return np.asarray(self.scores.spec.judged.amount(value * self.par[0]))

    def distance(self, value: Floats | float) -> Floats:
        """Return the differences of payoffs that differences of values stand for."""
        return np.asarray(self.scores.spec.judged.distance(value * self.par[0]))

    def label(self, number: int) -> str:
        """Return who sits together at a table, as text."""
        schedule, names, roles = self.scores.schedule, self.scores.names, self.scores.spec.game.role_names
        table = schedule.tables[number]

        def told(members: Sequence[int]) -> str:
            counts = {one: members.count(one) for one in members}
            return " + ".join(f"{count} {names[one]}" if count > 1 else names[one] for one, count in counts.items())

        if len(schedule.sizes) == 1:
            return told(table)
        parts = [[one for one in table if schedule.role_of[one] == role] for role in range(len(roles))]
        return ", ".join(f"{role}={told(part)}" for role, part in zip(roles, parts, strict=True))

    @property
    def deals(self) -> int:
        """Number of deals at every table."""
        return self.scores.schedule.deals

    @cached_property
    def value(self) -> Floats:
        """The mean of every cell; 1 is par."""
        return self.mean(np.ones(len(self.sums)))

    @cached_property
    def errors(self) -> Floats:
        """The standard errors, with blocks of deals as the unit; NaN with a single block."""
        blocks, deals = len(self.sums), self.scores.deals
        if blocks < 2:
            return np.full(len(self.cells), np.nan)
        off = self.sums - deals[:, None] * self.value
        return np.asarray(np.sqrt((off**2).sum(axis=0) * blocks / (blocks - 1)) / deals.sum())

    @cached_property
    def most(self) -> Floats:
        """The largest possible value of each cell, divided by par: all the wins of its table, or the largest payoff."""
        par = np.array([self.par[self.scores.schedule.role_of[one]] for _, one, _ in self.cells])
        if self.scores.spec.judged.is_payoff:
            return np.asarray(1 / par)
        return np.asarray(1 / (par * np.array([seats for *_, seats in self.cells])))

    def ends(self, cells: Sequence[int] | slice, level: float, family: int = 1) -> tuple[Floats, Floats]:
        """Return low and high ends of some cells, also valid near 0, near all the wins, and for few deals."""
        constant = with_few(bonferroni(level, family), len(self.sums))
        most = self.most[cells]
        low, high = share_interval(self.value[cells] / most, self.errors[cells] / most, self.deals, constant)
        return low * most, high * most

    def combined_ends(self, weights: Floats, level: float, family: int = 1) -> tuple[Floats, Floats]:
        """Return low and high ends for weighted means, each of cells of one role; see `ends`."""
        value, se = self.combined(weights)
        most = np.where(weights > 0, self.most, 0.0).max(axis=1)
        constant = with_few(bonferroni(level, family), len(self.sums))
        low, high = share_interval(value / most, se / most, self.deals, constant)
        return low * most, high * most

    def mean(self, weight: Floats) -> Floats:
        """Return the mean of every cell if each block has a weight."""
        return np.asarray(weight @ self.sums / (weight @ self.scores.deals))

    @cached_property
    def others(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of others in the empirical game, by role, from each role's view; one may stand for a whole role."""
        schedule, roles = self.scores.schedule, range(len(self.scores.schedule.seats))
        counts = [[count - (own == role) for own, count in enumerate(schedule.seats)] for role in roles]
        return tuple(tuple(count if schedule.design == "all" else min(count, 1) for count in row) for row in counts)

    @cached_property
    def _places(self) -> tuple[NDArray[np.int64], ...]:
        """For each role, the cell of each payoff of the game, shape (strategies, ways of the others)."""
        schedule, found = self.scores.schedule, []
        role_of = np.array(schedule.role_of)
        for role, counts in enumerate(self.others):
            real = np.array([count - (own == role) for own, count in enumerate(schedule.seats)])
            scale = (real // np.maximum(counts, 1))[role_of]
            ways = (profiles(schedule.sizes, counts) * scale).tolist()
            own = np.flatnonzero(role_of == role).tolist()
            places = [[self._place.get((_table(way, one), one), PAR) for way in ways] for one in own]
            found.append(np.array(places, np.int64))
        return tuple(found)

    @property
    def depth(self) -> int:
        """Number of players of the empirical game, where a group that plays the same strategy counts as one."""
        return max(sum(counts) for counts in self.others) + 1

    def game(self, value: Floats | None = None) -> RoleGame:
        """Return the empirical game, from the means of all blocks or from given means."""
        cells = np.append(self.value if value is None else value, 1.0)
        return RoleGame([cells[places] for places in self._places], self.others)

    def alone(self, one: int, other: int, rest: Sequence[int] = ()) -> int:
        """Return the cell of one strategy alone against others of its role that play another; `PAR` if they are equal.

        one, other: Two strategies of one role, which may be the same.
        rest: In a game with several roles: one strategy for each role; that of the same role is ignored.
        """
        schedule, role = self.scores.schedule, self.scores.schedule.role_of[one]
        table: list[int] = []
        for number, count in enumerate(schedule.seats):
            table += sorted((one, *[other] * (count - 1))) if number == role else [rest[number]] * count
        return self._place.get((tuple(table), one), PAR)

    @cached_property
    def _place(self) -> dict[tuple[Sequence[int], int], int]:
        tables = self.scores.schedule.tables
        return {(tables[table], one): number for number, (table, one, _) in enumerate(self.cells)}

    def backgrounds(self, role: int) -> list[tuple[int, ...]]:
        """Return all ways in which each other role plays one strategy; the role itself gets its first strategy."""
        schedule, first = self.scores.schedule, 0
        groups = []
        for number, size in enumerate(schedule.sizes):
            groups.append(range(first, first + (1 if number == role else size)))
            first += size
        return list(product(*groups))

    def combined(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return weighted sums of cells, and their standard errors; the weights have the shape (sums, cells)."""
        blocks, deals = len(self.sums), self.scores.deals
        value = weights @ self.value
        if blocks < 2:
            return value, np.full(len(weights), np.nan)
        off = (self.sums - deals[:, None] * self.value) @ weights.T
        return value, np.asarray(np.sqrt((off**2).sum(axis=0) * blocks / (blocks - 1)) / deals.sum())


def _table(others: Sequence[int], one: int) -> tuple[int, ...]:
    """Return who sits together, in ascending order."""
    counts = [count + (number == one) for number, count in enumerate(others)]
    return tuple(number for number, count in enumerate(counts) for _ in range(count))
