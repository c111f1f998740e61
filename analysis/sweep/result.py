"""What a sweep found."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result

MEETS, MISSES, OPEN, UNASKED = "meets", "misses", "open", ""
"""Whether a cell meets the target: significantly, significantly not, or neither; or nobody asked."""


@dataclass(frozen=True, eq=False)
class Sweep(Result):
    """A grid of cells.

    Parameters
    ----------
    table
        One row for each cell and each seat, camp (where there are camps) and measure of the course of the game: the
        keys and their values, `players`, `lineup`, `kind` ("seat", "camp" or "course"), `name`, `value` with an
        interval that holds for all seats or camps of the cell at once (alone, for "course"), `par`, and for seats and
        camps the `difference` from the rules as they are, paired deal by deal, with intervals that hold for all cells
        of the sweep at once.  The keys are null in the rows of the rules as they are.
    cells
        One row a cell: keys, `players`, `lineup`, `deals`, `games`, `farthest` (the largest distance of a seat, or a
        camp, from its par), `target` ("meets", "misses", "open" or ""), `stopped` early, and played `again`.
    keys
        What was swept.
    target
        What a good cell looks like, as the user wrote it; empty where nothing was asked.
    lineups
        The strategies of each line-up.
    saved
        Games that need not be played, because their cells were hopeless.
    kept
        Games that earlier sweeps had played.
    """

    cells: pl.DataFrame
    keys: tuple[str, ...]
    target: str = ""
    lineups: tuple[tuple[str, ...], ...] = ()
    saved: int = 0
    kept: int = 0

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
        return tuple(dict.fromkeys(self.cells["players"]))

    def rows(self, players: int, lineup: int, kind: str, whole: bool = True) -> pl.DataFrame:
        """Return the rows of one number of players, line-up and kind; with the rules as they are if `whole`."""
        here = (pl.col("players") == players) & (pl.col("lineup") == lineup) & (pl.col("kind") == kind)
        rows = self.table.filter(here)
        return rows if whole else rows.filter(pl.col(self.keys[0]).is_not_null())
