"""Ranges of numbers that several commands accept."""

from __future__ import annotations

from simcore.errors import UsageError

MAX_THREADS = 1024
MAX_SEED = 2**64 - 1


def spanned(least: int, most: int) -> str:
    """Return a range in words."""
    return f"{least} to {'2**64 - 1' if most == MAX_SEED else f'{most:,}'}"


def check_threads(threads: int | None) -> None:
    """Raise `UsageError` for an impossible number of threads; None means one for each processor."""
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"{threads} is out of range; give a whole number from {spanned(1, MAX_THREADS)}", "threads")
