"""Replay logs: their kinds of records, who sees them, how they are read from a trace, and text.

A log has everything that happened; `shown` leaves what one seat sees of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, get_type_hints

import numpy as np

Record = Mapping[str, Any]

Sight = Callable[[Record, Record, int], bool]
"""`(first line, record, seat from 1) -> whether the seat sees it`; its docstring says who does, for the manual."""


def everybody(first: Record, record: Record, seat: int) -> bool:
    """Everybody."""
    return True


def its_seat(first: Record, record: Record, seat: int) -> bool:
    """Its seat."""
    return bool(record["seat"] == seat)


def nobody(first: Record, record: Record, seat: int) -> bool:
    """Nobody."""
    return False


@dataclass(frozen=True)
class Field:
    """A field of a record.

    Parameters
    ----------
    name
        Its name in the log.
    meaning
        What it holds, in Markdown; empty if the name says it.
    seen
        Who sees it.
    glimpsed
        Who else sees it for a moment, although the game's `redraw` does not let that seat remember it.
    instead
        `(first line, record, seat from 1) -> value`: what the other seats see, such as the back of a card.  If None,
        they get the record without the field.
    word
        `(words) -> value`: reads it from the trace (`simcore.log_records`).  If None, the value is that of the latest
        field, or word in `RecordKind.written`, of the same name.
    told
        `(first line, value) -> value`: what those who see it are told, if a log knows more than anybody at the table,
        such as which of two equal cards it is.
    """

    name: str
    meaning: str = ""
    seen: Sight = everybody
    glimpsed: Sight = nobody
    instead: Callable[[Record, Record, int], Any] | None = None
    told: Callable[[Record, Any], Any] | None = None
    word: Callable[[Any], Any] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class RecordKind:
    """A kind of record.

    Parameters
    ----------
    name
        The value of `kind` in the log.
    meaning
        What happens, in Markdown.
    fields
        Its fields, in order.
    seen
        Who learns of it; the others get the log without the record.
    by
        Name of the field on which further fields depend.
    variants
        These further fields, by the values of that field.
    written
        `(words) -> values by name`: what the kernel writes before the fields that are read from words of their own, if
        its order or its units are not those of the log.
    """

    name: str
    meaning: str
    fields: tuple[Field, ...] = ()
    seen: Sight = everybody
    by: str = ""
    variants: Mapping[str, tuple[Field, ...]] = field(default_factory=dict)
    written: tuple[Callable[[Any], Mapping[str, Any]], ...] = ()

    def fields_of(self, record: Record) -> tuple[Field, ...]:
        """Return the declared fields of a record."""
        return self.fields + self.variants.get(record[self.by] if self.by else "", ())

    @cached_property
    def reads(self) -> list[tuple[str, Callable[[Any], Any] | None]]:
        """The name and the word of each field, as millions of records are read."""
        return [(one.name, one.word) for one in self.fields]

    @cached_property
    def variant_reads(self) -> dict[Any, list[tuple[str, Callable[[Any], Any] | None]]]:
        """The same for the further fields of each variant."""
        return {value: [(one.name, one.word) for one in fields] for value, fields in self.variants.items()}


def shown(
    kinds: Sequence[RecordKind], first: Record, records: Sequence[Record], seat: int, glimpses: bool = True
) -> Iterator[dict[str, Any]]:
    """Yield the records of which a seat learns, each with what it sees of the fields.

    What is not declared is seen by nobody.

    kinds: The declared kinds of records.
    first: First line of the log.
    records: Its other records, with everything.
    seat: The seat, counted from 1.
    glimpses: Whether to show what the seat sees only for a moment.

    Examples
    --------
    >>> kinds = (RecordKind("draw", "a card", (Field("seat"), Field("card", seen=its_seat))),)
    >>> records = [{"kind": "draw", "seat": 1, "card": 7}, {"kind": "draw", "seat": 2, "card": 9}]
    >>> list(shown(kinds, {}, records, 2))
    [{'kind': 'draw', 'seat': 1}, {'kind': 'draw', 'seat': 2, 'card': 9}]
    """
    known = {kind.name: kind for kind in kinds}
    for record in records:
        kind = known.get(record["kind"])
        if kind is not None and kind.seen(first, record, seat):
            declared = {one.name: one for one in kind.fields_of(record)}
            seen = {"kind": record["kind"]}
            for name, value in record.items():
                one = declared.get(name)
                if one is None:
                    continue
                if one.seen(first, record, seat) or (glimpses and one.glimpsed(first, record, seat)):
                    seen[name] = value if one.told is None else one.told(first, value)
                elif one.instead is not None:
                    seen[name] = one.instead(first, record, seat)
            yield seen


def undeclared(kinds: Sequence[RecordKind], record: Record) -> str:
    """Return what a record has that is not declared: its kind, or one of its fields; "" if there is nothing."""
    kind = next((kind for kind in kinds if kind.name == record["kind"]), None)
    if kind is None:
        return str(record["kind"])
    known = {"kind", *(one.name for one in kind.fields_of(record))}
    return next((f"{kind.name}.{name}" for name in record if name not in known), "")


# --- From the words that kernels put into a trace to the records of a log, as the game declares them ---


Word = Callable[[Any], Any]
"""Function of `Words` that reads the words of one field and returns its value in the log."""

END_OF_LIST = -1


def returned(word: Word) -> Any:
    """Return the type of what a word is read as: its return annotation; of an object, the types by field."""
    found = word.__annotations__.get("return", Any)
    return get_type_hints(word)["return"] if isinstance(found, str) else found


class Tape(list[int]):
    """Trace words of a log, and where those of each record end; only `read_record` says it."""

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(words)
        self.ends: list[int] = []


class Words:
    """Trace words, read from front to back.

    words: Trace words of a log.
    rules: Resolved rules.
    players: Players at the table.
    at: Position of the first word of a record.
    current: The latest value of each field, here before the first record.
    """

    def __init__(self, words: Sequence[int], rules: Any, players: int, at: int = 0, **current: Any) -> None:
        self.words, self.rules, self.players, self.at = words, rules, players, at
        self.ends = words.ends if isinstance(words, Tape) else []
        self.current = current

    def one(self) -> int:
        """Read one word."""
        self.at += 1
        return self.words[self.at - 1]

    def next(self, count: int) -> list[int]:
        """Read some words."""
        start, self.at = self.at, self.at + count
        return list(self.words[start : self.at])


def whole_number(words: Words) -> int:
    """A whole number as it stands."""
    words.at += 1
    return words.words[words.at - 1]


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


numbers = listed(whole_number)


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
    current = words.current
    for group in kind.written:
        current.update(group(words))
    for name, word in kind.reads:
        record[name] = current[name] = word(words) if word else current[name]
    for name, word in kind.variant_reads[record[kind.by]] if kind.by else ():
        record[name] = current[name] = word(words) if word else current[name]
    words.ends.append(words.at)
    return record


def read_records(kinds: Sequence[RecordKind], words: Words) -> Iterator[dict[str, Any]]:
    """Read records, each after its code, up to the end; the kinds are in the order of their codes."""
    while words.at < len(words.words):
        yield read_record(kinds[words.one()], words)


# --- What the texts of replay logs have in common, whatever the game ---


NAME_WIDTH = 20

Lines = Iterator[str]


def short(name: str) -> str:
    """Return the name of a strategy as it fits into a table."""
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 3] + "..."


def heading(
    game: str, header: Record, above: Iterable[str] = (), below: Iterable[str] = (), name: Callable[[str], str] = short
) -> Lines:
    """Yield which game it is, the strategies by seat, and the options in force; own lines go around the strategies."""
    yield f"{game}: game {header['game_id']} of seed {header['seed']}, {header['players']} players"
    yield from above
    yield f"Strategies: {', '.join(f'{seat} {name(one)}' for seat, one in enumerate(header['strategies'], 1))}"
    yield from below
    yield f"Options: {', '.join(f'{name} {_option(value)}' for name, value in header['options'].items())}"


def story(
    texts: Mapping[str, Callable[..., Lines]],
    table: Any,
    records: Sequence[Record],
    together: Callable[[Record], Any] = id,
) -> Lines:
    """Yield what the function of each kind says of the table and a record, or of several records with one key."""
    for _, group in groupby(records, key=together):
        entries = list(group)
        yield from texts[entries[0]["kind"]](table, *entries)


def one_move(record: Record) -> Any:
    """Return a key for `story`: moves with the same reason and the same ends are shown in one line."""
    return (record["why"], record["from"], record["to"]) if record["kind"] == "move" else id(record)


def standings(
    end: Record, names: Sequence[str], columns: Mapping[str, str], last: str, own: Callable[[int], str]
) -> Lines:
    """Yield the table of the end: the seats by place, with some fields of the last record under their titles.

    last: Title of the last column, in which a seat has its `own` text.
    """
    yield f"  Place  Seat  {'Strategy':<{NAME_WIDTH}}  {'  '.join(columns)}   Win  {last}"
    for seat, place in sorted(enumerate(end["place"], 1), key=lambda one: one[::-1]):
        cells = "  ".join(f"{end[field][seat - 1]:>{len(title)}}" for title, field in columns.items())
        line = f"  {place:>5}  {seat:>4}  {short(names[seat - 1]):<{NAME_WIDTH}}  {cells}"
        yield f"{line}  {end['share60'][seat - 1] / 60:>4.0%}  {own(seat)}".rstrip()


def _option(value: object) -> str:
    if isinstance(value, list):
        return "/".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


# Replay logs of games that need no words of their own: every rule in the first line, and text made of the records.


def plain_header(words: Sequence[int], rules: Any, players: int) -> dict[str, Any]:
    """Return every value of the rules as an option."""
    return {"options": rules.model_dump(mode="json", exclude={"format", "game", "name", "title", "measures"})}


def plain_text(title: str, header: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for the game and one for each record."""
    yield f"{title}, {header['players']} players, seed {header['seed']}, game {header['game_id']}"
    for record in records:
        values = ", ".join(f"{name} {_text(value)}" for name, value in record.items() if name != "kind")
        yield f"{record['kind']}: {values}"


