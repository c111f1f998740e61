"""What a process needs of a system that limits it: memory, open files and threads.

Libraries that are refused one of these fail in ways of their own: they abort, never end, or raise errors that speak of
something else.  So a command looks before it begins, and again if it fails in a way that it does not know.
"""

from __future__ import annotations

import mmap
import os
import threading
from contextlib import ExitStack, suppress

MEMORY, MEMORY_EACH = 2 << 30, 32 << 20
"""Bytes of address space that a command reserves, and further ones for each processor; a report needs most."""

SOME_MEMORY = 256 << 20
"""Bytes without which a library cannot be loaded, or a large table cannot be made."""

FILES = 32
"""Files that a command opens at once: libraries open files of their own, a page has several."""


def lacking(memory: int | None = None) -> str | None:
    """Return what this process cannot have, and how to give it more; None if it can have all that it needs.

    memory: Bytes of address space.  If None, those that a command reserves from its beginning to its end.

    Examples
    --------
    >>> lacking(1 << 60)
    'the system gives this process no further 1,073,741,824.0 GB of memory; raise its limit (ulimit -v)'
    """
    processors = os.cpu_count() or 1
    wanted = MEMORY + processors * MEMORY_EACH if memory is None else memory
    if not _memory(wanted):
        amount = f"{wanted / 2**30:,.1f} GB"
        return f"the system gives this process no further {amount} of memory; raise its limit (ulimit -v)"
    if not _files(FILES):
        return f"this process may not open {FILES} more files; raise its limit (ulimit -n)"
    if not _threads(processors):
        return f"this process may not start {processors} more threads; raise the limit of processes (ulimit -u)"
    return None


def _memory(wanted: int) -> bool:
    """Return whether so much address space can be reserved; none of it is used."""
    if not hasattr(mmap, "PROT_READ"):  # Windows takes memory from its page file for what is only reserved
        return True
    try:
        mmap.mmap(-1, wanted, flags=mmap.MAP_PRIVATE | mmap.MAP_ANON, prot=0).close()
    except (OSError, OverflowError):
        return False
    return True


def _files(wanted: int) -> bool:
    with ExitStack() as opened:
        try:
            for _ in range(wanted):
                opened.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        except OSError:
            return False
    return True


def _threads(wanted: int) -> bool:
    over, begun = threading.Event(), list[threading.Thread]()
    try:
        for _ in range(wanted):
            thread = threading.Thread(target=over.wait)
            with suppress(RuntimeError):
                thread.start()
                begun.append(thread)
    finally:
        over.set()
        for thread in begun:
            thread.join()
    return len(begun) == wanted
