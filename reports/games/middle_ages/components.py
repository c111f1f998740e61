"""Does the box hold enough?"""

from __future__ import annotations

from analysis.games.middle_ages.components import components as asked
from reports.page import Block, Column, Section, table
from reports.sections.across import GAMES, ask_each, replayed, rows_of, side_by_side
from reports.sections.common import answered, failed
from reports.study.study import Study

TABLE = (
    Column("component", "name"), Column("limit", "count"), Column("mean", "number", "col.mean_needed", digits=1),
    Column("median", "count"), Column("q99", "count"), Column("most", "count"), Column("over", "share", digits=2),
    Column("all_used", "share", digits=1),
)  # fmt: skip
RESERVATIONS = (
    Column("reservation", "name"),
    Column("used", "number"),
    Column("honoured", "share", digits=1),
    Column("times", "count", "col.uses"),
)


def components(study: Study) -> Section:
    """Return what games need from the box."""
    words = study.words
    title = words("section.components")
    result = study.ask("components", lambda: asked(study.deep, study.thresholds.level))
    if result is None:
        return failed(study, "components", title)
    blocks: list[Block] = [table(words, "components", words("table.components"), result.table, TABLE)]
    if len(result.reservations):
        blocks.append(table(words, "reservations", words("table.reservations"), result.reservations, RESERVATIONS))
    found = ask_each(study, "components", lambda source: asked(replayed(source), study.thresholds.level))
    rows = rows_of(found, "table", "component", "most", "count")
    blocks += side_by_side(study, "components-by-run", "components_across", rows, games=GAMES)
    return answered(study, "components", title, blocks, result, assuming=True)
