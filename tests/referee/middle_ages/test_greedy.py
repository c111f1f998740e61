"""Seats that play `greedy` are held to the letter of the rulings' reference policy."""

from collections.abc import Callable
from typing import Any

import pytest

from . import check
from .player import Game, Player


class Careless(Game):
    """Plays `greedy`, but decides at random inside one method."""

    careless_in = ""

    def __getattribute__(self, name: str) -> Any:
        method = super().__getattribute__(name)
        if name != super().__getattribute__("careless_in"):
            return method

        def decide(*arguments: Any) -> Any:
            player = next(each for each in arguments if type(each) is dict)
            player["greedy"] = False
            made = method(*arguments)
            player["greedy"] = True
            return made

        return decide


@pytest.mark.parametrize(
    ("method", "messages"),
    [
        ("place_lord", {"(lord): col"}),
        ("send_scout", {"(effect): (row,"}),
        ("restore", {"(effect): tile", "(event): restored"}),
        ("church", {"(effect): slot"}),
        ("palace", {"(effect): (slot,"}),
        ("lose", {"(event): buried"}),
    ],
)
def test_greedy_is_held_to_the_letter(method: str, messages: set[str]) -> None:
    """Games that are `greedy` but for one sort of choice are found out by that choice alone."""
    found = set()
    for seed in range(16):
        events = ["restoration", "earthquake", "black_death", "restoration"]
        game = Careless(seed, ["greedy"] * 4, events)
        game.careless_in = method
        for message in check(game.play(), standard=False):
            head, said = message.split(" is greedy: ")
            found.add(head[head.index("(") : head.index(")") + 3] + said.split(" ")[0])
    assert found == messages


class LastAmongEquals(Game):
    """Plays `greedy` with the ties broken the wrong way."""

    def pick(self, player: Player, options: list[Any], score: Callable[[Any], int]) -> Any:
        return super().pick(player, options[::-1], score)


def test_greedy_takes_the_first_among_equals() -> None:
    found = [check(LastAmongEquals(seed, ["greedy"] * 3).play()) for seed in range(10)]
    assert all(messages and all("is greedy" in message for message in messages) for messages in found)
