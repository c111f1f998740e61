"""Deaths of Fief 2, and who inherits: crowns, titles and cards."""

from __future__ import annotations

import pytest

from tests.simcore.games.fief_by_hand import ByHand, die, end_turn

pytestmark = pytest.mark.plain


def royal() -> ByHand:
    """King 0 of seat 1, Queen 12 of seat 2, Prince 1 of seat 1; turn 7."""
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(12, 2, "sigy")
    table.wed(0, 12)
    table.crown(0)
    table.make_prince(1, 1, "tournus")
    table.state.turn = 7
    return table


def test_a_king_with_prince_and_queen_dies_in_turn_7() -> None:
    """Regency to the end of turn 11; the Prince is King, the Regent has 500; then her card goes back."""
    table = royal()
    die(table, 0)
    assert (table.state.king, table.state.queen, table.state.prince, table.state.regency) == (1, 12, -1, 11)
    assert table.state.kings_guard == 20 and table.state.queens_guard == 10 and table.state.owner[0] == 1
    from tests.simcore.games.fief_by_hand import collect

    collect(table)
    assert [record["pension"] for record in table.records("revenue")] == [500, 500, 0]
    for turn in (8, 9, 10):
        table.state.turn = turn
        end_turn(table)
        assert table.state.regency == 11
    table.state.turn = 11
    end_turn(table)
    assert (table.state.king, table.state.queen, table.state.regency, table.state.queens_guard) == (1, -1, 0, 0)


def test_after_a_regency_the_kings_wife_is_queen() -> None:
    table = royal()
    table.lord(13, 3, "bourg")
    die(table, 0)
    table.wed(1, 13)
    assert table.state.queen == 12
    die(table, 12)  # the Regent
    assert table.state.queen == 13 and table.state.regency == 0 and table.state.queens_guard == 10


def test_a_king_without_prince_leaves_no_crown() -> None:
    table = royal()
    die(table, 1)
    assert table.state.prince == -1
    die(table, 0)
    assert (table.state.king, table.state.queen, table.state.kings_guard, table.state.queens_guard) == (-1, -1, 0, 0)
    assert table.state.keeper[0] == 0 and table.state.owner[0] == -1  # the family keeps the duchy
    table.play(1, 5)
    assert table.state.owner[0] == 5 and table.state.keeper[0] == -1


def test_without_a_queen_the_prince_reigns_at_once_and_a_young_kings_death_ends_the_regency() -> None:
    table = royal()
    die(table, 12)
    die(table, 0)
    assert (table.state.king, table.state.regency) == (1, 0)
    young = royal()
    die(young, 0)
    die(young, 1)
    assert (young.state.king, young.state.queen, young.state.regency) == (-1, -1, 0)


def test_titles_pass_to_the_family_then_to_the_king_or_the_regent() -> None:
    table = royal()
    table.lord(5, 3, "bourg", "county_bourg", "barony_sennecy")
    table.lord(6, 3, "bourg", "duchy_sigy")
    die(table, 5)
    assert table.state.owner[4] == 6 and table.state.owner[1] == 6
    die(table, 6)
    assert [table.state.owner[region] for region in (1, 3, 4)] == [1, 0, 1]  # fewest titles first, ties lowest number
    regent = royal()
    die(regent, 0)
    regent.lord(5, 3, "bourg", "county_bourg")
    die(regent, 5)
    assert regent.state.owner[4] == 12


def test_a_dead_lords_cards_are_discarded() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", see="tournus", cardinal=True)
    table.lord(12, 2, "sigy")
    table.state.darc = 12
    die(table, 0)
    die(table, 12)
    discards = int(table.state.discards)
    assert {card for card in range(57) if discards >> card & 1} == {0, 12, 16, 20}
    assert table.state.cardinals == 0 and table.state.bishops == 0 and table.state.darc == -1
