"""The answers of `bailiff` and `gatherer`, worked out by hand from the page, and what `random` does."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from . import check, player
from .pens import Writer
from .player import play
from .policies import Bailiff, Gatherer
from .rulebook import LORD, SQUARES, TYPES, Card, Effect
from .scene import Scene


def bailiff(**changes: Any) -> tuple[Scene, Bailiff]:
    scene = Scene(lord="bailiff", **changes)
    return scene, Bailiff(scene.table)


def gatherer(cards: str = "", objective: str = "settler", **changes: Any) -> tuple[Scene, Gatherer]:
    """Return a table of four at which seat 3, a settler (8 6 6), holds these cards."""
    scene = Scene(tenants="gatherer", pile=[4, 9, 9, 9, 9], **changes)
    scene.table.tenants[3].objective = objective
    scene.hold(3, cards)
    return scene, Gatherer(scene.table)


@pytest.mark.parametrize(
    ("ledger", "rent", "asked"),
    [
        ((6, 2, 1), 4, (3, 1, 0)),  # 6, 3, 2 (as much as the fish, but first), 2 fish
        ((6, 2, 1), 5, (4, 1, 0)),  # 1.5 wood are more than 1 fish or grain
        ((3, 3, 3), 5, (2, 2, 1)),  # ties in the order of the types
        ((0, 0, 0), 3, (3, 0, 0)),
        ((0, 4, 2), 4, (0, 3, 1)),
    ],
)
def test_rent_of_the_bailiff(ledger: tuple[int, int, int], rent: int, asked: tuple[int, int, int]) -> None:
    scene, policy = bailiff()
    scene.ledger(2, *ledger)
    splits = [(a, b, rent - a - b) for a in range(rent + 1) for b in range(rent - a + 1)]
    assert policy.rent(LORD, splits) == asked


def test_targets_of_the_bailiff() -> None:
    scene, policy = bailiff()
    for seat, cards in ((2, "wood1"), (3, "wood4 fish1"), (4, "wood1 wood1")):
        scene.hold(seat, cards)
    assert policy.target(LORD, [2, 3, 4]) == 3
    assert policy.next(LORD, [4, 2, 3]) == 4  # ties: the first in order
    assert policy.split(LORD, [3, 4]) == 3
    assert policy.split(LORD, [3, 4, 2]) == 2  # fewest resource cards
    assert policy.crown(LORD, [4, 2]) == 4


def test_types_and_squares_of_the_bailiff() -> None:
    scene, policy = bailiff()
    scene.ledger(2, 1, 0, 5)
    scene.ledger(3, 1, 4, 0)
    assert policy.what(LORD, SQUARES, [3]) == "river"  # the target's ledger
    assert policy.what(LORD, TYPES, None) == "grain"  # summed
    assert policy.what(LORD, ["wood", "fish"], None) == "fish"
    assert policy.what(LORD, ["church", "mill"], [3]) == "church"  # no land: the first


def test_the_bailiff_shifts_to_the_largest_ledger() -> None:
    scene, policy = bailiff()
    (card,) = (card for card in scene.setup.lord_cards if card.id == "other_goods")
    scene.table.now.demand = {"wood": 3, "fish": 1, "grain": 0}
    scene.ledger(2, 2, 1, 6)
    options = [(a, b, n) for a in ("wood", "fish") for b in TYPES if a != b for n in (1, 2)]
    assert policy.shift(LORD, options) == ("fish", "grain", 2)
    assert policy.play(LORD, [card]) == "other_goods"
    scene.ledger(2, 6, 6, 6)
    assert policy.play(LORD, [card]) is None


def test_an_inspected_hand() -> None:
    scene, policy = bailiff()
    scene.table.now.demand = {"wood": 1, "fish": 4, "grain": 0}
    assert policy.pick(LORD, ["wood4", "fish1", "fish3", "grain4"]) == "fish3"
    scene.table.now.kept["fish"] = 3
    assert policy.pick(LORD, ["wood2", "fish2"]) == "wood2"


@pytest.mark.parametrize(
    ("cards", "placed", "square"),
    [
        ("", [], "forest"),  # 8 6 6 needed
        ("wood4", [], "river"),  # 4 6 6
        ("wood4 wood4", ["river"], "field"),
        ("wood0 fish1", [], "mill"),  # a zero of a type in need
        ("wood0 fish1", ["mill"], "forest"),  # open again: a pawn is on the Mill
        ("wood0 wood4 wood4 fish4 fish2 grain4 grain2", [], "church"),  # nothing is needed
        ("wood4 wood4 fish4 fish2 grain4 grain2 remedy barter pedlar", [], "river"),  # least held, no room
        ("wood0 fish0 grain0 wood4 wood4 fish4 fish2 grain4 grain2 remedy barter pedlar", [], "forest"),  # the first
    ],
)
def test_squares_of_the_gatherer(cards: str, placed: list[str], square: str) -> None:
    _, policy = gatherer(cards)
    left = [each for each in SQUARES if each not in placed]
    assert policy.square(3, left, placed) == square


def test_cards_that_the_gatherer_plays() -> None:
    scene, policy = gatherer("wood4 wood3 wood2 pedlar barter")
    cards = {card.id: card for card in scene.setup.tenant_cards}
    assert policy.spare(3) == []  # 9 of 8 wood: 1 beyond
    assert policy.play(3, [cards["pedlar"], cards["barter"]]) is None
    scene.hold(3, "wood1")
    assert policy.spare(3) == ["wood1", "wood2"]
    assert policy.play(3, [cards["pedlar"], cards["barter"]]) == "pedlar"
    scene.hold(3, "fish0 grain0")
    assert policy.play(3, [cards["pedlar"], cards["barter"]]) == "barter"  # every type in need is blocked
    assert policy.play(3, [cards["own_millstone"], cards["windfall"]]) == "own_millstone"


def test_the_gatherer_grinds_no_zero_that_it_does_not_need() -> None:
    scene, policy = gatherer("wood4 wood4 wood0")
    cards = {card.id: card for card in scene.setup.tenant_cards}
    assert policy.play(3, [cards["own_millstone"]]) is None
    made = Card("mills", 1, ("rent",), (), (Effect("act", "tenants", "mill"),))
    assert policy.play(3, [made]) == "mills"  # the page speaks of `act self mill` alone


def test_types_of_the_gatherer() -> None:
    _, policy = gatherer("wood4 fish1 fish1")
    assert policy.what(3, TYPES, None) == "grain"
    assert policy.what(3, ["wood", "fish"], None) == "wood"  # 4 needed of each
    assert policy.improve(3, SQUARES[:3]) == "field"


def test_cards_that_the_gatherer_keeps() -> None:
    _, policy = gatherer()
    assert policy.keep(3, ["remedy", "pedlar"]) == "remedy"
    assert policy.drop(3, ["remedy", "pedlar", "complaint"]) == "complaint"


def test_parting_with_a_card() -> None:
    scene, policy = gatherer("wood4 wood4 wood2 fish1")
    assert policy.parted(3, ["wood2", "wood4", "fish1"]) == "wood2"  # 2 beyond
    assert policy.part(3, [None, "wood2", "wood4", "fish1"]) == "wood2"
    scene.play(lambda: scene.walk.discard_resource(3, "wood2", "card"))
    assert policy.part(3, [None, "wood4", "fish1"]) is None  # a trade stops
    assert policy.part(3, ["wood4", "fish1"]) == "wood4"  # a payment does not


def test_cards_that_the_gatherer_lays() -> None:
    scene, policy = gatherer("wood4 wood4 wood2 wood1 fish4 fish3")
    scene.table.now.demand = {"wood": 3, "fish": 2, "grain": 0}
    options = [None, *scene.table.faces(3, ["wood", "fish"])]
    assert policy.lay(3, options) == "wood1"
    scene.table.now.laid[2, "wood"] = 3
    assert policy.lay(3, options) is None  # covered; 7 of 6 fish, but no card of 1
    secret, hidden = gatherer("wood4 wood4 wood2 wood1", payment="secret")
    secret.table.now.demand = {"wood": 3, "fish": 2, "grain": 0}
    secret.table.now.laid[2, "wood"] = 3
    assert hidden.lay(3, [None, "wood1", "wood2", "wood4"]) == "wood1"  # he does not see it


def test_objective_of_the_gatherer() -> None:
    _, policy = gatherer("wood4 wood4 fish3", objective="settler")  # needs 0 3 6
    assert policy.objective(3, ["trader", "settler"]) == "settler"  # 1 + 8 against 9: the old one
    assert policy.objective(3, ["builder", "settler"]) == "settler"  # 3 + 6 against 9
    assert policy.objective(3, ["sawyer", "settler"]) == "settler"  # 11 against 9
    assert policy.objective(3, ["builder", "trader"]) == "builder"  # ties: the table


class Careless(Writer):
    """Decides by chance in one sort of decision, whatever the strategy."""

    careless_in = ""

    def decide(self, seat: int, action: str, options: Sequence[Any], wanted: Any, **fields: Any) -> Any:
        return super().decide(seat, action, options, None if action == self.careless_in else wanted, **fields)

    def place(self, seat: int, pawns: int, squares: Sequence[str], wanted: Any) -> list[str]:
        return super().place(seat, pawns, squares, None if self.careless_in == "place" else wanted)


@pytest.mark.parametrize(
    "action",
    ["play", "target", "what", "part", "winter", "place", "keep", "drop", "rent", "lay", "split", "next", "pick"],
)
def test_reference_policies_are_held_to_the_letter(action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are the reference policies' but for one sort of decision are found out by that decision alone."""
    monkeypatch.setattr(player, "Writer", Careless)
    monkeypatch.setattr(Careless, "careless_in", action)
    names = ["bailiff", "gatherer", "random", "gatherer"]
    caught = 0
    for seed in range(12):
        found = check(play(seed, names, max_seasons=12, hand_limit=1 + seed % 3))
        assert all(f"plays otherwise: {action} " in message for message in found)
        caught += bool(found)
        if caught == 2:
            return
    assert caught


def test_observer_hears_of_every_decision_of_random() -> None:
    met: dict[str, Counter[int]] = {}

    def observe(action: str, options: Sequence[Any], made: Any) -> None:
        met.setdefault(action, Counter())[options.index(made)] += 1

    for seed in range(12):
        assert check(play(seed, ["random"] * (3 + seed % 3)), observer=observe) == []
    wanted = {"play", "target", "what", "part", "shift", "objective", "winter", "place", "keep", "drop", "rent", "lay"}
    assert wanted | {"split", "next", "pick", "improve"} <= met.keys()
