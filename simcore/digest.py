"""A digest of outcomes that does not depend on the order in which they were computed."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from simcore.jit import entry
from simcore.records import words

PASSES = 2
_GENERATOR = np.random.Generator(np.random.PCG64(0x45717569706F6973))
KEYS = _GENERATOR.integers(0, 2**32, size=(PASSES, 1024), dtype=np.uint64)
_MIX1, _MIX2, _GOLDEN = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)


@entry
def fold(rows, keys, first):  # type: ignore[no-untyped-def]
    """Sum a hash of every row of (rows, words) 32-bit words, numbered from `first`.

    Each row is hashed with NH (Black, Halevi, Krawczyk, Krovetz, Rogaway 1999), each hash mixed with the
    row's number by the finaliser of SplitMix64, and the results added modulo 2**64.
    """
    total = np.uint64(0)
    pairs = rows.shape[1] // 2
    for i in range(rows.shape[0]):
        code = np.uint64(0)
        for j in range(pairs):
            low = (np.uint64(rows[i, 2 * j]) + keys[2 * j]) & np.uint64(0xFFFFFFFF)
            high = (np.uint64(rows[i, 2 * j + 1]) + keys[2 * j + 1]) & np.uint64(0xFFFFFFFF)
            code += low * high
        code ^= np.uint64(first + i + 1) * _GOLDEN
        code = (code ^ (code >> np.uint64(30))) * _MIX1
        code = (code ^ (code >> np.uint64(27))) * _MIX2
        total += code ^ (code >> np.uint64(31))
    return total


class Digest:
    """Running digest of a run's outcomes; adding chunks in any order, or merging digests, gives the same."""

    def __init__(self) -> None:
        self.sums = [0] * PASSES
        self.rows = 0

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Take in consecutive rows of a game's `row_dtype`; `first_row` is the number of the first."""
        table = rows.view(np.uint32).reshape(len(rows), words(rows.dtype))
        for number in range(PASSES):
            self.sums[number] += int(fold(table, KEYS[number], np.int64(first_row)))
        self.rows += len(rows)

    def merge(self, other: Digest) -> None:
        """Take in all that another digest holds."""
        self.sums = [mine + theirs for mine, theirs in zip(self.sums, other.sums, strict=True)]
        self.rows += other.rows

    def hexdigest(self) -> str:
        """Return 64 hexadecimal digits."""
        parts = [str(self.rows), *(str(total % 2**64) for total in self.sums)]
        return hashlib.sha256(b"equipoise-outcomes/1 " + " ".join(parts).encode()).hexdigest()
