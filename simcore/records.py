"""Aligned records: the one kind of memory that kernels touch."""

from __future__ import annotations

from typing import Any

import numpy as np


class Record(np.record):  # type: ignore[misc]
    """A record whose fields come before NumPy's own attributes of that name, such as `round`.

    Compiled kernels know fields only; this makes the plain-Python run see the same.
    """

    def __getattribute__(self, name: str) -> Any:
        if name in np.void.__getattribute__(self, "dtype").fields:
            return self[name]
        return np.record.__getattribute__(self, name)


def layout(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the aligned record dtype of some (name, dtype[, shape]) fields."""
    return np.dtype((Record, np.dtype(list(fields), align=True)))


def blank(dtype: np.dtype[Any]) -> np.record:
    """Return one zeroed record."""
    return np.zeros(1, dtype)[0]  # type: ignore[no-any-return]


def words(dtype: np.dtype[Any]) -> int:
    """Count the 32-bit words of a record that is made of nothing else."""
    return dtype.itemsize // 4


def word(dtype: np.dtype[Any], field: str, index: int | None = None) -> int:
    """Index of the 32-bit word that a field, or one item of an array field, is kept in."""
    fields: Any = dtype.fields
    return int(fields[field][1]) // 4 + (index or 0)
