"""Fief 2: cards, money, soldiers, rebels, lords, titles and scores of replay logs add up."""

from __future__ import annotations

import copy

import pytest

from simcore.running.replay import replays
from strategies.spec import make_spec
from tests.simcore.games.fief_ledger import problems

GAMES = 12


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("strategies", [["random"], ["steward"]])
def test_logs_add_up(players: int, strategies: list[str]) -> None:
    for game in replays(make_spec("fief-2", players, strategies, seed=11), 0, GAMES):
        assert problems(game.header, list(game.records)) == [], game.header["game_id"]


def test_the_ledger_finds_false_logs() -> None:
    """A coin, a soldier, a card, a title or a place too many is found."""
    game = next(replays(make_spec("fief-2", 4, ["steward"], seed=11), 0, 1))
    changes = {"money": ("amount", 1), "pawns": ("delta", 1), "move": ("card", 1), "turn_end": ("titles", [9] * 4)}
    changes |= {"end": ("place", [4] * 4), "revenue": ("land", 1), "building": ("from", 1)}
    for kind, (field, more) in changes.items():
        records = copy.deepcopy(list(game.records))
        record = [record for record in records if record["kind"] == kind][-1]
        record[field] = record[field] + more
        assert problems(game.header, records), kind
