"""What the referee of Seigneurial knows of the rent: the call, payments, and what is not paid."""

from typing import Any

import pytest

from .scene import Scene, a_call, action, move


def test_rounds_of_payment() -> None:
    scene = Scene()
    scene.hold(2, "wood2 wood1 fish1")
    scene.hold(4, "wood4")
    scene.table.now.first = 4
    scene.table.now.demand = {"wood": 3, "fish": 0, "grain": 0}
    records = [
        action(4, "lay", card="wood4"),
        move("wood4", "hand 4", "table", "lay"),
        action(2, "lay", card="wood2"),
        move("wood2", "hand 2", "table", "lay"),  # covered or not
        action(3, "lay", card=None),
        action(4, "lay", card=None),
        action(2, "lay", card=None),
    ]
    assert scene.follow(scene.walk.pay, *records) == []
    assert scene.table.laid_points("wood") == 6
    (message,) = scene.follow(scene.walk.pay, action(4, "lay", card=None), action(2, "lay", card="fish1"))
    assert "lay 'fish1' is illegal" in message  # no fish is asked for


def test_secret_payment() -> None:
    scene = Scene(3, payment="secret")
    scene.hold(2, "wood2 wood1")
    scene.table.now.demand = {"wood": 1, "fish": 0, "grain": 0}
    records = [
        action(2, "lay", card="wood2"),
        move("wood2", "hand 2", "table", "lay"),
        action(2, "lay", card="wood1"),
        move("wood1", "hand 2", "table", "lay"),
        action(2, "lay", card=None),
        action(3, "lay", card=None),
    ]
    assert scene.follow(scene.walk.pay, *records) == []


def drawn(seat: int, card: str, kept: bool) -> list[dict[str, Any]]:
    """Return the records of a card that the lord draws."""
    record = {"kind": "draw", "seat": seat, "card": card, "kept": kept}
    return [record] + [move(card, f"hand {seat}", "table", "draw")] * kept


def test_the_lord_draws_from_least_to_most() -> None:
    scene = a_call()
    records = [action(1, "next", target=3), *drawn(3, "wood3", True), *drawn(2, "fish1", False)]
    assert scene.follow(scene.walk.lord_takes, *records, *drawn(4, "wood4", True)) == []
    assert scene.table.short() == ["wood"]


def test_further_draws_come_in_rounds_or_at_once() -> None:
    first = [action(1, "next", target=3), *drawn(3, "wood3", True)]
    two, four = [*drawn(2, "fish1", False)], [*drawn(4, "wood1", True)]
    scene = a_call(draws=[2, 2])
    rest = [*drawn(3, "wood2", True), *drawn(2, "fish1", False), *drawn(4, "wood4", True)]
    assert scene.follow(scene.walk.lord_takes, *first, *two, *four, *rest) == []
    scene = a_call(draws=[2, 2], second_draw="same_tenant")
    both = [*first, *drawn(3, "wood2", True), *two, *drawn(2, "fish1", False), *four]
    assert scene.follow(scene.walk.lord_takes, *both, *drawn(4, "wood4", True)) == []


def test_the_lord_stops_when_nothing_is_short() -> None:
    scene = a_call()
    scene.table.now.demand = {"wood": 3, "fish": 0, "grain": 0}
    records = [action(1, "next", target=3), *drawn(3, "wood3", True)]
    assert scene.follow(scene.walk.lord_takes, *records) == []


def test_shelter_inspection_and_limits() -> None:
    scene = a_call()
    scene.table.now.sheltered.add(3)
    scene.table.now.inspected.add(2)
    scene.table.now.draws[4] = -1
    records = [action(1, "pick", card="wood1"), *drawn(2, "wood1", True)]
    assert scene.follow(scene.walk.lord_takes, *records) == []


def test_least_may_count_cards() -> None:
    scene = a_call(least="cards")
    scene.table.now.laid_cards.update({2: 3, 3: 2})
    order = [*drawn(4, "wood4", True), *drawn(3, "wood3", True), *drawn(2, "wood1", True)]
    assert scene.follow(scene.walk.lord_takes, *order) == []


@pytest.mark.parametrize(("unpaid", "cards"), [("voluntary", 1), ("any", 0)])
def test_a_card_for_a_rent_unpaid(unpaid: str, cards: int) -> None:
    scene = a_call(unpaid=unpaid)
    scene.table.now.laid_cards.clear()
    scene.pile("lord", "fever")
    scene.table.now.kept_cards = 1
    records = [move("fever", "deck", "hand 1", "unpaid")] * cards
    assert scene.follow(scene.walk.clear_table, *records) == []
