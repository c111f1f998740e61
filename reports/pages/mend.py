"""The page of a search for the changes that mend a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

import polars as pl

from analysis.cost import of_compare
from analysis.data.edits import Edit, Edits
from analysis.mend.result import CHANGES as CHANGED
from analysis.mend.result import Mend
from reports.commands import UNTYPED, casting, named, other_seed, played, playing
from reports.figures.curves import Curves, Swept
from reports.opinion import Heard, Opinion, heard
from reports.page import Block, Column, Picture, Remark, Report, Section, Step, Table, basis, table
from reports.pages.common import about, method, page
from reports.pages.compare import MOVED, SHOWN, first_rows, measure_name
from reports.steps import MENDED, Wanted, baseline, shortened, steps
from reports.words import Words, title, told
from simcore.homes import typed
from simcore.rules.files import Rules
from simcore.running.batch import Spec

AT_ONCE = 12
"""Number of rows of its tables that a terminal shows."""

MOST_PICTURES = 24
"""Largest number of figures of curves."""

RANKED = (
    Column("rank", "count"), Column("change", "text"), Column("left", "apart", "col.distance", digits=1),
    Column("target", "text", "col.meets"), Column("ahead", "text", "col.mend_ahead"),
    Column("decides", "count", "col.decides", wide=True), Column("touched", "count", wide=True),
    Column("size", "number", "col.change_size", wide=True),
)  # fmt: skip
PRICES = (Column("seat", "count"), Column("price", "number", digits=1))


def lines_of_table(kind: str, learned: bool) -> tuple[Column, ...]:
    """Return the columns of a table of shares ("share") or of other measures ("number")."""
    known = [("habit", "col.by_habit"), ("value", "col.known")] if learned else [("value", "col.after")]
    values = [("before", "col.before"), *known, ("wanted", "col.wanted")]
    digits = 1 if kind == "share" else 2
    return (
        Column("rank", "count"),
        Column("players", "count"),
        Column("name", "name", "col.who_wins" if kind == "share" else "col.measure"),
        *(Column(field, kind, title, digits) for field, title in values),
    )


def compose_mend(
    found: Mend, rules: Rules, words: Words, command: Sequence[str] = ("mend",), folder: Path | None = None
) -> Report:
    """Return the report of a search.

    found: The result.
    rules: The rules before the change.
    words: Language.
    command: Command line that made it, without the program's name.
    folder: Folder of the rule files, as a reader of the page would type it.
    """
    _, words = about(found, rules, words)
    sections = [
        Section("changes", words("mend.changes"), (), tuple(_changes(words, found)), (), basis(words, *found.inputs)),
        Section("curves", words("mend.curves"), (), tuple(_curves(words, found))),
        Section("moved", words("mend.moved"), (), tuple(_moved_by(words, found))),
        method(words, command, "mend"),
    ]
    target = words.known(found.target) or found.target
    asked = _heard(found, rules, folder or Path(), command)
    following, players = (
        _steps(words, found, rules, folder or Path(), command),
        words.joined([*map(str, found.counts)]),
    )
    own = ("target", target)
    return page(words, "mend", [found], rules, sections, following, own, heard=(asked,), target=target, players=players)


def _heard(mend: Mend, rules: Rules, folder: Path, command: Sequence[str]) -> Heard:
    """Return whether players who look ahead judged the best change, or the rules as they are."""
    if not mend.printable:
        return heard(mend.inputs[0], rules, command=command)
    best, file, _ = _best(mend, folder)
    said = mend.ahead[mend.printable[0] - 1]
    if said is not None:
        inputs = replace(mend.inputs[0], players=said.players)
        return Heard(inputs, said.given, Opinion(said.answer.says, said.answer.values, said.games))
    return heard(replace(mend.inputs[0], players=mend.counts[-1]), replace(best, settings=()), file=str(file))


def _best(found: Mend, folder: Path) -> tuple[Rules, Path, bool]:
    """Return the best rules that can be printed, their file, and whether they are for all numbers of players.

    Otherwise, they are those for the largest number.
    """
    first = found.best[found.printable[0] - 1]
    alike = len({own.digest for own in first.values()}) == 1
    name = MENDED if alike else MENDED.replace(".toml", f"-{found.counts[-1]}-players.toml")
    return first[found.counts[-1]], folder / name, alike


def _steps(words: Words, found: Mend, rules: Rules, folder: Path, command: Sequence[str]) -> tuple[Step, ...]:
    """Return what to do with the best change or, if none can be printed, with the rules as they are.

    The change is tried on other deals than those on which it was chosen.
    """
    players, inputs = found.counts[-1], found.inputs[0]
    at, cast = playing(rules, command=command), casting(inputs)
    if not found.printable:
        fair = any(verdict.code == "mend_already" for verdict in found.verdicts)
        own = [baseline(rules, players, f"{at}{cast}", command=command)] if fair else []
        return steps(words, rules, Wanted("report", f"report {at}"), *own)
    best, path, alike = _best(found, folder)
    file = quote(str(path))
    tables = found.counts if alike else found.counts[-1:]
    game = f"--game {typed(rules.game_name)}"
    version, settings = named(rules, command)
    line = f"compare {UNTYPED if settings else version} {file} {game} --players {','.join(map(str, tables))}{cast}"
    line += f" --seed {other_seed(inputs.seed)}"
    specs = [played(replace(inputs, players=count), best) for count in tables]

    def cost(spec: Spec) -> tuple[float, float]:
        habit, learning = zip(*(of_compare(one) for one in specs if one), strict=True)
        return sum(habit), sum(learning)

    return steps(
        words,
        rules,
        shortened("mended", line, cost, specs[0]),
        Wanted("report", f"report {game} --rules {file}"),
        baseline(rules, players, f"{game} --rules {file}{cast}", path.stem),
    )


def called(words: Words, name: str, kind: str) -> str:
    """Return the name of a line: a seat, camp, role, measure or card."""
    return words("seat.number", seat=name.rpartition("-")[2]) if kind == "seat" else words.name(name)


def _named(words: Words, rows: pl.DataFrame) -> pl.DataFrame:
    names = [called(words, row["name"], row["kind"]) for row in rows.iter_rows(named=True)]
    return rows.with_columns(pl.Series("name", names, pl.String))


def _changes(words: Words, mend: Mend) -> Iterator[Block]:
    """Yield the changes, what each does to targets and to what is kept, the frontier and the prices."""
    if not mend.changes.is_empty():
        yield from _before_and_after(words, mend)
        yield _ranked(words, mend)
        several = len(mend.counts) > 1
        for name, kind, rows in _lines(mend):
            title = words(f"table.mended_{name}")
            caption = words(f"caption.mended_lines{'' if mend.learned else '_by_habit'}")
            columns = [one for one in lines_of_table(kind, mend.learned) if several or one.field != "players"]
            yield table(words, f"lines-{name}", title, _named(words, rows), columns, caption, name == "kept", AT_ONCE)
    if len(set(mend.frontier["is_share"])) == 1 and len(mend.frontier) > 1:
        yield _frontier(words, mend.frontier, _who(words, mend))
    if not mend.prices.is_empty():
        yield table(words, "prices", words("table.prices"), mend.prices, PRICES, words("caption.prices"))


def _ranked(words: Words, found: Mend) -> Table:
    """Return the table of changes, in the game's words; with several numbers of players, a column for each."""
    frame = found.changes.with_columns(
        pl.Series("change", [change_in_words(words, found, row) for row in found.changes.iter_rows(named=True)]),
        pl.Series("target", [judgement(words, row) for row in found.changes.iter_rows(named=True)]),
        pl.Series("ahead", [one and words(f"mend.ahead_{one}") for one in found.changes["ahead"]], pl.String),
    )
    changes = [replace(one, kind="score") if found.unit and one.field == "left" else one for one in RANKED]
    changes = [one for one in changes if one.field != "ahead" or any(found.ahead)]
    if len(found.counts) == 1:
        return table(words, "changes", words("table.mended"), frame, changes, words("caption.mended"), brief=AT_ONCE)
    apart = [
        Column(
            f"left_at_{count}",
            "score" if found.unit else "apart",
            digits=1,
            heading=words("players.number", players=count),
        )
        for count in found.counts
    ]
    columns = [one for column in changes for one in (apart if column.field == "left" else [column])]
    return table(words, "changes", words("table.mended"), frame, columns, words("caption.mended"), brief=AT_ONCE)


