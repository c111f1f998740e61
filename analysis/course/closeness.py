"""How close games end: margins, ties, and what decides them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.results import Note, Result, Verdict, interval
from analysis.data.source import Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Histogram, Ratios, signed
from simcore.running.accumulator import Accumulator

MEASURES, UNSCORED = ("margin", "spread", "close", "level", "shared"), ("shared",)
"""What is counted in every game, with and without a score."""

CLOSE = 0.05
"""A game is close if its margin is at most this fraction of its largest score, counted without the sign."""


@dataclass(frozen=True, eq=False, repr=False)
class Closeness(Result):
    """Margins and ties.

    Parameters
    ----------
    table
        One row: the rate of `shared` games (the win was shared) and, in a game with a score, the rates of `close` games
        (margin at most 5 % of the largest score, whatever its sign; ties are close) and `level` games (two or more
        seats tied for the best score), with the mean `margin` (best score minus second) and `spread` (best minus
        worst).
    margins
        One row for each margin: the number of games, and their share.  Empty in a game without a score.
    tie_breaks
        One row for each way to decide games that were tied for the best score: the number of games, their `rate` among
        all games with its interval, and their `part` of the tied games.  Empty if the game or the run does not record
        what decided.
    """

    margins: pl.DataFrame
    tie_breaks: pl.DataFrame


class _Ends(Accumulator):
    def __init__(self, source: Source, tie_break: str | None) -> None:
        self.source, self.tie_break = source, tie_break
        self.labels = source.labels(tie_break) if tie_break else ()
        self.ratios = Ratios(len(MEASURES if source.score else UNSCORED) + len(self.labels))
        self.margins = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        if not self.source.score:
            values = block.totals(((block[self.source.share] > 0).sum(axis=1, keepdims=True) > 1).astype(np.float64))
            self.ratios.add(values, np.full_like(values, block.per_deal))
            return
        scores = signed(block[self.source.score])
        ranked = np.sort(-scores if self.source.spec.game.lowest_wins else scores, axis=1)
        best, margin = ranked[:, -1], ranked[:, -1] - ranked[:, -2]
        self.margins.add(margin)
        winners = block[self.source.share] > 0
        level = margin == 0
        close = margin <= CLOSE * np.abs(scores).max(axis=1)
        found = [margin, best - ranked[:, 0], close, level, winners.sum(axis=1) > 1]
        if self.tie_break:
            decided = np.take_along_axis(block[self.tie_break], winners.argmax(axis=1)[:, None], axis=1)[:, 0]
            found += [level & (decided == code) for code in range(len(self.labels))]
        values = block.totals(np.stack(found, axis=1).astype(np.float64))
        self.ratios.add(values, np.full_like(values, block.per_deal))


def closeness(data: Data, level: float = 0.95) -> Closeness:
    """Return how close games end, and what decides ties.

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play; tie-breaks need standard detail.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run cannot be read.

    References
    ----------
    * docs/statistics.md
    * Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected number
      of positive counts estimated from survey data. Survey Methodology 24.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.closeness(run)
    >>> found.table.columns[:4]
    ['games', 'deals', 'margin', 'margin_se']
    """
    check_level(level)
    source = open_source(data)
    declared = source.declarations.tie_break
    tie_break = declared if source.score and declared in source.available else None
    names = [name for name in (source.share, source.score, tie_break) if name]
    found, inputs = accumulate(source, names, lambda: _Ends(source, tie_break))
    cells = found.ratios.cells()
    low, high = rate_interval(cells.value, cells.se, cells.deals, level)
    columns: dict[str, object] = {"games": [inputs.games], "deals": [inputs.deals]}
    measures = MEASURES if source.score else UNSCORED
    for number, name in enumerate(measures[:-3]):
        constant = pointwise(level, cells.deals[number])
        columns |= interval(name, cells.value[number], cells.se[number], constant)
    for number, name in list(enumerate(measures))[-3:]:
        columns |= {
            name: cells.value[number],
            f"{name}_se": cells.se[number],
            f"{name}_low": low[number],
            f"{name}_high": high[number],
        }
    counts = found.margins
    margins = pl.DataFrame(
        {"margin": counts.value, "games": counts.count, "share": counts.count / max(counts.count.sum(), 1)}
    )
    notes = [*cautions(source, inputs)]
    if source.score and declared and not tie_break:
        notes.append(Note("ties_need_detail"))
    tie_breaks = pl.DataFrame(schema={"decided_by": pl.String, "games": pl.Int64, "rate": pl.Float64})
    if tie_break:
        top = cells.top[5:]
        tie_breaks = pl.DataFrame(
            {
                "decided_by": found.labels,
                "games": top.astype(np.int64),
                "rate": cells.value[5:],
                "rate_se": cells.se[5:],
                "rate_low": low[5:],
                "rate_high": high[5:],
                "part": top / max(cells.top[3], 1),
            }
        ).filter((pl.col("decided_by") != found.labels[0]) | (pl.col("games") > 0))
    table = pl.DataFrame(columns)
    verdict = _verdict(table, source)
    return Closeness((inputs,), level, table, (verdict,), tuple(notes), margins, tie_breaks)


def _verdict(table: pl.DataFrame, source: Source) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("closeness_unknown", "unknown")
    if not source.score:
        return Verdict("closeness_unscored", "fact", row)
    return Verdict("closeness", "fact", row | {"unit": source.score})
