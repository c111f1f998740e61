"""The kinds of events that a game notes for the table of events."""

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
        What the columns `a`, `b` and `c` hold, in this order; three at most.
    """

    name: str
    meaning: str
    values: tuple[str, ...] = ()
