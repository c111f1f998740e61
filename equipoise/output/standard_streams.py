"""Standard output and standard error; what is printed after their reader has closed them is discarded."""

from __future__ import annotations

import io
import os
import sys


class _Stream(io.FileIO):
    """A stream of this process that discards everything once its reader has closed it.

    descriptor: The stream's file descriptor.
    gone: The error that shows that the reader is gone; for standard error, any error.
    """

    def __init__(self, descriptor: int, gone: type[OSError]) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.gone = gone
        self.left = False

    def write(self, data: object) -> int:
        """Write bytes."""
        try:
            return super().write(data)  # type: ignore[arg-type]
        except self.gone:
            self.left = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return memoryview(data).nbytes  # type: ignore[arg-type]


def open_streams() -> None:
    """Let a reader stop early, as `head` does, without an error or a different exit code."""
    for name, gone in (("stdout", BrokenPipeError), ("stderr", OSError)):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        stream.reconfigure(errors="replace")
        if os.name == "posix":
            stream.flush()
            binary = io.BufferedWriter(_Stream(stream.fileno(), gone))
            setattr(sys, name, io.TextIOWrapper(binary, stream.encoding, "replace", "\n", stream.line_buffering))


def has_left(stream: object) -> bool:
    """Return whether the reader of a binary stream of this process has closed it."""
    return getattr(getattr(stream, "raw", None), "left", False)
