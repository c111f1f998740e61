"""Which way of playing wins, and against whom?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import polars as pl

from analysis.data.results import Result
from analysis.ratings.fit import Strengths
from analysis.ratings.matchups import Matchups, matchups
from analysis.ratings.strengths import strengths
from reports.figures.forest import Forest, Panel
from reports.figures.matchups import Grid
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.common import failed, failures
from reports.study.needed_runs import Company, companies
from reports.study.study import Study
from reports.words import Words

STRENGTH = (
    Column("role", "name"),
    Column("strategy", "name"),
    Column("strength", "signed"),
    Column("bootstrap_se", "number", digits=3),
    Column("even_share", "share", digits=1),
    Column("even_by", "name"),
    Column("times", "count", "col.seats_played"),
)
PAIRS = (
    Column("role", "name"),
    Column("strategy", "name"),
    Column("opponent", "name"),
    Column("ahead", "share", digits=1),
    Column("wins", "share", "col.wins_of_both", digits=1),
    Column("p_holm", "p"),
    Column("deals", "count"),
)
COMPANY = (
    Column("company", "text"),
    Column("role", "name"),
    Column("strategy", "name"),
    Column("seats", "count"),
    Column("par_normalised", "number", digits=3),
    Column("score", "score"),
    Column("times", "count"),
)


def strategies(study: Study) -> Section | None:
    """Return the strengths and match-ups of strategies, from every run under the focus's rules that has several."""
    words, title = study.words, study.words("section.strategies")
    digest = study.focus.spec.rules.digest
    runs = [source for source in study.sources if source.mixed and source.spec.rules.digest == digest]
    level = study.thresholds.level
    if not runs:
        tables = companies(study.game.name, study.game.default_players) or [("NAME", "NAME")]
        example = words("strategies.one", game=study.game.name, names=_named(tables[0]))
        return failed(study, "strategies", title, example)
    met: Matchups | None = study.ask("strategies:matchups", lambda: matchups(runs, level))
    rated: Strengths | None = study.ask("strategies:strengths", lambda: strengths(runs, None, level))
    if met is None and rated is None:
        return failed(study, "strategies", title)
    blocks: list[Block] = []
    order: dict[str, list[str]] = {}
    if rated is not None:
        for stem, title_of, frame in by_role(words, rated.table):
            order[stem] = frame["strategy"].to_list()
            if frame["strength"].null_count() == 0:
                figure, caption = title_of("figure.strengths"), words("caption.strengths_figure")
                blocks.append(strengths_figure(words, frame, f"strengths{stem}", figure, caption))
        empty = [name for name, column in rated.table.to_dict().items() if column.null_count() == len(column)]
        shown = [column for column in STRENGTH if column.field not in empty]
        blocks.append(
            table(words, "strengths", words("table.strengths"), rated.table, shown, words("caption.strengths"))
        )
    if met is not None:
        for stem, title_of, pairs in by_role(words, met.table):
            names = order.get(stem) or list(dict.fromkeys(pairs["strategy"]))
            blocks.append(matchups_figure(words, pairs, names, f"match-ups{stem}", title_of("figure.matchups")))
        blocks.append(table(words, "match-ups", words("table.matchups"), met.table, PAIRS, folded=True))
        blocks.append(table(words, "companies", words("table.companies"), met.company, COMPANY, folded=True))
    results: list[Result] = [result for result in (rated, met) if result is not None]
    said = tuple(sentence for result in results for sentence in sentences(words, result))
    return Section(
        "strategies",
        title,
        said,
        tuple(blocks),
        notes(words, *results) + failures(study, "strategies"),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def matchups_figure(words: Words, pairs: pl.DataFrame, names: Sequence[str], name: str, title: str) -> Picture:
    """Return the grid of who ends ahead of whom, given as in `Matchups.table`."""
    half = (pl.col("ahead_high") - pl.col("ahead_low")) / 2
    frame = pairs.select(row="strategy", column="opponent", value="ahead", half=half)
    grid = Grid(names, names, frame, 0.5, 0.4, title, words("axis.opponent"), words=words)
    return Picture(name, title, grid, words("caption.matchups"))


def by_role(words: Words, frame: pl.DataFrame) -> Iterator[tuple[str, Callable[[str], str], pl.DataFrame]]:
    """Yield the rows of each role, with the ending of its names and title; all rows together if there are no roles."""
    if "role" not in frame.columns:
        yield "", words, frame
        return
    for (role,), rows in frame.group_by("role", maintain_order=True):
        title = words.name(str(role))
        yield f"-{role}", partial(_of_role, words, title), rows


def _of_role(words: Words, title: str, key: str) -> str:
    return words("of_role", role=title, text=words(key))


def _named(company: Company) -> str:
    """Return the strategies of a table as `--strategies` takes them."""
    if isinstance(company, tuple):
        return ",".join(company)
    return ",".join(f"{role}={name}" for role, names in company.items() for name in names)


def strengths_figure(words: Words, rated: pl.DataFrame, name: str, title: str, caption: str) -> Picture:
    """Return the figure of strengths, given as in `Strengths.table`."""
    outside = (pl.col("strength_low") > 0) | (pl.col("strength_high") < 0)
    frame = rated.select(
        row="strategy",
        series=pl.lit("all"),
        value="strength",
        low="strength_low",
        high="strength_high",
        stands=outside.fill_null(False),
    )
    panel = Panel(words("axis.strength"), frame)
    figure = Forest(rated["strategy"].to_list(), [panel], {"all": words("series.all")}, words=words)
    return Picture(name, title, figure, caption)
