"""Falsehoods that hold together over several records; single fields and records are changed by `trials`."""

from typing import Any

from ..falsehoods import GENERAL, Case, Log, Record, records, registrar
from .rulebook import FACES, LANDS, TYPES

CASES: list[Case] = [*GENERAL]
mutation = registrar(CASES)


def action(name: str, **fields: Any) -> Record:
    return {"kind": "action", "action": name} | fields


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
def a_gatherer_goes_elsewhere(log: Log) -> int | None:
    if log[0]["strategies"][1] == "random":
        return None
    for index, record in records(log, **action("place", seat=2)):
        free = [land for land in LANDS if land not in record["squares"]]
        if free:
            record["squares"][-1] = free[0]
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
