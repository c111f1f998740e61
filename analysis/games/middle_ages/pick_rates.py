"""How often a thing on offer is taken, by kind, round and place in its row, from replays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import polars as pl

from analysis.data.results import Result, Verdict
from analysis.data.sources import Data, cautions, played
from analysis.estimate import AT_ONCE, DEAL, Sums
from analysis.games.middle_ages.columns import domain_of, offers_in
from analysis.stats.intervals import check_level, rate_interval
from analysis.stats.moments import MIN_DEALS
from analysis.stats.multiple_testing import of_rates, pick
from simcore.errors import UsageError
from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.running.replay import replays

REPLAYED = 1_000
"""Default number of games to replay."""


@dataclass(frozen=True, eq=False, repr=False)
class PickRates(Result):
    """How often a thing on offer is taken.

    Parameters
    ----------
    table
        One row for each kind, round and position, each of which may be "all" (0 for numbers): `offered`, `taken`, and
        `rate` with its interval.
    by_number
        The same by the number by which rows are sorted.
    """

    by_number: pl.DataFrame


def pick_rates(
    data: Data, games: int = REPLAYED, level: float = 0.95, tick: Callable[[int], None] = lambda games: None
) -> PickRates:
    """Return how often things on offer are taken, from replays, because a run's table contains only what was taken.

    Parameters
    ----------
    data
        A run, a run folder, or a specification; its first games are replayed.
    games
        Number of games, rounded up to complete deals.
    level
        Confidence level of each interval.
    tick
        Function that is called after each deal with the number of games done.

    Raises
    ------
    UsageError
        If the number of games is out of range.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.pick_rates(run, games=20)
    >>> found.table.columns[:3]
    ['kind', 'round', 'position']
    """
    check_level(level)
    if games < 1:
        raise UsageError(f"games: {games} is out of range; give a whole number from 1 up")
    source = played(data, 1)
    per_deal = source.spec.games_per_deal
    deals = -(-games // per_deal)
    source = played(data, deals * per_deal)
    where = ("kind", "round", "position")
    rows: list[tuple[int, ...]] = []
    both = [(pl.lit(0, pl.Int64).alias(name), pl.col(name)) for name in where]  # 0 stands for all
    sums = [Sums({"rate": pl.col("taken")}, by) for by in (*product(*both), (pl.col("number"),))]
    for deal in range(deals):
        for replay in replays(source.spec, deal * per_deal, per_deal):
            rows += [
                (deal, DOMAIN_NAMES.index(one.kind) + 1, one.round, one.position + 1, one.number, one.taken)
                for one in offers_in(replay)
            ]
        if len(rows) >= AT_ONCE or deal + 1 == deals:
            offers = pl.DataFrame(rows, [DEAL, *where, "number", "taken"], orient="row")
            for one in sums:
                one.take(offers)
            rows.clear()
        tick((deal + 1) * per_deal)
    *tables, numbered = (_rates(one, level) for one in sums)
    table = pl.concat(tables).sort(where)
    table = table.with_columns(pl.col("kind").replace_strict(dict(enumerate(["all", *DOMAIN_NAMES]))))
    kind = pl.col("number").replace_strict(domain_of(source.values), return_dtype=pl.String)
    by_number = numbered.select("number", kind.alias("kind"), pl.exclude("number"))
    inputs = source.inputs(deals * per_deal, deals, 0)
    kinds = table.filter((pl.col("kind") != "all") & (pl.col("round") == 0) & (pl.col("position") == 0)).sort("rate")
    most, least = (pick(kinds, "rate", "kind", level, by, of_rates) for by in ("largest", "smallest"))
    verdict = Verdict("pick_rates_unknown", "unknown")
    if most and least and deals >= MIN_DEALS:
        values = {
            "most": most.names,
            **most.ends("most_rate", "most_"),
            "least": least.names,
            **least.ends("least_rate", "least_"),
            "games": inputs.games,
        }
        verdict = Verdict("pick_rates", "fact", values)
    return PickRates((inputs,), level, table, (verdict,), cautions(source, inputs), by_number)


def _rates(sums: Sums, level: float) -> pl.DataFrame:
    rates = sums.estimates()
    low, high = rate_interval(rates["rate"], rates["rate_se"], rates["rate_deals"], level)
    taken = pl.col("rate_sum").cast(pl.Int64)
    counts = pl.col("rows").alias("offered"), taken.alias("taken"), pl.col("rate_deals").alias("deals")
    return rates.select(*sums.by, *counts, "rate", "rate_se", rate_low=low, rate_high=high)
