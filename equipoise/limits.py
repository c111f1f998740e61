"""Ranges of numbers that several commands accept."""

from __future__ import annotations

from simcore.errors import UsageError

MAX_THREADS = 1024


def check_threads(threads: int | None) -> None:
    """Raise `UsageError` for an impossible number of threads; None means one for each processor."""
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"{threads} is out of range; give a whole number from 1 to {MAX_THREADS}", "threads")


def check_seed(seed: int) -> None:
    """Raise `UsageError` for a random seed out of range."""
    from simcore.running.batch import MAX_SEED

    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"{seed} is out of range; give a whole number from 0 to 2**64 - 1", "seed")
