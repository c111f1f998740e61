"""Progress: how long the parts of a report are expected to take, before they are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cards.counterfactual import counterfactual
from analysis.runs import load
from equipoise.api.report_runs import _parts
from reports.compose import compose
from reports.html import to_html
from reports.sections import forecast
from reports.sections.across import card_games
from reports.study import Study, Thresholds
from tests.specs import make_spec


def test_progress_names_every_part_and_reaches_the_end(runs: dict[str, Path]) -> None:
    heard: list[tuple[float, str]] = []
    study = Study((load(runs["mixed"]),), Thresholds(deals=40), tick=lambda *told: heard.append(told), quick=True)
    report = compose(study)
    figures = len(report.pictures)
    drawn = iter(range(1, figures + 1))
    to_html(report, lambda: study.advance(next(drawn) / figures))
    shares = [share for share, _ in heard]
    assert [round(share, 9) for share in shares] == sorted(round(share, 9) for share in shares)
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)
    assert list(dict.fromkeys(what for _, what in heard)) == ["seats", "skill", "cards", "figures"]


def test_what_cards_take_is_known_before(runs: dict[str, Path]) -> None:
    """The games that were expected are those that were played."""
    study = Study((load(runs["strong"]),), Thresholds(deals=50), tick=lambda share, what: None)
    expected = card_games(study, study.focus)
    assert counterfactual(study.focus, deals=50).games_played == expected
    assert study.seconds(study.focus, expected) > 0


def test_nothing_is_measured_where_nobody_follows(runs: dict[str, Path]) -> None:
    study = Study((load(runs["strong"]),))
    assert study.seconds(study.focus, 1000) == 0
    assert forecast.cards(study) == 1


def test_slow_players_get_the_time_that_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game of players who look ahead takes a thousand times as long, their few games are most of the work."""
    monkeypatch.setattr("equipoise.api.report_runs.seconds_per_game", lambda spec: 0.05 if spec.searches else 0.00005)
    quick, slow = _parts([make_spec(4, ["greedy"], games=20_000), make_spec(4, ["rollout"], games=200)], True)
    assert 5 < slow / quick < 10  # 10 s of games to 1 s, and a run has to begin and to end
    assert quick + slow == pytest.approx(1)
