"""The page of a search for a mended game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import polars as pl

from analysis.mend import Mend
from reports.comparison import MOVED, first_rows, measure_name
from reports.comparison import SHOWN as MOST_MOVED
from reports.figures.sweep import Swept
from reports.page import Block, Column, Listing, Picture, Remark, Report, Section, basis, notes, sentences, table
from reports.portable import portable_command
from reports.study import words_of
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import Rules

MOST_PICTURES = 24
"""Largest number of figures of curves."""

CHANGES = (
    Column("rank", "count"),
    Column("change", "text"),
    Column("touched", "count"),
    Column("size", "number", "col.change_size"),
    Column("left", "apart", "col.distance", digits=1),
    Column("target", "name", "col.meets"),
    Column("deals", "count"),
)
PRICES = (Column("seat", "count"), Column("price", "number", digits=1))


def lines_of_table(kind: str, learned: bool) -> tuple[Column, ...]:
    """Return the columns of a table of shares ("share") or of other measures ("number")."""
    known = [("habit", "col.by_habit"), ("value", "col.known")] if learned else [("value", "col.after")]
    values = [("before", "col.before"), *known, ("wanted", "col.wanted")]
    digits = 1 if kind == "share" else 2
    return (
        Column("rank", "count"),
        Column("name", "name", "col.who_wins" if kind == "share" else "col.measure"),
        *(Column(field, kind, title, digits) for field, title in values),
    )


def compose_mend(found: Mend, rules: Rules, words: Words, command: Sequence[str] = ("mend",)) -> Report:
    """Return the report of a search.

    Parameters
    ----------
    found
        The result.
    rules
        The rules before the change.
    words
        Language.
    command
        Command line that made it, without the program's name.
    """
    game = load_game(found.inputs[0].game)
    words = words_of(game.name, rules, words)
    facts = (
        (words("fact.target"), found.target),
        (words("fact.games"), words.number(found.games, ",")),
        (words("fact.rules"), words.listed([rules.name, *rules.settings])),
        (words("fact.skill"), words.listed([*dict.fromkeys(map(words.name, found.inputs[0].strategies))])),
    )
    again = Listing(words("commands"), (shlex.join(("equipoise", *portable_command(command))),))
    sections = [
        Section("changes", words("mend.changes"), (), tuple(_changes(words, found)), (), basis(words, *found.inputs)),
        Section("curves", words("mend.curves"), (), tuple(_curves(words, found))),
        Section("moved", words("mend.moved"), (), tuple(_moved(words, found))),
        Section("method", words("section.method"), (), (Remark(words("method.mend")), again)),
    ]
    return Report(
        words("mend.title", game=game.title),
        words("mend.subtitle", players=found.players, target=found.target),
        facts,
        sentences(words, found),
        notes(words, found),
        tuple(sections),
        words,
    )


def called(words: Words, name: str, kind: str) -> str:
    """Return the name of a line: a seat, camp, role, measure or card."""
    return words("seat.number", seat=name.rpartition("-")[2]) if kind == "seat" else words.name(name)


def _named(words: Words, rows: pl.DataFrame) -> pl.DataFrame:
    names = [called(words, row["name"], row["kind"]) for row in rows.iter_rows(named=True)]
    return rows.with_columns(pl.Series("name", names, pl.String))


def _changes(words: Words, found: Mend) -> Iterator[Block]:
    """Yield the changes, the tilt that each leaves, the frontier and the prices."""
    if not found.changes.is_empty():
        named = found.changes.with_columns(pl.format("sweep_{}", "target").alias("target"))
        yield table(words, "changes", words("table.mended"), named, CHANGES, words("caption.mended"))
        for number, kind in enumerate(("number", "share")):
            rows = found.table.filter(pl.col("is_share") == bool(number))
            if not rows.is_empty():
                title, caption = (
                    words(f"table.mended_{kind}"),
                    words(f"caption.mended_lines{'' if found.learned else '_by_habit'}"),
                )
                yield table(
                    words, f"lines-{kind}", title, _named(words, rows), lines_of_table(kind, found.learned), caption
                )
    if len(set(found.frontier["is_share"])) == 1 and len(found.frontier) > 1:
        yield _frontier(words, found.frontier, _who(words, found))
    if not found.prices.is_empty():
        yield table(words, "prices", words("table.prices"), found.prices, PRICES, words("caption.prices"))


def _who(words: Words, found: Mend) -> str:
    return words("mend.learned" if found.learned else "mend.unlearned")


def _frontier(words: Words, rows: pl.DataFrame, who: str) -> Picture:
    at = pl.col("size").round(2).cast(pl.String)
    frame = rows.select(
        pl.lit("off").alias("series"), at.alias("at"), pl.col("off").alias("value"), pl.col("off_low").alias("low"),
        pl.col("off_high").alias("high"),
    ).unique("at", maintain_order=True)  # fmt: skip
    names = {"off": words("axis.off")}
    percent = bool(rows["is_share"].all())
    figure = Swept(
        frame, names, frame["at"].to_list(), words("axis.size"), words("axis.off"), percent=percent, words=words
    )
    return Picture("frontier", words("figure.frontier"), figure, words("caption.frontier", who=who))


def _curves(words: Words, found: Mend) -> Iterator[Block]:
    """Yield a figure for each lever: all shares in one, every other measure by itself."""
    yield Remark(words("caption.curves"))
    drawn = 0
    for (lever, shape), rows in found.curves.group_by("lever", "shape", maintain_order=True):
        shares = rows.filter(pl.col("is_share"))
        groups = ([shares] if len(shares) else []) + [
            own for _, own in rows.filter(~pl.col("is_share")).group_by("name", maintain_order=True)
        ]
        for own in groups if drawn < MOST_PICTURES else ():
            yield _curve(words, str(lever), str(shape), own, f"curve-{drawn}")
            drawn += 1


def _curve(words: Words, lever: str, shape: str, rows: pl.DataFrame, name: str) -> Picture:
    frame = rows.select(
        pl.col("name").alias("series"), pl.col("value").cast(pl.String).alias("at"), pl.col("mean").alias("value"),
        pl.col("mean_low").alias("low"), pl.col("mean_high").alias("high"),
    )  # fmt: skip
    kinds = dict(rows.select("name", "kind").unique(maintain_order=True).rows())
    names = {one: called(words, one, kind) for one, kind in kinds.items()}
    ticks = frame["at"].unique(maintain_order=True).to_list()
    wanted = rows.select("lowest", "wanted", "highest").unique()
    percent = bool(rows["is_share"].all())
    up = words("axis.share") if percent else next(iter(names.values()))
    figure = Swept(frame, names, ticks, lever, up, sorted(wanted.rows()), percent, words=words)
    return Picture(name, words("figure.curve", lever=lever, shape=words.name(f"mend_{shape}")), figure)


def _moved(words: Words, found: Mend) -> Iterator[Block]:
    """Yield what else each change moves, largest first."""
    if found.moved.is_empty():
        yield Remark(words("mend.not_moved"))
    for row in found.changes.iter_rows(named=True) if not found.moved.is_empty() else ():
        total = len(found.moved.filter(pl.col("rank") == row["rank"]))
        moved = found.surely_moved(row["rank"])
        sure = moved.head(MOST_MOVED)
        title = words("table.mend_moved", rank=row["rank"], change=row["change"])
        if sure.is_empty():
            yield Remark(f"{title}. {words('compare.nothing_moved', total=total)}")
            continue
        named = pl.Series("measure", [measure_name(words, one) for one in sure.iter_rows(named=True)], pl.String)
        caption = words("caption.mend_moved", who=_who(words, found)) + first_rows(words, sure, moved)
        yield table(words, f"moved-{row['rank']}", title, sure.with_columns(named), MOVED, caption, row["rank"] > 1)
