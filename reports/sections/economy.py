"""Where does the score come from, and who takes it from whom?"""

from __future__ import annotations

import polars as pl

from analysis.course.economy import Economy
from analysis.course.economy import economy as asked
from reports.figures.bars import Bars
from reports.figures.matchups import Grid
from reports.page import Block, Column, Picture, Section, basis, sentences, table
from reports.sections.across import economy_across
from reports.sections.common import failed, remarks
from reports.study.study import Study
from reports.words import Words

SOURCES = (
    Column("source", "name"),
    Column("group", "name", "col.source_group"),
    Column("mean", "signed", "col.mean_score"),
    Column("share", "share", "col.share_earned", digits=1),
)
BY = (
    Column("of", "name", "col.group"),
    Column("group", "name", "col.source_group"),
    Column("source", "name"),
    Column("mean", "signed", "col.mean_score"),
    Column("share", "share", "col.share_earned", digits=1),
)
FLOWS = (
    Column("seat", "count", "col.robber"),
    Column("victim", "count"),
    Column("mean", "number", "col.taken"),
)
FLOWS_BY = (
    Column("strategy", "name", "col.robber"),
    Column("victim", "name"),
    Column("mean", "number", "col.taken"),
    Column("times", "count", "col.meetings"),
)


def economy(study: Study) -> Section | None:
    """Return the sources of the score, and what seats take from each other."""
    words, declared = study.words, study.declarations.economy
    if declared is None:
        return None
    title = words("section.economy")
    result = study.ask("economy", lambda: asked(study.deep if declared.flows else study.rich, study.thresholds.level))
    if result is None:
        return failed(study, "economy", title)
    unit = words.name(declared.unit)
    all_seats = result.table.filter(pl.col("by") == "all")
    blocks: list[Block] = [sources(words, result, unit)]
    blocks.append(table(words, "economy", words("table.economy"), all_seats, SOURCES, words("caption.economy_table")))
    split = result.table.filter(pl.col("by") != "all")
    title_by = words("table.economy_by_role" if study.focus.asymmetric else "table.economy_by")
    blocks.append(table(words, "economy-by", title_by, _named(study, split), BY, folded=True))
    blocks += _robbery(study, result, unit)
    blocks += economy_across(study)
    return Section(
        "economy",
        title,
        sentences(words, result),
        tuple(blocks),
        remarks(study, "economy", result),
        basis(words, *result.inputs),
    )


def sources(words: Words, result: Economy, unit: str) -> Picture:
    """Return how much of the score comes from each source."""
    all_seats = result.table.filter(pl.col("by") == "all")
    frame = all_seats.select(row="source", group="group", value="mean").sort("value", descending=True)
    names = {group: words.name(group) for group in dict.fromkeys(all_seats["group"])}
    figure = Bars(frame, names, words("axis.sources", unit=unit), words=words)
    return Picture("economy", words("figure.economy"), figure, words("caption.economy", unit=unit))


def _named(study: Study, split: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with readable names instead of the numbers of seats and the keys of roles."""
    words, seats = study.words, range(1, study.focus.players + 1)
    names = {str(seat): words("seat.number", seat=seat) for seat in seats}
    names |= {role.name: words.name(role.name) for role in study.focus.spec.game.roles}
    return split.with_columns(pl.col("of").replace(names))


def _robbery(study: Study, result: Economy, unit: str) -> list[Block]:
    """Return what each seat takes from each other seat."""
    words = study.words
    flows = result.flows
    if flows.is_empty() or not flows["mean"].abs().sum():
        return []
    half = (pl.col("mean_high") - pl.col("mean_low")) / 2
    frame = flows.select(
        row=pl.col("seat").cast(pl.String), column=pl.col("victim").cast(pl.String), value="mean", half=half
    )
    seats = [str(seat + 1) for seat in range(study.deep.players)]
    labels = {seat: words("seat.number", seat=int(seat)) for seat in seats}
    most = max(float(frame["value"].abs().max()), 0.5)  # type: ignore[arg-type]
    grid = Grid(
        seats,
        seats,
        frame,
        None,
        most,
        words("figure.robbery", unit=unit),
        words("axis.victim"),
        percent=False,
        words=words.naming(labels),
    )
    blocks: list[Block] = [Picture("robbery", words("figure.robbery", unit=unit), grid, words("caption.robbery"))]
    blocks.append(table(words, "robbery", words("table.robbery"), flows, FLOWS, folded=True))
    if len(result.flows_by_strategy) > 1:
        blocks.append(
            table(
                words,
                "robbery-by-strategy",
                words("table.robbery_by_strategy"),
                result.flows_by_strategy,
                FLOWS_BY,
                folded=True,
            )
        )
    return blocks
