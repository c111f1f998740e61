"""Fief 2's own sections: the maps of the kingdom, and all that its events tell."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.games.fief_2.declarations import DECLARATIONS
from reports.page import Listing, Report, Table
from reports.render.images import svg
from reports.sections.breakdowns import dots
from reports.words import Words
from tests.reports.conftest import Make, make_report


@pytest.fixture(scope="module")
def page(simulated: Make) -> Report:
    """The French report of a small run of stewards."""
    options = "--game", "fief-2", "--strategies", "steward", "--games", 200, "--detail", "full", "--tables", "events"
    return make_report([simulated("kingdom", *options)], "fr", deals=40)


def test_the_maps_have_figures_at_every_village(page: Report) -> None:
    worth, life = (picture.figure for picture in page.pictures if picture.name.startswith("kingdom"))
    assert len(worth.data()) == len(life.data()) == 24
    assert "Bourg 100 % /" in life.alt_text.replace("\u202f", " ")
    assert worth.alt_text.count(";") >= 23


def test_every_question_of_the_game_has_its_section(page: Report) -> None:
    found = {section.name: section for section in page.sections}
    for topic in ("placing-order", "map", "scores", "accounts", "war", "scores-by-turn", "fights", "kingmaking-of"):
        section = found[f"own-{topic}"]
        assert section.short and section.blocks, topic
    assert found["cards"].blocks and "own-deaths-and-elections" in found


def test_what_pays_is_an_experiment(page: Report) -> None:
    """The same deals are played by a family that may not buy something; the page names the command."""
    section = next(section for section in page.sections if section.name == "needs")
    table, _, listing = section.blocks
    assert isinstance(table, Table) and isinstance(listing, Listing), "40 deals are too few for a picture"
    assert set(table.frame["restriction"]) == {"title", "cardinal", "castle", "mill", "press", "soldiers"}
    assert (table.frame["changed"] > 0).all() and "acheter des moulins" in {row[0].text for row in table.rows}
    assert (
        "--strategy steward --forbid title,cardinal,castle,mill,press,soldiers --games 160 --seed 1" in listing.lines[0]
    )


def test_the_only_series_that_is_known_is_drawn() -> None:
    """Families whose candidates are never consecrated win elections as well."""
    item = next(item for item in DECLARATIONS.breakdowns if item.name == "elected_first")
    rows = ["first_election", "second_election"]
    known = pl.DataFrame(
        {"row": rows, "series": ["refused"] * 2, "value": [2.2, 2.3], "value_low": [2.1, 2.2], "value_high": [2.3, 2.4]}
    )
    words = Words("fr").of_game("fief-2")
    drawn = svg(dots(words, item, known, rows, ["refused"]), "elected")
    assert "fois la part équitable (non sacré)" in drawn and "2,4" in drawn
