"""The section on cards in a game with camps and without a score: whose wins the cards change."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analysis.runs import load
from reports.page import Section, Table
from reports.sections.cards import cards
from reports.study.study import Study, Thresholds
from reports.words import Words
from tests.reports.conftest import Make


@pytest.fixture(scope="module")
def run(simulated: Make) -> Path:
    """A few games of a lord against two tenants."""
    options = "--game", "seigneurial", "--players", 3, "--games", 60
    return simulated("cards-of-the-lord", *options, "--strategies", "lord=bailiff,tenant=gatherer")


def section(run: Path, lang: str) -> Section:
    found = cards(Study((load(run),), Thresholds(deals=60), Words(lang)))
    assert found is not None
    return found


def test_the_section_speaks_of_wins_by_camp_and_seat(run: Path) -> None:
    found = section(run, "en")
    tables = {block.name: block.frame for block in found.blocks if isinstance(block, Table)}
    name = "cards-card-3"
    names = [f"{name}-corners", name, f"{name}-by-camp", f"{name}-by-seat", "cards-objective-card-3"]
    assert [block.name for block in found.blocks] == names
    camps, seats = tables[f"{name}-by-camp"], tables[f"{name}-by-seat"]
    assert len(set(camps["group"])) == 2
    assert set(seats["group"]) == {"seat 1", "seat 2", "seat 3"}
    both = camps.group_by("card").agg(pl.col("effect").sum().alias("total"), pl.col("effect").max().alias("most"))
    assert both["total"].abs().max() == pytest.approx(0), "what one camp gains the other one loses"
    assert both["most"].max() > 0


def test_it_speaks_french(run: Path) -> None:
    tables = [block for block in section(run, "fr").blocks if isinstance(block, Table)]
    shown = {cell.text for table in tables for row in table.rows for cell in row}
    assert "siège 1" in shown
    assert "seat 1" not in shown
