"""docs/findings/verdicts.md is what its numbers give, and this version plays these numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from studies import verdicts
from tests.analysis.levels import judged

FOUND: dict[str, Any] = json.loads(verdicts.FOUND.read_text(encoding="utf-8"))


def test_page_is_what_its_numbers_give() -> None:
    assert verdicts.page(FOUND) == verdicts.PAGE.read_text(encoding="utf-8"), "run: python -m studies.verdicts write"
    assert set(FOUND) <= {f"{game}/{players}/{skill}" for game, players, skill in verdicts.cells()}


@pytest.mark.parametrize("cell", ["medievallons/2/family", "seigneurial/3/club"])
def test_numbers_are_what_this_version_plays(cell: str) -> None:
    game, players, skill = cell.split("/")
    found = verdicts.measure(game, int(players), skill)
    furthest = {name: value for name, value in FOUND[cell].items() if name != "lines"}
    assert {name: found[name] for name in furthest} == pytest.approx(furthest)
    assert verdicts.verdict_of(found).status == found["status"], "the verdict can be made again from the cell"


def cell(*times: float, games: int = 1_000) -> dict[str, Any]:
    """Return a cell in which seats win these multiples of par."""
    said = judged(np.array(times) / len(times), games)
    assert said.lines is not None
    rows = [said.lines.about(at) | {"se": float(said.lines.se[at])} for at in range(len(times))]
    return {"status": said.status, "games": games, "lines": rows}


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (cell(1.5, 0.8, 0.9, 0.8), "**agree**"),
        (cell(1.5, 1.45, 0.5, 0.55), "agree; seat 1 or 2"),
        (cell(0.9, 1.6, 0.8, 0.7), "another seat"),
        (cell(0.7, 1.1, 1.1, 1.1), "the opposite"),
        (cell(1.1, 1.0, 0.95, 0.95), "too few (over 99 %)"),
        ({"status": "unclear"}, "–"),
    ],
)
def test_the_last_column_says_what_players_who_look_ahead_say_to_experts(search: dict[str, Any], said: str) -> None:
    experts = cell(1.35, 0.88, 0.88, 0.89, games=20_000)
    assert verdicts.agree(experts, search) == said
    assert verdicts.agree({"status": "unclear"}, search) == "–"


def test_a_cell_says_who_is_furthest_off_and_whether_that_is_sure() -> None:
    one = {"status": "tilted", "seat": 2, "share": 0.4, "low": 0.35, "high": 0.45}
    assert verdicts.told(one) == "**seat 2: 40.0 %** (35 to 45)"
    assert verdicts.told(one | {"status": "unclear"}) == "seat 2: 40.0 % (35 to 45)"
    assert verdicts.told({"status": "fair"}) == "fair"
