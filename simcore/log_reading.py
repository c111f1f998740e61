"""From the words that kernels put into a trace to the records of a log, as the game declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_type_hints

from simcore.log_records import RecordKind

Word = Callable[[Any], Any]
"""Function of `Words` that reads the words of one field and returns its value in the log."""

END_OF_LIST = -1


def returned(word: Word) -> Any:
    """Return the type of what a word is read as: its return annotation; of an object, the types by field."""
    found = word.__annotations__.get("return", Any)
    return get_type_hints(word)["return"] if isinstance(found, str) else found


class Words:
    """Trace words, read from front to back.

    words: Trace words of a log.
    rules: Resolved rules.
    players: Players at the table.
    at: Position of the first word of a record.
    current: What fields have before the first record, by name.

    current: The latest value of each field.
    end: Position after the last word of a record, where a game writes its size.
    """

    def __init__(self, words: Sequence[int], rules: Any, players: int, at: int = 0, **current: Any) -> None:
        self.words, self.rules, self.players, self.at, self.end = words, rules, players, at, len(words)
        self.current = current

    def one(self) -> int:
        """Read one word."""
        self.at += 1
        return self.words[self.at - 1]

    def next(self, count: int) -> list[int]:
        """Read some words."""
        start, self.at = self.at, self.at + count
        return list(self.words[start : self.at])


def number(words: Words) -> int:
    """A whole number as it stands."""
    return words.one()


def one_more(words: Words) -> int:
    """A number that kernels count from 0, and a log from 1."""
    return 1 + words.one()


def known(words: Words) -> int | None:
    """A number; None if it is negative."""
    found = words.one()
    return found if found >= 0 else None


def seat_or_none(words: Words) -> int | None:
    """A seat, from 1; None if there is none."""
    found = words.one()
    return found + 1 if found >= 0 else None


def flag(words: Words) -> bool:
    """Yes or no."""
    return words.one() != 0


def named(names: Sequence[str] | Mapping[int, str]) -> Word:
    """One of some names; None if the number is negative."""

    def read(words: Words) -> Any:
        found = words.one()
        return names[found] if found >= 0 else None

    read.__annotations__["return"] = Literal[*(names.values() if isinstance(names, Mapping) else names), None]
    return read


def by_seat(words: Words) -> list[int]:
    """One number for each seat."""
    return words.next(words.players)


def listed(read: Word) -> Word:
    """Values up to the end of a list."""

    def each(words: Words) -> list[Any]:
        found = []
        while words.words[words.at] != END_OF_LIST:
            found.append(read(words))
        words.at += 1
        return found

    each.__annotations__["return"] = list[returned(read)]  # type: ignore[misc]
    return each


def grouped(**reads: Word) -> Word:
    """An object with some fields."""

    def each(words: Words) -> dict[str, Any]:
        return {name: read(words) for name, read in reads.items()}

    each.__annotations__["return"] = {name: returned(read) for name, read in reads.items()}
    return each


def together(*names: str) -> Word:
    """Numbers by seat, of which all of the first seat come first; an object with a list for each name."""

    def read(words: Words) -> dict[str, list[int]]:
        values = words.next(len(names) * words.players)
        return {name: values[place :: len(names)] for place, name in enumerate(names)}

    read.__annotations__["return"] = dict.fromkeys(names, list[int])
    return read


def read_record(kind: RecordKind, words: Words) -> dict[str, Any]:
    """Read the words of one record."""
    record: dict[str, Any] = {"kind": kind.name}
    current, end = words.current, words.at + kind.size
    for group in kind.written:
        current.update(group(words))
    for field in kind.fields:
        record[field.name] = current[field.name] = field.word(words) if field.word else current[field.name]
    for field in kind.variants[record[kind.by]] if kind.by else ():
        record[field.name] = current[field.name] = field.word(words) if field.word else current[field.name]
    words.at = max(words.at, end)
    return record


def read_records(kinds: Mapping[int, RecordKind] | Sequence[RecordKind], words: Words) -> Iterator[dict[str, Any]]:
    """Read records, each after its code, up to the end; a sequence has the kinds in the order of their codes."""
    while words.at < len(words.words):
        yield read_record(kinds[words.one()], words)
