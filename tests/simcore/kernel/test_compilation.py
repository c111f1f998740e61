"""The bit functions of kernels, and what compiling our kernels leaves alone: other modules and other functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from simcore.kernel.compilation import COMPILED, kernel, lowest_bit, nth_bit, popcount

ROOT = Path(__file__).resolve().parents[3]


@kernel
def _bits(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word), popcount(word)


@pytest.mark.parametrize("word", [0, 1, 2, 12, 2**31, 2**32, 2**63, 2**64 - 1, 0b1011000])
def test_bits(word: int) -> None:
    low, count = _bits(np.uint64(word))
    assert count == bin(word).count("1")
    assert low == (len(bin(word)) - 1 - bin(word).rindex("1") if word else 64)


@kernel
def _nth(word, n):  # type: ignore[no-untyped-def]
    return nth_bit(word, n)


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0b1011000, 0xF0F0F0F0F0F0F0F0])
def test_nth_bit(word: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    for n in range(min(len(places) + 1, 63)):
        assert _nth(np.uint64(word), np.int64(n)) == (places[n] if n < len(places) else 64)


SEARCH = """
def search(numbers, number, most):
    base = 0
    while most > 1:
        half = most >> 1
        base = base + half if numbers[base + half] < number else base
        most -= half
    return base

found = numba.njit(error_model="numpy")(search)
found.compile("int64(int64[::1],int64,int64)")
lines = next(iter(found.inspect_asm().values())).splitlines()
instructions = " ".join(line.split()[0] for line in lines if line[:1] == "\\t" and line[1:2] != ".")
"""
"""A loop that LLVM translates to branches unless it is told to keep its selects."""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_what_users_compile_with_numba_is_translated_as_without_us() -> None:
    @kernel
    def ours(number):  # type: ignore[no-untyped-def]
        return number + 1

    assert ours(np.int64(1)) == 2
    names: dict[str, object] = {"numba": numba}
    exec(SEARCH, names)
    alone = subprocess.run(
        [sys.executable, "-c", f"import numba\n{SEARCH}\nprint(instructions)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cmp" in alone.stdout
    assert names["instructions"] == alone.stdout.strip()
