"""Counts of cards in four bits a type, against plain lists; kernels one by one, in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.games.medievallons.cards import at_least, count, held, one, total

pytestmark = pytest.mark.plain

hands = st.lists(st.integers(0, 15), min_size=13, max_size=13)


def packed(counts: list[int]) -> np.uint64:
    return np.uint64(sum(number << 4 * kind for kind, number in enumerate(counts)))


def moves(kinds: list[int]) -> int:
    return sum(1 << 4 * kind for kind in kinds)


@given(hands)
def test_counts(counts: list[int]) -> None:
    hand = packed(counts)
    assert [count(hand, kind) for kind in range(13)] == counts
    assert total(hand) == sum(counts)
    assert int(held(hand)) == moves([kind for kind in range(13) if counts[kind]])


@given(hands, st.integers(1, 15))
def test_at_least(counts: list[int], number: int) -> None:
    assert int(at_least(packed(counts), number)) == moves([kind for kind in range(13) if counts[kind] >= number])


def test_one_card() -> None:
    assert [int(one(kind)) for kind in (0, 1, 12)] == [1, 16, 1 << 48]
