"""What a game's descriptor says of itself."""

from __future__ import annotations

from dataclasses import replace

from simcore.game import load_game


def test_the_numbers_of_players_are_named_as_messages_need_them() -> None:
    game = load_game("middle-ages")
    assert game.span == "2 to 5 players"
    assert replace(game, players=range(2, 3)).span == "2 players"
