"""Questions that a game asks of its own columns, a section each."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.breakdowns import Breakdowns
from analysis.breakdowns import breakdowns as asked
from analysis.meaning import Breakdown
from reports.figures.matchups import Grid
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.common import assumed, failed, failures
from reports.study import Study

FEWEST = 100
"""What a cell of a figure must be a rate of, at least."""


def breakdowns(study: Study) -> Iterator[Section]:
    """Yield a section for each question that the game declares."""
    words = study.words
    for topic in dict.fromkeys(item.topic for item in study.meaning.breakdowns):
        name, title = f"own-{topic.replace('_', '-')}", words.name(topic)
        result = study.ask(name, lambda topic=topic: asked(study.deep, topic, study.thresholds.level))  # type: ignore[misc]
        if result is None:
            yield failed(study, name, title)
            continue
        blocks = [
            block for item in study.meaning.breakdowns if item.topic == topic for block in _shown(study, item, result)
        ]
        if blocks:
            remarks = (*notes(words, result), *assumed(study), *failures(study, name))
            yield Section(name, title, sentences(words, result), tuple(blocks), remarks, basis(words, *result.inputs))


def _shown(study: Study, item: Breakdown, result: Breakdowns) -> Iterator[Block]:
    """Yield a breakdown's figure and table; nothing where nothing was counted."""
    words, frame = study.words, result.of(item.name)
    known = frame.filter(pl.col("times") >= FEWEST)
    if known.is_empty():
        return
    title, caption, name = words.name(item.name), words.name(f"{item.name}.caption"), item.name.replace("_", "-")
    scale = 100 if item.unit == "share" else 1
    half = (pl.col("value_high") - pl.col("value_low")) / 2
    cells = known.select(row="row", column="series", value=scale * pl.col("value"), half=scale * half)
    middle = 1.0 if item.unit == "par" else float(cells["value"].mean())  # type: ignore[arg-type]
    reach = max(float((cells["value"] - middle).abs().max()), 1e-6)  # type: ignore[arg-type]
    rows, present = set(cells["row"]), set(cells["column"])
    grid = Grid(
        [row for row in item.rows if row in rows], [series for series in item.series if series in present], cells,
        middle, reach, title, "", False, 1 if item.unit == "share" else 2, words=words,
    )  # fmt: skip
    yield Picture(name, title, grid, caption)
    kind = "share" if item.unit == "share" else "number"
    columns = (
        Column("row", "name", "col.breakdown_row"),
        Column("series", "name", "col.breakdown_series"),
        Column("value", kind, "col.breakdown_value", digits=1 if kind == "share" else 2),
        Column("times", "count", "col.breakdown_times"),
    )
    yield table(words, name, title, frame, columns, caption, folded=True)
