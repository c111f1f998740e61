"""What a tuning has measured so far, in a file next to its result, so that it can resume after an interruption.

Each line holds the outcome of one step that played games.  A tuning that is resumed takes the same steps from its
beginning, reads those outcomes instead of playing, and reaches the point where it was; nothing in the file is executed.
With another budget it reaches a step that is not next in the file; the rest of the file is then discarded.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.lock import hold, release
from simcore.toml_tables import shown

FORMAT = "equipoise-tuning/1"
MAX_BYTES = 500_000_000
DAMAGED = "no journal of a tuning, or damaged"
MEND = "delete it to start again, or choose another file"


class Journal:
    """Outcomes in order.

    Parameters
    ----------
    path
        The file; if None, nothing is stored.
    plan
        What determines the course of the tuning; the file of another plan is refused.

    Attributes
    ----------
    seconds, cpu_seconds
        Time that the outcomes took, including those read from the file.

    Raises
    ------
    UsageError
        If the file cannot be used, or another tuning writes to it.
    """

    def __init__(self, path: Path | None, plan: Mapping[str, Any]) -> None:
        self.path = path
        self.seconds = self.cpu_seconds = 0.0
        self._known: deque[tuple[dict[str, Any], int]] = deque()
        if path is None:
            return
        if not path.exists():
            self._append({"format": FORMAT, "plan": dict(plan)})
        with _writing(path):
            hold(path)
        self._known, end = _read(path, plan)
        self._cut(end)

    @property
    def resumed(self) -> int:
        """Outcomes in the file that have not been recalled yet."""
        return len(self._known)

    def recall(
        self, step: str, size: int, measure: Callable[[], Sequence[float] | np.ndarray[Any, Any]]
    ) -> np.ndarray[Any, Any]:
        """Return the outcome of a step, `size` values: from the file, or from `measure`, and then it is stored."""
        if self._known and self._known[0][0]["step"] != step:
            self._cut(self._known[0][1])
            self._known.clear()
        if self._known:
            entry, _ = self._known.popleft()
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
            with _writing(self.path), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")

    def _cut(self, end: int) -> None:
        """Discard everything after the given number of bytes."""
        if self.path:
            with _writing(self.path):
                os.truncate(self.path, end)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Report in one line why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", "out") from None


def _read(path: Path, plan: Mapping[str, Any]) -> tuple[deque[tuple[dict[str, Any], int]], int]:
    """Return a journal's entries, each with the place where it begins, and the end of the last complete one."""
    label = shown(str(path), 120)
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{label}: {DAMAGED}; {MEND}")
        whole = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{label}: cannot be read: {error.strerror or error}") from None
    whole = whole[: whole.rfind(b"\n") + 1]
    try:
        lines = whole.splitlines(keepends=True)
        header, *entries = [json.loads(line) for line in lines]
        known = isinstance(header, dict) and header.get("format") == FORMAT and isinstance(header["plan"], dict)
        if not known or not all(_sound(entry) for entry in entries):
            raise ValueError
    except (ValueError, KeyError, RecursionError):
        raise UsageError(f"{label}: {DAMAGED}; {MEND}") from None
    for key, value in plan.items():
        if header["plan"].get(key) != value:
            raise UsageError(f"{label}: belongs to a tuning with another '{key}'; {MEND}")
    return deque(zip(entries, accumulate(map(len, lines)), strict=False)), len(whole)


def _sound(entry: Any) -> bool:
    """Return whether an entry holds what `Journal.recall` writes."""
    if (
        not isinstance(entry, dict)
        or set(entry) != {"step", "seconds", "cpu", "values"}
        or not isinstance(entry["values"], list)
    ):
        return False
    return all(
        isinstance(number, int | float) and math.isfinite(number)
        for number in (entry["seconds"], entry["cpu"], *entry["values"])
    )