def change_in_words(words: Words, found: Mend, row: Mapping[str, Any]) -> str:
    """Return what a change changes, in the game's words; a rule set of the game by its title as well."""
    edits = found.edits.filter(pl.col("rank") == row["rank"]).drop("rank")
    said = told(words, Edits(Edit(**one) for one in edits.iter_rows(named=True)))
    if row["variant"] is None:
        return said
    return words("edit.variant", title=row["variant"], change=said)


def judgement(words: Words, row: Mapping[str, Any]) -> str:
    """Return whether a change meets the target, and what else it changes."""
    if row["target"] == CHANGED:
        return words("mend.breaks", what=words.name(row["breaks"]), by=row["breaks_by"])
    return words.name(f"sweep_{row['target']}")


def _lines(found: Mend) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Yield the targets that are numbers, those that are shares, and what is kept."""
    for kind, is_share in (("number", False), ("share", True)):
        rows = found.table.filter((pl.col("is_share") == is_share) & ~pl.col("kept"))
        if not rows.is_empty():
            yield kind, kind, rows
    kept = found.table.filter(pl.col("kept"))
    if not kept.is_empty():
        yield "kept", "number", kept


def _who(words: Words, found: Mend) -> str:
    return words("mend.learned" if found.learned else "mend.unlearned")


def _before_and_after(words: Words, mend: Mend) -> Iterator[Picture]:
    """Yield what each seat or camp wins by the rules as they are and with the first change, as it is best known."""
    change = change_in_words(words, mend, mend.changes.row(0, named=True))
    first = mend.table.filter(pl.col("is_share") & ~pl.col("kept") & (pl.col("rank") == 1))
    ticks = [words("col.before"), words("col.after")]
    for (players,), rows in first.group_by("players", maintain_order=True):
        nothing, name = pl.lit(None, pl.Float64), pl.col("name").alias("series")
        frame = pl.concat(
            [
                rows.select(name, pl.lit(ticks[0]).alias("at"), value="before", low=nothing, high=nothing),
                rows.select(name, pl.lit(ticks[1]).alias("at"), value="value", low="value_low", high="value_high"),
            ]
        )
        names = {row["name"]: called(words, row["name"], row["kind"]) for row in rows.iter_rows(named=True)}
        bands = sorted(rows.select("lowest", "wanted", "highest").unique().rows())
        figure = Swept(frame, names, ticks, "", words("axis.share"), bands, percent=True, words=words)
        title = words("edit.players", players=players, change=change) if len(mend.counts) > 1 else change
        yield Picture(
            f"after-{players}", title, figure, words("caption.mended_before_and_after", who=_who(words, mend))
        )


def _frontier(words: Words, rows: pl.DataFrame, who: str) -> Picture:
    ends = {"value": "off", "low": "off_low", "high": "off_high"}
    frame = rows.select(
        pl.lit("off").alias("series"), pl.col("size").alias("x"), **{to: pl.col(at) for to, at in ends.items()}
    )
    off, percent = words("axis.off"), bool(rows["is_share"].all())
    figure = Curves(frame, {"off": off}, words("axis.size"), off, percent=percent, joined=False, words=words)
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
        for own in groups:
            if drawn < MOST_PICTURES:
                yield _curve(words, str(lever), str(shape), own, f"curve-{drawn}")
            drawn += 1
    if drawn > MOST_PICTURES:
        yield Remark(words("sweep.more", count=drawn - MOST_PICTURES))


def _curve(words: Words, lever: str, shape: str, rows: pl.DataFrame, name: str) -> Picture:
    frame = rows.select(
        pl.col("name").alias("series"),
        pl.col("value").cast(pl.String).alias("at"),
        pl.col("mean").alias("value"),
        pl.col("mean_low").alias("low"),
        pl.col("mean_high").alias("high"),
    )
    kinds = dict(rows.select("name", "kind").unique(maintain_order=True).rows())
    names = {one: called(words, one, kind) for one, kind in kinds.items()}
    ticks = frame["at"].unique(maintain_order=True).to_list()
    wanted = rows.select("lowest", "wanted", "highest").unique()
    percent = bool(rows["is_share"].all())
    up = words("axis.share") if percent else next(iter(names.values()))
    figure = Swept(frame, names, ticks, title(words, lever), up, sorted(wanted.rows()), percent, words=words)
    return Picture(name, words("figure.curve", lever=title(words, lever), shape=words.name(f"mend_{shape}")), figure)


def _moved_by(words: Words, found: Mend) -> Iterator[Block]:
    """Yield what else each change moves, largest first."""
    if found.moved.is_empty():
        yield Remark(words("mend.not_moved"))
    for row in found.changes.iter_rows(named=True) if not found.moved.is_empty() else ():
        total = len(found.moved.filter(pl.col("rank") == row["rank"]))
        moved = found.surely_moved(row["rank"])
        sure = moved.head(SHOWN)
        title = words("table.mend_moved", rank=row["rank"], change=change_in_words(words, found, row))
        if sure.is_empty():
            yield Remark(f"{title}. {words('compare.nothing_moved', total=total)}")
            continue
        named = pl.Series("measure", [measure_name(words, one) for one in sure.iter_rows(named=True)], pl.String)
        caption = words("caption.mend_moved", who=_who(words, found)) + first_rows(words, sure, moved)
        yield table(words, f"moved-{row['rank']}", title, sure.with_columns(named), MOVED, caption, row["rank"] > 1)
