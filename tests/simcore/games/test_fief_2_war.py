"""Fief 2 by hand: combat, prisoners and movement, as the rulings say."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.games.fief_2 import combat
from tests.simcore.games.fief_by_hand import WHY, ByHand, die, play_phase

pytestmark = pytest.mark.plain


def throws(monkeypatch: pytest.MonkeyPatch, *rounds: tuple[list[int], list[int]]) -> None:
    """Let dice fall as a test wants them."""
    left = list(rounds)

    def number(dice: list[int]) -> np.int64:
        one, two, three = [*dice, 1, 1][:3]
        return np.int64(one - 1 + 6 * (two - 1) + 36 * (three - 1))

    def thrown(state: object, slot: int, count: int) -> tuple[np.int64, np.int64]:
        first, second = left.pop(0)
        return number(first), number(second)

    monkeypatch.setattr(combat, "throw", thrown)


# --- combat ---


def test_the_rulebooks_combat(monkeypatch: pytest.MonkeyPatch) -> None:
    """8 soldiers + 2 lords v 5 + 1 in a castle; losses 3/2, 1/2, 3/2; one soldier and two lords remain."""
    table = ByHand()
    table.lord(5, 2, "sigy")
    table.soldiers(2, "sigy", 5)
    table.build("sigy", "castle")
    table.lord(0, 1, "sigy")
    table.lord(1, 1, "sigy")
    table.soldiers(1, "sigy", 8)
    throws(monkeypatch, ([5, 3], [6]), ([3, 3], [3]), ([6], [6]))
    table.fight("sigy", 1, 2)
    rounds = table.records("round")
    assert [record["losses"] for record in rounds] == [[3, 2], [1, 2], [3, 2]]
    assert [record["dice"] for record in rounds] == [[[5, 3], [6]], [[3, 3], [3]], [[6], [6]]]
    assert [record["points"] for record in rounds] == [[10, 6], [7, 4], [6, 2]]
    assert all(record["ground"] == "castle" for record in rounds)
    assert table.points("sigy", 1) == 3 and table.state.army[0] == 1 and table.holder("sigy") == 1
    assert table.state.family[5] == -1


def test_grace_makes_prisoners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Soldiers and guards die, lords become prisoners there."""
    table = ByHand()
    table.lord(5, 2, "sigy", "duchy_sigy")
    table.soldiers(2, "sigy", 5)
    table.crown(5)
    table.soldiers(1, "sigy", 30)
    table.answers = {"ask_grace": 1, "grant_grace": 1}
    throws(monkeypatch, ([1, 1, 1], [1, 1, 1]))
    table.fight("sigy", 1, 2)
    assert table.names_asked() == [(2, "ask_grace"), (1, "grant_grace")]
    assert table.state.captive == 1 << 5 and table.state.captor[5] == 0 and table.state.kings_guard == 0
    assert table.state.army[1] == 0 and table.holder("sigy") == 1 and table.state.king == 5
    assert table.points("sigy", 2) == 0


