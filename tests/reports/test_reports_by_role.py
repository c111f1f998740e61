"""The report on a game with roles and without a score: the small game of tests/games, from runs to the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.runs import load
from reports.page import Report
from reports.render.html import to_html
from reports.render.markdown import to_markdown
from reports.study.study import Study, by_skill, companies, place, plan
from strategies.skill import ladder, rungs, weak
from tests.reports.conftest import Make, make_report
from tests.toy import TOY

MIXED = "warlord=schemer,burgher=giver,burgher=steward,burgher=warden"
SCORED = ("score", "points of score", "mean score")


@pytest.fixture(scope="module")
def besieged(simulated: Make) -> list[Path]:
    """Runs of 4 players: weak players, strong players, and different burghers."""
    return [
        simulated("siege-weak", "--game", TOY, "--games", 900, "--strategies", "warlord=random,burgher=random"),
        simulated("siege-strong", "--game", TOY, "--games", 900, "--detail", "full", "--seed", 2),
        simulated("siege-mixed", "--game", TOY, "--games", 900, "--strategies", MIXED),
    ]


@pytest.fixture(scope="module")
def english(besieged: list[Path]) -> Report:
    return make_report(besieged)


def test_a_rung_seats_a_strategy_for_each_role() -> None:
    assert rungs(TOY) == ({"warlord": "random", "burgher": "random"}, {"warlord": "schemer", "burgher": "steward"})
    assert ladder(TOY, "burgher") == ("random", "steward")
    assert weak(TOY) == ("random", "greedy")
    assert rungs("middle-ages")[0] == {"player": "random"}


def test_tables_mix_the_strategies_of_one_role() -> None:
    found = companies(TOY, 4)
    assert found
    for table in found:
        assert isinstance(table, dict)
        assert [role for role, names in table.items() if len(set(names)) > 1] == ["burgher"]


def test_the_plan_seats_every_role_at_every_number_of_players() -> None:
    planned = {item.name: item.spec for item in plan(TOY, 60)}
    assert {f"{players}p-{label}" for players in range(3, 9) for label in ("random", "schemer-steward")} <= set(planned)
    assert planned["4p-schemer-steward"].strategies == ("schemer", "steward", "steward", "steward")


def test_runs_of_roles_have_their_place_on_the_ladder(besieged: list[Path]) -> None:
    study = Study(tuple(load(folder) for folder in reversed(besieged)))
    assert [place(source) for source in by_skill(study.ladder(4))] == [0, 1]
    assert [source.strategies for source in study.rungs(4)] == [("random",), ("schemer", "steward")]
    assert study.focus.strategies == ("schemer", "steward")


def test_the_first_verdict_is_camp_against_camp(english: Report) -> None:
    assert english.sections[0].sentences[0].text.startswith("Warlord: ")
    assert any(sentence.text.startswith("Burgher: ") for sentence in english.sections[0].sentences)


def test_every_section_speaks_of_roles_and_none_of_scores(english: Report) -> None:
    names = [section.name for section in english.sections]
    assert names[:2] == ["seats", "skill"]
    assert "economy" not in names
    text = to_markdown(english, "figures")
    for title in (
        "Camps in numbers",
        "| Burgher | giver |",
        "above its share of the role's wins",
        "as multiples of its par",
    ):
        assert title in text, title
    assert not [word for word in SCORED if f"| {word} |" in text]
    assert not [note for section in english.sections for note in section.notes if "needs" in note]


def test_figures_draw_each_seat_against_its_own_par(english: Report) -> None:
    page = to_html(english)
    assert "each against its own par" in page
    assert "Letters and colours" not in page, "the axis names the roles"


def test_french_has_words_for_camps(besieged: list[Path]) -> None:
    text = to_markdown(make_report(besieged, "fr"), "figures")
    assert " camp" in text
    assert "Les camps en chiffres" in text
    for english_word in ("The camp", "wins more than", " par of "):
        assert english_word not in text
