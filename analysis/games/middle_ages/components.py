"""Does the box contain enough of each component, and what is never used?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Note, Result, Verdict, estimate_columns, interval, rate_columns
from analysis.data.source import Block
from analysis.data.sources import Data, cautions, open_source
from analysis.games.middle_ages.holdings import COMPONENTS, SCOUT
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.moments import Histogram, Ratios

RARE = 0.01
"""Share of games with too few components below which the box is called sufficient."""

QUANTILES = {"median": 0.5, "q95": 0.95, "q99": 0.99}

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

    def count(sums: Counts, block: Block) -> None:
        numbers = [block[part.column][:, : 1 if part.whole_table else None].sum(axis=1) for part in parts]
        for number, counts in zip(numbers, sums.counts, strict=True):
            counts.add(number)
        needed, bounds = np.column_stack(numbers), [np.inf if limit is None else limit for limit in limits]
        sums.ratios.add(np.hstack([needed, needed > bounds, needed >= bounds]), per_deal=block.per_deal)
        uses, honoured = (block[name].sum(axis=1, keepdims=True) for name in SCOUTS)
        sums.used.add(uses, np.full_like(uses, source.players), per_deal=block.per_deal)
        sums.honoured.add(honoured, uses, per_deal=block.per_deal)

    def empty() -> Counts:
        counts = [Histogram() for _ in parts]
        return Counts(count, ratios=Ratios(3 * len(parts)), counts=counts, used=Ratios(1), honoured=Ratios(1))

    sums, inputs = accumulate(source, names, empty)
    rates = ("over", "all_used")
    estimates = estimate_columns(sums.ratios.cells(), ("mean", *rates), level, rates)
    means = {name: values for name, values in estimates.items() if name.startswith("mean")}
    limited = np.array([limit is not None for limit in limits])
    table = pl.DataFrame(
        {
            "component": [part.name for part in parts],
            "title": [part.title for part in parts],
            "games": [inputs.games] * len(parts),
            "limit": pl.Series(limits, dtype=pl.Int64),
            **means,
            **{name: [counts.quantile(share) for counts in sums.counts] for name, share in QUANTILES.items()},
            "most": [int(counts.value.max()) for counts in sums.counts],
            **{name: np.where(limited, own, np.nan) for name, own in estimates.items() if name not in means},
        }
    )
    needed = pl.concat(
        pl.DataFrame(counts.columns("needed")).select(pl.lit(part.name).alias("component"), pl.all())
        for part, counts in zip(parts, sums.counts, strict=True)
    )
    used, honoured = sums.used.cells(), sums.honoured.cells()
    reservations = pl.DataFrame(
        {
            "reservation": [SCOUT],
            "times": used.top.astype(np.int64),
            **interval("used", used.value, used.se, pointwise(level, used.deals)),
            **rate_columns("honoured", honoured.value, honoured.se, honoured.deals, level),
        }
    )
    notes = [*cautions(source, inputs)]
    missing = [part.name for part in COMPONENTS if part not in parts]
    if missing:
        notes.append(Note("components_need_detail", {"parts": tuple(missing)}))
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
