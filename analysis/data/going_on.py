"""Long work that goes on where an earlier process left it: what was added up so far is kept every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TypeVar

import numpy as np

from analysis.data.accumulators import fill, held
from analysis.data.in_order import in_order
from analysis.data.store import keep, recall

EVERY = 5.0
"""Seconds of work between two states that are kept; shorter work keeps none."""

MOST_OF_TIME = 20
"""How many times as long as keeping a state takes, the next is not kept."""

T = TypeVar("T")
R = TypeVar("R")


def going_on(
    total: object,
    digest: str | None,
    work: Callable[[T], R],
    items: Sequence[T],
    threads: int | None = None,
    travels: bool = False,
) -> Generator[R, None, None]:
    """Yield what `work` makes of items, in order, for the caller to add to a total, which is kept now and then.

    If an earlier process kept the total of the first items, it is filled with that, and these items are left out.
    The result is the same as without the interruption, to the last bit.

    Parameters
    ----------
    total
        What the caller adds to; it counts in numbers, arrays, and others of its kind (`analysis.data.accumulators`).
        It has to hold what was yielded when the next result is asked for.
    digest
        Of all that decides what comes of it; see `analysis.data.store.digest_of`.  None: nothing is kept.
    work, items, threads, travels
        See `analysis.data.in_order`.
    """
    number = 0
    if digest is not None and (known := recall(digest)) is not None:
        number = _taken(total, known, len(items))
    done, began = number, time.monotonic()
    due = began + EVERY
    with closing(in_order(work, items[number:], threads, travels)) as results:
        for found in results:
            yield found
            done += 1
            if digest is not None and time.monotonic() >= due:
                due = _kept(total, digest, done)
    if digest is not None and done > number and time.monotonic() - began >= EVERY:
        _kept(total, digest, done)


def _kept(total: object, digest: str, done: int) -> float:
    """Keep a total, and return when to keep it again."""
    began = time.monotonic()
    keep(digest, {"done": np.array(done), **held(total, "total")})
    now = time.monotonic()
    return now + max(EVERY, MOST_OF_TIME * (now - began))


def _taken(total: object, known: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]], most: int) -> int:
    """Fill a total with what was kept, and return of how many items that is; 0 where it does not fit."""
    try:
        done = int(known["done"])
        if not 0 < done <= most:
            return 0
        fill(total, "total", known)
    except (KeyError, TypeError, ValueError):
        return 0
    return done
