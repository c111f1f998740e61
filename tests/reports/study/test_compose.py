"""The making of a report: its sections are counted as they are made."""

from __future__ import annotations

from pathlib import Path

from analysis.runs import load
from reports.render.html import to_html
from reports.study.compose import compose
from reports.study.study import Study, Thresholds


def test_progress_counts_the_sections_and_names_the_one_under_way(runs: dict[str, Path]) -> None:
    heard: list[tuple[int, int, str]] = []
    study = Study((load(runs["mixed"]),), Thresholds(deals=40), tick=lambda *told: heard.append(told), quick=True)
    report = compose(study)
    figures = len(report.pictures)
    drawn = iter(range(1, figures + 1))
    to_html(report, lambda: study.advance(next(drawn) / figures))
    assert {sections for _, sections, _ in heard} == {5}
    steps = list(dict.fromkeys((done, what.partition(",")[0]) for done, _, what in heard))
    assert steps == [(0, "seats"), (1, "causes"), (2, "skill"), (3, "cards"), (4, "figures")]
    assert (3, 5, "cards, 100%") in heard
    assert heard[-1] == (4, 5, "figures, 100%")
