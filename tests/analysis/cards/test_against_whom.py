"""Whom a card hits, by logs written by hand."""

from __future__ import annotations

from analysis.data.declarations import Moment
from analysis.games.fief_2.cards import struck as fief_2
from analysis.games.medievallons.declarations import _struck as medievallons
from analysis.games.seigneurial.declarations import struck as seigneurial
from tests.specs import make_spec


def test_a_power_hits_whom_it_is_aimed_at_if_anybody() -> None:
    records = [
        {"kind": "power", "seat": 1, "power": "priest", "target": 3},
        {"kind": "power", "seat": 2, "power": "beggar", "target": None},
        {"kind": "power", "seat": 2, "power": "monk"},
    ]
    assert list(medievallons(None, {}, records)) == [Moment("struck", "priest", 3)]


def test_a_card_of_seigneurial_hits_every_other_seat_of_its_effects_once() -> None:
    records = [
        {"kind": "action", "action": "play", "seat": 1, "card": "curfew"},
        {"kind": "effect", "who": [2, 3]},
        {"kind": "effect", "who": [3]},
        {"kind": "action", "action": "play", "seat": 3, "card": "remedy"},
        {"kind": "effect", "who": [3]},
        {"kind": "action", "action": "pass", "seat": 1, "card": None},
    ]
    assert list(seigneurial(None, {}, records)) == [Moment("struck", "curfew", 2), Moment("struck", "curfew", 3)]


def test_a_disaster_of_fief_hits_other_holders_in_its_region_and_a_murder_the_family() -> None:
    first = {"villages": [{"region": "north"}, {"region": "north"}, {"region": "south"}]}
    records = [
        {"kind": "holder", "village": 0, "seat": 1},
        {"kind": "holder", "village": 1, "seat": 2},
        {"kind": "holder", "village": 2, "seat": 3},
        {"kind": "lord", "lord": 5, "seat": 3},
        {"kind": "decision", "seat": 1, "name": "target_plague", "choice": 0},
        {"kind": "decision", "seat": 1, "name": "target_revolt", "choice": 2},
        {"kind": "holder", "village": 1, "seat": None},
        {"kind": "decision", "seat": 3, "name": "target_famine", "choice": 0},
        {"kind": "decision", "seat": 2, "name": "target_assassination", "choice": 5},
        {"kind": "decision", "seat": 1, "name": "justice", "choice": None},
    ]
    assert list(fief_2(make_spec(3, game="fief-2").rules.values, first, records)) == [
        Moment("struck", "plague", 2),
        Moment("struck", "revolt", 3),
        Moment("struck", "famine", 1),
        Moment("struck", "assassination", 3),
    ]
