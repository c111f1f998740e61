"""The making of a report: its sections are counted as they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.data.accumulate import accumulate
from analysis.data.source import Block
from analysis.runs import load
from reports.render.html import to_html
from reports.study.compose import compose
from reports.study.study import JUDGED, Study, Thresholds
from simcore.running.batch import play_into
from tests.reports.conftest import Make


def test_progress_counts_the_sections_and_names_the_one_under_way(runs: dict[str, Path]) -> None:
    heard: list[tuple[int, int, str]] = []
    study = Study((load(runs["mixed"]),), Thresholds(deals=20), tick=lambda *told: heard.append(told), quick=True)
    report = compose(study)
    figures = len(report.pictures)
    drawn = iter(range(1, figures + 1))
    to_html(report, lambda: study.advance(next(drawn) / figures))
    assert {sections for _, sections, _ in heard} == {5}
    steps = list(dict.fromkeys((done, what.partition(",")[0]) for done, _, what in heard))
    assert steps == [(0, "seats"), (1, "causes"), (2, "skill"), (3, "cards"), (4, "figures")]
    assert (3, 5, "cards, 100%") in heard
    assert heard[-1] == (4, 5, "figures, 100%")


def test_runs_of_the_printed_rules_have_a_name_beside_others(simulated: Make) -> None:
    how = "--game", "medievallons", "--players", 3, "--games", 60
    folders = [simulated(f"of-{rules}", *how, "--rules", rules) for rules in ("base", "larger-guilds")]
    study = Study(tuple(map(load, folders)))
    assert study.names(study.sources) == ["printed rules", "larger-guilds"]


@pytest.mark.parametrize("given", [["strong"], ["weak", "strong"]])
def test_the_answer_is_told_before_the_other_sections_are_made(given: list[str], runs: dict[str, Path]) -> None:
    heard: list[str] = []
    study = Study(
        tuple(load(runs[name]) for name in given),
        Thresholds(deals=20),
        tick=lambda done, sections, what: heard.append(what),
        quick=True,
        tell=lambda said: heard.append(f"told: {said}"),
    )
    report = compose(study)
    assert report.answer is not None
    told = f"told: {report.answer.sentence.text}"
    assert heard.count(told) == 1
    assert heard.index("seats") < heard.index(told) < heard.index("causes")


def test_cards_are_judged_on_the_deals_of_the_run_up_to_a_limit(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study((load(runs["strong"]),))
    assert (study.deals, JUDGED) == (600, 25_000)
    monkeypatch.setattr("reports.study.study.JUDGED", 100)
    assert study.deals == 100


def test_the_games_of_a_run_are_played_again_once(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def play(*given: Any, **named: Any) -> None:
        played.extend(given[1])
        play_into(*given, **named)

    monkeypatch.setattr("analysis.data.sources.play_into", play)
    study = Study((load(runs["mixed"]),))
    for _ in range(3):
        accumulate(study.deep, [study.focus.share], _Nothing)
    assert sorted(played) == list(range(800))


class _Nothing:
    """An analysis that counts nothing."""

    def add(self, block: Block) -> None: ...

    def merge(self, other: _Nothing) -> None: ...
