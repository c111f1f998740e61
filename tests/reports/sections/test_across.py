"""Several runs side by side: cards, empty kinds, drama, economy and box, one column a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.api import counterfactual, drama
from analysis.data.sources import RunSource, played
from analysis.runs import load
from reports.page import Report
from reports.sections.across import compared
from reports.study.study import Study


def names(report: Report) -> set[str]:
    return {block.name for block in (*report.pictures, *report.tables)}


def test_each_run_has_a_column(report: Report) -> None:
    """The strong and the weak run have the same players; the table of different strategies stands with neither."""
    table = next(item for item in report.tables if item.name == "drama-by-run")
    assert len(table.headings) == 3
    assert {"skill", "empty-by-run", "drama-by-run", "economy-by-run", "components-by-run"} <= names(report)


def test_the_numbers_are_those_of_the_single_analyses(runs: dict[str, Path], report: Report) -> None:
    weak = RunSource(load(runs["weak"]))
    chart = next(item for item in report.pictures if item.name == "skill_others").figure.data()
    own = {row["card"]: row["effect"] for row in counterfactual(weak, deals=200).effects().iter_rows(named=True)}
    rows = chart.filter((chart["skill"] == "greedy") & chart["measure"].str.starts_with("Events"))
    assert dict(zip(rows["row"], rows["value"], strict=True)) == own
    frame = next(item for item in report.tables if item.name == "drama-by-run").frame
    told = frame.filter((frame["what"] == "lead_changes") & (frame["run"] == frame["run"][0]))["value"][0]
    assert told == pytest.approx(drama(played(weak, 400)).table["lead_changes"][0])


def test_one_run_stands_alone(runs: dict[str, Path], french: Report) -> None:
    assert compared(Study((load(runs["strong"]),))) == ()
    assert not {name for name in names(french) if name.endswith("-by-run")}
