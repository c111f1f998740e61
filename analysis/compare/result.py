"""The result of a comparison of versions."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Note, Result
from strategies.tuning.retune import Retuned

HABIT, KNOWN, SAME, PLAYED = "habit", "known", "same", "played"
"""Who played: strategies that were tuned for other rules than some of these; players tuned for each version; strategies
that were tuned for no other rules; the players of the runs."""


CAUTIONS = (
    "compare_sides", "compare_signs", "compare_payoff_sides", "compare_payoff_signs", "habit_known", "habit_unknown",
    "few_deals", "compare_unpaired",
)  # fmt: skip
"""Codes of notes that are warnings."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Versions of a game, each compared with the first.

    table: One row for each version after the first, number of players, kind of players (`who`: "habit", "known", "same"
        or "played") and seat or camp (`kind`): the shares of the wins `before` and `after` and the paired `difference`,
        each with an interval that is simultaneous for all rows of that version, number of players and kind of players;
        `changed`, the share of the deals in which the seat's or camp's wins differ; and `pairing_gain`, the factor by
        which the difference would need more deals if the deals were not the same.
    """

    distances: pl.DataFrame
    """How far apart the best and the worst seat (in a game with camps: camp) are, as a part of all wins: one row for
    each version after the first, number of players and kind of players.  `before` and `after` have intervals that begin
    at 0 where the seats may be level; `change` has one that uses that the same deals were played."""
    moved: pl.DataFrame
    """What else moved, one row for each version, number of players and measure: `group` ("course", "strategies",
    "cards" or "columns"), `of` (in a game without a score, the camp or seat whose wins a card changes), `before`,
    `after` and `difference`, each with an interval, `size` (in standard deviations of a deal), and the p-values `p` and
    `p_holm` (within a version and number of players).  The largest size is first."""
    labels: tuple[str, ...]  # labels of the versions, in order
    retuned: tuple[Retuned, ...] = ()  # players that were tuned for a version
    unit: str = ""  # the payoff's unit, in which the tables are then; empty if the game is played for wins

    @property
    def who(self) -> tuple[str, ...]:
        """The kinds of players, least informed first."""
        return tuple(dict.fromkeys(self.table["who"]))

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players."""
        return tuple(dict.fromkeys(self.table["players"]))

    @property
    def cautions(self) -> tuple[Note, ...]:
        """The notes that may change what the result means."""
        return tuple(note for note in self.notes if note.code in CAUTIONS)

    def rows(self, players: int, version: str, who: str, kind: str = "seat") -> pl.DataFrame:
        """Return the rows of one version at one number of players, by one kind of players."""
        return self.table.filter(
            (pl.col("players") == players)
            & (pl.col("version") == version)
            & (pl.col("who") == who)
            & (pl.col("kind") == kind)
        )

    def moved_significantly(self, players: int, version: str) -> pl.DataFrame:
        """Return what else moved significantly, in order of size."""
        here = (pl.col("players") == players) & (pl.col("version") == version)
        return self.moved.filter(here & (pl.col("p_holm") < 1 - self.level))
