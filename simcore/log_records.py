"""The declaration of a replay log: its kinds of records, their fields, and who sees them.

A log has everything that happened; `shown` leaves what one seat sees of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
        `(words) -> value`: reads it from the trace (`simcore.log_reading`).  If None, the value is that of the latest
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
    size
        Number of words that the kernel always writes, even if no field needs them; 0 if it writes only what is read.
    """

    name: str
    meaning: str
    fields: tuple[Field, ...] = ()
    seen: Sight = everybody
    by: str = ""
    variants: Mapping[str, tuple[Field, ...]] = field(default_factory=dict)
    written: tuple[Callable[[Any], Mapping[str, Any]], ...] = ()
    size: int = 0

    def fields_of(self, record: Record) -> tuple[Field, ...]:
        """Return the declared fields of a record."""
        return self.fields + self.variants.get(record[self.by] if self.by else "", ())


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
