"""The course of games of any length, by tenths of their length, from the standings that they record."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.cards.outcomes import lead_passes
from analysis.course.fortunes import RATES, Drama, fortunes
from analysis.course.standings import Stories, columns_of, last_but_one, stories
from analysis.data.accumulate import accumulate
from analysis.data.declarations import Standing
from analysis.data.results import Verdict, interval
from analysis.data.source import Array, Block, Source
from analysis.data.sources import cautions
from analysis.stats.intervals import pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Histogram, Ratios
from simcore.running.accumulator import Accumulator

TENTHS = 10
SERIES = ("leader_wins", "last_wins", "gap", "passed")
WINNERS = ("taken", "deficit")


class _Told(Accumulator):
    def __init__(self, source: Source, standing: Standing) -> None:
        self.source, self.standing = source, standing
        self.tenths = Ratios(len(SERIES) * TENTHS)
        self.whole = Ratios(1 + len(RATES) + len(WINNERS))
        self.changes = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        tenths = np.zeros((2, block.deals, self.tenths.size))
        whole = np.zeros((2, block.deals, self.whole.size))
        for told in stories(self.source, self.standing, block):
            deal = told.game // block.per_deal
            passed = lead_passes(told.rank)
            for total, values in zip(tenths, _by_tenth(told, passed), strict=True):
                np.add.at(total, deal, values)
            changes = passed.sum(axis=1)
            rates = fortunes(told.rank, told.share, told.half, last_but_one(told))
            np.add.at(whole[0], deal, np.column_stack([changes, rates, _of_winners(told)]))
            np.add.at(whole[1], deal, 1)
            self.changes.add(changes)
        self.tenths.add(*tenths)
        self.whole.add(*whole)


def _by_tenth(told: Stories, passed: Array) -> tuple[Array, Array]:
    """Return the values of `SERIES` at the end of each tenth, and whether a standing had been recorded by then."""
    order = np.sort(told.rank, axis=2)
    leads, trails = told.rank == order[:, :, -1:], told.rank == order[:, :, :1]
    by_rank = np.take_along_axis(told.measure, np.argsort(told.rank, axis=2), axis=2)
    gap = by_rank[:, :, -1] - by_rank[:, :, -2]
    so_far = np.hstack([np.zeros((len(passed), 1), np.int64), passed.cumsum(axis=1)])
    story = np.arange(len(told.game))
    values, counted = np.zeros((len(story), len(SERIES), TENTHS)), np.zeros((len(story), len(SERIES), TENTHS))
    earlier = np.full(len(story), -1)
    for tenth in range(TENTHS):
        at = told.at(tenth + 1, TENTHS)
        known = at >= 0
        found = [
            *((where[story, at] * told.share).sum(axis=1) / where[story, at].sum(axis=1) for where in (leads, trails)),
            gap[story, at],
            so_far[story, at + 1] > so_far[story, earlier + 1],
        ]
        values[:, :, tenth] = np.column_stack(found) * known[:, None]
        counted[:, :, tenth] = known[:, None]
        earlier = at
    return values.reshape(len(story), -1), counted.reshape(len(story), -1)


def _of_winners(told: Stories) -> Array:
    """Return when the winner took the lead for good, and its largest deficit before that, shape (stories, 2)."""
    leads = told.rank == told.rank.max(axis=2, keepdims=True)
    kept = np.flip(np.logical_and.accumulate(np.flip(leads, axis=1), axis=1), axis=1)  # ahead from here to the end
    since = np.where(kept.any(axis=1), kept.argmax(axis=1), kept.shape[1] - 1)
    taken = np.take_along_axis(told.turn, since, axis=1) / told.last[:, None]
    leading = np.take_along_axis(told.measure, told.rank.argmax(axis=2)[:, :, None], axis=2)
    deficit = (leading - told.measure).max(axis=1)
    parts = told.share.sum(axis=1)
    return np.column_stack([(value * told.share).sum(axis=1) / parts for value in (taken, deficit)])


def by_length(source: Source, standing: Standing, level: float) -> Drama:
    """Return the course of games by tenths of their length.

    source: The games.
    standing: What the game declares.
    level: Confidence level of each interval.
    Raises UsageError if the run lacks the table of events.
    """
    source.require_events("how games unfold")
    names = [source.share, *columns_of(source, standing)]
    source.require(names, "how games unfold")
    found, inputs = accumulate(source, list(dict.fromkeys(names)), lambda: _Told(source, standing), events=True)
    whole, cells = found.whole.cells(), found.tenths.cells()
    low, high = rate_interval(whole.value, whole.se, whole.deals, level)
    deals = int(whole.deals[0])
    constant = pointwise(level, deals)
    table: dict[str, object] = {"games": [inputs.games], "deals": [deals], "stories": [int(whole.bottom[0])]}
    table |= interval("lead_changes", whole.value[0], whole.se[0], constant)
    for number, name in enumerate(RATES, 1):
        table |= {name: whole.value[number], f"{name}_se": whole.se[number], f"{name}_low": low[number]}
        table |= {f"{name}_high": high[number]}
    for number, name in enumerate(WINNERS, 1 + len(RATES)):
        table |= interval(name, whole.value[number], whole.se[number], constant)
    parts: dict[str, object] = {
        "elapsed": np.arange(1, TENTHS + 1) / TENTHS,
        "stories": cells.bottom[:TENTHS].astype(np.int64),
    }
    for number, name in enumerate(SERIES):
        part = slice(number * TENTHS, (number + 1) * TENTHS)
        parts |= interval(name, cells.value[part], cells.se[part], pointwise(level, cells.deals[part]))
    counts = found.changes
    changes = pl.DataFrame(
        {"lead_changes": counts.value, "games": counts.count, "share": counts.count / counts.count.sum()}
    )
    frame, rounds = pl.DataFrame(table), pl.DataFrame(parts)
    return Drama((inputs,), level, frame, (_verdict(frame, rounds),), cautions(source, inputs), rounds, changes)


def _verdict(table: pl.DataFrame, rounds: pl.DataFrame) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("drama_unknown", "unknown")
    half = rounds.row(TENTHS // 2 - 1, named=True)
    return Verdict("drama_by_length", "fact", row | {"leader": half["leader_wins"]})
