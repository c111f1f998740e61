"""A learned value: packed and read again, as the kernel and as plain arithmetic compute it, and what is refused."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.kernel.decisions import LOOKED
from simcore.kernel.lineup import UNIT
from strategies.value import OUT_UNIT, WEIGHT_UNIT, Parts, Value, appraise

pytestmark = pytest.mark.plain

INPUTS, HIDDEN = 7, 3


def parts_of(hidden: int = HIDDEN, seed: int = 4) -> Parts:
    draw = np.random.default_rng(seed)
    return Parts(
        draw.normal(0, 20, 1 + hidden), draw.normal(0, 0.5, (1 + hidden, 2 * INPUTS)), draw.normal(0, 3, hidden)
    )


def worth(parts: Parts, seen: np.ndarray) -> float:
    """The value in plain arithmetic."""
    inputs = np.concatenate([seen, seen * seen[0]])
    sums = parts.weights @ inputs + parts.base
    return float(sums[0] + np.maximum(sums[1:], 0) @ parts.out)


def appraised(value: Value, seen: np.ndarray) -> float:
    looked = np.zeros(LOOKED, np.int32)
    looked[:INPUTS] = seen
    return int(appraise(value.record[0], looked)) / UNIT


@pytest.mark.parametrize("hidden", [0, HIDDEN])
def test_the_kernel_agrees_with_plain_arithmetic(hidden: int) -> None:
    parts, draw = parts_of(hidden), np.random.default_rng(5)
    value = Value.of(parts)
    for _ in range(200):
        seen = draw.integers(-40, 40, INPUTS)
        seen[0] = abs(seen[0])
        assert appraised(value, seen) == pytest.approx(worth(parts, seen), rel=1e-3, abs=0.2)
        assert appraised(value, seen) == pytest.approx(worth(value.floats, seen), rel=1e-3, abs=0.2)


def test_whole_numbers_choose_the_same_of_several_tables_as_floats_in_99_of_100_cases() -> None:
    parts, draw = parts_of(), np.random.default_rng(6)
    value, same = Value.of(parts), 0
    for _ in range(300):
        tables = draw.integers(0, 30, (6, INPUTS))
        same += np.argmax([appraised(value, one) for one in tables]) == np.argmax([worth(parts, one) for one in tables])
    assert same >= 297


def test_a_value_is_the_text_that_it_was_packed_into() -> None:
    value = Value.of(parts_of())
    again = Value(value.inputs, value.hidden, value.weights)
    assert again == value and hash(again) == hash(value)
    assert all(np.array_equal(one, other) for one, other in zip(again.parts, value.parts, strict=True))
    assert Value.packed(value.parts) == value
    assert again.address == value.address != Value.of(parts_of(seed=9)).address
    assert np.abs(value.floats.weights - parts_of().weights).max() <= 0.5 / WEIGHT_UNIT
    assert np.abs(value.floats.out - parts_of().out).max() <= 0.5 / OUT_UNIT


def packed(numbers: list[int]) -> str:
    return base64.b64encode(zlib.compress(np.array(numbers, "<i8").tobytes())).decode()


@pytest.mark.parametrize(
    "text",
    ["", "no base64!", base64.b64encode(b"not packed").decode(), packed([1, 2]), packed([0] * 99),
     base64.b64encode(zlib.compress(bytes(100_000_000))).decode()],
)  # fmt: skip
def test_a_text_without_just_these_numbers_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match=r"^weights: not 15 packed whole numbers; copy the table as 'equipoise learn'"):
        Value(INPUTS, 0, text)


def test_a_number_that_is_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^weights: a number is too large$"):
        Value(INPUTS, 0, packed([0] * 14 + [1 << 40]))
