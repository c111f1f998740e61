"""How do seats differ between runs of the same players, by other rules for instance?"""

from __future__ import annotations

import polars as pl

from analysis.data.source import Source
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from reports.figures.slope import Slope
from reports.page import Block, Column, Picture, Section, basis, notes, table
from reports.sections.common import failures
from reports.study import Study

SCHEMA = {"run": pl.String, "gap": pl.Float64, "gap_low": pl.Float64, "gap_high": pl.Float64}
GAPS = (Column("run", "text"), Column("gap", "number"))


def versions(study: Study) -> Section | None:
    """Return the seats of runs of the strongest players side by side, where there are several."""
    words, limits = study.words, study.thresholds
    blocks: list[Block] = []
    results: list[SeatAdvantage] = []
    for players in study.players:
        runs = study.versions(players)

        def ask(source: Source) -> SeatAdvantage | None:
            return study.ask(f"seats:{source.label}", lambda: seat_advantage(source, limits.level, limits.margin))

        found = {name: ask(run) for name, run in zip(study.names(runs), runs, strict=True)}
        answers = {name: result for name, result in found.items() if result is not None}
        if len(answers) < 2:
            continue
        results += answers.values()
        series = {name: result.table for name, result in answers.items()}
        title = words("figure.versions", players=players)
        figure = Slope(series, limits.margin, words=words)
        blocks.append(Picture(f"versions-{players}-players", title, figure, words("caption.versions")))
        rows = [(name, *result.gap) for name, result in answers.items()]
        gaps = pl.DataFrame(rows, SCHEMA, orient="row")
        blocks.append(
            table(words, f"versions-{players}-players-gap", words("table.gaps", players=players), gaps, GAPS,
                  words("caption.gaps"))
        )  # fmt: skip
    if not blocks:
        return None
    return Section(
        "versions", words("section.versions"), (), tuple(blocks), notes(words, *results) + failures(study, "versions"),
        basis(words, *(item for result in results for item in result.inputs)),
    )  # fmt: skip
