"""The bit functions of kernels."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.kernel.compilation import kernel
from simcore.kernel.intrinsics import lowest_bit, nth_bit, popcount


@kernel
def _bits(word):
    return lowest_bit(word), popcount(word)


@pytest.mark.parametrize("word", [0, 1, 2, 12, 2**31, 2**32, 2**63, 2**64 - 1, 0b1011000])
def test_bits(word: int) -> None:
    low, count = _bits(np.uint64(word))
    assert count == bin(word).count("1")
    assert low == (len(bin(word)) - 1 - bin(word).rindex("1") if word else 64)


@kernel
def _nth(word, n):
    return nth_bit(word, n)


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0b1011000, 0xF0F0F0F0F0F0F0F0])
def test_nth_bit(word: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    for n in range(min(len(places) + 1, 63)):
        assert _nth(np.uint64(word), np.int64(n)) == (places[n] if n < len(places) else 64)
