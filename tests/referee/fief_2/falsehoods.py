"""Falsehoods to put into honest logs of Fief 2; each is to be found where it stands."""

from typing import Any

from ..falsehoods import GENERAL, Case, Log, Mutation, Record, first_more, more, records, set_field


def asked(name: str, **fields: Any) -> Record:
    return {"kind": "decision", "name": name} | fields


def insert(record: Record, before: str, **fields: Any) -> Mutation:
    """Return a mutation that puts a record before the last such one."""

    def spoil(log: Log) -> int | None:
        for index, found in reversed([*records(log, before, **fields)]):
            log.insert(index, {"kind": "", "turn": found["turn"], "phase": found["phase"]} | record)
            return index
        return None

    return spoil


def doubled(old: list[int]) -> list[int]:
    return [old[0], *old[:-1]]


def numbers(log: Log) -> int | None:
    """Write 0 and 1 for no and yes."""
    for index, record in records(log, "decision"):
        if record["choice"] is False:
            record.update(options=[0, 1])
            return index
    return None


def swap(log: Log) -> int | None:
    """Throw a die before the decision that causes it."""
    for index, record in records(log, "chance", what="revolt"):
        log[index - 1], log[index] = record, log[index - 1]
        return index - 1
    return None


PLAY = {"zone": "play"}
GIFT = {"kind": "money", "from": 0, "to": 1, "amount": 100, "why": "purchases"}
RECRUIT = {"kind": "pawns", "seat": 1, "village": 0, "what": "soldiers", "delta": 1, "why": "purchases"}

CASES: list[Case] = [
    *GENERAL,
    ("a switch of another value", lambda log: log[0]["options"].update(score="most") or 0, "options: score is"),
    ("no turn", lambda log: log[0]["options"].update(turns=0) or 0, "options: turns is"),
    ("a road more", lambda log: log[0].update(roads=[*log[0]["roads"], [0, 23]]) or 0, "roads is"),
    ("another lord", set_field("values", lambda old: [old[0], old[0], *old[2:]], "chance", what="lords"), "values is"),
    ("a card twice in the deck", set_field("values", doubled, "chance", what="deck"), "values is"),
    ("a card missing", set_field("values", lambda old: old[1:], "chance", what="reshuffle"), "values is"),
    ("a die of 7", set_field("values", [7], "chance", what="revolt"), "values is"),
    ("another lord with the plague", set_field("values", first_more, "chance", what="plague"), "values is"),
    ("a die too many", set_field("dice", lambda old: [[*old[0], 1], old[1]], "round"), "dice is"),
    ("a die of 0", set_field("dice", lambda old: [[0, *old[0][1:]], old[1]], "round"), "dice is"),
    ("too dear", set_field("amount", more, "money", why="buy_mill"), "amount is"),
    ("a soldier lost", set_field("delta", more, "pawns", what="soldiers", why="combat"), "delta is"),
    ("a rebel more", set_field("delta", more, "pawns", what="rebels", why="end"), "delta is"),
    ("another cause", set_field("why", "plague", "pawns", why="take"), "why is"),
    ("another holder", set_field("seat", None, "holder", phase="movement"), "seat is"),
    ("dead and somewhere", set_field("village", 3, "lord", status="dead"), "village is"),
    ("a captor of the free", set_field("captor", 1, "lord", status="free"), "captor is"),
    ("another heir", set_field("lord", more, "card", why="title_to"), "lord is"),
    ("half a wedding", set_field("on", False, "marriage", on=True), "on is"),
    ("numbers for no and yes", numbers, "options is"),
    ("a city for a castle", set_field("to", 2, "building", why="buy_castle"), "to is"),
    ("a card from another hand", set_field("from", {"zone": "hand", "seat": 9}, "move", to=PLAY), "from is"),
    ("a card not from the top", set_field("card", more, "move", phase="cards", why="cards"), "card is"),
    ("a gift", insert(GIFT, "turn_end"), "found a record of kind 'money'"),
    ("a recruit", insert(RECRUIT, "turn_end"), "found a record of kind 'pawns'"),
    ("the die first", swap, "found a record of kind 'chance'"),
    ("true for the first", set_field("choice", True, **asked("place")), "illegal"),
]
