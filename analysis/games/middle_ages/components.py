"""Does the box contain enough of each component, and what is never used?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.results import Note, Result, Verdict, interval, rate_columns
from analysis.data.source import Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.games.middle_ages.columns import COMPONENTS, SCOUT, Component
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import Histogram, Ratios
from simcore.running.accumulator import Accumulator

RARE = 0.01
"""Share of games with too few components below which the box is called sufficient."""

SCOUTS = ("scouts", "scouts_honoured")
"""The columns of how often a seat looked for an Event, and with success."""


@dataclass(frozen=True, eq=False, repr=False)
class Components(Result):
    """Components that are needed, compared with those in the box.

    Parameters
    ----------
    table
        One row for each component: the number needed per game (mean, median, 95th and 99th percentile, and `most`); the
        `limit` in the box (null if unlimited); and the rates of games that need more than that (`over`) and that use
        all (`all_used`, which includes `over`).
    needed
        One row for each component and number needed: the number of games, and their share.
    reservations
        One row, of Scouts: the mean number `used` per seat and game, and the share that succeeded (`honoured`).
    """

    needed: pl.DataFrame
    reservations: pl.DataFrame


class _Used(Accumulator):
    def __init__(self, source: Source, parts: Sequence[Component], limits: Sequence[int | None]) -> None:
        self.source, self.parts, self.limits = source, parts, limits
        self.ratios = Ratios(3 * len(parts))
        self.counts = [Histogram() for _ in parts]
        self.used, self.honoured = Ratios(1), Ratios(1)

    def add(self, block: Block) -> None:
        """Add a block of games."""
        found = []
        for part, limit, counts in zip(self.parts, self.limits, self.counts, strict=True):
            values = block[part.column].astype(np.int64)
            number = values[:, 0] if part.whole_table else values.sum(axis=1)
            counts.add(number)
            bound = np.inf if limit is None else limit
            found += [number, number > bound, number >= bound]
        totals = block.totals(np.stack(found, axis=1).astype(np.float64))
        self.ratios.add(totals, np.full_like(totals, block.per_deal))
        uses, honoured = (block.totals(block[name].sum(axis=1)[:, None]) for name in SCOUTS)
        self.used.add(uses, np.full_like(uses, block.per_deal * self.source.players))
        self.honoured.add(honoured, uses)


def components(data: Data, level: float = 0.95) -> Components:
    """Return the numbers of components that games need.

    Parameters
    ----------
    data
        A run (standard detail; some components need full detail), a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run lacks the columns of all components.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.components(run)
    >>> found.table.filter(component="bank")["limit"].item()
    1390
    """
    check_level(level)
    source = open_source(data)
    parts = [part for part in COMPONENTS if part.column in source.available]
    source.require([(parts or COMPONENTS)[0].column, *SCOUTS], "the use of components")
    limits = [part.limit(source.values, source.players) for part in parts]
    names = list(dict.fromkeys([*(part.column for part in parts), *SCOUTS]))
    found, inputs = accumulate(source, names, lambda: _Used(source, parts, limits))
    cells = found.ratios.cells()
    low, high = rate_interval(cells.value, cells.se, cells.deals, level)
    limited = np.array([limit is not None for limit in limits])
    columns: dict[str, object] = {
        "component": [part.name for part in parts],
        "title": [part.title for part in parts],
        "games": [inputs.games] * len(parts),
        "limit": pl.Series(limits, dtype=pl.Int64),
        **interval("mean", cells.value[::3], cells.se[::3], pointwise(level, cells.deals[::3])),
    }
    for share, name in ((0.5, "median"), (0.95, "q95"), (0.99, "q99")):
        columns[name] = [counts.quantile(share) for counts in found.counts]
    columns["most"] = [int(counts.value.max()) for counts in found.counts]
    for offset, name in ((1, "over"), (2, "all_used")):
        for suffix, values in (("", cells.value), ("_se", cells.se), ("_low", low), ("_high", high)):
            columns[name + suffix] = np.where(limited, values[offset::3], np.nan)
    needed = pl.concat(
        pl.DataFrame({"needed": counts.value, "games": counts.count, "share": counts.count / inputs.games}).select(
            pl.lit(part.name).alias("component"), pl.all()
        )
        for part, counts in zip(parts, found.counts, strict=True)
    )
    used, honoured = found.used.cells(), found.honoured.cells()
    reservations = pl.DataFrame(
        {
            "reservation": [SCOUT],
            "times": used.top.astype(np.int64),
            **rate_columns("used", used.value, used.se, used.deals, level),
            **rate_columns("honoured", honoured.value, honoured.se, honoured.deals, level),
        }
    )
    notes = [*cautions(source, inputs)]
    missing = [part.name for part in COMPONENTS if part not in parts]
    if missing:
        notes.append(Note("components_need_detail", {"parts": tuple(missing)}))
    table = pl.DataFrame(columns)
    return Components((inputs,), level, table, _verdicts(table), tuple(notes), needed, reservations)


def _verdicts(table: pl.DataFrame) -> tuple[Verdict, ...]:
    found = []
    for row in table.filter(pl.col("limit").is_not_null()).iter_rows(named=True):
        keys = ("title", "limit", "over", "over_low", "over_high", "most", "all_used", "games")
        values = {key: row[key] for key in keys}
        if values["over_high"] is None or values["over_high"] != values["over_high"]:
            continue
        if row["over"] > 0:
            found.append(Verdict(f"components_short_{row['component']}", "tilted", values))
        elif row["all_used"] > 0:
            found.append(Verdict(f"components_all_{row['component']}", "fact", values))
        elif row["over_high"] <= RARE:
            found.append(Verdict(f"components_enough_{row['component']}", "fair", values))
        else:
            found.append(Verdict(f"components_unclear_{row['component']}", "unclear", values))
    return tuple(found) or (Verdict("components_unknown", "unknown"),)
