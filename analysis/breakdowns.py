"""Rates that a game declares for itself, counted from its own columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from analysis.data.accumulate import Counts, accumulate
from analysis.data.declarations import Breakdown, declared
from analysis.data.events import KIND
from analysis.data.results import Note, Result, Verdict
from analysis.data.source import Block
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Floats, Ratios
from analysis.stats.multiple_testing import of_means, pick
from simcore.running.tally import SHARE

OBSERVED = Note("observed_or_dealt")


@dataclass(frozen=True, eq=False, repr=False)
class Breakdowns(Result):
    """Rates that a game declares.

    Parameters
    ----------
    table
        One row for each breakdown, row and series: `value` with its interval, and `times`, the denominator of the rate.
    topic
        The question that the rates belong to.
    """

    topic: str

    def of(self, name: str) -> pl.DataFrame:
        """Return the rows of one breakdown."""
        return self.table.filter(pl.col("breakdown") == name).drop("breakdown")


def topics(data: Data) -> tuple[str, ...]:
    """Return the topics of a game's own breakdowns, in order of declaration.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(eq.games()["name"][1], players=2, strategies="random")
    >>> eq.topics(run)
    ('guild_value', 'powers', 'course', 'deals_and_matches')
    """
    return tuple(dict.fromkeys(item.topic for item in open_source(data).declarations.breakdowns))


def breakdowns(data: Data, topic: str, level: float = 0.95) -> Breakdowns:
    """Return the rates that answer one of a game's own questions.

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play.
    topic
        The question; `topics` lists them.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game declares no such topic, or the run lacks the columns or the table of events that it needs.

    References
    ----------
    * docs/reference/methods.md
    * Woodruff, R. S. (1971). A simple method for approximating the variance of a complicated estimate. JASA
      66.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(eq.games()["name"][1], players=2, strategies="random", games=400)
    >>> topic = eq.topics(run)[0]
    >>> eq.breakdowns(run, topic).table.columns[:4]
    ['breakdown', 'row', 'series', 'value']
    """
    source = open_source(data)
    all_asked = [item for item in source.declarations.breakdowns if item.topic == topic]
    return rates(source, declared(all_asked, f"breakdowns of '{topic}'", source.spec.game.title), topic, level)


def rates(data: Data, asked: Sequence[Breakdown], topic: str, level: float = 0.95) -> Breakdowns:
    """Return the rates of some breakdowns, which their game need not declare.

    data: A run, a run folder, or a specification to play.
    topic: Name for the breakdowns in messages.
    level: Confidence level of each interval.
    Raises UsageError if the run lacks the columns or the table of events that the breakdowns are counted from.
    """
    check_level(level)
    source = open_source(data)
    names = list(dict.fromkeys(name for item in asked for name in item.columns))
    source.require(names, topic)
    told = any(item.events for item in asked)
    if told:
        source.require_events(topic)
    kinds = {kind: number for number, kind in enumerate(source.event_kinds) if any(kind in one.events for one in asked)}

    def count(sums: Counts, block: Block) -> None:
        of_kind = {f"event {kind}": block.events[block.events[:, KIND] == number] for kind, number in kinds.items()}
        for item, ratios in zip(asked, sums.ratios, strict=True):
            parts = (part.reshape(block.games, -1) for part in item.count(block.columns | of_kind, source.values))
            ratios.add(*parts, per_deal=block.per_deal)

    sizes = [len(item.rows) * len(item.series) for item in asked]
    sums, inputs = accumulate(source, names, lambda: Counts(count, ratios=[*map(Ratios, sizes)]), events=told)
    most = {item.name: {"share": 1, "par": source.players}.get(item.unit) for item in asked}
    tables = {
        item.name: _table(item, ratios, most[item.name], level) for item, ratios in zip(asked, sums.ratios, strict=True)
    }
    table = pl.concat(
        frame.select(pl.lit(name).alias("breakdown"), pl.exclude("deals")) for name, frame in tables.items()
    )
    verdicts = tuple(
        said for item in asked if item.says for said in _extremes(item, tables[item.name], most[item.name], level)
    )
    return Breakdowns((inputs,), level, table, verdicts, (*cautions(source, inputs), OBSERVED), topic)


def _of_shares(value: Floats, se: Floats, deals: Floats, level: float, most: int) -> tuple[Floats, Floats]:
    """Return single intervals of rates between 0 and a largest value, which are also valid near both.

    A ratio of two counts, such as the points laid for each point demanded, may exceed that value; it gets the interval
    of a mean.
    """
    low, high = rate_interval(value / most, se / most, deals, level)
    half = pointwise(level, deals) * se
    beyond = value > most
    return np.where(beyond, value - half, low * most), np.where(beyond, value + half, high * most)


def _of_shares_at_once(value: Floats, se: Floats, deals: Floats, level: float, most: int) -> tuple[Floats, Floats]:
    return _of_shares(value, se, deals, 1 - (1 - level) / len(value), most)


def _table(item: Breakdown, ratios: Ratios, most: int | None, level: float) -> pl.DataFrame:
    cells = ratios.cells()
    se = np.where(cells.deals >= MIN_DEALS, cells.se, np.nan)
    if most is None:
        half = pointwise(level, cells.deals) * se
        low, high = cells.value - half, cells.value + half
    else:
        low, high = _of_shares(cells.value, se, cells.deals.astype(np.float64), level, most)
    frame = pl.DataFrame(
        {
            "row": np.repeat(item.rows, len(item.series)).tolist(),
            "series": np.tile(item.series, len(item.rows)).tolist(),
            "value": cells.value,
            "value_se": se,
            "value_low": low,
            "value_high": high,
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
        }
    )
    return frame.fill_nan(None).filter(pl.col("times") > 0)


def _extremes(item: Breakdown, table: pl.DataFrame, most_of: int | None, level: float) -> tuple[Verdict, ...]:
    """Say which rows are highest and lowest, naming together those that cannot be distinguished."""
    title = item.name if len(item.series) == 1 else f"{item.name}.first"
    first = table.filter(pl.col("series") == item.series[0])
    known, rare = first.drop_nulls("value_low"), first.filter(pl.col("value_low").is_null())["row"]
    ends = of_means if most_of is None else partial(_of_shares_at_once, most=most_of)
    most, least = (pick(known, "value", "row", level, by, ends) for by in ("largest", "smallest"))
    if most is None or least is None or most.of < 2:
        return ()
    if len(most.names) == most.of:
        return (Verdict("breakdown_level", "fact", {"title": title}),)
    fair = 100 / most_of if item.unit == "par" and most_of else 1.0  # a share of the wins is said in 100 games
    values = {
        "title": title,
        "most": most.names,
        **most.ends("high", "high_", fair),
        "least": least.names,
        **least.ends("low", "low_", fair),
    }
    code = f"breakdown_extremes_{item.unit}"
    if rare.is_empty():
        return (Verdict(code, "fact", values),)
    return (Verdict(f"{code}_rare", "fact", values | {"rare": tuple(rare), "deals": MIN_DEALS}),)


# --- What games count rates with: numerators and denominators, shape (games, cells), from columns by name ---


Columns = Mapping[str, Any]
Rates = tuple[Any, Any]
WHO = ("winners", "others")


def cells(parts: Iterable[tuple[Any, Any]]) -> Rates:
    """Return rates from a numerator and a denominator for each cell, shape (games,), or (games, seats) to be summed."""
    top, bottom = (
        np.stack([one.sum(axis=1) if one.ndim > 1 else one for one in part], axis=1)
        for part in zip(*parts, strict=True)
    )
    return top, bottom


def means(parts: Iterable[tuple[Any, Any]]) -> Rates:
    """Return the means of values where masks hold: one (value, mask) for each cell, of the same shape."""
    return cells((value * mask, mask) for value, mask in parts)


def pars(won: Any) -> Any:
    """Return each seat's part of the wins, from a column of shares, where 1 is fair."""
    return won / SHARE * won.shape[1]


def counts(number: Any, most: int) -> list[Any]:
    """Return where a number is 0, 1 and so on; the last one stands for `most` and more."""
    return [*(number == one for one in range(most)), number >= most]


def by_count(columns: Columns, rules: Any, names: Sequence[str], most: int) -> Rates:
    """Win share by the number in some columns."""
    par = pars(columns["share60"])
    return means((par, mask) for name in names for mask in counts(columns[name], most))


def by_winner(columns: Columns, rules: Any, names: Sequence[str], per: str = "") -> Rates:
    """Means of some columns, or of them per unit of another one: of those who won the game, and of the others."""
    won = columns["share60"] > 0
    return cells(
        (columns[name] * group, columns[per] * group if per else group) for name in names for group in (won, ~won)
    )
