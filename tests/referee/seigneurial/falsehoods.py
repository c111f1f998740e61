"""Falsehoods to put into honest logs of Seigneurial; each is to be found where it stands."""

from collections.abc import Callable
from typing import Any

from ..falsehoods import GENERAL, Case, Log, Mutation, Record, first_more, more, records, registrar, set_field
from .rulebook import FACES, LAND_TYPE, LANDS, TYPES

CASES: list[Case] = []
mutation = registrar(CASES)

HAND = {"zone": "hand", "seat": 2}
FRONT = {"zone": "front", "seat": 2}
Sort = Callable[[Record], bool]


def action(name: str, **fields: Any) -> Record:
    return {"kind": "action", "action": name} | fields


def drop(kind: str, where: Sort = lambda record: True, **fields: Any) -> Mutation:
    """Return a mutation that leaves out the last such record."""

    def spoil(log: Log) -> int | None:
        for index, record in reversed([*records(log, kind, **fields)]):
            if where(record) and (index + 1 == len(log) or log[index + 1] != record):
                del log[index]
                return index
        return None

    return spoil


def twice(kind: str, where: Sort = lambda record: True, **fields: Any) -> Mutation:
    """Return a mutation that repeats the last such record."""

    def spoil(log: Log) -> int | None:
        for index, record in reversed([*records(log, kind, **fields)]):
            if where(record):
                log.insert(index, {**record})
                return index + 1
        return None

    return spoil


def set_action(name: str, field: str, value: Any, **fields: Any) -> Mutation:
    """Return a mutation that sets a field of the last such decision."""
    return set_field(field, value, **action(name, **fields))


def set_option(name: str, value: Any) -> Mutation:
    """Return a mutation that sets an option."""
    return set_field("options", lambda old: old | {name: value}, "game")


def set_effect(table: str, **fields: Any) -> Mutation:
    """Return a mutation that changes the first effect of the first card of a table."""

    def changed(cards: list[Record]) -> list[Record]:
        first = cards[0]["effects"][0] | fields
        return [cards[0] | {"effects": [first]}, *cards[1:]]

    return set_field(table, changed, "game")


def swap(old: list[Any]) -> list[Any]:
    return [old[-1], *old[1:-1], old[0]]


def first_again(old: list[Any]) -> list[Any]:
    return [old[-1], *old[1:]]


def without_first(old: list[Any]) -> list[Any]:
    return old[1:]


def other_seat(old: int) -> int:
    return 2 if old != 2 else 3


def other_type(kind: str) -> str:
    return TYPES[(TYPES.index(kind) + 1) % 3]


def other_face(face: str) -> str:
    return other_type(face[:-1]) + face[-1]


def is_resource(record: Record) -> bool:
    return record["card"] in FACES


def is_zero(record: Record) -> bool:
    return is_resource(record) and record["card"].endswith("0")


