"""How many threads of this process play and read while a command runs whose analyses are not told one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from simcore.running.executors import default_threads

_CHOSEN: ContextVar[int | None] = ContextVar("threads", default=None)


@contextmanager
def on_threads(threads: int | None) -> Iterator[None]:
    """Let all analyses use a number of threads while the block runs; the results do not depend on it."""
    former = _CHOSEN.set(threads)
    try:
        yield
    finally:
        _CHOSEN.reset(former)


def usual_threads() -> int:
    """Return the number of threads of work that is not given a number of its own."""
    return _CHOSEN.get() or default_threads()
