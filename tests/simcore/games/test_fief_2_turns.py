"""Fief 2 by hand: revenue, the court, purchases and the end of the turn, as the rulings say."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.games.fief_2.kernel import settle
from tests.simcore.games.fief_by_hand import ByHand, collect, end_turn, play_phase

pytestmark = pytest.mark.plain


# --- revenue ---


def test_revenue_of_the_page() -> None:
    """ "200 + 100 + 300 + 400 + 500 = 1500, and 100"."""
    table = ByHand()
    table.lord(0, 1, "bourg", "county_bourg")
    table.lord(1, 1, "bourg", see="bourg")
    table.hold(1, "villeneuve", "la_buissiere")
    table.hold(2, "les_essarts")
    table.build("bourg", "mill", "press")
    table.build("villeneuve", "mill")
    table.build("la_buissiere", "press")
    table.build("les_essarts", "mill")
    table.revolt("la_buissiere", 3)
    table.crown(0)
    table.play(1, table.card("tithe"))
    table.play(1, table.card("taille"))
    collect(table)
    first, second, third = table.records("revenue")
    assert [first[name] for name in ("land", "industry", "tithe", "taille", "pension")] == [200, 100, 300, 400, 500]
    assert [second[name] for name in ("land", "industry", "tithe", "taille", "pension")] == [100, 0, 0, 0, 0]
    assert list(table.state.money[:3]) == [1500, 100, 0] and third["land"] == 0
    assert bin(table.state.discards).count("1") == 2  # tithe and taille, used


def test_a_tithe_is_void_if_the_bishop_dies_and_a_famine_starves_industry() -> None:
    table = ByHand()
    table.lord(0, 1, "bourg", see="bourg")
    table.lord(1, 1, "bourg")
    table.hold(2, "sigy")
    table.build("bourg", "mill")
    table.build("sigy", "press")
    table.play(1, table.card("tithe"))
    table.play(3, table.card("assassination"), target_assassination=1)
    table.play(3, table.card("famine"), target_famine=1 + table.region("duchy_sigy"))
    collect(table)
    first, second, _ = table.records("revenue")
    assert (first["industry"], first["tithe"], second["industry"]) == (100, 0, 0)
    assert table.state.tithe[1] == -1 and table.state.discards & 1 << table.card("tithe")


# --- votes ---


def candidates(cardinal: bool = True) -> ByHand:
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(1, 1, "tournus", see="tournus")
    table.lord(2, 2, "sennecy", "barony_sennecy", "county_blaye")
    table.lord(3, 3, "sigy", see="sigy", cardinal=cardinal)
    table.lord(12, 3, "sigy", "county_bourg")
    return table


VOTES = {"stand": 1, "stand 2": 3, "vote 1": 1, "vote 2": 2, "vote 3": 2}


@pytest.mark.parametrize(
    ("cardinal", "blessings", "king"), [(True, (0, 1), 2), (False, (0, 1), -1), (False, (1, 1), 2)]
)
def test_votes_of_the_page(cardinal: bool, blessings: tuple[int, int], king: int) -> None:
    """2 against 3; the cardinal alone suffices; were he only bishop and seat 1 refused, no King."""
    table = candidates(cardinal)
    play_phase(table, "court", **VOTES, **{"consecrate 1": blessings[0], "consecrate 3": blessings[1]})
    assert table.state.king == king
    stood = [entry for entry in table.names_asked() if entry[1] == "stand"]
    assert stood == [(1, "stand"), (2, "stand")]  # a bishop and a woman do not stand
    assert [entry for entry in table.names_asked() if entry[1] == "consecrate"] == [
        (1, "consecrate"),
        (3, "consecrate"),
    ]
    if king >= 0:
        assert table.state.kings_guard == 20 and table.points("sennecy", 2) == 21


def test_a_tie_elects_nobody_and_a_majority_counts_all_votes() -> None:
    table = candidates()
    play_phase(table, "court", **(VOTES | {"vote 3": 0}))
    assert (3, "vote") in table.names_asked() and table.state.king == -1  # 2 against 1, and nobody consecrates
    most = ByHand(3, "election=majority")
    most.lord(0, 1, "tournus", "duchy_tournus")
    most.lord(2, 2, "sennecy", "barony_sennecy")
    most.lord(3, 3, "sigy", see="sigy", cardinal=True)
    play_phase(most, "court", **{"stand": 1, "stand 2": 3, "vote 1": 1, "vote 2": 2, "vote 3": 1, "consecrate": 1})
    assert most.state.king == 0  # 2 of 3 votes
    few = ByHand(4, "election=majority")
    few.lord(0, 1, "tournus", "duchy_tournus")
    few.lord(3, 3, "sigy", see="sigy", cardinal=True)
    play_phase(few, "court", **{"stand": 1, "vote 1": 1, "vote 3": 0, "consecrate": 1})
    assert few.state.king == -1  # 1 of 2 votes is no majority


def test_tied_votes() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(1, 2, "sigy", "duchy_sigy")
    table.lord(2, 3, "bourg", see="bourg", cardinal=True)
    play_phase(table, "court", **{"stand 1": 1, "stand 2": 2, "vote 1": 1, "vote 2": 2, "vote 3": 0, "consecrate": 1})
    assert table.state.king == -1 and not [name for _, name in table.names_asked() if name == "consecrate"]


def test_a_king_takes_kept_titles_and_his_wife_becomes_queen() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(12, 2, "sigy")
    table.soldiers(3, "bourg", 2)
    table.state.keeper[4] = 2
    table.wed(0, 12)
    assert table.state.queen == -1
    table.crown(0)
    assert table.state.queen == 12 and table.state.queens_guard == 10
    assert table.state.owner[4] == 0 and table.state.keeper[4] == -1


# --- ransoms and marriages ---


@pytest.mark.parametrize(("rank", "price"), [("plain", 300), ("titled", 500), ("bishop", 500), ("king", 1000)])
def test_ransoms(rank: str, price: int) -> None:
    table = ByHand()
    table.hold(2, "sigy")
    titles = ("duchy_sigy",) if rank == "titled" else ()
    table.lord(0, 1, "sigy", *titles, see="sigy" if rank == "bishop" else "")
    if rank == "king":
        table.crown(0)
    table.hold(1, "bourg", "villeneuve")
    table.state.money[0] = price - 1
    holding_of(table, 0, 2)
    assert table.state.kings_guard == 0
    play_phase(table, "court", ransom_offer=1, ransom_accept=1, free_to=1 + table.village("villeneuve"))
    assert table.state.captive == 1  # not enough money: not even asked
    table.state.money[0] = price
    play_phase(table, "court", ransom_offer=1, ransom_accept=1, free_to=1 + table.village("villeneuve"))
    assert list(table.state.money[:2]) == [0, price] and table.state.where[0] == table.village("villeneuve")
    assert table.state.free == 1 and table.state.captive == 0


def holding_of(table: ByHand, lord: int, captor: int) -> None:
    """Make a free lord a prisoner where he stands."""
    from simcore.games.fief_2.pieces import capture

    capture(table.state, table.trace, np.int64(lord), np.int64(captor - 1), np.int64(1 << (captor - 1)), np.int64(96))


def test_marriage_needs_two_families_two_sexes_and_no_bishop_nor_darc() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus")
    table.lord(1, 1, "tournus", see="tournus")
    table.lord(12, 1, "tournus")
    table.lord(13, 2, "sigy")
    table.lord(14, 3, "bourg")
    table.state.darc = 14
    play_phase(table, "court", **{"propose 1": 1, "accept": 1})
    asked = {name: legal for seat, name, legal, _ in table.asked if seat == 1}
    assert asked["propose"] == [0, 1]  # neither the bishop nor, as there is no single man elsewhere, the woman
    assert table.state.spouse[0] == 13 and table.state.spouse[13] == 0  # the only possible spouse: not asked
    assert (2, "propose") not in table.names_asked()


# --- purchases ---


def test_a_title_needs_a_whole_region_with_a_fort_and_makes_a_city() -> None:
    table = ByHand()
    table.lord(0, 1, "sennecy")
    table.hold(1, "l_epervier", "chateauneuf")
    table.state.money[0] = 600
    play_phase(table, "purchases")
    assert not [legal for _, name, legal, _ in table.asked if name == "buy" and 1 in legal]
    table.build("l_epervier", "castle")
    table.build("chateauneuf", "castle")
    table.soldiers(1, "chateauneuf", 1)
    play_phase(table, "purchases", buy=[1])
    assert table.state.owner[1] == 0 and table.state.money[0] == 0
    assert table.state.cities == 1 << table.village("chateauneuf")
    assert table.state.castles == 1 << table.village("l_epervier")


def test_prices_caps_and_places() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", see="tournus")
    table.hold(1, "belleville")
    table.lord(2, 2, "belleville")
    table.state.money[0] = 500 + 1000 + 300 + 300 + 200
    play_phase(table, "purchases", buy=[2, 3, 4, 5, 6, 0], number=2)
    assert table.state.money[0] == 0 and table.state.cardinals == 1
    tournus = 1 << table.village("tournus")
    assert (table.state.castles, table.state.mills, table.state.presses) == (tournus,) * 3  # not where others stand
    assert table.points("tournus", 1) == 3
    full = ByHand()
    full.soldiers(1, "tournus", 44)
    full.build("tournus", "castle")
    full.state.money[0] = 5000
    play_phase(full, "purchases", buy=[6, 0])
    assert full.state.army[0] == 45 and not [name for _, name in full.names_asked() if name == "number"]


# --- the end of the turn ---


def test_scoring_counts_kept_titles_and_full_sums_of_money() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus", see="")
    table.lord(1, 1, "tournus", see="tournus", cardinal=True)
    table.lord(12, 2, "sigy")
    table.wed(0, 12)
    table.crown(0)
    table.state.keeper[4] = 2
    table.state.money[:3] = [1499, 500, 0]
    table.state.turn = 5
    end_turn(table)
    assert list(table.state.score[:3]) == [50 + 50 + 20 + 10 + 20, 30 + 10, 40]


@pytest.mark.parametrize(("switch", "titles", "won"), [("on", 3, [1]), ("on", 2, [1, 2]), ("off", 3, [])])
def test_title_victory(switch: str, titles: int, won: list[int]) -> None:
    """The King's family wins with 3 titles, else King's and Queen's with 4 together, as a shared win."""
    table = ByHand(3, f"title_victory={switch}")
    table.lord(0, 1, "tournus", *table.regions[:titles])
    table.lord(12, 2, "sigy", *table.regions[titles : titles + 2])
    table.wed(0, 12)
    table.crown(0)
    table.state.score[2] = 500
    end_turn(table)
    assert bool(table.state.over) == bool(won)
    if won:
        settle(*table.at)
        shares = [int(table.state.rows[seat].share60) for seat in range(3)]
        assert shares == [60 // len(won) * (seat in won) for seat in (1, 2, 3)]
        assert table.state.rows[2].place == len(won) + 1 or titles == 3


def test_titles_win_at_the_end_of_the_last_turn_as_well() -> None:
    """Its scores rank only the families that have not won by titles."""
    table = ByHand(3, "title_victory=on")
    table.lord(0, 1, "tournus", *table.regions[:3])
    table.crown(0)
    table.state.score[2] = 5000
    table.state.turn = table.rules.turns
    end_turn(table)
    settle(*table.at)
    assert [int(row.share60) for row in table.state.rows[:3]] == [60, 0, 0]
    assert [int(row.place) for row in table.state.rows[:3]] == [1, 3, 2]
