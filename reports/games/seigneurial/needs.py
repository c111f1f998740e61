"""Seigneurial: what a player needs, measured by what it costs one player to do without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from analysis.data.source import Source
from analysis.restricted_play import Restricted, restricted
from reports.figures.forest import Forest, Panel
from reports.games.seigneurial.again import replayable
from reports.page import Column, Picture, Section, Sentence, basis, table
from reports.sections.common import failed, failures
from reports.study import Study
from strategies.library import strategy_from_dict
from strategies.restrictions import find_restrictions

WITHOUT = {"tenant": ("cards", "favour", "refusing", "laying", "church", "mill"), "lord": ("cards",)}
"""What a player of each role is forbidden, one thing at a time."""

TOLD = ("cards", "favour", "refusing")
"""What the sentence about a tenant names."""

DEALS = 1_500
"""Largest number of deals that are played in every seat of the role, without and with each restriction."""

COSTS = (
    Column("who", "name", "col.needs_who"),
    Column("players", "count"),
    Column("free", "share", "col.needs_free", digits=1),
    Column("share", "share", "col.needs_share", digits=1),
    Column("cost", "points", digits=1),
)


def needs(study: Study) -> Section | None:
    """Return what cards, favour and other things are worth to one player, at every number of players."""
    words, title = study.words, study.words("section.needs")
    runs = replayable(study)
    results: list[Restricted] = []
    rows: list[dict[str, Any]] = []
    said: list[Sentence] = []
    for run in runs:
        for role in WITHOUT:
            found = study.ask(f"needs:{run.players}:{role}", partial(_restricted, study, run, role))
            if found is not None:
                own = list(_rows(found, run.players, role))
                results.append(found)
                rows += own
                said.append(_sentence(study, role, own))
    if not rows:
        return failed(study, "needs", title) if failures(study, "needs") else None
    frame = pl.DataFrame(rows).sort("players", maintain_order=True)
    picture = Picture("needs", words("figure.needs"), _figure(study, frame), words("caption.needs"))
    costs = table(words, "needs", words("table.needs"), frame, COSTS, words("caption.needs_table"), folded=True)
    counted = basis(words, *(item for result in results for item in result.inputs))
    return Section("needs", title, tuple(said), (picture, costs), failures(study, "needs"), counted)


def _restricted(study: Study, run: Source, role: str) -> Restricted:
    """Return what it costs one player of a role to do without each thing."""
    spec, game = run.spec, study.game
    seated = {one.name: strategy_from_dict(game, spec.strategy_tables[one.at(run.players).start]) for one in game.roles}
    forbidden = find_restrictions(game.name, spec.rules.values, WITHOUT[role], "report")
    return restricted(
        game, seated[role], seated, spec.rules, forbidden, run.players, min(DEALS, study.deals), spec.seed,
        study.thresholds.level, role=role,
    )  # fmt: skip


def _rows(result: Restricted, players: int, role: str) -> Iterator[dict[str, Any]]:
    """Yield the costs, highest first, without an interval if too few deals changed."""
    for row in result.table.iter_rows(named=True):
        kept = {name: row[name] for name in ("restriction", "share", "cost", "cost_low", "cost_high", "changed")}
        yield {"who": f"needs.{role}.{row['restriction']}", "players": players, "free": result.share} | kept


def _sentence(study: Study, role: str, rows: Sequence[Mapping[str, Any]]) -> Sentence:
    """Return the sentence on what a tenant, or the lord, loses by doing without some things."""
    words, by_name = study.words, {row["restriction"]: row for row in rows}
    first = rows[0]
    if role == "lord":
        values = {name: by_name["cards"][name] for name in ("players", "free", "share")}
        return Sentence(words("needs.lord", **values, cost=_cost(study, by_name["cards"])))
    costs = {name: _cost(study, by_name[name]) for name in TOLD}
    return Sentence(words("needs.tenant", players=first["players"], free=first["free"], **costs))


def _cost(study: Study, row: Mapping[str, Any]) -> str:
    """Return a cost in words."""
    if not row["changed"]:
        return study.words("needs.nothing")
    if row["cost_low"] is None:
        return study.words("needs.unsure", cost=100 * row["cost"])
    ends = {name: 100 * row[name] for name in ("cost", "cost_low", "cost_high")}
    return study.words("needs.cost", **ends)


def _figure(study: Study, frame: pl.DataFrame) -> Forest:
    """Return what a tenant loses, with a series for each number of players; the lord's loss is much larger."""
    own = frame.filter(pl.col("who").str.starts_with("needs.tenant."))
    frame = own.with_columns(pl.format("without.{}", "restriction").alias("row"))
    low, high = pl.col("cost_low"), pl.col("cost_high")
    shown = frame.select(
        "row", series=pl.col("players").cast(pl.String), value="cost", low=low, high=high,
        stands=((low > 0) | (high < 0)).fill_null(False),
    )  # fmt: skip
    order = frame.group_by("row", maintain_order=True).agg(pl.col("cost").max()).sort("cost", descending=True)
    names = {str(players): study.words("players.number", players=players) for players in frame["players"].unique()}
    panel = Panel(study.words("axis.needs"), shown, True)
    return Forest(order["row"].to_list(), [panel], names, words=study.words)
