"""Integers of a small range as strings of bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.jit import entry

PACKED = (np.int32, np.uint8, np.uint32)
"""Types of the integers that can be packed."""

_WORD = np.uint64(32)
_MASK = np.uint64(0xFFFFFFFF)


@entry
def _pack(values, low, width, out):  # type: ignore[no-untyped-def]
    """Write `width` bits of every value less `low`, lowest bit first, one value after another."""
    width = np.uint64(width)
    held = np.uint64(0)
    bits = np.uint64(0)
    used = 0
    for i in range(values.shape[0]):
        held |= np.uint64(values[i] - low) << bits
        bits += width
        if bits >= _WORD:
            out[used] = np.uint32(held & _MASK)
            used += 1
            held >>= _WORD
            bits -= _WORD
    out[used] = np.uint32(held)


def pack(values: np.ndarray[Any, Any], low: int, width: int) -> memoryview:
    """Return integers as strings of bits, lowest bit first, one after another.

    Parameters
    ----------
    values
        Contiguous, of a type among `PACKED`.
    low
        Subtracted from every value.
    width
        Bits a value, up to 32.

    Returns
    -------
    memoryview
        Bytes; as if zeros followed up to a multiple of eight values.
    """
    size = (len(values) + 7) // 8 * width
    out = np.zeros(size // 4 + 1, np.uint32)
    _pack(values, np.int64(low), np.int64(width), out)
    return out.astype("<u4", copy=False).data.cast("B")[:size]


def compile_packing() -> None:
    """Compile, or load, what packs integers of each type."""
    for kind in PACKED:
        pack(np.zeros(0, kind), 0, 1)
