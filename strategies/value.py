"""A learned value: what a table is worth to a seat, from the numbers that the seat sees (`simcore.kernel.decisions`).

The value is a sum of the numbers, and of each number times the time left, each with a weight; hidden units, which add
what lies above a threshold of another such sum, may refine it.  All weights are whole numbers in a record of their own,
so that a new value never compiles a game again.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.errors import UsageError
from simcore.kernel.compilation import inlined
from simcore.kernel.decisions import LOOKED
from simcore.kernel.records import layout

MOST_HIDDEN = 64
WEIGHT_UNIT = 1 << 20
"""One point in the weights of inputs and in the thresholds."""

OUT_UNIT = 1 << 10
"""One in the weight of a hidden unit."""

VALUE = layout(
    ("inputs", np.int64),  # numbers that a seat sees; each has two weights
    ("hidden", np.int64),  # hidden units
    ("base", np.int64, 1 + MOST_HIDDEN),  # in WEIGHT_UNIT, of the sum and of each hidden unit
    ("out", np.int64, MOST_HIDDEN),  # in OUT_UNIT, of each hidden unit
    ("weights", np.int32, (1 + MOST_HIDDEN) * LOOKED),  # in WEIGHT_UNIT: those of the sum, of the first unit, ...
)
SHIFT = np.int64(10)
"""Between WEIGHT_UNIT and OUT_UNIT; also from the result to the units of scores."""


@inlined
def appraise(value, looked):
    """Return the worth of what a seat sees, in 1/1024 point; `looked` gets each number times the time left, too."""
    inputs = value.inputs
    weights = value.weights
    left = looked[0]
    for place in range(inputs):
        looked[inputs + place] = looked[place] * left
    width = 2 * inputs
    total = np.int64(value.base[0])
    for place in range(width):
        total += np.int64(weights[place]) * np.int64(looked[place])
    for unit in range(value.hidden):
        first = (unit + 1) * width
        level = np.int64(value.base[unit + 1])
        for place in range(width):
            level += np.int64(weights[first + place]) * np.int64(looked[place])
        total += (max(level, np.int64(0)) >> SHIFT) * value.out[unit]
    return total >> SHIFT


class Parts(NamedTuple):
    """The numbers of a value: floats where it is fitted, whole numbers in the units of `VALUE` where it is kept."""

    base: NDArray[Any]
    """Shape (1 + hidden,)."""
    weights: NDArray[Any]
    """Shape (1 + hidden, 2 * inputs)."""
    out: NDArray[Any]
    """Shape (hidden,)."""


@dataclass(frozen=True)
class Value:
    """A learned value, as data.

    Raises UsageError if the text does not hold so many numbers, or one of them is too large.
    """

    inputs: int  # numbers that a seat sees
    hidden: int  # hidden units, 0 for a plain sum
    weights: str  # the whole numbers, packed as text: base, weights and out of `Parts`, one after the other

    def __post_init__(self) -> None:
        self.record  # noqa: B018 - checks the text

    @property
    def parts(self) -> Parts:
        """The whole numbers."""
        rows, width = 1 + self.hidden, 2 * self.inputs
        size = rows + rows * width + self.hidden
        numbers = _unpack(self.weights, size)
        base, weights, out = np.split(numbers, [rows, rows + rows * width])
        return Parts(base, weights.reshape(rows, width), out)

    @property
    def record(self) -> NDArray[Any]:
        """A new array with the record that kernels read, shape (1,)."""
        parts, record = self.parts, np.zeros(1, VALUE)
        limit = np.iinfo(np.int32)
        if len(parts.weights) and (parts.weights.min() < limit.min or parts.weights.max() > limit.max):
            raise UsageError("weights: a number is too large")
        record["inputs"], record["hidden"] = self.inputs, self.hidden
        record["base"][0, : len(parts.base)] = parts.base
        record["out"][0, : len(parts.out)] = parts.out
        record["weights"][0, : parts.weights.size] = parts.weights.ravel()
        return record

    @property
    def address(self) -> int:
        """The address of its record, which stays in memory as long as the process."""
        if self not in _IN_MEMORY:
            _IN_MEMORY[self] = self.record
        return int(_IN_MEMORY[self].ctypes.data)

    @property
    def floats(self) -> Parts:
        """The numbers as in a fit."""
        base, weights, out = self.parts
        return Parts(base / WEIGHT_UNIT, weights / WEIGHT_UNIT, out / OUT_UNIT)

    @classmethod
    def packed(cls, parts: Parts) -> Value:
        """Return a value from whole numbers."""
        numbers = np.concatenate([parts.base, parts.weights.ravel(), parts.out]).astype("<i8")
        text = base64.b64encode(zlib.compress(numbers.tobytes(), 9)).decode()
        return cls(parts.weights.shape[1] // 2, len(parts.out), text)

    @classmethod
    def of(cls, parts: Parts) -> Value:
        """Return a value from the numbers of a fit, rounded to whole ones."""
        limit = np.iinfo(np.int32).max
        return cls.packed(
            Parts(
                np.rint(parts.base * WEIGHT_UNIT),
                np.clip(np.rint(parts.weights * WEIGHT_UNIT), -limit, limit),
                np.rint(parts.out * OUT_UNIT),
            )
        )


_IN_MEMORY: dict[Value, NDArray[Any]] = {}


def _unpack(text: str, size: int) -> NDArray[np.int64]:
    """Return so many whole numbers from a text; anything else is refused."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(base64.b64decode(text, validate=True), 8 * size + 1)
    except (binascii.Error, zlib.error, ValueError):
        data = b""
    if len(data) != 8 * size or not reader.eof:
        raise UsageError(f"weights: not {size:,} packed whole numbers; copy the table as 'equipoise learn' wrote it")
    return np.frombuffer(data, "<i8").astype(np.int64)
