"""The report on Seigneurial: its own words for roles, camps, cards and endings, in both languages."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from equipoise.cli import app
from reports.page import Listing, Picture, Report, Section, Table
from reports.render.markdown import to_markdown
from simcore.running.batch import run_chunk
from tests.reports.conftest import Make, make_report
from tests.specs import make_spec

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


DEALS = 60
LINE = {"lord": ["bailiff"], "tenant": ["gatherer"]}


@pytest.fixture(scope="module")
def english(runs: list[Path]) -> Report:
    return make_report(runs, deals=DEALS)


@pytest.fixture(scope="module")
def french(runs: list[Path]) -> Report:
    return make_report(runs, "fr", deals=DEALS)


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
    assert set(frames["cards-card-3"]["card"]) >= {"royal_favour", "windfall"}


def test_camps_and_roles_have_their_names_in_both_languages(english: Report, french: Report) -> None:
    assert "Lord: too strong. They win" in verdicts(english)
    text = to_markdown(french, "figures")
    assert "Le camp Seigneur est trop fort" in verdicts(french)
    for english_name in ("camp Lord", "camp tenants", "| Lord |", "| Tenant |", "| tenants |", "Tenant :"):
        assert english_name not in text
    assert "| Censitaires |" in text and "| Censitaire |" in text


def test_what_depends_on_skill_is_said_without_sides(english: Report, french: Report) -> None:
    """A share of the games has no side of par on which it could lie."""
    assert "How games end: this depends on skill, and" in verdicts(english)
    assert not any(f"{form} sides" in verdicts(english) for form in ("change of", "change", "changes"))
    assert "cela dépend du niveau de jeu, surtout pour" in verdicts(french)


def test_a_game_without_a_score_is_not_said_to_have_one(english: Report) -> None:
    text = to_markdown(english, "figures")
    assert "score" not in text
    assert "percent: 12 values. Largest:" in text, "the win share of an Objective is no effect"
    assert "| margin |" not in text


def section(report: Report, name: str) -> Section:
    return next(found for found in report.sections if found.name == name)


def frame(report: Report, name: str) -> pl.DataFrame:
    return next(block.frame for block in section(report, name).blocks if isinstance(block, Table))


# --- what a player needs, and what causes the lord's share ---


def lords_share(*settings: str) -> float:
    """Return how often the lord wins the deals that the report plays again."""
    spec = make_spec(3, LINE, settings, game="seigneurial", games=DEALS)
    return float(run_chunk(spec, 0, DEALS)["share60"].reshape(DEALS, 3)[:, 0].mean() / 60)


def test_the_report_says_what_each_role_needs(english: Report, french: Report) -> None:
    costs = {(row["role"], row["restriction"]): row for row in frame(english, "needs").iter_rows(named=True)}
    assert set(costs) == {
        *(("tenant", name) for name in ("cards", "favour", "refusing", "laying", "church", "mill")),
        ("lord", "cards"),
    }
    assert costs["lord", "cards"]["free"] == pytest.approx(lords_share())
    assert costs["lord", "cards"]["cost_low"] > 0, "the cards of bailiff win games"
    assert costs["tenant", "refusing"]["changed"] == 0, "gatherer always pays if he can"
    said = " ".join(sentence.text for sentence in section(english, "needs").sentences)
    assert "The most costly restriction for bailiff: playing cards. If playing cards is forbidden" in said
    assert "jouer des cartes" in section(french, "needs").sentences[0].text
    drawn = [block for block in section(english, "needs").blocks if isinstance(block, Picture)]
    assert any("playing cards" in picture.figure.alt_text for picture in drawn)
    (listed,) = (block for block in section(english, "needs").blocks if isinstance(block, Listing))
    again = CliRunner().invoke(app, [*shlex.split(listed.lines[0])[1:], "--json"])
    (row,) = json.loads(again.stdout)["results"][0]["table"]
    assert row["share"] == pytest.approx(costs["lord", "cards"]["share"])


def test_levers_are_among_the_causes(english: Report) -> None:
    found = frame(english, "causes")
    levers = {name.partition(".")[0] for name in found.filter(pl.col("kind") == "lever")["name"]}
    assert levers == {"objective_extra", "track", "rent", "draws", "due", "favour_price", "plays", "unpaid_cards"}
    ends = found.filter((pl.col("name") == "due") & (pl.col("new") == "0"))
    assert ends["after"].item() == pytest.approx(abs(2 * lords_share("due=0") - 1), abs=0.2)
