"""Which way of playing wins, and against whom?"""

from __future__ import annotations

import polars as pl

from analysis.data.results import Result
from analysis.ratings.matchups import Matchups, matchups
from analysis.ratings.strengths import Strengths, strengths
from reports.field import companies
from reports.figures.forest import Forest, Panel
from reports.figures.matchups import Grid
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.common import failed, failures
from reports.study import Study
from reports.words import Words

STRENGTH = (
    Column("strategy", "text"),
    Column("strength", "signed"),
    Column("bootstrap_se", "number", digits=3),
    Column("even_share", "share", digits=1),
    Column("times", "count", "col.seats_played"),
)
PAIRS = (
    Column("strategy", "text"),
    Column("opponent", "text"),
    Column("ahead", "share", digits=1),
    Column("wins", "share", "col.wins_of_both", digits=1),
    Column("p_holm", "p"),
    Column("deals", "count"),
)
COMPANY = (
    Column("company", "text"),
    Column("strategy", "text"),
    Column("seats", "count"),
    Column("par_normalised", "number", digits=3),
    Column("score", "number", digits=1),
    Column("times", "count"),
)


def strategies(study: Study) -> Section | None:
    """Return strength and match-ups of the strategies, from every run of the focus's rules where several sit."""
    words, title = study.words, study.words("section.strategies")
    digest = study.focus.spec.rules.digest
    runs = [source for source in study.sources if source.mixed and source.spec.rules.digest == digest]
    level = study.thresholds.level
    if not runs:
        table_of = companies(study.game.name, study.game.default_players) or [("NAME", "NAME")]
        example = words("strategies.one", game=study.game.name, names=",".join(table_of[0]))
        return failed(study, "strategies", title, example)
    met: Matchups | None = study.ask("strategies:matchups", lambda: matchups(runs, level))
    rated: Strengths | None = study.ask("strategies:strengths", lambda: strengths(runs, None, level))
    if met is None and rated is None:
        return failed(study, "strategies", title)
    blocks: list[Block] = []
    order: list[str] = []
    if rated is not None:
        order = rated.table["strategy"].to_list()
        if rated.table["strength"].null_count() == 0:
            caption = words("caption.strengths_figure")
            blocks.append(strengths_figure(words, rated.table, "strengths", words("figure.strengths"), caption))
        blocks.append(
            table(words, "strengths", words("table.strengths"), rated.table, STRENGTH, words("caption.strengths"))
        )
    if met is not None:
        order = order or list(dict.fromkeys(met.table["strategy"]))
        half = (pl.col("ahead_high") - pl.col("ahead_low")) / 2
        frame = met.table.select(row="strategy", column="opponent", value="ahead", half=half)
        grid = Grid(order, order, frame, 0.5, 0.4, words("figure.matchups"), words("axis.opponent"), words=words)
        blocks.append(Picture("match-ups", words("figure.matchups"), grid, words("caption.matchups")))
        blocks.append(table(words, "match-ups", words("table.matchups"), met.table, PAIRS, folded=True))
        blocks.append(table(words, "companies", words("table.companies"), met.company, COMPANY, folded=True))
    results: list[Result] = [result for result in (rated, met) if result is not None]
    said = tuple(sentence for result in results for sentence in sentences(words, result))
    return Section(
        "strategies", title, said, tuple(blocks), notes(words, *results) + failures(study, "strategies"),
        basis(words, *(item for result in results for item in result.inputs)),
    )  # fmt: skip


def strengths_figure(words: Words, rated: pl.DataFrame, name: str, title: str, caption: str) -> Picture:
    """Return the figure of strengths, given as `Strengths.table` has them."""
    outside = (pl.col("strength_low") > 0) | (pl.col("strength_high") < 0)
    frame = rated.select(
        row="strategy", series=pl.lit("all"), value="strength", low="strength_low", high="strength_high",
        stands=outside.fill_null(False),
    )  # fmt: skip
    panel = Panel(words("axis.strength"), frame)
    figure = Forest(rated["strategy"].to_list(), [panel], {"all": words("series.all")}, words=words)
    return Picture(name, title, figure, caption)
