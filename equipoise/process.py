"""The process: signals that end it, what it needs of the system, its own packages, and its command line."""

from __future__ import annotations

import atexit
import ctypes
import mmap
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FrameType, ModuleType
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

_heard = threading.Event()
"""Set once a signal has come."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_LISTENING = os.name != "nt"
"""Whether a thread can listen for signals."""


def listen() -> None:
    """Turn signals into KeyboardInterrupt; a second signal, or one that goes unnoticed, ends the process at once.

    Python notices a signal only when its main thread returns from compiled code, which a policy may never do, so a
    thread of our own waits for signals as well.  Signals that the process was started to ignore (`nohup`) stay ignored.
    """
    _heard.clear()

    def hear(number: int, frame: FrameType | None) -> None:
        if _heard.is_set() and _LISTENING:
            return  # the thread ends the process at once; what answers the first signal must not raise another error
        _heard.set()
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
    threading.Thread(target=_watch, args=(reader, set(ours), hear_once), name=WATCH, daemon=True).start()


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


def is_interrupted() -> bool:
    """Return whether a signal has come; a library may make an error of its own of what it raises."""
    return _heard.is_set()


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


def _watch(reader: int, ours: set[int], hear_once: Callable[[], None]) -> None:
    """End the process at the second signal, or if the first one goes unnoticed."""
    _next(reader, ours)
    hear_once()  # Python runs, so the next signal can end the process tidily
    if select.select([reader], [], [], PATIENCE)[0] or _heard.is_set():
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
    _flush()  # what is written stays, even if an exit function of a library ends the process
    atexit._run_exitfuncs()
    _flush()
    os._exit(code)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()


# --- What a process needs of a system that limits it: memory, open files and threads ---
#
# Libraries that are refused one of these fail in ways of their own: they abort, never end, or raise errors that speak
# of something else.  So a command looks before it begins, and again if it fails in a way that it does not know.


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


# --- Make sure that the toolkit imports its own packages, although a user's files may have the same plain names ---
#
# Python looks for modules in the folder of a notebook first, so a user's `analysis.py` or `reports/` there would be
# imported, and run, instead of our package.


TREE = Path(__file__).resolve().parents[1]
ROOMS = ("simcore", "strategies", "analysis", "reports", "configs")


@cache
def claim() -> None:
    """Import our packages from the folder of Equipoise itself, once.

    If a user has already imported a module with such a name, its contents stay accessible: `import analysis` then gives
    our package, which looks up in the user's module what it does not have itself.
    """
    for name in ROOMS:
        present = sys.modules.get(name)
        if TREE / name not in [Path(folder).resolve() for folder in getattr(present, "__path__", ())]:
            sys.modules[name] = _ours(name, present)


def _ours(name: str, theirs: ModuleType | None) -> ModuleType:
    """Return one of our packages, which gives access to the contents of a user's module of that name."""
    folders = [str(TREE / name), *getattr(theirs, "__path__", ())]
    spec = spec_from_file_location(name, TREE / name / "__init__.py", submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{TREE / name} is missing")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if theirs is not None:
        module.__getattr__ = lambda attribute: getattr(theirs, attribute)  # type: ignore[method-assign]
    return module


# --- The command line that was typed, for manifests and pages that repeat it ---


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
