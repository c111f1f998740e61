"""The buffer of integers that a replayed game fills and a batch leaves empty."""

from __future__ import annotations

import numpy as np

from simcore.jit import inlined, kernel
from simcore.records import layout

CAPACITY = 1 << 16
MARGIN = 1 << 10
"""Words that a game may write between two calls of `has_room`."""

TRACE = layout(
    ("on", np.int32),  # 1 while a game is being recorded
    ("full", np.int32),  # 1 once recording stopped for want of room
    ("used", np.uint64),  # words written
    ("words", np.int32, CAPACITY),  # code and fields of one event after another
)


@kernel
def has_room(trace):
    """Stop recording before the buffer overflows; games call it once a turn or round."""
    if trace.used > np.uint64(CAPACITY - MARGIN):
        trace.on = 0
        trace.full = 1


@inlined
def put(trace, value):
    """Append one word."""
    trace.words[trace.used] = np.int32(value)
    trace.used += np.uint64(1)
