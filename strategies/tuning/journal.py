"""What a tuning has measured so far, in a file next to its result, so that it can resume after an interruption.

Each line holds the outcome of one step that played games.  A tuning that is resumed takes the same steps from its
beginning, reads those outcomes instead of playing, and reaches the point where it was; nothing in the file is executed.
With another budget it reaches a step that is not next in the file; the rest of the file is then discarded.

Each line begins with the SHA-256 of itself and of all lines before it.  So a line that was changed, moved, repeated or
taken from another journal is refused.  A last line that was cut short is what an interruption leaves; its step is
played again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore.atomic import hold, release
from simcore.errors import UsageError, shown

FORMAT = "equipoise-tuning/2"
MAX_BYTES = 500_000_000
DAMAGED = "no journal of a tuning, made by another version, or damaged"
MEND = "delete it to start again, or choose another file"


@dataclass(frozen=True)
class _Line:
    """A line of the file: what it holds, the checksum of everything up to its end, and where that is, in bytes."""

    entry: Mapping[str, Any]
    sha256: str
    end: int


_START = _Line({}, "", 0)


class Journal:
    """Outcomes in order.

    path: The file; if None, nothing is stored.
    plan: What determines the course of the tuning; the file of another plan is refused.

    seconds, cpu_seconds: Time that the outcomes took, including those read from the file.
    Raises UsageError if the file cannot be used, or another tuning writes to it.
    """

    def __init__(self, path: Path | None, plan: Mapping[str, Any]) -> None:
        self.path = path
        self.seconds = self.cpu_seconds = 0.0
        self._ahead: deque[_Line] = deque()
        self._last = _START
        if path is None:
            return
        with _writing(path):
            if path.is_symlink():
                raise UsageError(f"{shown(str(path), 120)}: is a link to another file; {MEND}")
            if not path.exists():
                path.touch()
            hold(path)
        self._ahead.extend(_read(path))
        self._cut(self._ahead[-1] if self._ahead else _START)
        if not self._ahead:
            self._append({"format": FORMAT, "plan": dict(plan)})
            return
        self._last = self._ahead.popleft()
        known = self._last.entry["plan"]
        for key in dict.fromkeys([*plan, *known]):
            if known.get(key) != plan.get(key):
                raise UsageError(f"{shown(str(path), 120)}: belongs to a tuning with another '{key}'; {MEND}")

    @property
    def resumed(self) -> int:
        """Outcomes in the file that have not been recalled yet."""
        return len(self._ahead)

    def recall(
        self, step: str, size: int, measure: Callable[[], Sequence[float] | np.ndarray[Any, Any]]
    ) -> np.ndarray[Any, Any]:
        """Return the outcome of a step, `size` values: from the file, or from `measure`, and then it is stored."""
        if self._ahead and self._ahead[0].entry["step"] != step:
            self._cut(self._last)
            self._ahead.clear()
        if self._ahead:
            self._last = self._ahead.popleft()
            entry = self._last.entry
            if len(entry["values"]) != size:
                raise UsageError(f"{shown(str(self.path), 120)}: {DAMAGED}; {MEND}")
        else:
            began, busy = time.perf_counter(), time.process_time()
            values = [float(value) for value in measure()]
            entry = {
                "step": step,
                "seconds": round(time.perf_counter() - began, 4),
                "cpu": round(time.process_time() - busy, 4),
                "values": values,
            }
            self._append(entry)
        self.seconds += entry["seconds"]
        self.cpu_seconds += entry["cpu"]
        return np.array(entry["values"])

    def close(self) -> None:
        """Remove the file: the tuning is over."""
        if self.path:
            self.path.unlink(missing_ok=True)
            release(self.path)

    def _append(self, entry: Mapping[str, Any]) -> None:
        if self.path:
            text = json.dumps(entry, separators=(",", ":")).encode()
            sha256 = _checksum(self._last.sha256, text)
            line = sha256.encode() + b" " + text + b"\n"
            try:
                with _writing(self.path), self.path.open("ab") as file:
                    file.write(line)
            except UsageError:
                with suppress(OSError):  # what stays must be whole lines, or nothing
                    os.truncate(self.path, self._last.end) if self._last.end else self.path.unlink()
                raise
            self._last = _Line(entry, sha256, self._last.end + len(line))

    def _cut(self, last: _Line) -> None:
        """Discard everything after a line."""
        if self.path:
            with _writing(self.path):
                os.truncate(self.path, last.end)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Report in one line why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", "out") from None


def _checksum(before: str, text: bytes) -> str:
    """Return the checksum of a line: the SHA-256 of that of the line before and of its own text."""
    return hashlib.sha256(before.encode() + b" " + text).hexdigest()


def _read(path: Path) -> Iterator[_Line]:
    """Yield the complete lines of a journal; there are none in an empty file."""
    label = shown(str(path), 120)
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{label}: {DAMAGED}; {MEND}")
        whole = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{label}: cannot be read: {error.strerror or error}") from None
    *lines, torn = whole.split(b"\n")
    if torn and not lines:
        raise UsageError(f"{label}: {DAMAGED}; {MEND}")
    last = _START
    for number, line in enumerate(lines, 1):
        sha256, _, text = line.partition(b" ")
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            entry = None
        sound = _is_head(entry) if number == 1 else _is_step(entry)
        if not sound or sha256 != _checksum(last.sha256, text).encode():
            raise UsageError(f"{label}: line {number}: {DAMAGED}; {MEND}")
        last = _Line(entry, sha256.decode(), last.end + len(line) + 1)
        yield last


def _is_head(entry: Any) -> bool:
    """Return whether an entry is what a journal begins with."""
    return isinstance(entry, dict) and entry.get("format") == FORMAT and isinstance(entry.get("plan"), dict)


def _is_step(entry: Any) -> bool:
    """Return whether an entry holds what `Journal.recall` writes."""
    if not isinstance(entry, dict) or set(entry) != {"step", "seconds", "cpu", "values"}:
        return False
    values = entry["values"]
    return isinstance(values, list) and all(
        isinstance(number, int | float) and abs(number) <= sys.float_info.max
        for number in (entry["seconds"], entry["cpu"], *values)
    )
