"""Fief 2: cards, money, soldiers, rebels, lords, titles and scores of replay logs add up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simcore.running.replay import replays
from strategies.spec import make_spec
from tests.golden.transcripts import FOLDER
from tests.simcore.games.fief_ledger import problems

GAMES = 12


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("strategies", [["random"], ["steward"]])
def test_logs_add_up(players: int, strategies: list[str]) -> None:
    for game in replays(make_spec("fief-2", players, strategies, seed=11), 0, GAMES):
        assert problems(game.header, list(game.records)) == [], game.header["game_id"]


FALSE = [
    ("money", {}, "amount", 1), ("pawns", {"what": "soldiers"}, "delta", 1), ("turn_end", {}, "titles", [9]),
    ("end", {}, "place", [3]), ("revenue", {}, "land", 1), ("building", {}, "from", 1),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "having", "field", "more"), FALSE)
def test_the_ledger_finds_false_logs(kind: str, having: dict[str, str], field: str, more: Any) -> None:
    """A coin, a soldier, a title, a place or a building too many is found."""
    lines = (FOLDER / "fief-2-3-steward.jsonl").read_text(encoding="utf-8").splitlines()
    header, *records = map(json.loads, lines)
    assert problems(header, records) == []
    record = [record for record in records if record["kind"] == kind and having.items() <= record.items()][-1]
    record[field] = record[field] + more
    assert problems(header, records)
