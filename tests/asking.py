"""System calls that fail: the kernel asks before each write, sync, rename and new file of a process, and is told.

The kernel does so for libraries in any language and for all threads (seccomp's user notification, in Linux since 5.5),
and it needs no special rights.  Only calls that concern a given folder are counted and may fail.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

NUMBERS = {
    "x86_64": {
        "write": (1, 18, 20, 40, 296),  # write, pwrite64, writev, sendfile, pwritev
        "fsync": (74, 75),  # fsync, fdatasync
        "rename": (82, 264, 316),  # rename, renameat, renameat2
    },
    "aarch64": {
        "write": (64, 68, 66, 71, 70),
        "fsync": (82, 83),
        "rename": (38, 276),
    },
}
"""System calls of each kind on a processor."""

ERRORS = {"write": errno.ENOSPC, "fsync": errno.EIO, "rename": errno.EIO}
"""How each kind fails."""

KINDS = tuple(ERRORS)
LONGEST = 30_000
"""Bytes of standard error that are read; a pipe takes twice as many."""

_NO_NEW_PRIVILEGES = 38
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_FILTER, _WITH_LISTENER = 1, 8
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ASK = 0x7FFF0000, 0x7FC00000
_NEXT, _ANSWER, _GO_ON = 0xC0502100, 0xC0182101, 1
_QUESTION = struct.Struct("=QIIiIQ6Q")
_REPLY = struct.Struct("=QqiI")


class Ended(NamedTuple):
    """How a process ended.

    code: Its exit code, negative for a signal; None if it had to be killed.
    error: What it wrote to standard error.
    calls: How many calls of each kind it made.
    """

    code: int | None
    error: str
    calls: Counter[str]


def can_ask() -> bool:
    """Return whether this system has what this module needs."""
    try:
        actions = Path("/proc/sys/kernel/seccomp/actions_avail").read_text()
    except OSError:
        return False
    return sys.platform == "linux" and platform.machine() in NUMBERS and "user_notif" in actions


def watched(work: Callable[[], object], folder: Path, fails: tuple[str, int] | None, patience: float) -> Ended:
    """Do some work in a process forked from this one, and let one system call fail.

    work: What the process does; it ends with the exit code of a `SystemExit`, or 0.
    folder: Only calls that write, sync or move files in this folder are counted.
    fails: The kind of the call that fails, and its number, from 1; None if none fails.
    patience: Seconds after which the process is killed.
    """
    ours, theirs = socket.socketpair()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writer, 2)
        ours.close()
        listener = _ask_first()
        socket.send_fds(theirs, [b"x"], [listener])
        os.close(listener)
        theirs.close()
        finish(work)
    os.close(writer)
    theirs.close()
    _, [listener], *_ = socket.recv_fds(ours, 1, 1)
    calls = _answer(listener, folder, fails, time.monotonic() + patience)
    for handle in (listener, ours.detach()):
        os.close(handle)
    if calls is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    error = os.read(reader, LONGEST).decode()
    os.close(reader)
    return Ended(None if calls is None else os.waitstatus_to_exitcode(status), error, calls or Counter())


def finish(work: Callable[[], object]) -> NoReturn:
    """Do the work of a forked process, and end it with the exit code of a `SystemExit`, or 0."""
    code = 1
    try:
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _ask_first() -> int:
    """Let the kernel ask before the calls of this process; return where it asks."""
    machine = platform.machine()
    numbers = [number for kind in KINDS for number in NUMBERS[machine][kind]]
    steps = [(_LOAD | 0, 0, 0, 0)]
    steps += [(_JUMP_IF_EQUAL, len(numbers) - place, 0, number) for place, number in enumerate(numbers)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ASK)]
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HxxxxxxP", len(steps), ctypes.addressof(packed))
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    listener: int = system.syscall(_SECCOMP[machine], _SET_FILTER, _WITH_LISTENER, program)
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


def _answer(listener: int, folder: Path, fails: tuple[str, int] | None, deadline: float) -> Counter[str] | None:
    """Answer until the process has ended; return how often it asked for each kind, None if it takes too long."""
    kinds = {number: kind for kind, numbers in NUMBERS[platform.machine()].items() for number in numbers}
    calls: Counter[str] = Counter()
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        events = poll.poll(max(0, 1000 * (deadline - time.monotonic())))
        if not events:
            return None
        if not events[0][1] & select.POLLIN:
            return calls
        question = bytearray(_QUESTION.size)
        with suppress(FileNotFoundError):  # the thread that asked has ended
            fcntl.ioctl(listener, _NEXT, question)
            asked, thread, _, number, _, _, first, *_ = _QUESTION.unpack(question)
            kind, error = kinds[number], 0
            if kind == "rename" or _concerns(thread, first, folder):
                calls[kind] += 1
                if fails == (kind, calls[kind]):
                    error = ERRORS[kind]
            fcntl.ioctl(listener, _ANSWER, _REPLY.pack(asked, 0, -error, 0 if error else _GO_ON))


def _concerns(thread: int, handle: int, folder: Path) -> bool:
    """Return whether a thread's open file lies in a folder."""
    try:
        return Path(f"/proc/{thread}/fd/{handle}").readlink().is_relative_to(folder)
    except OSError:
        return False
