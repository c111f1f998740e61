"""From the words that kernels put into a trace to the records of a log, as the game declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from simcore.log_records import RecordKind

Word = Callable[["Words"], Any]
"""Function that reads the words of one field and returns its value in the log."""

END_OF_LIST = -1


class Words:
    """Trace words, read from front to back.

    Parameters
    ----------
    words
        Trace words of a log.
    rules
        Resolved rules.
    players
        Players at the table.
    at
        Position of the first word of a record.

    Attributes
    ----------
    current
        The latest value of each field.
    end
        Position after the last word of a record, where a game writes its size.
    """

    def __init__(self, words: Sequence[int], rules: Any, players: int, at: int = 0) -> None:
        self.words, self.rules, self.players, self.at, self.end = words, rules, players, at, len(words)
        self.current: dict[str, Any] = {}

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


def named(names: Sequence[str]) -> Word:
    """One of some names; None if the number is negative."""

    def read(words: Words) -> str | None:
        found = words.one()
        return names[found] if found >= 0 else None

    return read


def current(name: str) -> Word:
    """The latest value of a field."""
    return lambda words: words.current[name]


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

    return each


def grouped(**reads: Word) -> Word:
    """An object with some fields."""
    return lambda words: {name: read(words) for name, read in reads.items()}


def together(*names: str) -> Mapping[str, Word]:
    """Fields by seat, of which all values of the first seat come first."""

    def first(words: Words) -> list[int]:
        values = words.next(len(names) * words.players)
        words.current.update((name, values[place :: len(names)]) for place, name in enumerate(names))
        return values[0 :: len(names)]

    return {name: current(name) if place else first for place, name in enumerate(names)}


def read_record(kind: RecordKind, words: Words) -> dict[str, Any]:
    """Read the words of one record."""
    record: dict[str, Any] = {"kind": kind.name}
    for one in kind.fields:
        record[one.name] = one.word(words)
    for one in kind.variants[record[kind.by]] if kind.by else ():
        record[one.name] = one.word(words)
    words.current.update(record)
    words.current.update((one.name, one.word(words)) for one in kind.kept)
    return record


def read_records(kinds: Mapping[int, RecordKind], words: Words) -> Iterator[dict[str, Any]]:
    """Read records, each after its code, up to the end."""
    while words.at < len(words.words):
        yield read_record(kinds[words.one()], words)
