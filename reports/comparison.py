"""The page of a comparison of versions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from analysis.compare import Comparison
from analysis.stats.margin import FAIR
from reports.figures.slope import Slope
from reports.page import (
    Block,
    Column,
    Datum,
    Listing,
    Picture,
    Remark,
    Report,
    Section,
    Table,
    basis,
    datum,
    notes,
    sentences,
    table,
)
from reports.portable import portable_command
from reports.study import words_of
from reports.words import Words
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.rules.files import Rules, differences

SEATS = (
    Column("who", "name"),
    Column("seat", "count"),
    Column("role", "name"),
    Column("camp", "name"),
    Column("par", "share", digits=1),
    Column("before", "share", digits=1),
    Column("after", "share", digits=1),
    Column("difference", "points", digits=1),
)
MOVED = (
    Column("measure", "text"),
    Column("before", "number"),
    Column("after", "number"),
    Column("difference", "signed"),
    Column("size", "signed"),
)
CHANGES = (Column("version", "text"), Column("key", "text"), Column("before", "text"), Column("after", "text"))
SHOWN = 25
"""Largest number of rows of what else moved."""


def compose_comparison(
    found: Comparison, rules: Mapping[str, Rules], words: Words, command: Sequence[str] = ("compare",)
) -> Report:
    """Return the report of a comparison.

    Parameters
    ----------
    found
        The comparison.
    rules
        The rules of each version by label.
    words
        Language.
    command
        Command line that made it, without the program's name.
    """
    game = load_game(found.inputs[0].game)
    first = next(iter(rules.values()))
    words = words_of(game.name, first, words)
    players = words.listed([str(count) for count in found.players])
    facts = (
        (words("fact.games"), words.number(found.games, ",")),
        (words("fact.players"), players),
        (words("fact.versions"), words.listed(list(found.labels))),
        (words("fact.skill"), words.listed([*dict.fromkeys(map(words.name, found.inputs[0].strategies))])),
    )
    told = notes(words, found)
    return Report(
        words("compare.title", game=game.title, versions=words.listed(list(found.labels))),
        words("compare.subtitle", players=players),
        facts,
        sentences(words, found),
        told,
        (*(_section(words, found, count) for count in found.players), _method(words, found, rules, command)),
        words,
    )


def _section(words: Words, found: Comparison, players: int) -> Section:
    blocks: list[Block] = [_slope(words, found, players, who) for who in found.who]
    if len(found.labels) > 2:
        blocks.append(_side_by_side(words, found, players))
    here = found.table.filter(pl.col("players") == players)
    for (version, against), rows in here.group_by("version", "against", maintain_order=True):
        values = {"after": version, "before": against}
        shown = rows.with_columns(pl.format("compare_{}", "who").alias("who"))
        alike = rows["role"].null_count() == len(rows)
        columns = [column for column in SEATS if not (alike and column.field in ("role", "camp"))]
        name = f"{players}-{found.labels.index(str(version))}"
        blocks.append(
            table(
                words, f"seats-{name}", words("table.compare", **values), shown, columns, words("caption.compare_table")
            )
        )
        blocks += _moved(words, found, players, str(version), str(against), name)
    inputs = [item for item in found.inputs if item.players == players]
    title = words("compare.section", players=players)
    return Section(f"players-{players}", title, (), tuple(blocks), (), basis(words, *inputs))


def _side_by_side(words: Words, found: Comparison, players: int) -> Table:
    """Return what each seat or camp wins in each version, a column for each, as the best informed players play it."""
    who = found.who[-1]
    apart = found.distances.filter((pl.col("players") == players) & (pl.col("who") == who))
    kind = str(apart["kind"][0])
    frames = [
        found.rows(players, version, who, kind).select(
            pl.lit(label).alias("version"), pl.coalesce(pl.col("seat").cast(pl.String), "camp").alias(kind),
            share=side, share_low=f"{side}_low", share_high=f"{side}_high",
        )
        for label, version, side in _columns(found)
    ]  # fmt: skip
    frame, shares = pl.concat(frames), Column("share", "share", digits=1)
    rows = []
    for (name,), own in frame.group_by(kind, maintain_order=True):
        title = words("seat.number", seat=int(str(name))) if kind == "seat" else words.name(str(name))
        rows.append((Datum(title, title), *(datum(words, shares, row) for row in own.iter_rows(named=True))))
    distance = Column("distance", "apart", digits=1)
    ends = ("", "_low", "_high")
    ranges = [
        {f"distance{end}": apart.filter(pl.col("version") == version)[f"{side}{end}"][0] for end in ends}
        for _, version, side in _columns(found)
    ]
    title = words("col.distance")
    rows.append((Datum(title, title), *(datum(words, distance, row) for row in ranges)))
    headings = (words(f"col.{kind}"), *found.labels)
    return Table(
        f"versions-{players}", words("table.versions"), headings, (False, *(True for _ in found.labels)), tuple(rows),
        frame, words("caption.side_by_side", who=words.name(f"compare_{who}")),
    )  # fmt: skip


def _columns(found: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield each version's label, the version whose rows have its shares, and the side of these rows on which it is."""
    first, *others = found.labels
    yield first, others[0], "before"
    yield from ((label, label, "after") for label in others)


