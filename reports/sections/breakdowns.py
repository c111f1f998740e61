"""Questions that a game asks about its own columns, with a section for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl

from analysis.breakdowns import Breakdowns
from analysis.breakdowns import breakdowns as asked
from analysis.data.declarations import Breakdown
from reports.figures.base import Figure
from reports.figures.forest import Forest, Grid, Panel
from reports.page import Block, Column, Picture, Section, basis, sentences, table
from reports.sections.common import failed, remarks
from reports.study.chapters import Chapter
from reports.study.study import Study
from reports.words import Words

FEWEST = 100
"""Smallest number of cases for the rate in a cell of a figure."""

FEW = 2
"""Largest number of values that are shown in a table only."""


def chapters_of(study: Study) -> Iterator[Chapter]:
    """Yield a section for each question that the game declares."""
    for topic in dict.fromkeys(item.topic for item in study.declarations.breakdowns):
        yield Chapter(f"own-{topic.replace('_', '-')}", partial(breakdown, topic=topic))


def breakdown(study: Study, topic: str) -> Section | None:
    """Return the section on a question that the game declares; nothing if nothing was counted."""
    words, name = study.words, f"own-{topic.replace('_', '-')}"
    title = words.name(topic)
    declared = [item for item in study.declarations.breakdowns if item.topic == topic]
    source = study.eventful if any(item.events for item in declared) else study.deep
    result = study.ask(name, lambda: asked(source, topic, study.thresholds.level))
    if result is None:
        return failed(study, name, title)
    blocks = [block for item in declared for block in _shown(study, item, result)]
    if not blocks:
        return None
    said, counted = sentences(words, result), basis(words, *result.inputs)
    return Section(
        name, title, said, tuple(blocks), remarks(study, name, result), counted, words.known(f"{topic}.short") or ""
    )


def pictures(words: Words, item: Breakdown, result: Breakdowns) -> Iterator[Picture]:
    """Yield a breakdown's figure; nothing if only few values are known, or none differs."""
    known = _known(item, result)
    if len(known) <= FEW or (item.unit == "share" and known["value"].is_in([0.0, 1.0]).all()):
        return
    series = [series for series in item.series if series in set(known["series"])]
    rows = [row for row in item.rows if row in set(known["row"])]
    drawn = _grid if len(series) > 1 else dots
    figure = drawn(words, item, known, rows, series)
    yield Picture(_anchor(item), words.name(item.name), figure, words.name(f"{item.name}.caption"))


def _anchor(item: Breakdown) -> str:
    return item.name.replace("_", "-")


def _known(item: Breakdown, result: Breakdowns) -> pl.DataFrame:
    """Return the values of a breakdown that were counted often enough to be shown."""
    return result.of(item.name).filter(pl.col("times") >= FEWEST)


def _shown(study: Study, item: Breakdown, result: Breakdowns) -> Iterator[Block]:
    """Yield a breakdown's figure and table; for few values only the table, and nothing if nothing was counted."""
    words, frame = study.words, result.of(item.name)
    if _known(item, result).is_empty():
        return
    title, caption, name = words.name(item.name), words.name(f"{item.name}.caption"), _anchor(item)
    pictured = list(pictures(words, item, result))
    yield from pictured
    kind = "share" if item.unit == "share" else "number"
    columns = (
        Column("row", "name", "col.breakdown_row"),
        *((Column("series", "name", "col.breakdown_series"),) if len(item.series) > 1 else ()),
        Column("value", kind, f"col.breakdown_{item.unit}", digits=1 if kind == "share" else 2),
        Column("times", "count", "col.breakdown_times"),
    )
    if pictured:
        yield table(words, name, words("table.breakdown", title=title), frame, columns, folded=True)
    else:
        yield table(words, name, title, frame, columns, caption)


def _grid(words: Words, item: Breakdown, known: pl.DataFrame, rows: Sequence[str], series: Sequence[str]) -> Figure:
    """Return the figure of values by row and series."""
    scale = 100 if item.unit == "share" else 1
    half = (pl.col("value_high") - pl.col("value_low")) / 2
    cells = known.select(row="row", column="series", value=scale * pl.col("value"), half=scale * half)
    middle = 1.0 if item.unit == "par" else None
    reach = None
    if item.unit != "number":
        reach = max(float((cells["value"] - (middle or 0.0)).abs().max()), 1e-6)  # type: ignore[arg-type]
    digits = 1 if item.unit == "share" else 2
    return Grid(rows, series, cells, middle, reach, words.name(item.name), "", False, digits, words=words)


def dots(words: Words, item: Breakdown, known: pl.DataFrame, rows: Sequence[str], series: Sequence[str]) -> Figure:
    """Return the values of the only known series, with their intervals; it is named if the item has others."""
    (only,) = series
    low, high = pl.col("value_low"), pl.col("value_high")
    stands = ((low > 1) | (high < 1)).fill_null(False) if item.unit == "par" else pl.lit(True)
    frame = known.select(row="row", series="series", value="value", low=low, high=high, stands=stands)
    centre = 1.0 if item.unit == "par" else None
    title = words("axis.percent" if item.unit == "share" else f"col.breakdown_{item.unit}")
    if len(item.series) > 1:
        title = f"{title} ({words.name(only)})"
    panel = Panel(title, frame, item.unit == "share", centre)
    return Forest(rows, [panel], {only: words.name(only)}, words=words)
