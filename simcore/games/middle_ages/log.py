"""What a recorded game writes, with one kernel for each kind of event; `records.py` reads it back."""

from __future__ import annotations

import numpy as np

from simcore.kernel.compilation import inlined
from simcore.kernel.trace import put

(
    DEAL, STACK, ORDER, LORD, DISCARD, TAKE, COINS, PAID, RESTORED, SCOUT, HIT, EXTRA, PLOT, INCOME, EVENT, OUTCOME,
    ROUND_END, END,
) = map(np.int64, range(18))  # fmt: skip


@inlined
def log1(trace, code, a):
    if trace.on:
        put(trace, code)
        put(trace, a)


@inlined
def log2(trace, code, a, b):
    if trace.on:
        put(trace, code)
        put(trace, a)
        put(trace, b)


@inlined
def log3(trace, code, a, b, c):
    if trace.on:
        put(trace, code)
        put(trace, a)
        put(trace, b)
        put(trace, c)


@inlined
def log4(trace, code, a, b, c, d):
    if trace.on:
        put(trace, code)
        put(trace, a)
        put(trace, b)
        put(trace, c)
        put(trace, d)
