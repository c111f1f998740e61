"""Middle-Ages by hand: the booklet's example, the Lords, the end.

Booklet: shared with the project as text; the numbers below follow from its sentences, quoted in translation.
"""

from __future__ import annotations

import pytest

from tests.simcore.games.by_hand import DOMAIN_NAMES, ByHand, slot

pytestmark = pytest.mark.plain


# --- "Example of a first round with 3 players" (page 6) ---


def example() -> ByHand:
    """Pink, the first player, is seat 1, blue 2, green 3; tiles that only the pictures show are made up."""
    table = ByHand(3)
    table.row(0, "field", "mill", "rampart", "barracks", lords=(2, 0, 3, 1))
    table.row(1, "mill_peasant", "village", "market", "church")
    table.row(2, "field_peasant", "village_peasant", "market_peasant", "palace")
    table.row(3, "field_chest", "village_chest", "market_chest", "palace_chest")
    table.state.stack = 8
    drawn = ("palace_chest", "mill_chest", "village", "church", "field", "mill", "village", "rampart")
    table.state.deck[:8] = [table.tile(face) for face in drawn]
    return table


def test_first_round_of_the_booklets_example() -> None:
    table = example()
    field = int(table.state.tiles[0, 0])
    empty = int(table.state.tiles[0, 1])
    # In the row below, blue goes to the second tile, green to the third, pink to the first; green's Scout to row three.
    table.round(1, 1, 2, 1, 0)
    assert [(seat, what) for seat, what, _ in table.asked] == [(2, "lord"), (3, "lord"), (3, "scout"), (1, "lord")]
    assert table.state.discards[0] == empty  # "The empty tile of the first row is discarded."
    blue, green, pink = table.outcome(2), table.outcome(3), table.outcome(1)
    # Blue: "having no tile with a Peasant symbol yet, the special effect brings nothing"; "she receives 2 coins".
    assert (blue.field_coins, blue.income[0]) == (0, 2)
    # Green: "allows him to place his Scout"; "he obtains 2 coins for his tile".
    assert (table.player(3).scout, green.income[3]) == (2 * 8 + 1, 2)
    # Pink "attacks all players who have fewer Ramparts than she has Barracks. She has one only, so blue alone, who has
    # none, is hit; she gives 2 coins and puts her only tile into her Cemetery." "Pink obtains 2 coins for her tile."
    assert (pink.barracks_robbed, blue.barracks_paid, green.barracks_paid) == (2, 2, 0)
    assert table.cemetery(2) == [field]
    assert pink.income[5] == 2
    assert table.coins() == [4, 0, 2]
    assert [table.tiles(seat) for seat in (1, 2, 3)] == [{"barracks": 1}, {}, {"rampart": 1}]


def test_second_round_of_the_booklets_example_begins_with_pink_and_keeps_off_the_scouts_tile() -> None:
    table = example()
    table.round(1, 1, 2, 1, 0)
    table.asked.clear()
    # "He draws four new tiles and sorts them in ascending order."
    numbers = [int(table.rules.tiles[tile].number) for tile in table.state.tiles[0, :4]]
    assert numbers == [6, 7, 19, 23]
    # Mill by pink: nobody has a Mill, each opponent gives 2: blue has none, green 2. Then Village by blue: her only
    # buried tile is the Field, which comes back unasked. Market by green: no chests.
    table.round(2, 2, 3, 1)
    # "The second round begins with pink." "Pink and blue cannot place their Lord on the tile reserved for green."
    assert table.asked == [(1, "lord", [0, 2, 3]), (2, "lord", [0, 3]), (3, "lord", [0, 1])]
    assert table.player(3).scout == -1
    assert table.outcome(3).scouts_honoured == 1
    # Pink 4 + 2 (green's coins) + 2, blue 0 + 2 (one Village), green 2 - 2 + 2 (one Market).
    assert table.coins() == [8, 2, 2]
    assert table.tiles(2) == {"field": 1, "village": 1}


# --- rows and rounds ---


