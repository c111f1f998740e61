"""What compiling our kernels leaves alone: other modules and other functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from simcore.kernel.compilation import COMPILED, kernel

ROOT = Path(__file__).resolve().parents[3]


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
    def ours(number):
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
