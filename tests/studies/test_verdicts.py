"""docs/verdicts.md is what its numbers give, and this version plays these numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studies import verdicts

FOUND: dict[str, Any] = json.loads(verdicts.FOUND.read_text(encoding="utf-8"))


def test_page_is_what_its_numbers_give() -> None:
    assert verdicts.page(FOUND) == verdicts.PAGE.read_text(encoding="utf-8"), "run: python -m studies.verdicts write"
    assert set(FOUND) <= {f"{game}/{players}/{skill}" for game, players, skill in verdicts.cells()}


@pytest.mark.parametrize("cell", ["medievallons/2/family", "seigneurial/3/club"])
def test_numbers_are_what_this_version_plays(cell: str) -> None:
    game, players, skill = cell.split("/")
    assert verdicts.measure(game, int(players), skill) == pytest.approx(FOUND[cell])


def test_a_cell_says_who_is_furthest_off_and_whether_that_is_sure() -> None:
    cell = {"status": "tilted", "seat": 2, "share": 0.4, "low": 0.35, "high": 0.45}
    assert verdicts.told(cell) == "**seat 2: 40.0 %** (35 to 45)"
    assert verdicts.told(cell | {"status": "unclear"}) == "seat 2: 40.0 % (35 to 45)"
    assert verdicts.told({"status": "fair"}) == "fair"
