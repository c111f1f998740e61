"""Effects and Incomes of Middle-Ages, worked out by hand on tables that are set up by hand."""

from __future__ import annotations

import pytest

from tests.simcore.games.by_hand import DOMAIN_NAMES, ByHand, slot

pytestmark = pytest.mark.plain


# --- Incomes ---


def test_income_example() -> None:
    """Two Ramparts and one Village: "2 coins for every Village and every Rampart" is 6 coins."""
    table = ByHand()
    table.fief(1, "rampart", "rampart")
    assert table.turn(1, "village") == 6


COUNTS = {  # page 4 and 5: which tiles the Income of each Domain names, and its coins a tile
    "field": (("field",), 2),
    "mill": (("mill",), 2),
    "village": (("village", "rampart"), 2),
    "rampart": (("field", "rampart"), 2),
    "market": (("mill", "market"), 2),
    "barracks": (("village", "barracks"), 2),
    "church": (("church",), 3),
    "palace": (("palace",), 3),
}


@pytest.mark.parametrize("domain", DOMAIN_NAMES)
def test_income_counts_the_domains_that_the_board_names(domain: str) -> None:
    names, rate = COUNTS[domain]
    table = ByHand(2)
    table.fief(1, *DOMAIN_NAMES, domain)  # one tile of each, a second of this one, and a third that is placed now
    answers = {"church": [slot("field")], "palace": [slot("market", "field")]}.get(domain, [])
    table.turn(1, domain, *answers)
    assert table.outcome(1).income[DOMAIN_NAMES.index(domain)] == rate * (len(names) + 2)


def test_effect_comes_before_income_and_counts_its_own_tile() -> None:
    """ "Apply a Domain's special effect in full before you obtain its Income." """
    table = ByHand()
    assert table.turn(1, "church", slot("church")) == 4  # 3 for the Church, 1 more for the token laid just before


# --- effects ---


def test_field_pays_for_every_peasant_in_the_fief() -> None:
    """ "Gain 1 coin for each Peasant symbol on the tiles of your whole Fief board." """
    table = ByHand()
    table.fief(1, "mill_peasant", "palace", "village_chest")
    table.fief(2, "mill_peasant")
    assert table.turn(1, "field_peasant") == 3 + 2  # three peasants, one Field
    assert table.outcome(1).field_coins == 3


def test_market_pays_for_every_chest_in_the_fief() -> None:
    """ "Gain 1 coin for each Chest symbol on the tiles of your whole Fief board." """
    table = ByHand()
    table.fief(1, "mill_chest", "palace_chest", "village_peasant")
    assert table.turn(1, "market_chest") == 3 + 4  # three chests; Income: a Mill and a Market
    assert table.outcome(1).market_coins == 3


def test_mill_takes_from_all_who_have_fewer_mills() -> None:
    """ "All your opponents who have fewer Mill tiles than you must give you 2 coins." """
    table = ByHand(5)
    table.fief(1, "mill")
    for seat, faces in ((2, ()), (3, ("mill",)), (4, ("mill", "mill")), (5, ("mill", "mill", "mill"))):
        table.fief(seat, *faces, coins=9)
    assert table.turn(1, "mill") == 4 + 4  # from seats 2 and 3; two Mills
    assert table.coins() == [8, 7, 7, 9, 9]
    assert (table.each("mill_paid"), table.each("mill_robbed")) == ([0, 2, 2, 0, 0], [4, 0, 0, 0, 0])
    assert table.outcome(1).robbed_from.tolist() == [0, 2, 2, 0, 0]


@pytest.mark.parametrize(("shortfall", "paid", "left"), [("pay_available", 1, 0), ("debt", 2, -1)])
def test_who_owes_more_than_they_hold(shortfall: str, paid: int, left: int) -> None:
    """Rulings, Money: gives what they hold, or goes below zero."""
    table = ByHand(2, f"shortfall={shortfall}")
    table.fief(2, coins=1)
    assert table.turn(1, "mill") == paid + 2
    assert table.player(2).coins == left
    table = ByHand(2, f"shortfall={shortfall}")
    table.fief(2, "church", "palace", coins=1)
    # Lavish ceremonies: 2 coins for each of two tiles.
    assert table.event("lavish_ceremonies") == [0, -1 if shortfall == "pay_available" else -4]


@pytest.mark.parametrize("shortfall", ["pay_available", "debt"])
def test_who_is_below_zero_pays_nothing_under_pay_available(shortfall: str) -> None:
    table = ByHand(2, f"shortfall={shortfall}")
    table.fief(2, coins=-3)
    assert table.turn(1, "mill") == (2 if shortfall == "pay_available" else 4)


