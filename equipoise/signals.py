"""Ending a process early by Ctrl-C, SIGTERM or SIGHUP, and at once if it is stuck."""

from __future__ import annotations

import atexit
import ctypes
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
PATIENCE = 1.0
"""Seconds after which a process that is stuck in a kernel, and so does not notice a signal, is ended anyway."""

WATCH = "signals"
"""Name of the thread that listens for signals."""

unfinished: list[Path] = []
"""Incomplete files and possibly empty folders that must not stay, in the order in which they were made."""

_busy, _late = threading.Event(), threading.Event()
"""Set while a signal has to wait until a few steps are taken, and when one waits."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_LISTENING = os.name != "nt"
"""Whether a thread can listen for signals."""


def listen() -> None:
    """Turn signals into KeyboardInterrupt; a second signal, or one that goes unnoticed, ends the process at once.

    Python notices a signal only when its main thread returns from compiled code, which a policy may never do, so a
    thread of our own waits for signals as well.  Signals that the process was started to ignore (`nohup`) stay ignored.
    """
    heard = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        if heard.is_set() and _LISTENING:
            return  # the thread ends the process at once; what answers the first signal must not raise another error
        heard.set()
        if _busy.is_set():
            _late.set()
            return
        raise KeyboardInterrupt

    named = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    ours = [number for number in named if signal.getsignal(number) != signal.SIG_IGN]
    for number in ours:
        signal.signal(number, hear)
    hear_once = _for_one_signal(ours)
    hear_once()
    if not _LISTENING:
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader, set(ours), heard, hear_once), name=WATCH, daemon=True).start()


@contextmanager
def together() -> Iterator[None]:
    """Let a signal wait until the block is done, so that either all its steps are taken or none.

    They are few, or the block asks again and again whether `signal_waits`.
    """
    _busy.set()
    try:
        yield
    finally:
        _busy.clear()
    if _late.is_set():
        _late.clear()
        raise KeyboardInterrupt


def signal_waits() -> bool:
    """Return whether a signal waits for the end of a block."""
    return _late.is_set()


def _for_one_signal(ours: list[int]) -> Callable[[], None]:
    """Return a function that lets Python hear each signal once; from then on, the system ends the process.

    A library that never gives up Python's lock (GIL) keeps all threads of Python from running, also the one that waits
    for the second signal.
    """
    try:
        library = ctypes.CDLL(None)
        library.signal.restype, install = ctypes.c_void_p, library.sysv_signal
    except (AttributeError, OSError, TypeError):  # not the C library of GNU
        return lambda: None
    handlers = {number: ctypes.c_void_p(library.signal(number, None)) for number in ours}

    def hear_once() -> None:
        for number, handler in handlers.items():
            install(number, handler)

    return hear_once


def _watch(reader: int, ours: set[int], heard: threading.Event, hear_once: Callable[[], None]) -> None:
    """End the process at the second signal, or if the first one goes unnoticed."""
    _next(reader, ours)
    hear_once()  # Python runs, so the next signal can end the process tidily
    if select.select([reader], [], [], PATIENCE)[0] or heard.is_set():
        _next(reader, ours)
    else:
        with suppress(OSError):
            os.write(2, b"interrupted\n")
    for path in reversed(list(unfinished)):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
    os._exit(INTERRUPTED)


def _next(reader: int, ours: set[int]) -> None:
    """Wait for one of our signals."""
    while not ours & set(os.read(reader, 1)):
        pass


def leave(code: int) -> NoReturn:
    """End the process without waiting for threads that still play or compile; Python would take seconds to clean up."""
    if all(thread.name == WATCH or thread is threading.current_thread() for thread in threading.enumerate()):
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
