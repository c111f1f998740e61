"""The share of each action in each third of a game, for games of any length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.course.standings import number_of, parts_of
from analysis.data.accumulate import accumulate
from analysis.data.declarations import Actions, declared
from analysis.data.events import KIND, TURN, VALUES
from analysis.data.results import Result, Verdict, interval
from analysis.data.source import Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.moments import MIN_DEALS, Ratios
from analysis.stats.picking import pick
from simcore.running.accumulator import Accumulator

THIRDS = 3


@dataclass(frozen=True, eq=False, repr=False)
class ActionMix(Result):
    """What seats do in the course of a game.

    Parameters
    ----------
    table
        One row for each third of the game's length and each action: `share`, the action's share of all actions in that
        third, with its interval; and `times`, the number of actions in that third.
    """


class _Mix(Accumulator):
    def __init__(self, source: Source, asked: Actions) -> None:
        self.source, self.asked = source, asked
        self.ratios = Ratios(THIRDS * len(asked.names))

    def add(self, block: Block) -> None:
        """Add a block of games."""
        names = len(self.asked.names)
        game, _, part = parts_of(self.source, self.asked.begins, block)
        known = part >= 0
        last = np.zeros(len(game), np.int64)
        np.maximum.at(last, part[known], block.events[known, TURN])
        chosen = known & (block.events[:, KIND] == number_of(self.source, self.asked.kind))
        events, part = block.events[chosen], part[chosen]
        third = ((events[:, TURN].astype(np.int64) - 1) * THIRDS // last[part].clip(min=1)).clip(min=0)
        deal = game[part] // block.per_deal
        done = np.zeros((block.deals, THIRDS, names))
        np.add.at(done, (deal, third, events[:, VALUES]), 1)
        all_done = np.broadcast_to(done.sum(axis=2, keepdims=True), done.shape)
        self.ratios.add(done.reshape(block.deals, -1), all_done.reshape(block.deals, -1))


def action_mix(data: Data, level: float = 0.95) -> ActionMix:
    """Return how often seats choose each action in each third of a game's length.

    Parameters
    ----------
    data
        A run with the table of events, its folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game declares no actions, or the run lacks the table of events.

    References
    ----------
    * docs/statistics.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(eq.games()["name"][1], players=2, strategies="random", games=400)
    >>> found = eq.action_mix(run)
    >>> found.table.columns
    ['third', 'action', 'share', 'share_se', 'share_low', 'share_high', 'times']
    """
    check_level(level)
    source = open_source(data)
    asked = declared(source.declarations.actions, "actions", source.spec.game.title)
    source.require_events("the mix of actions")
    found, inputs = accumulate(source, [source.share], lambda: _Mix(source, asked), events=True)
    cells = found.ratios.cells()
    known = cells.deals >= MIN_DEALS
    table = pl.DataFrame(
        {
            "third": np.repeat(np.arange(1, THIRDS + 1), len(asked.names)),
            "action": list(asked.names) * THIRDS,
            **interval("share", cells.value, np.where(known, cells.se, np.nan), pointwise(level, cells.deals)),
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
        }
    ).fill_nan(None)
    return ActionMix((inputs,), level, table.drop("deals"), _verdicts(table, level), cautions(source, inputs))


def _verdicts(table: pl.DataFrame, level: float) -> tuple[Verdict, ...]:
    """Say which action's share changes most from the first third to the last."""
    first, last = (table.filter((pl.col("third") == third) & (pl.col("times") > 0)) for third in (1, THIRDS))
    both = first.join(last, on="action", suffix="_late").with_columns(
        change=pl.col("share_late") - pl.col("share"),
        change_se=pl.col("share_se") + pl.col("share_se_late"),  # of one deal, so no less than the error of the change
        deals=pl.min_horizontal("deals", "deals_late"),
    )
    found = pick(both, "change", "action", level, "size")
    if found is None:
        return ()
    values = {
        "action": found.names,
        "example": found.row["action"],
        "first": found.row["share"],
        "last": found.row["share_late"],
        "low": found.low,
        "high": found.high,
        "times": int(table["times"].sum()) // table["action"].n_unique(),
    }
    if not found.low <= 0 <= found.high:
        return (Verdict("actions", "fact", values),)
    return (Verdict("actions_still", "fact", values),)
