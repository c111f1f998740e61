"""docs/findings/middle-ages.md is what its template and its numbers give, and its sentences hold."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS, STUDY = ROOT / "docs/findings", ROOT / "studies/middle_ages"


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return module("write", monkeypatch)


@pytest.fixture
def found() -> dict[str, Any]:
    return json.loads((STUDY / "found.json").read_text(encoding="utf-8"))


def module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDY))
    monkeypatch.chdir(ROOT)
    for own in ("write", "measure", "mending"):
        monkeypatch.delitem(sys.modules, own, raising=False)
    return import_module(name)


def test_page_is_what_its_numbers_give(writing: ModuleType, found: dict[str, Any]) -> None:
    assert writing.page(found) == (DOCS / "middle-ages.md").read_text(encoding="utf-8"), (
        "run: python studies/middle_ages --only none"
    )
    assert not list(writing.broken(found))


def test_sentences_are_held_to_the_numbers(writing: ModuleType, found: dict[str, Any]) -> None:
    """The other way round: seats that are fair break what is said of them."""
    found["seats"]["4"]["champion"]["seats"].reverse()
    assert "4 champions: every seat wins more than the next" in list(writing.broken(found))


def test_numbers_are_what_this_version_plays(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]) -> None:
    """Seats as printed, by the seed that the page names, and with the coins that were found on other deals."""
    mending = module("mending", monkeypatch)
    games, seeds = found["seats"]["4"]["champion"]["seats"][0]["games"], found["seeds"]
    printed = mending.Change("printed", "as printed")
    assert mending.seat_table(printed.spec(4, "champion", games)) == found["seats"]["4"]["champion"]
    assert printed.spec(4, "champion", games).seed == seeds["judged"] != seeds["chosen"]
    for players, told in found["mending"].items():
        for key in ("paid", "both"):
            assert told[key]["coins"] == found["mended"][key]["players"][players]["coins"]


def test_players_for_changed_rules_come_with_the_study(monkeypatch: pytest.MonkeyPatch, found: dict[str, Any]) -> None:
    """Tuning them again would take most of the time that the page takes; a test would tune if one were missing."""
    mending = module("mending", monkeypatch)
    monkeypatch.setattr(mending.subprocess, "run", lambda *words, **more: pytest.fail("a player is missing"))
    gentle = mending.Change("gentle", "", mending.GENTLE)
    files = [Path(mending.tuned(gentle, players)) for players in mending.PLAYERS]
    assert all(file.is_file() for file in files)
    assert len(list((STUDY / "tuned").glob("*.toml"))) == sum("tuned" in row for row in rows(found))


def rows(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the changes whose players were tuned for them; the line with both uses those of another."""
    return [row for told in found["mending"].values() for key, row in told.items() if key != "both"]


def test_causes_are_named_only_where_something_was_changed(writing: ModuleType, found: dict[str, Any]) -> None:
    """What was counted among the seats stands under a heading that says so, and gives no reason."""
    page = writing.page(found)
    counted = page.partition("**How the seats differ.**")[2].partition("## What would correct it")[0]
    assert "nothing was changed" in counted
    for word in ("because", "reason is", "pays for itself", "that is why", "therefore"):
        assert word not in counted
    head = page.partition("## In short")[2].partition("\n## ")[0]
    assert "first Rampart" not in head, "55 % of those who take it win, but 46 % would by their seats alone"