def _slope(words: Words, found: Comparison, players: int, who: str) -> Picture:
    """Return a chart with a line for each seat from version to version."""
    frames = {}
    for version in found.labels[1:]:
        rows = found.rows(players, version, who).with_columns(pl.col("deals").alias("games"))
        for label, side in ((found.labels[0], "before"), (version, "after")):
            named = {side: "share", f"{side}_low": "share_low", f"{side}_high": "share_high"}
            frames[label] = rows.select("seat", "par", "games", *(pl.col(old).alias(new) for old, new in named.items()))
    title = words("figure.compare", who=words.name(f"compare_{who}"))
    return Picture(f"slope-{who}-{players}", title, Slope(frames, FAIR, words=words), words("caption.compare"))


def _moved(
    words: Words, found: Comparison, players: int, version: str, against: str, name: str
) -> list[Block]:  # fmt: skip
    """Return what else moved, largest first."""
    if found.moved.is_empty():
        return []
    sure = found.moved_significantly(players, version)
    rows = found.moved.filter((pl.col("players") == players) & (pl.col("version") == version))
    if sure.is_empty():
        return [Remark(words("compare.nothing_moved", total=len(rows)))]
    title = words("table.moved", after=version, before=against)
    who = words.name(f"compare_{rows['who'][0]}")
    shown = sure.head(SHOWN)
    caption = words("caption.moved", who=who, count=len(sure), total=len(rows)) + first_rows(words, shown, sure)
    names = pl.Series("measure", [measure_name(words, row) for row in shown.iter_rows(named=True)], pl.String)
    return [table(words, f"moved-{name}", title, shown.with_columns(names), MOVED, caption)]


def first_rows(words: Words, shown: pl.DataFrame, found: pl.DataFrame) -> str:
    """Return the end of a caption: how many rows a table shows, if it does not show all."""
    return " " + words("caption.first_rows", shown=len(shown)) if len(shown) < len(found) else ""


def measure_name(words: Words, row: Mapping[str, Any]) -> str:
    """Return the name of a measure in `Comparison.moved`."""
    name = words.name(row["measure"])
    if row["group"] != "cards":
        return name
    if row["of"] is None:
        return words("compare.card_score", card=name)
    seat = row["of"].removeprefix("seat-")
    whose = words("seat.number", seat=int(seat)) if seat.isdigit() else words.name(row["of"])
    return words("compare.card_wins", card=name, whose=whose)


def _method(words: Words, found: Comparison, rules: Mapping[str, Rules], command: Sequence[str]) -> Section:
    first = rules[found.labels[0]]
    changed = [
        {"version": label, "key": key, "before": str(pair.get("old", "")), "after": str(pair.get("new", ""))}
        for label, own in rules.items()
        for key, pair in differences(first, own).items()
    ]
    elsewhere = found.inputs[0].game == ELSEWHERE
    blocks: list[Block] = [Remark(words("method.compare_tables" if elsewhere else "method.compare"))]
    if changed:
        blocks.append(table(words, "rule-changes", words("table.changes"), pl.DataFrame(changed), CHANGES))
    blocks.append(Listing(words("commands"), (shlex.join(("equipoise", *portable_command(command))),)))
    return Section("method", words("section.method"), (), tuple(blocks))
