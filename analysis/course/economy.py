"""Where the score comes from, and who takes it from whom."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
import polars as pl

from analysis.course.standings import number_of, parts_of
from analysis.data.accumulate import Counts, accumulate
from analysis.data.declarations import Economy as Declared
from analysis.data.declarations import declared
from analysis.data.events import KIND, TURN, VALUES
from analysis.data.results import Note, Result, Verdict, interval, rate_columns
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.moments import MIN_DEALS, Floats, Moments, Ratios
from analysis.stats.multiple_testing import pick


@dataclass(frozen=True, eq=False, repr=False)
class Economy(Result):
    """Sources of the score.

    Parameters
    ----------
    table
        One row for each source and each group of seats: all seats (`by` is "all"), the seats of each role in a game
        with roles, each seat, and each strategy if those of a role differ.  `mean` is the signed mean per seat and
        game; `share` is its part of everything that was earned (null for sources that only take).
    groups
        The same for each group of sources, for all seats.
    flows
        One row for each pair of seats: `mean`, the amount that `seat` takes from `victim` per game.  Empty below full
        detail.
    flows_by_strategy
        One row for each pair of strategies: `mean`, the amount taken per meeting of two such seats.  Empty below full
        detail.
    """

    groups: pl.DataFrame
    flows: pl.DataFrame
    flows_by_strategy: pl.DataFrame


def economy(data: Data, level: float = 0.95) -> Economy:
    """Return where the score comes from.

    Parameters
    ----------
    data
        A run (standard detail; full detail for who takes from whom), a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game declares no economy, or the run lacks its columns.

    References
    ----------
    * docs/reference/methods.md
    * Woodruff, R. S. (1971). A simple method for approximating the variance of a complicated estimate. JASA
      66.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> eq.economy(run).table.columns[:3]
    ['by', 'of', 'source']
    """
    check_level(level)
    source = open_source(data)
    means = declared(source.declarations.economy, "economy", source.spec.game.title)
    columns = [item.column for item in means.sources]
    source.require(columns, "where the score comes from")
    flowing = [name for name in means.flows[: source.players] if name in source.available]
    score, players, strategies = source.scored("the economy"), source.players, len(source.strategies)
    split = [("all", "", slice(players))]
    if source.asymmetric:
        roles = ((role.name, role.at(players)) for role in source.spec.game.roles)
        split += [("role", name, slice(own.start, own.stop)) for name, own in roles]
    split += [("seat", str(seat + 1), slice(seat, seat + 1)) for seat in range(players)]
    cast = source.cast_names if source.mixed else ()
    robber, victim = np.nonzero(~np.eye(players, dtype=bool))

    def count(sums: Counts, block: Block) -> None:
        money = [item.sign * block[item.column].astype(np.float64) for item in means.sources]
        start = np.broadcast_to(means.start(source.values, players), money[0].shape)
        rest = block[score] - start - sum(money)
        sums.unexplained += float(np.abs(rest).sum())
        values = np.stack([*money, rest, np.ones_like(rest)], axis=2)
        who = source.members[np.arange(players), block["strategy"]]
        played = (np.einsum("gs,gsv->gv", who == number, values) for number in range(len(cast)))
        groups = chain((values[:, seats].sum(axis=1) for _, _, seats in split), played)
        for moments, group in zip(sums.moments, groups, strict=True):
            moments.add(block.totals(group))
        if flowing:
            coins = np.stack([block[name].astype(np.float64) for name in flowing], axis=2)[:, robber, victim]
            sums.flows.scatter(np.broadcast_to(robber * players + victim, coins.shape), coins, block.per_deal)
            code = block["strategy"].astype(np.int64)
            sums.met.scatter(code[:, robber] * strategies + code[:, victim], coins, block.per_deal)

    def empty() -> Counts:
        moments = [Moments(len(means.sources) + 2) for _ in range(len(split) + len(cast))]
        sums = {"moments": moments, "flows": Ratios(players**2), "met": Ratios(strategies**2), "unexplained": 0.0}
        return Counts(count, "analysis.course.economy._Ledger", **sums)

    names = list(dict.fromkeys(["strategy", score, *columns, *flowing]))
    sums, inputs = accumulate(source, names, empty)
    short = sums.unexplained > 0
    labels = [*((by, of) for by, of, _ in split), *(("strategy", name) for name in cast)]
    tables = [
        _sources(moments, means, short, level).select(pl.lit(by).alias("by"), pl.lit(of).alias("of"), pl.all())
        for (by, of), moments in zip(labels, sums.moments, strict=True)
    ]
    groups = _sources(sums.moments[0], means, short, level, grouped=True)
    notes = [*cautions(source, inputs)]
    if short:
        notes.append(Note("sources_short"))
    if not flowing and means.flows:
        notes.append(Note("flows_need_detail"))
    flows, met = _flows(source, sums, level)
    verdicts = _verdicts(groups, means.unit, inputs.deals)
    return Economy((inputs,), level, pl.concat(tables), verdicts, tuple(notes), groups, flows, met)


def _sources(moments: Moments, means: Declared, other: bool, level: float, grouped: bool = False) -> pl.DataFrame:
    """Return the mean of every source, or group of sources, and its part of what was earned."""
    labels = [item.name for item in means.sources] + ["other"]
    kinds = [item.group for item in means.sources] + ["other"]
    earns = np.array([item.sign > 0 for item in means.sources] + [False])
    keys = list(dict.fromkeys(kinds)) if grouped else labels
    rows = np.array(keys)[:, None] == np.array(kinds if grouped else labels)
    zero = np.zeros((len(keys), 1))
    top = np.hstack([rows.astype(np.float64), zero])
    per_seat = np.zeros_like(top)
    per_seat[:, -1] = 1
    mean, covariance = moments.ratios(top, per_seat)
    gross = np.hstack([rows * earns, zero])
    total = np.broadcast_to(np.append(earns, 0.0), top.shape)
    share, spread = moments.ratios(gross, total)
    constant = float(pointwise(level, moments.deals))
    some = (rows & earns).any(axis=1)
    table = pl.DataFrame(
        {
            **({} if grouped else {"source": keys}),
            "group": keys if grouped else kinds,
            "seats": np.full(len(keys), int(moments.sum[-1])),
            "deals": np.full(len(keys), moments.deals),
            **interval("mean", mean, _root(covariance), constant),
            **interval("share", np.where(some, share, np.nan), np.where(some, _root(spread), np.nan), constant),
        }
    )
    return table if other else table.filter(pl.col("group") != "other")


def _root(covariance: Array) -> Floats:
    """Return standard errors, exactly 0 where a source is zero in every deal."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.where(variance > 1e-24, variance, 0)))


