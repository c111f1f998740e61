"""What the referee of Seigneurial knows of the harvest: zeros, improvements, and piles."""

from .scene import Scene, action, move
from .table import DISCARD


def test_a_zero_ends_the_draw_and_blocks_its_type() -> None:
    scene = Scene()
    scene.table.tenants[2].improved = "forest"
    scene.pile("wood", "wood0 wood2")
    assert scene.follow(lambda: scene.walk.pawn(2, "forest"), move("wood0", "deck", "front 2", "harvest")) == []
    assert scene.follow(lambda: scene.walk.pawn(2, "forest")) == []
    assert scene.table.zeros(2, "wood") == 1
    mill = [move("wood0", "front 2", "discard", "mill"), move("wood2", "deck", "hand 2", "mill")]
    assert scene.follow(lambda: scene.walk.pawn(2, "mill"), *mill) == []


def test_a_zero_does_not_end_the_draw() -> None:
    scene = Scene(zero_stops_draw=False)
    scene.table.tenants[2].improved = "forest"
    scene.pile("wood", "wood0 wood2 wood3")
    draws = [move("wood0", "deck", "front 2", "harvest"), move("wood2", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.pawn(2, "forest"), *draws) == []
    assert scene.follow(lambda: scene.walk.pawn(2, "forest")) == []


def test_an_improvement_without_a_pawn() -> None:
    scene = Scene(improvement_needs_pawn=False)
    scene.table.tenants[2].improved = "forest"
    scene.table.now.placed[2] = ["river"]
    scene.table.now.yields[2, "wood"] = -1
    scene.pile("wood", "wood2")
    scene.pile("fish", "fish4")
    draws = [move("fish4", "deck", "hand 2", "harvest"), move("wood2", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.harvest(2), *draws) == []
    assert scene.table.yield_of(2, "forest") == 0


def test_the_mill_of_ones_choice() -> None:
    scene = Scene(mill_redraw="chosen")
    scene.hold(2, "wood0 fish0")
    scene.pile("grain", "grain0 grain3")
    records = [
        move("wood0", "front 2", "discard", "mill"),
        action(2, "what", what="fish"),  # blocked: no card
        move("fish0", "front 2", "discard", "mill"),
        action(2, "what", what="grain"),
        move("grain0", "deck", "front 2", "mill"),
        move("grain0", "front 2", "discard", "mill"),
        action(2, "what", what="grain"),  # in its turn
        move("grain3", "deck", "hand 2", "mill"),
    ]
    assert scene.follow(lambda: scene.walk.pawn(2, "mill"), *records) == []


def test_the_church() -> None:
    scene = Scene()
    scene.pile("tenant", "remedy barter pedlar")
    records = [
        move("remedy", "deck", "seen 2", "church"),
        move("barter", "deck", "seen 2", "church"),
        action(2, "keep", card="barter"),
        move("barter", "seen 2", "hand 2", "church"),
        move("remedy", "seen 2", "deck", "church"),
    ]
    assert scene.follow(lambda: scene.walk.pawn(2, "church"), *records) == []
    assert scene.table.order["tenant"] == ["pedlar", "remedy"]


def test_an_empty_pile_is_refilled() -> None:
    scene = Scene()
    shuffle = {"kind": "shuffle", "deck": "fish", "counts": [2, 8, 17, 5, 1]}
    draws = [shuffle, move("fish1", "deck", "hand 2", "harvest")]
    assert scene.follow(lambda: scene.walk.pawn(2, "river"), *draws) == []
    assert not scene.table.cards["fish", DISCARD]
    scene = Scene()
    message = scene.follow(lambda: scene.walk.pawn(2, "river"), {**shuffle, "counts": [2, 8, 17, 5, 0]})[0]
    assert "counts is [2, 8, 17, 5, 0], expected [2, 8, 17, 5, 1]" in message
