"""What a comparison of versions found."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from analysis.data.results import Note, Result
from strategies.tuning.retune import Retuned

HABIT, KNOWN, SAME, PLAYED = "habit", "known", "same", "played"
"""Who played: the strategies as they are, tuned for other rules than some of these; players tuned for each version;
strategies that were tuned for no other rules; whoever played the runs."""


CAUTIONS = ("compare_sides", "compare_signs", "habit_known", "habit_unknown", "few_deals", "compare_unpaired")
"""Notes that warn."""


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Versions of a game, each against the first.

    Parameters
    ----------
    table
        One row a version after the first, number of players, kind of players (`who`: "habit", "known", "same" or
        "played") and seat, or camp where there are camps (`kind`): share of the wins `before` and `after`, and the
        paired `difference`, each with an interval that holds for all rows of that version, number of players and kind
        of players at once; `changed`: share of the deals in which it won another part; `pairing_gain`: how many times
        as many deals the difference would need if the deals were not the same.
    moved
        What else moved, one row a version, number of players and measure: `group` ("course", "strategies", "cards" or
        "columns"), `of` (in a game without a score the camp or seat whose wins a card changes), `before`, `after`,
        `difference` with an interval for each, `size` (in standard deviations of a deal), `p` and `p_holm` (within a
        version and number of players); largest size first.
    labels
        The versions, the first one first.
    retuned
        Players who were tuned for a version.
    """

    moved: pl.DataFrame
    labels: tuple[str, ...]
    retuned: tuple[Retuned, ...] = ()

    @property
    def who(self) -> tuple[str, ...]:
        """The kinds of players, the least informed first."""
        return tuple(dict.fromkeys(self.table["who"]))

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
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
        """Return what else surely moved, by size."""
        here = (pl.col("players") == players) & (pl.col("version") == version)
        return self.moved.filter(here & (pl.col("p_holm") < 1 - self.level))