def _flows(source: Source, sums: Counts, level: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    seats, names = np.arange(1, source.players + 1), source.strategies
    tables = []
    for ratios, key, groups in ((sums.flows, "seat", seats), (sums.met, "strategy", np.array(names))):
        cells = ratios.cells()
        columns = {
            key: np.repeat(groups, len(groups)),
            "victim": np.tile(groups, len(groups)),
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
            **interval("mean", cells.value, cells.se, pointwise(level, cells.deals)),
        }
        tables.append(pl.DataFrame(columns).filter(pl.col("times") > 0))
    return tables[0], tables[1]


def _verdicts(groups: pl.DataFrame, unit: str, deals: int) -> tuple[Verdict, ...]:
    known = groups.filter(pl.col("share").is_not_nan()).sort("share", descending=True)
    if known.is_empty() or deals < MIN_DEALS:
        return (Verdict("economy_unknown", "unknown"),)
    parts = tuple(known.select("group", "share").iter_rows())
    values = {"unit": unit, "parts": parts, "largest": known["group"][0], "share": known["share"][0], "deals": deals}
    return (Verdict("economy_shares", "fact", values),)


# --- The share of each action in each third of a game, for games of any length ---


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
    * docs/reference/methods.md

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

    def count(sums: Counts, block: Block) -> None:
        game, _, part = parts_of(source, asked.begins, block)
        begun = part >= 0
        last = np.zeros(len(game), np.int64)
        np.maximum.at(last, part[begun], block.events[begun, TURN])
        chosen = begun & (block.events[:, KIND] == number_of(source, asked.kind))
        events, part = block.events[chosen], part[chosen]
        third = ((events[:, TURN].astype(np.int64) - 1) * THIRDS // last[part].clip(min=1)).clip(min=0)
        done = np.zeros((block.deals, THIRDS, len(asked.names)))
        np.add.at(done, (game[part] // block.per_deal, third, events[:, VALUES]), 1)
        all_done = np.broadcast_to(done.sum(axis=2, keepdims=True), done.shape)
        sums.ratios.add(done.reshape(len(done), -1), all_done.reshape(len(done), -1))

    size = THIRDS * len(asked.names)
    sums, inputs = accumulate(source, [source.share], lambda: Counts(count, ratios=Ratios(size)), events=True)
    cells = sums.ratios.cells()
    known = cells.deals >= MIN_DEALS
    table = pl.DataFrame(
        {
            "third": np.repeat(np.arange(1, THIRDS + 1), len(asked.names)),
            "action": list(asked.names) * THIRDS,
            **rate_columns("share", cells.value, np.where(known, cells.se, np.nan), cells.deals, level),
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
        }
    ).fill_nan(None)
    return ActionMix((inputs,), level, table.drop("deals"), _verdicts_on_mix(table, level), cautions(source, inputs))


def _verdicts_on_mix(table: pl.DataFrame, level: float) -> tuple[Verdict, ...]:
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
