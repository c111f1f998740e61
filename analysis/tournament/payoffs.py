"""From wins at tables to the payoffs of an empirical game: wins a seat, in shares of par."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.metagame.game import SymmetricGame, companies
from analysis.stats.moments import Floats
from analysis.tournament.playing import Scores
from simcore.tally import SHARE

PAR = -1
"""Place of a payoff that needs no game: at a table of one strategy everybody wins par."""


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Wins of every strategy at every table.

    Parameters
    ----------
    scores
        The tournament.
    """

    scores: Scores

    @cached_property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """Table, strategy and its seats there, one for each estimate."""
        return tuple(
            (number, one, table.count(one))
            for number, table in enumerate(self.scores.plan.tables)
            for one in sorted(set(table))
        )

    @cached_property
    def lineups(self) -> NDArray[np.int64]:
        """Who sits where, shape (orders, rotations, seats)."""
        plan = self.scores.plan
        seat = np.arange(plan.players)
        turned = (seat[None, :] + seat[:, None]) % plan.players
        return np.array([ring for _, ring, _ in plan.orders], np.int64)[:, turned]

    @cached_property
    def sums(self) -> Floats:
        """Shape (blocks, cells): sums over deals of the win share a seat, in shares of par."""
        plan, wins = self.scores.plan, self.scores.wins
        place = {(table, one): number for number, (table, one, _) in enumerate(self.cells)}
        seats = np.array([count for *_, count in self.cells])
        found = np.zeros((len(wins), len(self.cells)))
        for number, (table, ring, weight) in enumerate(plan.orders):
            for one in set(ring):
                here = self.lineups[number] == one
                found[:, place[table, one]] += weight * wins[:, number][:, here].sum(axis=1)
        return np.asarray(found / seats / SHARE)

    @property
    def deals(self) -> int:
        """Deals at every table."""
        return self.scores.plan.deals

    @cached_property
    def value(self) -> Floats:
        """Mean of every cell; 1 is par."""
        return self.mean(np.ones(len(self.sums)))

    @cached_property
    def errors(self) -> Floats:
        """Standard errors, with blocks of deals as the unit; NaN with a single block."""
        blocks, deals = len(self.sums), self.scores.deals
        if blocks < 2:
            return np.full(len(self.cells), np.nan)
        off = self.sums - deals[:, None] * self.value
        return np.asarray(np.sqrt((off**2).sum(axis=0) * blocks / (blocks - 1)) / deals.sum())

    def mean(self, weight: Floats) -> Floats:
        """Return the mean of every cell where each block counts so often."""
        return np.asarray(weight @ self.sums / (weight @ self.scores.deals))

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """Which cell each payoff of the game is, shape (strategies, companies)."""
        plan = self.scores.plan
        others = companies(plan.strategies, self.depth - 1).tolist()
        if plan.design == "one-vs-rest":
            others = [[(plan.players - 1) * count for count in way] for way in others]
        return np.array(
            [[self._place.get((_table(way, one), one), PAR) for way in others] for one in range(plan.strategies)],
            np.int64,
        )

    @property
    def depth(self) -> int:
        """Players of the empirical game: 2 where all others at a table play the same."""
        return self.scores.plan.players if self.scores.plan.design == "all" else 2

    def game(self, value: Floats | None = None) -> SymmetricGame:
        """Return the empirical game, of the means of all blocks or of given ones."""
        cells = np.append(self.value if value is None else value, 1.0)
        return SymmetricGame(cells[self._places], self.depth)

    def alone(self, one: int, other: int) -> int:
        """Return the cell of a strategy that is alone at a table of another; `PAR` for its own."""
        plan = self.scores.plan
        table = tuple(sorted((one, *[other] * (plan.players - 1))))
        return self._place.get((table, one), PAR)

    @cached_property
    def _place(self) -> dict[tuple[Sequence[int], int], int]:
        tables = self.scores.plan.tables
        return {(tables[table], one): number for number, (table, one, _) in enumerate(self.cells)}


def _table(others: Sequence[int], one: int) -> tuple[int, ...]:
    """Return who sits together, ascending."""
    counts = [count + (number == one) for number, count in enumerate(others)]
    return tuple(number for number, count in enumerate(counts) for _ in range(count))
