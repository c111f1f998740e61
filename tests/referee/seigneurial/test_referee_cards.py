"""What the referee of Seigneurial knows of cards: windows, limits, and single effects."""

from collections import Counter

from .rulebook import LORD
from .scene import Scene, a_call, action, effect, move, playable


def test_the_lord_plays_only_what_he_held_when_the_window_opened() -> None:
    scene = Scene()
    scene.hold(LORD, "stewardship indulgence")
    scene.pile("lord", "indulgence curfew")
    records = [
        action(1, "play", window="rent", card="stewardship"),
        effect("cards", [1], n=2),
        move("indulgence", "deck", "hand 1", "card"),
        move("curfew", "deck", "hand 1", "card"),
        move("stewardship", "hand 1", "discard", "played"),
        action(1, "play", window="rent", card="indulgence"),
        effect("rent", [1], n=-1),
        move("indulgence", "hand 1", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("rent"), *records) == []
    assert scene.table.playing_cards(LORD) == Counter(["indulgence", "curfew"])
    assert scene.table.rent() == 2


def test_so_do_the_tenants() -> None:
    scene = Scene()
    scene.hold(2, "helping_hands")
    scene.pile("tenant", "good_soil remedy")
    scene.table.now.placed[2] = ["river"]
    records = [
        action(2, "play", window="harvest", card="helping_hands"),
        action(2, "what", what="church"),
        effect("act", [2], "church"),
        move("good_soil", "deck", "seen 2", "church"),
        move("remedy", "deck", "seen 2", "church"),
        action(2, "keep", card="good_soil"),
        move("good_soil", "seen 2", "hand 2", "church"),
        move("remedy", "seen 2", "deck", "church"),
        move("helping_hands", "hand 2", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("harvest"), *records) == []
    assert playable(scene, 2, "harvest") == ["good_soil"]  # in the next window of the harvest


def test_who_begins_a_window() -> None:
    lord = [
        action(1, "play", window="harvest", card="hard_frost"),
        action(1, "what", what="fish"),
        effect("yield", [3], "fish", -1),
        move("hard_frost", "hand 1", "discard", "played"),
    ]
    tenant = [
        action(3, "play", window="harvest", card="good_soil"),
        action(3, "what", what="fish"),
        effect("yield", [3], "fish"),
        move("good_soil", "hand 3", "discard", "played"),
    ]
    for order, records in (("lord_first", lord + tenant), ("tenants_first", tenant + lord)):
        scene = Scene(window_order=order)
        scene.hold(LORD, "hard_frost")
        scene.hold(3, "good_soil")
        scene.table.now.placed[3] = ["river"]
        assert scene.follow(lambda scene=scene: scene.walk.window("harvest"), *records) == []
        assert scene.table.yield_of(3, "river") == 1


def test_two_cards_a_season_and_none_under_curfew() -> None:
    scene = Scene()
    scene.hold(2, "windfall poaching barter")
    scene.hold(3, "wood1")
    assert playable(scene, 2, "rent") == ["windfall", "poaching"]  # nothing to barter with
    scene.table.now.played[2] = 2
    assert playable(scene, 2, "rent") == []
    scene.table.now.played[2] = 0
    scene.table.now.gagged.add(2)
    assert playable(scene, 2, "rent") == []


def test_safe_conduct() -> None:
    scene = Scene(3)
    scene.hold(LORD, "fever")
    (card,) = (card for card in scene.setup.lord_cards if card.id == "fever")
    scene.table.now.warded.add(2)
    assert scene.walk.group(card.effects[0], LORD) == [3]
    scene.table.tenants[3].pawns = [1, 2]
    assert not scene.walk.playable(card, LORD, "season")


def test_pedlar_and_barter() -> None:
    scene = Scene()
    scene.hold(2, "pedlar wood2 wood1 fish0 barter")
    scene.hold(3, "grain4")
    scene.pile("grain", "grain2")
    rent = lambda: scene.walk.window("rent")  # noqa: E731
    records = [
        action(2, "play", window="rent", card="pedlar"),
        action(2, "what", what="grain"),
        effect("trade", [2], "grain", 2),
        action(2, "part", card="wood1"),
        move("wood1", "hand 2", "discard", "card"),
        action(2, "part", card=None),
        move("grain2", "deck", "hand 2", "card"),
        move("pedlar", "hand 2", "discard", "played"),
        action(2, "play", window="rent", card="barter"),
        action(2, "target", target=3),
        effect("barter", [3]),
        action(2, "part", card="wood2"),
        move("grain4", "hand 3", "hand 2", "card"),
        move("wood2", "hand 2", "hand 3", "card"),
        move("barter", "hand 2", "discard", "played"),
    ]
    assert scene.follow(rent, *records) == []
    assert [*scene.table.faces(2)] == ["grain2", "grain4"]


def test_remedy_heals_the_longest_illness() -> None:
    scene = Scene()
    scene.table.tenants[2].pawns = [1, 2]
    scene.hold(2, "remedy")
    records = [
        action(2, "play", window="season", card="remedy"),
        effect("heal", [2]),
        move("remedy", "hand 2", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    assert scene.table.tenants[2].pawns == [1, 0]


def test_new_plans() -> None:
    scene = Scene()
    scene.hold(2, "new_plans")
    scene.pile("objective", "brewer")
    records = [
        action(2, "play", window="season", card="new_plans"),
        effect("objective", [2]),
        move("brewer", "deck", "hand 2", "card"),
        action(2, "objective", keep="brewer"),
        move("sawyer", "hand 2", "deck", "card"),
        move("new_plans", "hand 2", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    assert (scene.table.tenants[2].objective, scene.table.order["objective"]) == ("brewer", ["sawyer"])


def test_other_goods() -> None:
    scene = a_call()
    scene.hold(LORD, "other_goods")
    records = [
        action(1, "play", window="draws", card="other_goods"),
        effect("shift", [1], n=2),
        {**action(1, "shift"), "from": "wood", "to": "fish", "points": 2},
        move("other_goods", "hand 1", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("draws"), *records) == []
    assert scene.table.now.demand == {"wood": 7, "fish": 2, "grain": 0}
    assert scene.table.unmet("fish") == 1


def test_enclosure() -> None:
    scene = Scene()
    scene.hold(LORD, "enclosure")
    records = [
        action(1, "play", window="season", card="enclosure"),
        action(1, "target", target=2),
        action(1, "what", what="mill"),
        effect("bar", [2], "mill"),
        move("enclosure", "hand 1", "discard", "played"),
    ]
    assert scene.follow(lambda: scene.walk.window("season"), *records) == []
    (message,) = scene.follow(lambda: scene.walk.place_pawns(2), action(2, "place", squares=["river", "mill"]))
    assert "illegal" in message
    scene.table.now.placed[2] = ["mill"]
    scene.hold(2, "wood0")
    assert scene.follow(lambda: scene.walk.harvest(2)) == []  # his pawn there is idle
