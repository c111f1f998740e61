"""The contents of accumulators as named arrays, which a file can store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.running.accumulator import held_by

Arrays = Mapping[str, NDArray[Any]]


def key_of(accumulator: object, names: Sequence[str]) -> str:
    """Return a key that distinguishes what an analysis counts from what other analyses count."""
    kind = type(accumulator)
    about = getattr(accumulator, "about", f"{kind.__module__}.{kind.__qualname__}")
    return f"{about}({','.join(names)})"


def held(accumulator: object, key: str) -> dict[str, NDArray[Any]]:
    """Return everything that an accumulator counted, under names that begin with its key."""
    return {f"{key}{place}": np.asarray(value) for place, _, _, value in _parts(accumulator, "")}


def fill(accumulator: object, key: str, arrays: Arrays) -> None:
    """Fill an empty accumulator with what was counted under a key.

    An array of the empty accumulator that is not zero describes what is counted, such as the numbers of the strategies,
    and must be the same in both.

    Raises KeyError if nothing was counted under the key.
    Raises ValueError if it does not fit the accumulator.
    """
    for place, owner, name, empty in list(_parts(accumulator, "")):
        later = getattr(owner, "later", {})
        if name in later and f"{key}{place}" not in arrays:
            setattr(owner, name, later[name])
            continue
        value = arrays[f"{key}{place}"]
        if not isinstance(empty, np.ndarray):
            setattr(owner, name, type(empty)(value.item()))
            continue
        grows = not empty.size and empty.ndim == value.ndim
        if value.dtype != empty.dtype or not (grows or value.shape == empty.shape):
            raise ValueError(f"{key}{place}")
        if empty.any() and not np.array_equal(empty, value):  # it says what is counted
            raise ValueError(f"{key}{place}")
        setattr(owner, name, value)


def _parts(owner: object, place: str) -> Iterator[tuple[str, object, str, Any]]:
    """Yield every number and array in which an accumulator counts: its place, its owner, and its value."""
    for name, value in vars(owner).items():
        if isinstance(value, np.ndarray) or type(value) in (int, float):
            yield f"{place}.{name}", owner, name, value
    for here, inner in held_by(owner):
        yield from _parts(inner, f"{place}{here}")
