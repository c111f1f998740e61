"""The result of a search for a mended game."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result
from simcore.rules.files import Rules
from strategies.tuning.retune import Retuned

MEETS, MISSES, OPEN = "meets", "misses", "open"
"""Whether a change meets the target: surely, surely not, or undecided."""


@dataclass(frozen=True, eq=False, repr=False)
class Mend(Result):
    """The smallest changes that mend a game.

    Parameters
    ----------
    table
        One row for each change and line (a seat, camp, role, measure or card that has a band): `rank`, `change`,
        `name`, `kind`, `is_share`, `kept`, `wanted`, the band's `lowest` and `highest` value, `before` (with the
        present rules and players), `habit` (the change, played by the present players) and `value` (the change, played
        by players tuned for it) with an interval that is simultaneous for all rows.  All values are from deals that the
        search did not use.
    changes
        One row for each change: those that meet the target, smallest first, then undecided ones, closest first; none
        that misses it, unless all do: `rank`, `change`, `touched` (number of values), `size`, `farthest` (the
        distance of the farthest target, in half-widths of its band), `left` (how far apart the best and the worst seat
        or camp still are, with an interval, if the target is about all of them), `target` ("meets", "misses" or
        "open") and `deals`.
    curves
        One row for each lever, value and line: the `mean` and its `difference` from the present rules, with the present
        players on the same deals, with intervals that are simultaneous for all rows; and `shape`: "dead", "still",
        "even" or "turns".
    frontier
        The trade-off between the size of a change and the tilt that it leaves, one row for each change: `touched`,
        `size`, `change`, the line that is `farthest` and its value with an interval that is simultaneous for all rows,
        `off` (its distance from the wanted value), `distance` (the same in parts of what the search aims at), and
        `left`.
    prices
        One row for each seat: the coins that it may cost so that all seats are worth the same.  Empty if the coins of
        the seats were not free.
    moved
        What else each change moves; see `analysis.compare.Comparison.moved`.  `rank` identifies the change.
    players
        Number of players at the table.
    target
        The target as requested.
    best
        The rules of each change.
    retuned
        Players that were tuned for a change.
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
        """Whether players were tuned for any change."""
        return bool(self.retuned)

    def surely_moved(self, rank: int) -> pl.DataFrame:
        """Return what else a change significantly moves, in order of size."""
        if self.moved.is_empty():
            return self.moved
        return self.moved.filter((pl.col("rank") == rank) & (pl.col("p_holm") < 1 - self.level))
