"""The result of a search for a mended game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result
from simcore.rules.files import Rules
from strategies.tuning.retune import Retuned

MEETS, MISSES, OPEN, CHANGES = "meets", "misses", "open", "changes"
"""Whether a change meets the target: surely, surely not, undecided, or only in what is another game."""


@dataclass(frozen=True, eq=False, repr=False)
class Mend(Result):
    """The smallest changes that mend a game.

    table: One row for each change and line (a seat, camp, role, measure or card that has a band): `rank`, `change`,
        `players`, `name`, `kind`, `is_share`, `kept`, `wanted`, the band's `lowest` and `highest` value, `before` (the
        present rules and players), `habit` (the change, played by the present players) and `value` (the change, played
        by players tuned for it) with an interval that is simultaneous for all rows.  All values are from deals that the
        search did not use.
    """

    changes: pl.DataFrame
    """One row for each change: those that meet the target, smallest first, then undecided ones, closest first, then
    those that change the game; none that misses the target, unless all do.  No two touch the same things.  `rank`,
    `change`, `variant` (name of a rule set of the game, or None), `touched` (number of values), `size`, `farthest` (the
    distance of the farthest target, in half-widths of its band), `left` (how far apart the best and the worst seat or
    camp still are, with an interval, if the target is about all of them; with several numbers of players, where they
    are farthest, and `left_at_N` for each), `target` ("meets", "open", "changes" or "misses"), `breaks` and `breaks_by`
    (what should stay as it is and changes most, and the part of its value that it gains or loses), `deals`, and
    `decides` (number of games that would decide, for a change that is undecided)."""
    edits: pl.DataFrame
    """One row for each value that a change moves: `rank`, `key`, `old`, `new`, and the number of `players` whose rules
    change, or None for all."""
    curves: pl.DataFrame
    """One row for each lever, value and line: the `mean` and its `difference` from the present rules, with the present
    players on the same deals, with intervals that are simultaneous for all rows; and `shape`: "dead", "still", "even"
    or "turns"."""
    frontier: pl.DataFrame
    """The trade-off between the size of a change and the tilt that it leaves, one row for each change: `touched`,
    `size`, `change`, the line that is `farthest` and its value with an interval that is simultaneous for all rows,
    `off` (its distance from the wanted value), `distance` (the same in parts of what the search aims at), and `left`.
    """
    prices: pl.DataFrame
    """One row for each seat: the coins that it may cost so that all seats are worth the same.  Empty if the coins of
    the seats were not free."""
    moved: pl.DataFrame
    """What else each change moves; see `analysis.compare.Comparison.moved`.  `rank` identifies the change."""
    counts: tuple[int, ...]  # numbers of players
    target: str  # the target as requested
    best: tuple[Mapping[int, Rules], ...]  # the rules of each change, by number of players
    retuned: tuple[Retuned, ...] = ()  # players that were tuned for a change
    unit: str = ""  # the payoff's unit, in which the values of seats are then; empty if the game is played for wins

    @property
    def printable(self) -> list[int]:
        """The ranks of the changes that can be printed: all that neither miss the target nor change the game.

        None if the rules as they are meet the target, or if no change does more than hardly help.
        """
        if self.changes.is_empty() or any(verdict.code in ("mend_already", "mend_hardly") for verdict in self.verdicts):
            return []
        found: list[int] = self.changes.filter(pl.col("target").is_in([MEETS, OPEN]))["rank"].to_list()
        return found

    @property
    def learned(self) -> bool:
        """Whether players were tuned for any change."""
        return bool(self.retuned)

    def surely_moved(self, rank: int) -> pl.DataFrame:
        """Return what else a change significantly moves, in order of size."""
        if self.moved.is_empty():
            return self.moved
        return self.moved.filter((pl.col("rank") == rank) & (pl.col("p_holm") < 1 - self.level))
