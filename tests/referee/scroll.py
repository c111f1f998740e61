"""The records of one game, read in order, and the violations found in them."""

import reprlib
from collections.abc import Iterable
from typing import Any, NoReturn

MAX_VIOLATIONS = 20
MAX_SHOWN = 400
MAX_DEPTH = 4
END = object()
BRIEF = reprlib.Repr()
BRIEF.maxlevel, BRIEF.maxdict, BRIEF.maxlist, BRIEF.maxtuple, BRIEF.maxstring = MAX_DEPTH, 12, 32, 32, 80


class Stop(Exception):
    """The game cannot be followed any further."""


def show(value: object) -> str:
    """Return a value as text of bounded length."""
    text = BRIEF.repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


def is_plain(values: Iterable[object], depth: int = MAX_DEPTH) -> bool:
    """Say whether there is nothing but whole numbers, text, nulls, lists and objects, so that == means the same."""
    if not depth:
        return False
    for value in values:
        kind = type(value)
        if kind is int or kind is str or value is None:
            continue
        if kind is list:
            if not is_plain(value, depth - 1):
                return False
        elif kind is not dict or not is_plain(value.values(), depth - 1):
            return False
    return True


class Scroll:
    """Reads records one by one and collects at most `MAX_VIOLATIONS` violations."""

    def __init__(self, records: Iterable[Any]) -> None:
        self._records = iter(records)
        self.index = -1
        self.kind = ""
        self.record: dict[str, Any] = {}
        self.violations: list[str] = []

    def is_plain(self, record: dict[str, Any]) -> bool:
        """Say whether the fields of a record hold plain values."""
        return is_plain(record.values())

    def flag(self, message: str) -> None:
        """Note a violation in the current record; the game can still be followed."""
        self.violations.append(f"record {self.index} ({self.kind}): {message}")
        if len(self.violations) >= MAX_VIOLATIONS:
            raise Stop

    def stop(self, message: str) -> NoReturn:
        """Note a violation after which nothing can be checked."""
        self.flag(message)
        raise Stop

    def read(self, *kinds: str) -> dict[str, Any]:
        """Return the next record, which must be of one of these kinds and hold plain values."""
        self.index += 1
        self.kind = kinds[0]
        record = next(self._records, END)
        if record is END:
            self.stop("the log ends here")
        if type(record) is not dict:
            self.stop(f"found no object but {show(record)}")
        if record.get("kind") not in kinds:
            self.stop(f"found a record of kind {show(record.get('kind'))}")
        self.kind = record["kind"]
        if self.kind != "game" and not self.is_plain(record):
            self.stop(f"holds a value that is no whole number, text or null: {show(record)}")
        self.record = record
        return record

    def agree(self, **expected: Any) -> None:
        """Flag every field of the current record that is missing, surplus or not as expected."""
        expected["kind"] = self.kind
        record = self.record
        if record == expected:
            return
        for field in [*expected, *(field for field in record if field not in expected)]:
            if field not in record:
                self.flag(f"{field} is missing, expected {show(expected[field])}")
            elif field not in expected:
                self.flag(f"{show(field)} is no field of this record")
            elif record[field] != expected[field]:
                self.flag(f"{field} is {show(record[field])}, expected {show(expected[field])}")

    def close(self) -> None:
        """Flag whatever stands after the last record."""
        self.index += 1
        self.kind = "nothing"
        if next(self._records, END) is not END:
            self.stop("there is a record after the end of the game")