def test_a_refused_defender_is_followed_by_the_attacker(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ByHand()
    table.lord(5, 2, "sigy")
    table.soldiers(2, "sigy", 2)
    table.lord(0, 1, "sigy")
    table.soldiers(1, "sigy", 2)
    table.answers = {"ask_grace": 1, "grant_grace 1": 0, "grant_grace 2": 1}
    throws(monkeypatch, ([2], [2]))
    table.fight("sigy", 1, 2)
    assert [seat for seat, name in table.names_asked()] == [2, 1, 1, 2]
    assert table.state.captive == 1 << 0 and table.state.captor[0] == 1 and table.holder("sigy") == 2


def test_lords_die_last_least_worth_first_highest_number_first(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ByHand()
    table.soldiers(1, "sigy", 13)
    for lord in (2, 3):
        table.lord(lord, 2, "sigy")
    table.lord(4, 2, "sigy", "duchy_sigy")
    table.lord(1, 2, "bourg")
    throws(monkeypatch, ([1, 1, 2], [1]), ([6, 6, 6], [1]))
    table.fight("sigy", 1, 2)
    dead = [record["lord"] for record in table.records("lord") if record["status"] == "dead"]
    assert dead == [3, 2, 4] and table.state.owner[3] == 1


def besieged() -> ByHand:
    """Seat 2 holds a castle with 4 inside and 3 outside; seat 1 has 6 soldiers there."""
    table = ByHand()
    table.soldiers(2, "sigy", 4)
    table.build("sigy", "castle")
    table.soldiers(1, "sigy", 6)
    table.lord(5, 2, "st_ciers")
    table.soldiers(2, "st_ciers", 2)
    sigy = 1 + table.village("sigy")
    play_phase(table, "movement", lord=[6], step=[sigy], take=2)
    assert table.state.outside[sigy - 1] == 2 and table.state.out_lords == 1 << 5
    return table


def test_a_sortie_joins_all_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    table = besieged()
    table.answers = {"sortie": 1}
    throws(monkeypatch, ([6], [6]), ([1], [6]))
    table.fight("sigy", 1, 2)
    first = table.records("round")[0]
    assert first["points"] == [6, 7] and first["ground"] == "open" and first["losses"] == [3, 3]
    assert table.state.outside[table.village("sigy")] == 0  # those outside are lost first
    assert table.holder("sigy") == 2


def test_without_a_sortie_those_inside_fight_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = besieged()
    table.answers = {"sortie": 0}
    throws(monkeypatch, *[([6], [1])] * 2)
    table.fight("sigy", 1, 2)
    first = table.records("round")[0]
    assert first["points"] == [6, 4] and first["ground"] == "castle" and first["losses"] == [0, 2]
    assert table.points("sigy", 2) == 3  # those outside are still there
    assert table.holder("sigy") == 1 and table.state.outside[table.village("sigy")] == 0
    assert table.state.out_lords == 0


def test_bishops_calm_revolts_or_die() -> None:
    """Calm with c points: (3 + c) / 6."""
    calmed = [0, 0, 0, 0]
    for seed in range(16):
        for points in range(4):
            table = ByHand(seed=seed)
            table.lord(0, 1, "sigy", see="sigy")
            table.revolt("sigy", 4)
            table.state.money[0] = 1500
            play_phase(table, "combat", calm=1 + points)
            assert table.state.money[0] == 1500 - 500 * points
            die_cast = table.records("chance")[0]["values"][0]
            won = table.state.revolts == 0
            assert won == (die_cast + points >= 4) and won == (table.state.family[0] == 0)
            assert bool(table.state.discards & 1 << table.card("revolt")) == won
            calmed[points] += won
    assert calmed[3] == 16 and calmed == sorted(calmed) and abs(calmed[0] - 8) < 6


def test_rebels_burn_what_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """After all families rebels attack holders without fort; if they destroy them, mill and press burn."""
    table = ByHand()
    table.hold(1, "sigy", "bourg")
    table.build("sigy", "mill", "press")
    table.build("bourg", "castle", "mill")
    table.revolt("sigy", 6)
    table.revolt("bourg", 6, 1)
    throws(monkeypatch, ([4], [1]))
    play_phase(table, "combat")
    assert table.state.mills == 1 << table.village("bourg") and table.state.presses == 0
    assert table.holder("sigy") == 0 and table.holder("bourg") == 1
    assert [record["what"] for record in table.records("building")] == ["mill", "press"]


def test_families_joined_by_marriage() -> None:
    """They never attack each other and may join: points add, losses go round, the principal takes all."""
    table = ByHand(3, "alliances=marriage", seed=5)
    table.lord(0, 1, "sigy")
    table.lord(12, 2, "sigy")
    table.soldiers(1, "sigy", 12)
    table.soldiers(2, "sigy", 12)
    table.soldiers(3, "sigy", 2)
    table.lord(5, 3, "sigy")
    table.wed(0, 12)
    table.answers = {"attack 1": [1 + 3], "join": 1, "ask_grace 3": 1, "grant_grace": 1}
    play_phase(table, "combat")
    first = table.records("round")[0]
    assert first["points"] == [26, 3]
    options = next(legal for seat, name, legal, _ in table.asked if (seat, name) == (1, "attack"))
    assert options == [0, 4]  # not the ally
    if table.state.captive:
        assert table.state.captor[5] == 0 and table.state.captors[5] == 0b11


def test_mills_burn_where_the_holder_falls_though_an_ally_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ByHand(3, "alliances=marriage")
    table.lord(0, 1, "sigy")
    table.lord(12, 2, "sigy")
    table.soldiers(2, "sigy", 5)
    table.wed(0, 12)
    table.build("sigy", "mill", "press")
    table.revolt("sigy", 3)
    table.answers = {"join": 1}
    throws(monkeypatch, ([2], [3, 3]))
    play_phase(table, "combat")
    assert table.state.family[0] == -1 and table.holder("sigy") == 2 and table.state.revolts == 0
    assert table.state.mills == 0 and table.state.presses == 0


def test_an_ally_speaks_for_a_side_whose_principal_has_fallen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first in turn order who still has pawns there asks for grace."""
    table = ByHand(4, "alliances=marriage")
    table.lord(0, 1, "sigy")
    table.lord(1, 1, "tournus")
    for seat, wife, husband in ((2, 12, 0), (4, 13, 1)):
        table.lord(wife, seat, "sigy")
        table.soldiers(seat, "sigy", 5)
        table.wed(husband, wife)
    table.soldiers(3, "sigy", 13)
    table.state.first = 3
    table.answers = {"join": 1, "ask_grace 4": 1, "grant_grace": 1}
    throws(monkeypatch, ([1, 1, 1], [1, 1, 1]))
    table.fight("sigy", 3, 1)
    assert table.state.family[0] == -1
    assert table.names_asked() == [(4, "join"), (2, "join"), (4, "ask_grace"), (3, "grant_grace")]


def test_ransoms_of_allies_are_split() -> None:
    table = ByHand(3, "alliances=marriage", "ransoms.lord=301")
    table.hold(2, "sigy")
    table.prisoner(0, 1, "sigy", 2)
    table.state.captors[0] = 0b110
    table.state.money[0] = 301
    play_phase(table, "court", ransom_offer=1, ransom_accept=1)
    assert list(table.state.money[:3]) == [0, 151, 150]


# --- holders and prisoners ---


def test_the_holder_stays_until_the_pawns_are_gone() -> None:
    table = ByHand()
    table.lord(0, 1, "sigy")
    table.soldiers(2, "sigy", 5)
    table.soldiers(3, "sigy", 5)
    assert table.holder("sigy") == 1
    die(table, 0)
    assert table.holder("sigy") == 2  # most points; among equals the earlier in turn order
    table.state.first = 2
    table.state.soldiers[table.village("sigy"), 1] = 0
    table.state.troops[1] = 0
    play_phase(table, "movement")
    from simcore.games.fief_2.pieces import settle_village

    settle_village(table.rules, table.state, table.trace, table.village("sigy"), WHY)
    assert table.holder("sigy") == 3


def test_a_prisoner_whose_captor_leaves_is_free_or_the_holders() -> None:
    free = ByHand()
    free.lord(1, 2, "sigy")
    free.prisoner(0, 1, "sigy", 2)
    play_phase(free, "movement", lord=[2], step=[1 + free.village("st_ciers"), 0])
    assert free.state.free & 1 and free.holder("sigy") == 1 and free.holder("st_ciers") == 2
    taken = ByHand()
    taken.soldiers(3, "sigy", 1)
    taken.lord(1, 2, "sigy")
    taken.prisoner(0, 1, "sigy", 2)
    play_phase(taken, "movement", lord=[2], step=[1 + taken.village("st_ciers"), 0])
    assert taken.state.captor[0] == 2 and taken.state.captive == 1


@pytest.mark.parametrize(("loss", "owner"), [("city", -1), ("never", 0)])
def test_a_title_goes_with_its_city(loss: str, owner: int) -> None:
    table = ByHand(3, f"title_loss={loss}")
    table.lord(0, 1, "tournus", "duchy_sigy")
    table.soldiers(1, "sigy", 1)
    table.build("sigy", "city")
    table.soldiers(2, "sigy", 40)
    table.fight("sigy", 2, 1)
    assert table.holder("sigy") == 2 and table.state.owner[3] == owner
    assert bool(table.state.crowns[0]) == (owner == 0)


# --- movement ---


def test_lords_move_two_villages_and_take_unmoved_soldiers() -> None:
    table = ByHand()
    table.lord(0, 1, "tournus")
    table.soldiers(1, "tournus", 5)
    steps = [1 + table.village("pugnac"), 1 + table.village("belleville")]
    play_phase(table, "movement", lord=[1], step=steps, take=[4, 1])
    where = {name: int(table.state.soldiers[table.village(name), 0]) for name in ("tournus", "pugnac", "belleville")}
    assert where == {"tournus": 1, "pugnac": 3, "belleville": 1}
    takes = [legal for _, name, legal, _ in table.asked if name == "take"]
    assert takes == [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4]]
    assert [table.holder(name) for name in where] == [1, 1, 1]


def test_who_meets_others_stops_and_darc_goes_three_with_company() -> None:
    table = ByHand()
    table.lord(12, 1, "tournus")
    table.lord(0, 1, "tournus")
    table.state.darc = 12
    table.soldiers(2, "mazilles", 1)
    steps = [1 + table.village("pugnac"), 1 + table.village("belleville"), 1 + table.village("mazilles")]
    play_phase(table, "movement", lord=[13], step=steps, escort=1)
    assert table.points("mazilles", 1) == 2 and table.state.moved & 1
    assert (1, "escort") in table.names_asked()
    stopped = ByHand()
    stopped.lord(0, 1, "tournus")
    stopped.hold(2, "pugnac")
    play_phase(stopped, "movement", lord=[1, 0], step=[1 + stopped.village("pugnac")])
    assert stopped.points("pugnac", 1) == 1
