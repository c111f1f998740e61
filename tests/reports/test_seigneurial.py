"""The report on Seigneurial: its own words for roles, camps, cards and endings, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.markdown import to_markdown
from reports.page import Report, Table
from tests.reports.conftest import Make, make_report

TOPICS = ("ends", "objectives-and-hands", "rent-and-favour", "land-and-winter")
BREAKDOWNS = (
    "endings", "length", "when", "track", "course", "objectives", "nearness", "rents", "favours", "winters", "pawns",
)  # fmt: skip


@pytest.fixture(scope="module")
def runs(simulated: Make) -> list[Path]:
    """Games of weak and of strong players at a table of three."""
    options = ("--game", "seigneurial", "--players", 3, "--games", 2000, "--strategies")
    return [
        simulated("seigneurial-weak", *options, "lord=random,tenant=random"),
        simulated("seigneurial-strong", *options, "lord=bailiff,tenant=gatherer", "--detail", "full"),
    ]


@pytest.fixture(scope="module")
def english(runs: list[Path]) -> Report:
    return make_report(runs, deals=60)


@pytest.fixture(scope="module")
def french(runs: list[Path]) -> Report:
    return make_report(runs, "fr", deals=60)


def verdicts(report: Report) -> str:
    return "\n".join(sentence.text for sentence in report.verdicts)


def test_the_report_has_every_part_of_the_game(english: Report) -> None:
    names = [section.name.removeprefix("own-") for section in english.sections]
    for name in ("seats", "skill", "cards", "drama", *TOPICS):
        assert name in names
    tables = [block for section in english.sections for block in section.blocks if isinstance(block, Table)]
    frames = {block.name: block.frame for block in tables}
    for name in BREAKDOWNS:
        assert name in frames
    assert set(frames["favours"]["row"]) >= {"favour", "bought", "zeros"}
    assert set(frames["winters"]["row"]) == {"refusals", "unable", "illnesses"}
    assert set(frames["pawns"]["row"]) >= {"church", "mill"}
    assert set(frames["cards-by-camp"]["card"]) >= {"royal_favour", "windfall"}


def test_camps_and_roles_have_their_names_in_both_languages(english: Report, french: Report) -> None:
    assert "The camp Lord wins more than it should" in verdicts(english)
    text = to_markdown(french, "figures")
    assert "Le camp Seigneur gagne plus que sa part" in verdicts(french)
    for english_name in ("camp Lord", "camp tenants", "| Lord |", "| Tenant |", "| tenants |", "Tenant :"):
        assert english_name not in text
    assert "| Censitaires |" in text and "| Censitaire |" in text


def test_what_depends_on_skill_is_said_without_sides(english: Report, french: Report) -> None:
    """A share of the games has no side of par on which it could lie."""
    assert "How games end: this depends on skill, and" in verdicts(english)
    assert "change of sides" not in verdicts(english) and "change sides" not in verdicts(english)
    assert "cela dépend du niveau de jeu, surtout pour" in verdicts(french)


def test_a_game_without_a_score_is_not_said_to_have_one(english: Report) -> None:
    text = to_markdown(english, "figures")
    assert "score" not in text
    assert "percent: 12 values. Largest:" in text, "the win share of an Objective is no effect"
    assert "| margin |" not in text
