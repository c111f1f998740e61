"""How many threads play and read while a command runs whose analyses are not told one by one, and multiply matrices.

Libraries that distribute small matrix products over all processors take many times as long, and even longer if the
machine does other work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

import numpy as np  # noqa: F401  # loads the library whose threads are limited
from threadpoolctl import ThreadpoolController

from simcore.running.executors import default_threads

_CHOSEN: ContextVar[int | None] = ContextVar("threads", default=None)
_LIBRARIES = ThreadpoolController()
"""Found once, when this module is imported.  To look for them calls Python while the loader of libraries is locked: a
thread that looks, and another one that imports a library meanwhile, would wait for each other forever."""


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


def products_on_one_thread() -> AbstractContextManager[object]:
    """Return a context in which each matrix product is computed by the thread that asks for it."""
    limited: AbstractContextManager[object] = _LIBRARIES.limit(limits=1, user_api="blas")
    return limited
