"""The result of a sweep."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result

MEETS, MISSES, OPEN, UNASKED = "meets", "misses", "open", ""
"""Whether a cell meets the target: significantly, significantly not, undecided; or there is no target."""


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Result):
    """A grid of cells.

    table: One row for each cell and each seat, camp (where there are camps) and measure of the course of the game: the
        keys and their values, `players`, `lineup`, `kind` ("seat", "camp" or "course"), `name`, `value` with an
        interval that is simultaneous for all seats or camps of the cell (single for "course"), `par`, and for seats and
        camps the `difference` from the unchanged rules, paired deal by deal, with intervals that are simultaneous for
        all cells of the sweep.  The keys are null in the rows of the unchanged rules.
    """

    cells: pl.DataFrame
    """One row for each cell: keys, `players`, `lineup`, `deals`, `games`, `changed` (the share of deals in which some
    seat does not win what it wins under the unchanged rules), the `distance` between the best and the worst seat (or
    camp) with its interval, `target` ("meets", "misses", "open" or ""), `stopped` early, and played `again`."""
    keys: tuple[str, ...]  # the keys that vary
    target: str = ""  # what a good cell looks like, as the user wrote it; empty if there is no target
    lineups: tuple[tuple[str, ...], ...] = ()  # the strategies of each line-up
    saved: int = 0  # games that need not be played, because their cells were hopeless
    kept: int = 0  # games that earlier sweeps had played
    unit: str = ""  # the payoff's unit, in which the values of seats are then; empty if the game is played for wins

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
        return tuple(dict.fromkeys(self.cells["players"]))

    def rows(self, players: int, lineup: int, kind: str, whole: bool = True) -> pl.DataFrame:
        """Return the rows of one number of players, line-up and kind, including the unchanged rules if `whole`."""
        here = (pl.col("players") == players) & (pl.col("lineup") == lineup) & (pl.col("kind") == kind)
        rows = self.table.filter(here)
        return rows if whole else rows.filter(pl.col(self.keys[0]).is_not_null())
