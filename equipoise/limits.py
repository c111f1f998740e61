"""What several commands accept: ranges of numbers, and how long they may play."""

from __future__ import annotations

from simcore.errors import UsageError

MAX_THREADS = 1024
MAX_SEED = 2**64 - 1
LONG = 1800
"""Seconds above which something is played only if the user agrees."""


def spanned(least: int, most: int) -> str:
    """Return a range in words."""
    return f"{least} to {'2**64 - 1' if most == MAX_SEED else f'{most:,}'}"


def check_threads(threads: int | None) -> None:
    """Raise `UsageError` for an impossible number of threads; None means one for each processor."""
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"{threads} is out of range; give a whole number from {spanned(1, MAX_THREADS)}", "threads")


def patience(yes: bool, seconds: float) -> None:
    """Raise `UsageError` if the work takes more than half an hour and the user has not agreed to that."""
    if seconds > LONG and not yes:
        hours, minutes = divmod(max(round(seconds / 60), 1), 60)
        text = f"{hours} h {minutes} min" if hours else f"{minutes} min"
        raise UsageError(
            f"this would take about {text} more; take fewer values or games", way_out=(", or confirm with", "yes")
        )