FIELDS: list[Case] = [
    *GENERAL,
    ("six players", set_field("players", 6, "game"), "players is"),
    ("an option missing", set_field("options", lambda old: {"due": 2}, "game"), "options is"),
    ("an unknown option", set_option("x", 1), "options is"),
    ("the value of a switch", set_option("payment", "open"), "payment is"),
    ("a switch that is no truth", set_option("zero_stops_draw", "yes"), "zero_stops_draw is"),
    ("a number that is none", set_option("due", "2"), "due is"),
    ("a pair that is none", set_option("draws", [1]), "draws is"),
    ("a pile of four values", set_option("pile", [2, 8, 17, 6]), "pile is"),
    ("another pile", set_option("pile", [2, 8, 17, 6, 0]), "pile is"),
    ("an extra that is none", set_option("objective_extra", None), "objective_extra is"),
    ("an extra that is not in the Objectives", set_option("objective_extra", 1), "objectives is"),
    ("a track that is none", set_field("track", [4, 8, 9], "game"), "track is"),
    ("another track", set_field("track", first_more, "game"), "track is"),
    ("another rent", set_field("rent", first_more, "game"), "rent is"),
    ("an Objective missing", set_field("objectives", {"sawyer": [19, 0, 0]}, "game"), "objectives is"),
    ("an Objective of two", set_field("objectives", lambda old: old | {"sawyer": [19, 0]}, "game"), "sawyer is"),
    ("another Objective", set_field("objectives", lambda old: old | {"sawyer": [1, 0, 0]}, "game"), "objectives is"),
    ("a card missing", set_field("tenant_cards", without_first, "game"), "tenant_cards is"),
    ("a card twice", set_field("lord_cards", lambda old: [old[0], *old], "game"), "expected a new id"),
    ("an unknown window", set_field("lord_cards", lambda old: [old[0] | {"when": ["noon"]}], "game"), "when from"),
    ("an unknown effect", set_effect("tenant_cards", op="sing"), "vocabulary"),
    ("an effect without whom", set_effect("tenant_cards", who="nobody"), "vocabulary"),
    ("an effect on the lord", set_effect("tenant_cards", who="lord"), "vocabulary"),
    ("a lord who takes", set_effect("lord_cards", op="take", who="tenant"), "vocabulary"),
    ("a lord who plays for himself", set_effect("lord_cards", op="cards", who="self"), "vocabulary"),
    ("an effect about nothing", set_effect("tenant_cards", op="gain"), "vocabulary"),
    ("an effect about a square", set_effect("tenant_cards", op="gain", what="mill"), "vocabulary"),
    ("other copies", set_field("tenant_cards", lambda old: [old[0] | {"copies": 4}, *old[1:]], "game"), "tenant_cards"),
]
SETTING_UP: list[Case] = [
    ("counts of a shuffle", set_field("counts", swap, "shuffle", deck="wood"), "counts is"),
    ("a deck that lacks a card", set_field("cards", without_first, "shuffle", deck="lord"), "expected exactly"),
    (
        "a deck with another card",
        set_field("cards", first_again, "shuffle", deck="tenant"),
        "exactly",
    ),
    ("a deck shuffled twice", twice("shuffle", turn=0, deck="lord"), "deck is"),
    ("no Objective", drop("move", why="deal"), "found a record of kind 'season'"),
]
SEASON: list[Case] = [
    ("a first tenant who is the lord", set_field("first", 1, "season"), "first is"),
    ("no season", drop("season"), "found a record of kind"),
    ("a card of the year too many", twice("move", why="year"), ""),
    ("an effect without a play", drop(**action("play")), "found a record of kind"),
    ("a play without an effect", drop("effect"), "found a record of kind"),
    ("the card played stays in hand", drop("move", why="played"), "found a record of kind"),
    ("a target out of the game", set_action("target", "target", 1), "illegal"),
    ("no target", drop(**action("target")), ""),
    ("no illness", drop("ill"), "found a record of kind"),
    ("a short illness", set_field("turns", 1, "ill"), "turns is"),
    ("another is ill", set_field("seat", more, "ill"), "seat is"),
    ("a pawn on two squares", set_action("place", "squares", lambda old: [old[0]] * len(old)), "illegal"),
    ("a pawn unplaced", set_action("place", "squares", without_first), "expected"),
    ("a pawn at the castle", set_action("place", "squares", lambda old: [*old[:-1], "castle"]), "illegal"),
    ("no pawns", drop(**action("place")), "found a record of kind"),
    ("a harvest too many", twice("move", is_resource, why="harvest"), ""),
    ("a zero in hand", set_field("to", HAND, "move", why="harvest", to=FRONT), "to is"),
    ("a card that is not in the pile", set_field("card", "wood5", "move", why="harvest"), "card is"),
    ("a card of another type", set_field("card", other_face, "move", why="harvest"), "card is"),
    ("a zero that stays", drop("move", is_zero, why="mill"), ""),
    ("a card seen and lost", drop("move", why="church"), ""),
    ("a card kept that was not seen", set_action("keep", "card", "hidden"), "illegal"),
    ("a card too many in hand", drop(**action("drop")), "found a record of kind"),
    ("a rent of less than nothing", set_action("rent", "grain", -1), "illegal"),
    ("a card laid that is not in hand", set_action("lay", "card", "wood0"), "illegal"),
    ("a card laid and kept", drop("move", why="lay"), "found a record of kind"),
    ("nobody passes", drop(**action("lay", card=None)), ""),
    ("a pass too many", twice(**action("lay", card=None)), ""),
    ("favour for nothing", set_field("points", more, "favour"), "points is"),
    ("favour for another", set_field("seat", other_seat, "favour"), "seat is"),
    ("no favour", drop("favour"), "found a record of kind"),
    ("no card for favour", drop("move", why="favour"), ""),
    ("a point for one who laid too little", set_action("split", "target", 1), "illegal"),
    ("a split of another type", set_action("split", "type", other_type), "type is"),
    ("a call out of turn", set_action("next", "target", 1), "illegal"),
    ("a card drawn that is not in hand", set_field("card", "fish0", "draw"), "card is"),
    ("a card given back", set_field("kept", False, "draw", kept=True), "kept is"),
    ("a draw too many", twice("draw", kept=False), ""),
    ("a draw too few", drop("draw", kept=False), ""),
    ("a card on the table for good", drop("move", why="rent"), ""),
    ("no card for a rent unpaid", drop("move", why="unpaid"), ""),
    ("no progress", drop("progress"), "found a record of kind"),
    ("a land improved at the castle", set_action("improve", "square", "castle"), "illegal"),
    ("no land improved", drop(**action("improve")), ""),
    ("the lord keeps his hand", drop("move", why="winter", **{"from": {"zone": "hand", "seat": 1}}), ""),
]
ENDS: list[Case] = [
    ("another winner", set_field("winner", other_seat, "end"), "winner is"),
    ("shares of the win", set_field("share60", swap, "end"), "share60 is"),
    ("no check sum", drop("season_end"), "found a record of kind"),
]


