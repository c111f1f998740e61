"""Cards of Fief 2, and the lords that they bring."""

from __future__ import annotations

import pytest

from simcore.games.fief_2.kernel import step
from simcore.games.fief_2.state import COURT
from tests.simcore.games.fief_by_hand import ByHand, end_turn, play_phase

pytestmark = pytest.mark.plain


def test_plague_halves_soldiers_and_guards_and_rolls_for_lords() -> None:
    """7 soldiers lose 3, 1 loses 0; each guard half; a lord dies on a die of 1 to 3."""
    table = ByHand(seed=3)
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.soldiers(1, "tournus", 7)
    table.soldiers(2, "belleville", 1)
    table.lord(12, 2, "belleville")
    table.wed(0, 12)
    table.crown(0)
    table.play(3, table.card("plague"), target_plague=1)
    rolls = {record["values"][0]: record["values"][1] for record in table.records("chance")}
    assert set(rolls) == {0, 12}
    lost = {
        (r["what"], r["seat"]): r["delta"] for r in table.records("pawns") if r["why"] == "plague" and r["delta"] < 0
    }
    assert lost[("soldiers", 1)] == -3 and ("soldiers", 2) not in lost
    for lord, roll in rolls.items():
        assert (table.state.family[lord] == -1) == (roll <= 3)
    first = next(r for r in table.records("pawns") if r["what"] == "king_guard" and r["delta"] < 0)
    assert first["delta"] == -10


def test_bad_weather_stops_moves_and_fights_until_sun() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus")
    table.soldiers(2, "tournus", 5)
    table.play(3, table.card("bad_weather"), target_bad_weather=1)
    play_phase(table, "movement")
    play_phase(table, "combat")
    assert not [name for seat, name in table.names_asked() if seat == 1]
    table.play(2, table.card("sun"))
    assert table.state.stormy == 0
    discards = int(table.state.discards)
    assert discards & 1 << table.card("bad_weather") and discards & 1 << table.card("sun")
    play_phase(table, "movement")
    assert (1, "lord") in table.names_asked()


def test_revolts_are_capped_and_grow() -> None:
    table = ByHand()
    table.hold(1, "tournus", "sigy")
    table.revolt("tournus", 17)
    table.play(2, table.card("revolt", 1))
    assert table.state.rebels[table.village("sigy")] == 1  # a die, but one point is left of 18
    end_turn(table)
    assert table.state.rebels.sum() == 18
    grown = ByHand()
    grown.hold(1, "tournus", "sigy")
    grown.revolt("tournus", 12)
    grown.revolt("sigy", 2, 1)
    end_turn(grown)
    assert [grown.state.rebels[grown.village(name)] for name in ("tournus", "sigy")] == [15, 3]


def test_escape_frees_all_prisoners_of_a_village() -> None:
    table = ByHand()
    table.hold(2, "sigy")
    for lord in (0, 1):
        table.prisoner(lord, 1, "sigy", 2)
    table.play(1, table.card("escape"), escape_to=1 + table.village("bourg"))
    assert table.state.captive == 0 and table.points("bourg", 1) == 2 and table.holder("bourg") == 1


def test_assassination_and_justice() -> None:
    """A lord of the killer's dies, never King, Regent or Prince."""
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus")
    table.lord(1, 1, "tournus")
    table.lord(2, 2, "sigy")
    table.crown(0)
    table.give(3, table.card("justice"))
    table.play(1, table.card("assassination"), target_assassination=3, justice=2)
    assert list(table.state.family[:3]) == [0, -1, -1]
    asked = next(legal for _, name, legal, _ in table.asked if name == "justice")
    assert asked == [0, 2]
    assert table.state.cards[2] == 0


def test_a_prince_needs_consent_and_a_refusal_costs_nothing() -> None:
    for consent in (0, 1):
        table = ByHand()
        table.lord(0, 1, "tournus", "duchy_tournus")
        table.lord(12, 2, "sigy")
        table.wed(0, 12)
        table.crown(0)
        played = table.play(2, 5, as_prince=1, consent=consent)
        assert (1, "consent") in table.names_asked()
        assert bool(played) == bool(consent) and table.state.cards[1] == 1 - consent
        if consent:
            assert table.state.prince == 5 and table.state.family[5] == 0 and table.state.where[5] == 0
        else:
            assert table.state.tried_prince == 1 and table.state.family[5] == -1


def test_a_refused_prince_may_be_played_from_the_next_turn_on() -> None:
    """So a lord who can be a Prince only is playable when the families discard."""
    table = ByHand()
    table.state.tried_prince = 1
    table.state.phase = COURT
    step(*table.at)
    assert table.state.tried_prince == 0


def test_a_new_lord_takes_no_title_of_his_own() -> None:
    """He has the titles that his family kept; `crown_new` is about those of another lord."""
    table = ByHand()
    table.soldiers(1, "tournus", 3)
    table.hold(1, "tournus")
    table.state.keeper[0] = table.state.keeper[1] = 0
    table.play(1, 5)
    assert table.state.owner[0] == table.state.owner[1] == 5
    assert (1, "crown_new") not in table.names_asked()


def test_a_new_lord_may_take_a_lesser_title_and_a_lost_family_returns() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus", "duchy_tournus", "barony_sennecy")
    table.play(1, 5, crown_new=1 + table.region("barony_sennecy"))
    asked = next(legal for _, name, legal, _ in table.asked if name == "crown_new")
    assert asked == [0, 1 + table.region("barony_sennecy")]  # the duchy is above the barony
    assert table.state.owner[1] == 5
    table.play(2, 6, place_lord=1 + table.village("bourg"))
    assert table.points("bourg", 2) == 4 and table.holder("bourg") == 2
    spots = next(legal for seat, name, legal, _ in table.asked if (seat, name) == (2, "place_lord"))
    assert 1 + table.village("tournus") not in spots and len(spots) == 23


def test_lords_are_claimed_when_the_deck_is_made_anew() -> None:
    table = ByHand()
    table.state.turn = 2
    table.soldiers(1, "sigy", 2)
    table.soldiers(1, "bourg", 3)
    table.lord(3, 2, "tournus")
    table.state.discards = 1 << 7 | 1 << 9 | 1 << 30 | 1 << 31
    play_phase(table, "refill", claim_lord=1 + 9)
    assert table.state.family[9] == 0 and table.state.where[9] == table.village("bourg")
    assert [name for _, name in table.names_asked()] == ["claim_lord"]
    assert [record["what"] for record in table.records("chance")] == ["reshuffle"]
    assert table.state.cards.sum() == 3  # no card is left
