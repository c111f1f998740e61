"""The course of games: who leads after each round, how often the lead changes, runaways and comebacks."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.cards.outcomes import lead_passes
from analysis.course.by_length import by_length
from analysis.course.fortunes import RATES, Drama, fortunes
from analysis.data.accumulate import accumulate
from analysis.data.declarations import declared
from analysis.data.results import Verdict, interval
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Histogram, Ratios
from simcore.running.accumulator import Accumulator


class _Story(Accumulator):
    def __init__(self, source: Source, columns: tuple[str, ...]) -> None:
        self.source, self.columns = source, columns
        self.rounds = Ratios(4 * len(columns))
        self.whole = Ratios(1 + len(RATES))
        self.changes = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        score = self.source.ranked(block, self.columns)
        share = self.source.shares(block)
        ordered = np.sort(score, axis=2)
        top, second, bottom = ordered[:, :, -1], ordered[:, :, -2], ordered[:, :, 0]
        leads, trails = score == top[:, :, None], score == bottom[:, :, None]

        def win_share(members: Array) -> Array:
            return np.asarray((members * share[:, None, :]).sum(axis=2) / members.sum(axis=2))

        passed = lead_passes(score)
        values = block.totals(np.hstack([win_share(leads), win_share(trails), top - second, passed]))
        self.rounds.add(values, np.full_like(values, block.per_deal))
        told = np.column_stack([passed.sum(axis=1), fortunes(score, share)])
        values = block.totals(told.astype(np.float64))
        self.whole.add(values, np.full_like(values, block.per_deal))
        self.changes.add(told[:, 0])


def drama(data: Data, level: float = 0.95) -> Drama:
    """Return the course of games: round by round, or by tenths of a game's length if the length varies.

    Parameters
    ----------
    data
        A run in full detail, its folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game declares neither a score after each round nor a standing, or the run lacks their columns or events.

    References
    ----------
    * docs/statistics.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.simulate(players=2, strategies="random", games=400, detail="full", out="runs/full").run
    >>> eq.drama(run).table.columns[:3]
    ['games', 'deals', 'lead_changes']
    """
    check_level(level)
    source = open_source(data)
    if source.declarations.standing and not source.declarations.trajectory:
        return by_length(source, source.declarations.standing, level)
    columns = declared(source.declarations.trajectory, "score after each round", source.spec.game.title)
    source.require(columns, "how games unfold")
    found, inputs = accumulate(source, [source.share, *columns], lambda: _Story(source, columns))
    whole, cells = found.whole.cells(), found.rounds.cells()
    low, high = rate_interval(whole.value, whole.se, whole.deals, level)
    table: dict[str, object] = {"games": [inputs.games], "deals": [inputs.deals]}
    constant = pointwise(level, inputs.deals)
    table |= interval("lead_changes", whole.value[0], whole.se[0], constant)
    for number, name in enumerate(RATES, 1):
        table |= {name: whole.value[number], f"{name}_se": whole.se[number], f"{name}_low": low[number]}
        table |= {f"{name}_high": high[number]}
    size = len(columns)
    rounds: dict[str, object] = {"round": np.arange(1, size + 1), "games": np.full(size, inputs.games)}
    for number, name in enumerate(("leader_wins", "last_wins", "gap", "passed")):
        part = slice(number * size, (number + 1) * size)
        rounds |= interval(name, cells.value[part], cells.se[part], constant)
    counts = found.changes
    changes = pl.DataFrame(
        {"lead_changes": counts.value, "games": counts.count, "share": counts.count / counts.count.sum()}
    )
    frame, by_round = pl.DataFrame(table), pl.DataFrame(rounds)
    verdict = _verdict(frame, by_round)
    return Drama((inputs,), level, frame, (verdict,), cautions(source, inputs), by_round, changes)


def _verdict(table: pl.DataFrame, rounds: pl.DataFrame) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("drama_unknown", "unknown")
    half = rounds.row(len(rounds) // 2 - 1, named=True)
    values = row | {"round": half["round"], "leader": half["leader_wins"]}
    return Verdict("drama", "fact", values)
