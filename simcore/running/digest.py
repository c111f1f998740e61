"""A digest of outcomes that does not depend on the order in which they were computed."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from simcore.kernel.compilation import cached_kernel, inlined
from simcore.kernel.records import words
from simcore.running.accumulator import Accumulator

PASSES = 2
MOST_WORDS = 1024
"""Largest number of words of a row, for which there are keys."""

_GENERATOR = np.random.Generator(np.random.PCG64(0x45717569706F6973))
KEYS = _GENERATOR.integers(0, 2**32, size=(PASSES, MOST_WORDS), dtype=np.uint64)
_PAIRED = np.ascontiguousarray(KEYS.reshape(PASSES, -1, 2).transpose(0, 2, 1))  # those of low words, those of high ones
_MIX1, _MIX2, _GOLDEN = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)
_ONE, _30, _27, _31, _32 = map(np.uint64, (1, 30, 27, 31, 32))
_WORD = np.uint64(0xFFFFFFFF)


@inlined
def _mix(code):
    """Apply the finaliser of SplitMix64."""
    code = (code ^ (code >> _30)) * _MIX1
    code = (code ^ (code >> _27)) * _MIX2
    return code ^ (code >> _31)


@cached_kernel
def add_hashes(rows, keys, first, sums):
    """Add to each sum a hash of every row of (rows, pairs of 32-bit words), numbered from `first`.

    Each row is hashed with NH (Black, Halevi, Krawczyk, Krovetz and Rogaway 1999) with two sets of keys, each hash is
    mixed with the row's number by the finaliser of SplitMix64, and the results are added modulo 2**64.
    """
    number = np.uint64(first)
    for i in range(rows.shape[0]):
        row = rows[i]
        one = np.uint64(0)
        two = np.uint64(0)
        for j in range(rows.shape[1]):
            low = row[j]
            high = low >> _32
            one += ((low + keys[0, 0, j]) & _WORD) * ((high + keys[0, 1, j]) & _WORD)
            two += ((low + keys[1, 0, j]) & _WORD) * ((high + keys[1, 1, j]) & _WORD)
        number += _ONE
        sums[0] += _mix(one ^ (number * _GOLDEN))
        sums[1] += _mix(two ^ (number * _GOLDEN))


class Digest(Accumulator):
    """A running digest of a run's outcomes; the order in which chunks are added or digests merged does not matter."""

    adds = ("sums", "rows")

    def __init__(self) -> None:
        self.sums = np.zeros(PASSES, np.uint64)
        self.rows = 0

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Add consecutive rows of a game's `row_dtype`; `first_row` is the number of the first."""
        pairs = rows.view(np.uint64).reshape(len(rows), words(rows.dtype) // 2)
        add_hashes(pairs, _PAIRED, np.int64(first_row), self.sums)
        self.rows += len(rows)

    def hexdigest(self) -> str:
        """Return 64 hexadecimal digits."""
        parts = [str(self.rows), *map(str, self.sums.tolist())]
        return hashlib.sha256(b"equipoise-outcomes/1 " + " ".join(parts).encode()).hexdigest()
