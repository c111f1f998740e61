"""The command line that was typed, for manifests and pages that repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


def command_line() -> tuple[str, ...]:
    """Return the words that were typed after `equipoise`; empty if a function was called from Python."""
    return _TYPED.get()


@contextmanager
def typed(words: Sequence[str]) -> Iterator[None]:
    """Say what was typed, while it is carried out."""
    token = _TYPED.set(tuple(words))
    try:
        yield
    finally:
        _TYPED.reset(token)
