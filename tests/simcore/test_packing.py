"""Strings of bits."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.packing import PACKED, pack


def test_the_example_of_the_format() -> None:
    """0 to 7 in three bits each; the description of Parquet's encodings gives these bits, byte by byte."""
    expected = bytes([0b10001000, 0b11000110, 0b11111010])
    assert pack(np.arange(8, dtype=np.uint8), 0, 3) == expected


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 16, 17, 31, 32])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 33, 1000])
def test_against_python_integers(kind: type, width: int, count: int) -> None:
    top = min(2**width - 1, int(np.iinfo(kind).max))
    values = np.random.default_rng(width).integers(0, top, count, dtype=np.uint32, endpoint=True).astype(kind)
    bits = sum(int(value) << width * number for number, value in enumerate(values))
    assert pack(values, 0, width) == bits.to_bytes((count + 7) // 8 * width, "little")


def test_values_count_from_the_least() -> None:
    assert pack(np.array([-5, -4, -2], np.int32), -5, 2) == bytes([0b110100, 0])