def _text(value: Any) -> str:
    """Return a value as people write it."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_text(item)}" for name, item in value.items()) or "-"
    if isinstance(value, list | tuple):
        return " ".join(f"[{_text(item)}]" if isinstance(item, list | tuple) else _text(item) for item in value) or "-"
    return str(value)


# --- Replay logs of games whose code is not part of an installed package: records, who sees them, and text ---


def _sees_the_move(first: Record, record: Record, seat: int) -> bool:
    """Its seat, and the others unless the game hides it from them."""
    return seat not in record.get("hidden_from", ())


def _all_open(first: Record, record: Record, seat: int) -> bool:
    """Everybody, but of what is secret each seat its own."""
    return "secret" not in record


def _own_numbers(first: Record, record: Record, seat: int) -> dict[str, list[float | None]]:
    """Return what the seats hold, with only the own number of what is secret."""
    return {
        name: [
            value if name not in record["secret"] or owner == seat else None for owner, value in enumerate(values, 1)
        ]
        for name, values in record["held"].items()
    }


def _own_camp(first: Record, record: Record, seat: int) -> list[str | None]:
    """Return the camps, with only the own one."""
    return [camp if owner == seat else None for owner, camp in enumerate(record["camp"], 1)]


RECORD_KINDS = (
    RecordKind(
        "camps",
        "the camps are drawn",
        (Field("camp", "camp of each seat", seen=nobody, instead=_own_camp),),
    ),
    RecordKind(
        "move",
        "a seat moves",
        (
            Field("seat"),
            Field("move", seen=_sees_the_move),
            Field("says", "the move in words", seen=_sees_the_move),
            Field("held", "what each seat has then, by name", seen=_all_open, instead=_own_numbers),
            Field("hidden_from", "seats that do not see the move", seen=nobody),
            Field("secret", "names in `held` of which a seat sees only its own number", seen=nobody),
        ),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (Field("place"), Field("payoffs"), Field("returns"), Field("share60"), Field("share840")),
    ),
)
"""What `simcore.plain` records."""


def records(words: Sequence[int], rules: Any, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a replay log, which the trace holds as JSON."""
    yield from json.loads(np.array(words, np.int32).tobytes())


def narrate(title: str, header: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for the game, each move and the result."""
    seats = ", ".join(f"seat {seat}: {name}" for seat, name in enumerate(header["strategies"], 1))
    yield f"{title}, seed {header['seed']}, game {header['game_id']}; {seats}"
    for record in told:
        if record["kind"] == "move":
            yield f"Seat {record['seat']}: {record.get('says', 'a hidden move')}"
        elif record["kind"] == "camps":
            yield "Camps: " + ", ".join(f"seat {seat} {camp or '?'}" for seat, camp in enumerate(record["camp"], 1))
        elif not any(record["place"]):
            yield "End: nobody wins"
        else:
            scores = record.get("payoffs", record.get("returns"))
            ends = zip(record["place"], scores or record["place"], strict=True)
            yield "End: " + ", ".join(
                f"seat {seat} place {place}" + (f" with {score:g}" if scores else "")
                for seat, (place, score) in enumerate(ends, 1)
            )
