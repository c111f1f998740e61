"""What makes the game uneven?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from analysis.causes import CONFIRMED, SCREENED, Causes
from analysis.causes import causes as find
from analysis.data.edits import Edit, Edits
from analysis.runs.manifest import versions
from reports.figures.forest import Forest, Panel
from reports.page import Column, Picture, Section, basis, sentences, table
from reports.sections.common import failures
from reports.study.study import Study
from reports.words import Words, told
from simcore.running.batch import Spec
from simcore.running.executors import default_threads
from strategies.tuning.plan import Budget
from strategies.tuning.retune import GENERATIONS, How, retune, steps

QUICK = 4
"""A quick report plays this many times fewer deals."""

CHANGES = (Column("change", "text"), Column("before", "apart", digits=1), Column("after", "apart", digits=1),
           Column("gone", "share", digits=0), Column("tuned", "share", digits=0))  # fmt: skip


def causes(study: Study) -> Section | None:
    """Return which changes bring the best and the worst seat closer, if the usual table is uneven."""
    words, source, limits = study.words, study.focus, study.thresholds
    judged = study.found(f"seats:{source.label}")
    tilted = judged is not None and any(verdict.status == "tilted" for verdict in judged.verdicts)
    if not tilted or not source.playable or source.mixed or source.spec.searches or source.judged.is_payoff:
        return None
    part = QUICK if study.quick else 1

    def ask() -> Causes:
        screened, confirmed = (min(deals // part, QUICK * study.deals) for deals in (SCREENED, CONFIRMED))
        tune = _tuned if confirmed == CONFIRMED and not study.quick else None
        return find(
            source.spec, screened, confirmed, limits.level, tick=lambda done, of: study.advance(done / of), tune=tune
        )

    result = study.ask("causes", ask)
    if result is None:
        return None
    names = pl.Series("change", [change_named(words, row) for row in result.table.iter_rows(named=True)], pl.String)
    whole, measured = result.table.with_columns(names), pl.col("gone_low").is_not_null()
    shown = whole.with_columns(pl.when(measured).then(pl.col("before", "after", "gone")))
    changes = table(words, "causes", words("table.causes"), shown, CHANGES, words("caption.causes"), folded=True)
    return Section(
        "causes",
        words("section.causes"),
        sentences(words, result),
        (*_picture(words, whole), replace(changes, frame=whole)),
        failures(study, "causes"),
        basis(words, *result.inputs),
    )


def _picture(words: Words, changes: pl.DataFrame) -> list[Picture]:
    """Return what part of the difference goes with each change that was measured, if any was."""
    series = {"gone": words("series.habit"), "tuned": words("series.tuned")}
    frame = pl.concat(
        changes.select("change", pl.lit(name).alias("series"), value=name, low=f"{name}_low", high=f"{name}_high")
        for name in series
    ).drop_nulls("low")
    if frame.is_empty():
        return []
    panel = Panel(words("axis.gone"), frame.select(pl.all(), row="change", stands=pl.col("low") > 0), percent=True)
    figure = Forest(frame["change"].unique(maintain_order=True).to_list(), [panel], series, words=words)
    return [Picture("causes", words("figure.causes"), figure, words("caption.causes_figure"))]


def _tuned(spec: Spec, number: int) -> Spec | None:
    """Return a run with players who were tuned for its rules; None if nobody plays them by habit."""
    if not steps(spec):
        return None
    return retune(spec, How(Budget(generations=GENERATIONS), default_threads(), versions(), number))[0]


def change_named(words: Words, row: Mapping[str, Any]) -> str:
    if row["kind"] in ("switch", "lever"):
        return told(words, Edits([Edit(row["name"], row["old"], row["new"])]))
    return words(f"cause.{row['kind']}", name=words.name(row["name"]))
