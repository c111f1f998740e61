"""Long work that continues where an earlier process stopped: the totals so far are stored every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TypeVar

import numpy as np

from analysis.data.accumulate import fill, held
from analysis.data.in_parallel import in_parallel
from analysis.data.store import keep, recall

EVERY = 5.0
"""Seconds of work between two stored states; shorter work stores none."""

MOST_OF_TIME = 20
"""Least time between two stored states, in multiples of the time that storing one takes."""

T = TypeVar("T")
R = TypeVar("R")


def resumable(
    total: object,
    digest: str | None,
    work: Callable[[T], R],
    items: Sequence[T],
    threads: int | None = None,
    travels: bool = False,
) -> Generator[R, None, None]:
    """Yield the results of `work` for items, in order; the caller adds them to a total, which is stored at intervals.

    If an earlier process stored the total of the first items, the total is filled from that, and these items are
    skipped.  The result is the same, to the last bit, as without the interruption.

    total: The caller's total, which counts in numbers, arrays, and other totals (`analysis.data.accumulate`).  The
        caller must have added a result before it asks for the next one.
    digest: Digest of everything that affects the results; see `analysis.data.store.digest_of`.  If None, nothing is
        stored.
    work, items, threads, travels: See `analysis.data.in_parallel`.
    """
    number = 0
    if digest is not None and (stored := recall(digest)) is not None:
        fill(total, "total", stored)
        number = int(stored["done"])
    done, began = number, time.monotonic()
    due = began + EVERY
    with closing(in_parallel(work, items[number:], threads, travels)) as results:
        for found in results:
            yield found
            done += 1
            if digest is not None and time.monotonic() >= due:
                due = _kept(total, digest, done)
    if digest is not None and done > number and time.monotonic() - began >= EVERY:
        _kept(total, digest, done)


def _kept(total: object, digest: str, done: int) -> float:
    """Store a total, and return when to store it again."""
    began = time.monotonic()
    keep(digest, {"done": np.array(done), **held(total, "total")})
    now = time.monotonic()
    return now + max(EVERY, MOST_OF_TIME * (now - began))
