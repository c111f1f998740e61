"""How do seats differ between runs of the same players, for instance under other rules?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import polars as pl

from analysis.compare import Comparison, compare_sources
from analysis.data.source import Source
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.seats.distance import DISTANCE
from reports.figures.slope import Slope
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.common import failures
from reports.study.study import Study

SCHEMA = {"run": pl.String} | dict.fromkeys(DISTANCE, pl.Float64)
DISTANCES = (Column("run", "text"), Column("distance", "apart", digits=1))


def versions(study: Study) -> Section | None:
    """Return the seats of runs of the strongest players side by side, if there are several runs."""
    words, limits = study.words, study.thresholds
    blocks: list[Block] = []
    results: list[SeatAdvantage] = []
    compared: list[Comparison] = []
    for players in study.players:
        runs = study.versions(players)

        def ask(source: Source) -> SeatAdvantage | None:
            return study.ask(f"seats:{source.label}", lambda: seat_advantage(source, limits.level, limits.margin))

        found = {name: ask(run) for name, run in zip(study.names(runs), runs, strict=True)}
        answers = {name: result for name, result in found.items() if result is not None}
        if len(answers) < 2:
            continue
        results += answers.values()
        if difference := study.ask(f"compare:{players}", lambda runs=runs: _difference(study, runs)):  # type: ignore[misc]
            compared.append(difference)
        series = {name: result.table for name, result in answers.items()}
        title = words("figure.versions", players=players)
        figure = Slope(series, limits.margin, words=words)
        blocks.append(Picture(f"versions-{players}-players", title, figure, words("caption.versions")))
        rows = [(name, *astuple(result.distance)) for name, result in answers.items()]
        distances = pl.DataFrame(rows, SCHEMA, orient="row")
        blocks.append(
            table(
                words,
                f"versions-{players}-players-distance",
                words("table.distances", players=players),
                distances,
                DISTANCES,
                words("caption.distances"),
            )
        )
    if not blocks:
        return None
    return Section(
        "versions",
        words("section.versions"),
        tuple(item for one in compared for item in sentences(words, one)),
        tuple(blocks),
        notes(words, *results, *compared) + failures(study, "versions"),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def _difference(study: Study, runs: Sequence[Source]) -> Comparison | None:
    """Return the comparison of each run with the first, as by `equipoise compare`; None if a run was cut short."""
    short = {str(run.folder) for run in study.runs if run.manifest.games_written < run.manifest.games}
    if any(run.label in short for run in runs):
        return None
    return compare_sources({run.label: run for run in runs}, study.thresholds.level)
