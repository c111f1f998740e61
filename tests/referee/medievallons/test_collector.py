"""Seats that play `collector` or `random` are held to the letter of the rulings' reference policies."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from . import Session, check
from .observer import Observer
from .player import Card, Deal


class Careless(Deal):
    """Plays `collector`, but decides at random inside one method."""

    careless_in = ""
    astray = False

    def collects(self, seat: int) -> bool:
        return super().collects(seat) and not self.astray

    def __getattribute__(self, name: str) -> Any:
        method = super().__getattribute__(name)
        if name != super().__getattribute__("careless_in"):
            return method

        def decide(*arguments: Any) -> Any:
            self.astray = True
            made = method(*arguments)
            self.astray = False
            return made

        return decide


def violations(careless_in: str, seeds: int = 15) -> Counter[str]:
    """Count the kinds of record at which careless collectors are found out."""
    found: Counter[str] = Counter()
    for seed in range(seeds):
        deal = Careless(seed, ["collector"] * (2 + seed % 5))
        deal.careless_in = careless_in
        for message in check(deal.play()):
            assert " is a collector: " in message
            found[message[message.index("(") + 1 : message.index(")")]] += 1
    return found


@pytest.mark.parametrize(
    ("method", "kinds"),
    [("", set()), ("pick_player", {"power"}), ("pick_type", {"action", "power", "choice"}), ("give", {"choice"})],
)
def test_collector_is_held_to_the_letter(method: str, kinds: set[str]) -> None:
    """Deals that are `collector`'s but for one sort of choice are found out by that choice alone."""
    assert violations(method).keys() == kinds


class LastAmongEquals(Deal):
    """Plays `collector` with the ties broken the wrong way."""

    def pick(self, seat: int, options: list[Any], score: Callable[[Any], Any]) -> Any:
        return super().pick(seat, options[::-1], score)


def test_collector_takes_the_first_among_equals() -> None:
    found = [check(LastAmongEquals(seed, ["collector"] * 3).play()) for seed in range(10)]
    assert all(messages and all("is a collector" in message for message in messages) for messages in found)


class Hasty(Deal):
    """Plays `collector`, but never lays a guild as long as there is a card to play."""

    def layable(self, seat: int) -> dict[str, list[Card]]:
        return {} if any(card["type"] != "jester" for card in self.hand(seat)) else super().layable(seat)


class Generous(Deal):
    """Plays `random`, but lays and reinforces with a Jester more than it must."""

    def dabble(self, seat: int) -> tuple[Any, ...]:
        action, name, place, cards = super().dabble(seat)
        if action in ("lay", "reinforce"):
            cards = cards + [card for card in self.hand(seat) if card["type"] == "jester" and card not in cards][:1]
        return action, name, place, cards


def test_actions_are_held_to_the_letter() -> None:
    found = [message for seed in range(20) for message in check(Hasty(seed, ["collector"] * 3).play())]
    assert found
    assert all("(action): seat" in message and "expected ('lay'" in message for message in found)
    found = [message for seed in range(20) for message in check(Generous(seed, ["random"] * 3).play())]
    assert {message.split(" is random: ")[1].split()[0] for message in found} == {"lays", "reinforces"}


def test_observer_hears_of_every_sort_of_choice() -> None:
    observer = Observer()
    session = Session(observer=observer)
    for seed in range(30):
        assert session.check(Deal(seed, ["random"] * (3 + seed % 4)).play()) == []
    targets = {f"target of {power}" for power in ("knight", "merchant", "beggar", "priest")}
    given = {f"cards given to {power}" for power in ("merchant", "noble", "priest")}
    assert {what for what, _ in observer.taken} == targets | given | {
        "action",
        "type played",
        "type laid",
        "guild reinforced",
        "type added",
        "guild used",
        "type named by knight",
        "guild of assassin",
        "type hit by assassin",
        "guild of rogue",
        "type taken by rogue",
        "guild of witch",
        "card kept by magician",
        "card begged",
        "type taken by priest",
    }
