"""How often a thing on offer is taken, by kind, round and place in its row, from replays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.results import Result, Verdict
from analysis.data.sources import Data, cautions, played
from analysis.games.middle_ages.columns import domain_of, offers_in
from analysis.stats.intervals import check_level, rate_interval
from analysis.stats.moments import MIN_DEALS, Ratios
from analysis.stats.multiple_testing import of_rates, pick
from simcore.errors import UsageError
from simcore.games.middle_ages.state import DOMAIN_NAMES, ROUNDS
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
    kind_of = domain_of(source.values)
    shape = (len(DOMAIN_NAMES) + 1, ROUNDS + 1, source.players + 2)
    numbers = max(kind_of) + 1
    cells, by_number = Ratios(int(np.prod(shape))), Ratios(numbers)
    for deal in range(deals):
        offers = [offer for replay in replays(source.spec, deal * per_deal, per_deal) for offer in offers_in(replay)]
        where = np.array([(DOMAIN_NAMES.index(offer.kind) + 1, offer.round, offer.position + 1) for offer in offers])
        taken = np.array([offer.taken for offer in offers], np.float64)
        counts = np.zeros((2, *shape))
        for kept in np.ndindex(2, 2, 2):  # every margin: an index of 0 stands for all
            np.add.at(counts[0], tuple((where * kept).T), taken)
            np.add.at(counts[1], tuple((where * kept).T), 1)
        cells.add(counts[0].reshape(1, -1), counts[1].reshape(1, -1))
        number = np.array([offer.number for offer in offers])
        by_number.add(
            np.bincount(number, taken, numbers)[None], np.bincount(number, minlength=numbers).astype(np.float64)[None]
        )
        tick((deal + 1) * per_deal)
    index = np.indices(shape).reshape(3, -1)
    table = _rates(cells, level).select(
        pl.Series("kind", np.array(["all", *DOMAIN_NAMES])[index[0]]),
        pl.Series("round", index[1]),
        pl.Series("position", index[2]),
        pl.all(),
    )
    table = table.filter(pl.col("offered") > 0)
    numbered = _rates(by_number, level).select(
        pl.Series("number", np.arange(numbers)),
        pl.Series("kind", [kind_of.get(number, "") for number in range(numbers)]),
        pl.all(),
    )
    inputs = source.inputs(deals * per_deal, deals, 0)
    kinds = table.filter((pl.col("kind") != "all") & (pl.col("round") == 0) & (pl.col("position") == 0)).sort("rate")
    most, least = (pick(kinds, "rate", "kind", level, by, of_rates) for by in ("largest", "smallest"))
    verdict = Verdict("pick_rates_unknown", "unknown")
    if most and least and deals >= MIN_DEALS:
        values = {
            "most": most.names,
            "most_rate": most.value,
            "most_low": most.low,
            "most_high": most.high,
            "least": least.names,
            "least_rate": least.value,
            "least_low": least.low,
            "least_high": least.high,
            "games": inputs.games,
        }
        verdict = Verdict("pick_rates", "fact", values)
    found = numbered.filter(pl.col("offered") > 0)
    return PickRates((inputs,), level, table, (verdict,), cautions(source, inputs), found)


def _rates(ratios: Ratios, level: float) -> pl.DataFrame:
    cells = ratios.cells()
    low, high = rate_interval(cells.value, cells.se, cells.deals, level)
    return pl.DataFrame(
        {
            "offered": cells.bottom.astype(np.int64),
            "taken": cells.top.astype(np.int64),
            "deals": cells.deals,
            "rate": cells.value,
            "rate_se": cells.se,
            "rate_low": low,
            "rate_high": high,
        }
    )