def test_village_takes_back_a_tile_of_the_owners_choice_without_its_effect() -> None:
    """ "Choose a tile in your Cemetery and place it in your Fief without triggering its effect." """
    table = ByHand()
    buried = table.buried(1, "field_peasant", "rampart", "mill")
    table.fief(2, coins=5)
    assert table.turn(1, "village", 1) == 4  # the Rampart is back before the Income: a Village and a Rampart
    assert table.asked == [(1, "cemetery", [0, 1, 2])]
    assert table.cemetery(1) == [buried[0], buried[2]]
    assert table.tiles(1) == {"village": 1, "rampart": 1}
    assert (table.player(1).scout, table.outcome(1).restorations) == (-1, 1)


def test_village_with_an_empty_cemetery_brings_its_income_alone() -> None:
    """ "If the special effect cannot be applied, simply obtain the Income." """
    table = ByHand()
    assert table.turn(1, "village") == 2
    assert table.asked == []


def test_restored_mill_robs_nobody() -> None:
    table = ByHand(2)
    table.buried(1, "mill")
    table.fief(2, coins=5)
    assert table.turn(1, "village") == 2
    assert table.coins() == [2, 5]


def test_rampart_sends_the_scout_to_the_two_rows_after_next() -> None:
    """ "Place your Scout on any tile of another row than the one of your Lord", which has moved to row 1."""
    table = ByHand(2)
    table.row(1, "field", "mill", "village")
    table.row(2, "field", "mill", "village")
    table.row(3, "field", "mill", "village")
    table.state.reserved[3] = 0b010  # another player's Scout
    assert table.turn(1, "rampart", 2, 8 + 2, rnd=1) == 2
    assert table.asked[1] == (1, "scout", [0, 1, 2, 8, 10])  # all tiles of row 2, and those of row 3 without a Scout
    assert table.player(1).scout == 3 * 8 + 2
    assert table.state.reserved.tolist() == [0, 0, 0, 0b110]


def test_scout_that_is_out_must_go_to_another_tile() -> None:
    table = ByHand(2)
    for row in (1, 2, 3):
        table.row(row, "field", "mill", "village")
    table.player(1).scout = 2 * 8 + 1
    table.state.reserved[2] = 0b010
    table.turn(1, "rampart", 0, 2, rnd=1)
    assert table.asked[1] == (1, "scout", [0, 2, 8, 9, 10])
    assert table.player(1).scout == 2 * 8 + 2
    assert table.state.reserved.tolist() == [0, 0, 0b100, 0]


@pytest.mark.parametrize(("rnd", "moves"), [(13, [0, 1, 2, 8, 9, 10]), (14, [0, 1, 2]), (15, None), (16, None)])
def test_rows_without_tiles_offer_nothing_to_the_scout(rnd: int, moves: list[int] | None) -> None:
    """Round t leaves rows t + 2 and t + 3 up to round 16; rulings: impossible in rounds 15 and 16."""
    table = ByHand(2)
    for row in range(4):
        table.row(row, "field", "mill", "village")
    table.turn(1, "rampart", *([] if rnd == 16 else [1]), *([0] if moves else []), rnd=rnd)
    assert [legal for _, what, legal in table.asked if what == "scout"] == ([moves] if moves else [])
    assert (table.player(1).scout == -1) == (moves is None)


def test_lord_may_not_go_to_a_reserved_tile_but_its_owner_may() -> None:
    table = ByHand(3)
    table.row(1, "field", "mill", "village", "market")
    table.player(2).scout = 1 * 8 + 0
    table.state.reserved[1] = 0b0001
    table.turn(1, "field", 3, rnd=1)
    table.turn(2, "field", 2, rnd=1)
    table.turn(3, "field", 0, rnd=1)
    assert [legal for _, _, legal in table.asked] == [[1, 2, 3], [0, 1, 2], [0, 1]]
    # The Scout came home when its Lord was placed in its row, although on another tile; then the tile was free.
    assert table.player(2).scout == -1
    assert table.each("scouts_honoured") == [0, 0, 0]