@mutation("obtained is 1, expected True")
def a_number_for_a_truth(log: Log) -> int | None:
    for index, record in records(log, "progress", obtained=True):
        record["obtained"] = 1
        return index
    return None


@mutation("illegal")
def lays_a_type_not_asked_for(log: Log) -> int | None:
    hands: dict[int, list[str]] = {}
    asked: list[str] = []
    for index, record in enumerate(log):
        if record["kind"] == "move" and record["card"] in FACES:
            for place, change in (("from", "remove"), ("to", "append")):
                if record[place]["zone"] == "hand":
                    getattr(hands.setdefault(record[place]["seat"], []), change)(record["card"])
        if record.get("action") == "rent":
            asked = [kind for kind in TYPES if record[kind]]
        if record.get("action") == "lay":
            others = [face for face in hands.get(record["seat"], []) if FACES[face][0] not in asked]
            if others:
                record["card"] = others[0]
                return index
    return None


@mutation("card is")
def draws_a_blocked_type(log: Log) -> int | None:
    blocked: set[tuple[int, str]] = set()
    for index, record in enumerate(log):
        if record["kind"] != "move" or record["card"] not in FACES:
            continue
        kind = FACES[record["card"]][0]
        if record["to"]["zone"] == "front":
            blocked.add((record["to"]["seat"], kind))
        elif record["from"]["zone"] == "front":
            blocked.discard((record["from"]["seat"], kind))
        elif record["why"] == "harvest" and blocked:
            seat = record["to"]["seat"]
            for other in TYPES:
                if (seat, other) in blocked and other != kind:
                    record["card"] = f"{other}2"
                    return index
    return None


@mutation("plays otherwise")
def a_bailiff_asks_for_something_else(log: Log) -> int | None:
    if log[0]["strategies"][0] != "bailiff":
        return None
    for index, record in records(log, **action("rent")):
        if record["wood"]:
            record["wood"], record["grain"] = record["wood"] - 1, record["grain"] + 1
            return index
    return None


@mutation("plays otherwise")
def a_gatherer_lays_nothing(log: Log) -> int | None:
    if "random" in log[0]["strategies"]:
        return None
    for index, record in records(log, **action("lay")):
        if record["card"]:
            record["card"] = None
            return index
    return None


@mutation("plays otherwise")
def a_gatherer_goes_elsewhere(log: Log) -> int | None:
    if log[0]["strategies"][1] == "random":
        return None
    for index, record in records(log, **action("place", seat=2)):
        free = [land for land in LANDS if land not in record["squares"]]
        if free:
            record["squares"][-1] = free[0]
            return index
    return None


@mutation("plays otherwise")
def a_reference_policy_saves_its_cards(log: Log) -> int | None:
    for index, record in records(log, **action("play")):
        if record["card"] and log[0]["strategies"][record["seat"] - 1] != "random":
            record["card"] = None
            return index
    return None


@mutation("plays otherwise")
def a_gatherer_improves_another_land(log: Log) -> int | None:
    for index, record in records(log, **action("improve")):
        if log[0]["strategies"][record["seat"] - 1] != "random":
            record["square"] = next(land for land in LAND_TYPE if land != record["square"])
            return index
    return None


@mutation("found a record of kind 'action'")
def plays_a_card_under_curfew(log: Log) -> int | None:
    gagged: list[int] = []
    for index, record in enumerate(log):
        if record["kind"] == "season":
            gagged = []
        if record["kind"] == "effect" and record["op"] == "gag":
            gagged = record["who"]
        if record["kind"] == "draw" and gagged:
            log.insert(
                index, {**action("play", window="draws", card="hidden_cellar"), "turn": record["turn"], "seat": 2}
            )
            return index
    return None


CASES += [*FIELDS, *SETTING_UP, *SEASON, *ENDS]
