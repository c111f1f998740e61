"""The digest of outcomes: the same for any order and cut, another for any other outcome."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from simcore.kernel.records import words
from simcore.running import accumulator
from simcore.running.accumulator import KEYS, Digest, _mix, add_hashes
from simcore.running.batch import run_chunk
from tests.specs import make_spec

PLAYERS = 3
SPEC = make_spec(PLAYERS, ["greedy", "random", "random"])
ROWS = run_chunk(SPEC, 0, 40)
MASK = 2**64 - 1


def whole(rows: np.ndarray = ROWS) -> str:
    digest = Digest()
    digest.add(rows, 0)
    return digest.hexdigest()


def test_any_order_and_any_cut_give_the_same() -> None:
    cuts = [0, 3, 51, 60, len(ROWS)]
    pieces = list(pairwise(cuts))
    first, second = Digest(), Digest()
    for place in (2, 0):
        first.add(ROWS[slice(*pieces[place])], pieces[place][0])
    for place in (3, 1):
        second.add(ROWS[slice(*pieces[place])], pieces[place][0])
    second.merge(first)
    assert second.hexdigest() == whole()
    assert second.rows == len(ROWS)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_plain_python_wraps_around_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = whole()
    monkeypatch.setattr(accumulator, "add_hashes", getattr(add_hashes, "py_func", add_hashes))
    monkeypatch.setattr(accumulator, "_mix", getattr(_mix, "py_func", _mix))
    assert whole() == expected


@pytest.mark.parametrize("field", ROWS.dtype.names)
def test_every_field_counts(field: str) -> None:
    rows = ROWS.copy()
    rows[field][17] ^= 1
    assert whole(rows) != whole()


def test_order_of_rows_and_number_of_rows_count() -> None:
    swapped = ROWS.copy()
    swapped[[4, 5]] = swapped[[5, 4]]
    assert whole(swapped) != whole()
    assert whole(ROWS[:-1]) != whole()
    shifted = Digest()
    shifted.add(ROWS, 1)
    assert shifted.hexdigest() != whole()


def test_sums_are_those_of_the_published_functions() -> None:
    """NH (Black et al. 1999) on pairs of words, mixed with the row's number by SplitMix64's finaliser, in Python's
    own integers."""
    table = ROWS.view(np.uint32).reshape(len(ROWS), words(ROWS.dtype)).tolist()
    sums = []
    for keys in KEYS.tolist():
        total = 0
        for number, row in enumerate(table, 1):
            code = 0
            for j in range(len(row) // 2):
                code += ((row[2 * j] + keys[2 * j]) & 0xFFFFFFFF) * ((row[2 * j + 1] + keys[2 * j + 1]) & 0xFFFFFFFF)
            code = (code ^ (number * 0x9E3779B97F4A7C15)) & MASK
            code = ((code ^ (code >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            code = ((code ^ (code >> 27)) * 0x94D049BB133111EB) & MASK
            total += code ^ (code >> 31)
        sums.append(total & MASK)
    digest = Digest()
    digest.add(ROWS, 0)
    assert digest.sums.tolist() == sums


def test_a_row_is_whole_pairs_of_words_and_keys_suffice() -> None:
    """An odd last word would not be hashed."""
    count = words(ROWS.dtype)
    assert count % 2 == 0
    assert count <= KEYS.shape[1]


def test_hex_form() -> None:
    assert len(whole()) == 64
    assert set(whole()) <= set("0123456789abcdef")
