"""Falsehoods that hold together over several records; single fields and records are changed by `trials`."""

from typing import Any

from ..falsehoods import GENERAL, Case, Log, Mutation, Record, records, set_field


def insert(record: Record, before: str, **fields: Any) -> Mutation:
    """Return a mutation that puts a record before the last such one."""

    def spoil(log: Log) -> int | None:
        for index, found in reversed([*records(log, before, **fields)]):
            log.insert(index, {"kind": "", "turn": found["turn"], "phase": found["phase"]} | record)
            return index
        return None

    return spoil


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


GIFT = {"kind": "money", "from": 0, "to": 1, "amount": 100, "why": "purchases"}
RECRUIT = {"kind": "pawns", "seat": 1, "village": 0, "what": "soldiers", "delta": 1, "why": "purchases"}

CASES: list[Case] = [
    *GENERAL,
    ("dead and somewhere", set_field("village", 3, "lord", status="dead"), "village is"),
    ("half a wedding", set_field("on", False, "marriage", on=True), "on is"),
    ("numbers for no and yes", numbers, "options is"),
    ("a gift", insert(GIFT, "turn_end"), "found a record of kind 'money'"),
    ("a recruit", insert(RECRUIT, "turn_end"), "found a record of kind 'pawns'"),
    ("the die first", swap, "found a record of kind 'chance'"),
]
