"""What a search for a mended game found."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result
from simcore.rules.files import Rules
from strategies.tuning.retune import Retuned

MEETS, MISSES, OPEN = "meets", "misses", "open"
"""Whether a change meets the target: surely, surely not, or neither."""


@dataclass(frozen=True, eq=False)
class Mend(Result):
    """The smallest changes that mend a game.

    Parameters
    ----------
    table
        One row a change and line (a seat, camp, role, measure or card that has a band): `rank`, `change`, `name`,
        `kind`, `is_share`, `kept`, `wanted`, `lowest` and `highest` of the band, `before` (the rules and players as
        they are), `habit` (the change, played by the players as they are) and `value` with an interval that holds for
        all rows at once, by players who know the change; all on deals that the search never saw.
    changes
        One row a change, the best one first: `rank`, `change`, `touched` (values), `size`, `farthest` (the distance of
        the farthest target, in half widths of its band), `target` ("meets", "misses" or "open"), `deals`.
    curves
        One row a lever, value and line: `mean` and its `difference` from the rules as they are, with the players as
        they are, on the same deals; intervals hold for all rows at once.  `shape`: "dead", "still", "even" or "turns".
    frontier
        The size of a change against what it leaves, one row a change: `touched`, `size`, `change`, the line that is
        `farthest` and its value with an interval that holds for all rows at once, `off` (its distance from what is
        wanted) and `distance` (the same in half widths of the band).
    prices
        One row a seat: the coins that it may cost so that all seats are worth the same; empty where the coins of the
        seats were not free.
    moved
        What else each change moves; see `analysis.compare.Comparison.moved`.  `rank` says which change.
    players
        Players at the table.
    target
        What was asked for.
    best
        The rules of each change.
    retuned
        Players who were tuned for a change.
    """

    changes: pl.DataFrame
    curves: pl.DataFrame
    frontier: pl.DataFrame
    prices: pl.DataFrame
    moved: pl.DataFrame
    players: int
    target: str
    best: tuple[Rules, ...]
    retuned: tuple[Retuned, ...] = ()

    @property
    def learned(self) -> bool:
        """Whether players were tuned for some change."""
        return bool(self.retuned)

    def surely_moved(self, rank: int) -> pl.DataFrame:
        """Return what else a change surely moves, by size."""
        if self.moved.is_empty():
            return self.moved
        return self.moved.filter((pl.col("rank") == rank) & (pl.col("p_holm") < 1 - self.level))