def test_turn_order_is_that_of_the_lords_from_left_to_right() -> None:
    table = ByHand(3)
    table.row(3, "field", "mill", "market", "market", lords=(3, 1, 0, 2))
    table.round(16)
    assert [int(table.outcome(seat).turn[15]) for seat in (1, 2, 3)] == [2, 3, 1]
    assert [int(table.outcome(seat).column[15]) for seat in (1, 2, 3)] == [1, 3, 0]
    assert [int(table.outcome(seat).taken[15]) for seat in (1, 2, 3)] == [4, 13, 1]


def test_stack_that_ends_within_a_row_takes_in_the_tile_discarded_this_round() -> None:
    """Three players: "shuffle the discarded tiles to form a new stack"."""
    table = ByHand(3)
    table.row(0, "field", "mill", "market", "church", lords=(1, 2, 0, 3))
    table.row(1, "field", "mill", "market", "church")
    table.row(2, "field", "mill", "market", "church")
    discarded = int(table.state.tiles[0, 2])
    last = [table.tile(face) for face in ("palace", "palace", "palace")]
    table.state.deck[:3] = last
    table.state.stack = 3
    table.state.stacks = 1
    table.round(1, 0, 1, 2, slot("field"))
    assert sorted(table.state.tiles[0, :4].tolist()) == sorted([*last, discarded])
    assert (table.state.stacks, table.state.discarded) == (2, 0)


# --- the end ---


def test_every_empty_domain_costs_ten_coins_and_may_take_a_player_below_zero() -> None:
    """ "Each player loses 10 coins for each of their Domains without any tile." """
    table = ByHand(2)
    table.fief(1, *DOMAIN_NAMES, coins=7)
    table.fief(2, "field", "field", "mill", coins=15)
    table.settle()
    assert table.each("penalty") == [0, 60]
    assert table.each("coins") == [7, -45]


@pytest.mark.parametrize(("coins", "final"), [(15, 0), (65, 5), (-3, 0)])
def test_final_floor(coins: int, final: int) -> None:
    """Rulings: final = max(0, coins - penalty), also when coins were negative before."""
    table = ByHand(2, "final_floor=true")
    table.fief(1, "field", "mill", coins=coins)
    table.settle()
    assert table.outcome(1).coins == final


def test_ties_are_decided_by_palaces_then_churches_and_so_on_leftwards() -> None:
    """ "In case of a tie the player with most Palaces wins, then Churches, and so on comparing Domains leftwards." """
    for decisive, step in (("palace", 1), ("church", 2), ("mill", 7), ("field", 8)):
        table = ByHand(2, "empty_domain_penalty=0")
        table.fief(1, coins=20)
        table.fief(2, decisive, coins=20)
        table.settle()
        assert table.each("place") == [2, 1]
        assert table.each("share60") == [0, 60]
        assert table.each("tie_break") == [step, step]


def test_a_domain_further_right_decides_first() -> None:
    table = ByHand(2, "empty_domain_penalty=0")
    table.fief(1, "barracks", "barracks", "market", "market", "market", coins=5)
    table.fief(2, "church", coins=5)
    table.settle()
    assert table.each("place") == [2, 1]


def test_players_still_tied_share_the_place_and_the_next_is_skipped() -> None:
    """Rulings: Place = 1 + the number of players ranked strictly better (1, 1, 3)."""
    table = ByHand(3)
    for seat, coins in ((1, 40), (2, 39), (3, 40)):
        table.fief(seat, "field", coins=coins)
    table.settle()
    assert table.each("place") == [1, 3, 1]
    assert table.each("share60") == [30, 0, 30]
    assert table.each("tie_break") == [9, 0, 9]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_tied_share_the_win_equally(players: int) -> None:
    table = ByHand(players)
    table.settle()
    assert table.each("share60") == [60 // players] * players
    assert table.each("place") == [1] * players


def test_starting_coins_go_to_their_seats() -> None:
    table = ByHand(3, "starting_coins=[0, 4, 9]")
    assert table.coins() == [0, 4, 9]
    assert table.state.circulation == 13
