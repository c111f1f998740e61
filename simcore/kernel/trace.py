"""The buffers for replays and for the table of events; a plain batch leaves them empty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import whole_numbers
from simcore.kernel.records import layout

CAPACITY = 1 << 16
"""Default number of words for the replay of a game."""

MARGIN = 1 << 10
"""Number of words that a game may write between two calls of `has_room`."""

NOTE = 7
"""Number of integers of a note: index of the game in its batch, turn, seat, kind, and three values."""

NO_SEAT = np.int64(-1)
"""The seat of a note for an event of the whole table."""


@cache
def trace_of(words: int = CAPACITY, notes: int = 0) -> np.dtype[Any]:
    """Return the record of a trace with room for the words of one replay and for some notes."""
    return layout(
        ("on", np.int32),  # 1 while a game is being recorded
        ("full", np.int32),  # 1 once recording stopped for want of room
        ("used", np.uint64),  # words written
        ("noting", np.int32),  # 1 while events are noted
        ("game", np.int32),  # index of the game in its batch
        ("noted", np.int64),  # notes written
        ("notes", np.int32, (notes + 1, NOTE)),
        ("words", np.int32, words),  # code and fields of one event after another
    )


TRACE = trace_of()
"""The default trace record of a game."""


@kernel
def has_room(trace):
    """Stop recording before the buffer overflows; games call this once in each turn or round."""
    if trace.used > np.uint64(trace.words.shape[0] - MARGIN):
        trace.on = 0
        trace.full = 1


@inlined
def put(trace, value):
    """Append one word; a word without room is lost, with all that follow."""
    if trace.used < np.uint64(trace.words.shape[0]):
        trace.words[trace.used] = np.int32(value)
        trace.used += np.uint64(1)


@inlined
def tell(trace, *words):
    """Append some words, such as a record's code and its fields, while a game is being recorded."""
    if trace.on:
        put_all(trace, whole_numbers(words))


@apart
def put_all(trace, words):
    """Append some words."""
    for word in words:
        put(trace, word)


@inlined
def note(trace, turn, seat, kind, first, second, third):
    """Record an event for the run's table of events: its turn, its seat or `NO_SEAT`, its kind, and three values."""
    if trace.noting:
        put_note(trace, turn, seat, kind, first, second, third)


@kernel
def put_note(trace, turn, seat, kind, first, second, third):
    """Write a note; a note without room is only counted."""
    number = trace.noted
    trace.noted += 1
    if number < trace.notes.shape[0]:
        row = trace.notes[number]
        row[0] = trace.game
        row[1] = turn
        row[2] = seat
        row[3] = kind
        row[4] = first
        row[5] = second
        row[6] = third


# --- The kinds of events that a game records for the table of events ---


@dataclass(frozen=True)
class EventKind:
    """One kind of event of the table of events."""

    name: str  # value of the column `kind`
    meaning: str  # one line
    values: tuple[str, ...] = ()  # contents of the columns `a`, `b` and `c`, in this order; at most three
