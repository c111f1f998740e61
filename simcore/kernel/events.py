"""The kinds of events that a game records for the table of events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EventKind:
    """One kind of event of the table of events.

    Parameters
    ----------
    name
        Value of the column `kind`.
    meaning
        One line.
    values
        Contents of the columns `a`, `b` and `c`, in this order; at most three.
    """

    name: str
    meaning: str
    values: tuple[str, ...] = ()
