"""Middle-Ages by hand: all fifteen Events (page 8 of the booklet, quoted in translation)."""

from __future__ import annotations

import pytest

from tests.simcore.games.by_hand import DOMAIN_NAMES, ByHand

pytestmark = pytest.mark.plain

# Seat 1: 3 peasants, 2 chests, two tiles buried, seven Domains. Seat 2: one tile. Seat 3: nothing.
RICH = (
    "field_peasant", "field", "mill_chest", "village", "village_peasant", "rampart", "market_chest", "church", "palace",
)  # fmt: skip
BURIED = ("barracks_peasant", "barracks_chest")


def table(*settings: str) -> ByHand:
    made = ByHand(3, *settings)
    made.buried(1, *BURIED)
    made.fief(1, *RICH, coins=100)
    made.fief(2, "church_chest", coins=1)
    return made


GAINS = {
    # "Each player gains 1 coin for each Peasant in their whole Fief."
    "skilled_trades": [3, 0, 0],
    # "... 1 coin for each Chest ..."
    "precious_goods": [2, 1, 0],
    # "... 3 coins for each Church and each Palace ..."
    "alliance": [6, 3, 0],
    # "... 3 coins for each Rampart ..."
    "new_defences": [3, 0, 0],
    # "... 2 coins for each Market and each Barracks ..."
    "triumphant_return": [2, 0, 0],
    # "... 2 coins for each Mill and each Village ..."
    "birth_peak": [6, 0, 0],
    # "... 2 coins for each Field ..."
    "good_harvest": [4, 0, 0],
    # "... 3 coins for each tile in their Cemetery."
    "reconstruction_aid": [6, 0, 0],
    # "... 2 coins for each tile of a different Domain ..." Rulings: for each Domain with at least one tile.
    "extended_lordship": [14, 2, 0],
    # "Each player loses 2 coins for each Church and each Palace." Seat 2 has 1 coin, and pays what it holds.
    "lavish_ceremonies": [-4, -1, 0],
}

LOSSES = {
    # "Each player puts 1 Mill AND 1 Field into their Cemetery (if they have any)."
    "barbarian_invasion": ("mill", "field"),
    # "... 1 Village AND 1 Barracks ..."
    "black_death": ("village", "barracks"),
    # "... 1 Palace ..."
    "peasant_revolt": ("palace",),
    # "... 1 Rampart ..."
    "earthquake": ("rampart",),
}


def test_all_fifteen_are_here() -> None:
    assert {*GAINS, *LOSSES, "restoration"} == set(ByHand().events)
    assert len(ByHand().events) == 15


@pytest.mark.parametrize("event", GAINS)
def test_event_of_coins(event: str) -> None:
    made = table()
    before = [made.tiles(seat) for seat in (1, 2, 3)]
    assert made.event(event) == GAINS[event]
    assert [made.tiles(seat) for seat in (1, 2, 3)] == before
    assert [int(made.outcome(seat).event_coins[0]) for seat in (1, 2, 3)] == GAINS[event]


@pytest.mark.parametrize("event", LOSSES)
def test_event_of_losses(event: str) -> None:
    made = ByHand(2)
    lost = {domain: made.fief(1, f"{domain}_peasant")[0] for domain in LOSSES[event]}
    made.fief(1, *(name for name in DOMAIN_NAMES if name not in lost))
    assert made.event(event) == [0, 0]
    assert made.cemetery(1) == list(lost.values())  # in the order of the card
    assert set(made.tiles(1)) == set(DOMAIN_NAMES) - set(lost)
    assert made.cemetery(2) == []
    assert made.player(1).peasants == 0 + ("palace" not in lost)  # the Palace that stays shows the last peasant


@pytest.mark.parametrize("event", LOSSES)
def test_who_has_one_of_two_loses_that_one(event: str) -> None:
    made = ByHand(2)
    domain = LOSSES[event][-1]
    (tile,) = made.fief(2, domain)
    made.event(event)
    assert made.cemetery(2) == [tile]


def test_owner_chooses_which_tile_is_lost() -> None:
    """Rulings: event_loss = "owner_chooses"; the others stay in order."""
    made = ByHand(2)
    low, middle, high = made.fief(1, "rampart", "rampart_peasant", "rampart_chest")
    made.event("earthquake", 1)
    assert made.asked == [(1, "loss", [0, 1, 2])]
    assert (made.column(1, "rampart"), made.cemetery(1)) == ([low, high], [middle])
    assert (made.player(1).peasants, made.player(1).chests) == (0, 1)


def test_the_top_tile_is_lost_under_the_other_reading() -> None:
    made = ByHand(2, "event_loss=top")
    low, middle, high = made.fief(1, "rampart", "rampart_peasant", "rampart_chest")
    made.event("earthquake")
    assert made.asked == []
    assert (made.column(1, "rampart"), made.cemetery(1)) == ([low, middle], [high])


def test_restoration_takes_a_tile_back_without_its_effect() -> None:
    """ "Each player chooses a tile of their Cemetery and puts it into their Fief without triggering its effect." """
    made = table()
    mill, market = made.buried(2, "mill", "market_chest")
    assert made.event("restoration", 1, 1) == [0, 0, 0]
    assert made.asked == [(1, "cemetery", [0, 1]), (2, "cemetery", [0, 1])]
    assert made.tiles(1)["barracks"] == 1
    assert (made.column(2, "market"), made.cemetery(2)) == ([market], [mill])
    assert made.each("restorations") == [1, 1, 0]


def test_restored_tile_lies_on_top_and_pays_again() -> None:
    made = ByHand(2)
    (old,) = made.buried(1, "field_peasant")
    (kept,) = made.fief(1, "field")
    made.event("restoration")
    assert made.column(1, "field") == [kept, old]
    assert made.turn(1, "field") == 1 + 6  # its peasant, and three Fields


def test_lavish_ceremonies_under_debt() -> None:
    assert table("shortfall=debt").event("lavish_ceremonies") == [-4, -2, 0]


def test_losing_a_tile_lowers_the_next_income() -> None:
    made = ByHand(2)
    made.fief(1, "mill", "market")
    made.event("barbarian_invasion")
    assert made.turn(1, "market") == 4  # two Markets, no Mill


def test_events_stand_after_every_fourth_round_in_their_order() -> None:
    """ "At the end of the 4th, 8th, 12th and 16th round apply the leftmost face-up Event card." """
    made = ByHand(2)
    made.state.cards[:4] = [
        made.events.index(name) for name in ("good_harvest", "alliance", "earthquake", "new_defences")
    ]
    made.row(3, "field", "mill", "church", lords=(1, 0, 2))
    made.row(0, "field", "mill", "market")
    for row in (1, 2):
        made.row(row, "palace", "palace", "palace")
    made.state.deck[:3] = [made.tile("village") for _ in range(3)]
    made.state.stack = 3
    made.round(4, 0, 1, 4)
    # A Field: 2 coins of Income and 2 of Good harvest; a Church: 3 coins of Income.
    assert made.coins() == [2 + 2, 3]
    assert made.outcome(1).event_coins.tolist() == [2, 0, 0, 0]


def test_circulation_follows_every_coin() -> None:
    made = table()
    made.state.circulation = sum(made.coins())
    made.event("extended_lordship")
    made.event("lavish_ceremonies", slot=1)
    assert made.state.circulation == sum(made.coins())
    assert made.state.peak_coins == 101 + 16  # before the ceremonies
