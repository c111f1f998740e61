"""The kinds of events that a game records for the table of events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EventKind:
    """One kind of event of the table of events."""

    name: str  # value of the column `kind`
    meaning: str  # one line
    values: tuple[str, ...] = ()  # contents of the columns `a`, `b` and `c`, in this order; at most three
