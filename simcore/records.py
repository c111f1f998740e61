"""Aligned records: the one kind of memory that kernels touch."""

from __future__ import annotations

from typing import Any

import numpy as np


def layout(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the aligned record dtype of some (name, dtype[, shape]) fields."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def blank(dtype: np.dtype[Any]) -> np.record:
    """Return one zeroed record."""
    return np.zeros(1, dtype)[0]  # type: ignore[no-any-return]


def words(dtype: np.dtype[Any]) -> int:
    """Count the 32-bit words of a record that is made of nothing else."""
    return dtype.itemsize // 4