def test_barracks_hit_all_who_have_fewer_ramparts_than_the_attacker_has_barracks() -> None:
    """ "You attack all players who have fewer Rampart tiles than you have Barracks tiles. Those players put the
    leftmost (topmost) tile of their Fief into their Cemetery and give you 2 coins." """
    table = ByHand(5)
    table.fief(1, "barracks", coins=0)
    bottom, top = table.fief(2, "mill", "mill", coins=9)
    table.fief(2, "palace", "rampart")
    table.fief(3, "field", "rampart", "rampart", coins=9)  # as many Ramparts as Barracks: safe
    table.fief(4, coins=9)  # an empty Fief: coins only
    table.fief(5, "rampart", coins=1)
    assert table.turn(1, "barracks") == 2 + 2 + 1 + 4
    assert (table.cemetery(2), table.column(2, "mill")) == ([top], [bottom])
    assert (table.cemetery(3), table.cemetery(4), len(table.cemetery(5))) == ([], [], 1)
    assert table.tiles(5) == {}
    assert table.coins() == [9, 7, 9, 7, 0]
    assert table.each("barracks_paid") == [0, 2, 0, 2, 1]
    assert table.each("burials") == [0, 1, 0, 0, 1]


def test_church_lays_an_extra_coin_under_a_free_slot() -> None:
    """ "Place an extra-coin token in a free slot. (Each slot can hold one.) Whenever you obtain the Income of this
    Domain, gain one coin more for each tile concerned." Example: under Village, for every Village and Rampart."""
    table = ByHand()
    table.fief(1, "rampart", "rampart", "village")
    assert table.turn(1, "church", slot("village")) == 3
    assert table.turn(1, "village") == 4 * 3
    table.turn(1, "church", slot("field"))
    assert table.asked[-1] == (1, "extra", [0, 1, 3, 4, 5, 6, 7])  # not Village again
    assert table.state.extra_left == 6


def test_extra_coins_run_out_for_the_whole_table() -> None:
    """ "8 extra-coin tokens" serve the whole table: with two left, the third Church lays none."""
    table = ByHand(3, "tokens.extra_coin=2")
    for seat in (1, 2):
        table.turn(seat, "church", slot("mill"))
    assert table.turn(3, "church") == 3
    assert table.player(3).extras == 0


def test_palace_adds_a_domain_to_an_income() -> None:
    """ "Choose a plot token and place it in a free slot, in a Domain where its symbol does not stand yet. It adds a
    kind of tile to those that the Income counts." Example: a Field token may not go to Field or Rampart."""
    table = ByHand()
    table.fief(1, "field", "field", "market")
    assert table.turn(1, "palace", slot("market", "field")) == 3
    moves = table.asked[0][2]
    assert {move >> 3 for move in range(64) if move & 7 == 0} - {move >> 3 for move in moves if move & 7 == 0} == {0, 3}
    assert table.turn(1, "market") == 2 * 4  # two Markets, two Fields
    table.turn(1, "palace", slot("barracks", "mill"))
    later = table.asked[-1][2]
    assert slot("village", "field") not in later  # the one Field token is laid
    assert not any(move >> 3 == DOMAIN_NAMES.index("market") for move in later)  # one plot token a slot


def test_plot_and_extra_coin_in_one_slot_work_together() -> None:
    table = ByHand()
    table.fief(1, "field", "field")
    table.turn(1, "church", slot("palace"))
    assert table.turn(1, "palace", slot("palace", "field")) == 3 * 4  # a Palace and two Fields, 3 + 1 coins each
    assert table.turn(1, "palace", slot("mill", "church")) == 4 * 4


def test_unlimited_plot_tokens_stay_in_supply() -> None:
    table = ByHand(2, "plot_token_supply=unlimited")
    table.turn(1, "palace", slot("mill", "field"))
    table.turn(2, "palace", slot("mill", "field"))
    assert table.asked[0][2] == table.asked[1][2]
    table = ByHand(2)
    table.turn(1, "palace", slot("mill", "field"))
    table.turn(2, "palace", slot("mill", "market"))
    assert not any(move & 7 == 0 for move in table.asked[1][2])


def test_one_token_a_slot_in_all() -> None:
    table = ByHand(2, "slot_capacity=one")
    table.turn(1, "church", slot("mill"))
    table.turn(1, "palace", slot("market", "field"))
    assert not any(move >> 3 == DOMAIN_NAMES.index("mill") for move in table.asked[1][2])
    table.turn(1, "church", slot("field"))
    assert table.asked[2][2] == [0, 2, 3, 5, 6, 7]


def test_single_legal_move_is_played_unasked() -> None:
    table = ByHand(2)
    (field,) = table.buried(1, "field")
    table.turn(1, "village")
    assert table.asked == []
    assert table.column(1, "field") == [field]
