"""Sums of observations by cell, from which ratios and their standard errors are computed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.kernel.compilation import cached_kernel


@cached_kernel
def _add(deal, cell, top, bottom, step, sums, deals):
    """Add observations in the order of their deals, and return whether all of their cells exist.

    What every `step` deals add is summed first.
    """
    size = sums.shape[1]
    over, under = np.zeros(size), np.zeros(size)
    touched, seen, part = np.zeros(size, np.int64), np.zeros(size, np.bool_), np.zeros((5, size))
    place, edge = 0, step
    while place < deal.shape[0]:
        now, count = deal[place], 0
        if now >= edge:
            sums += part
            part[:] = 0.0
            edge = (now // step + 1) * step
        while place < deal.shape[0] and deal[place] == now:
            here = cell[place]
            if not 0 <= here < size:
                return False
            if not seen[here]:
                seen[here], touched[count] = True, here
                count += 1
            over[here] += top[place]
            under[here] += bottom[place]
            place += 1
        for number in range(count):
            here = touched[number]
            upper, lower = over[here], under[here]
            part[0, here] += upper
            part[1, here] += lower
            part[2, here] += upper * upper
            part[3, here] += upper * lower
            part[4, here] += lower * lower
            deals[here] += lower != 0
            over[here], under[here], seen[here] = 0.0, 0.0, False
    sums += part
    return True


def add_to_cells(
    deal: NDArray[Any],
    cell: NDArray[Any],
    top: NDArray[Any],
    bottom: NDArray[Any],
    step: int,
    sums: NDArray[np.float64],
    deals: NDArray[np.int64],
) -> None:
    """Add observations to the sums of their cells: top, bottom, top squared, top x bottom and bottom squared of deals.

    deal: Deal of each observation, in ascending order.
    cell: Cell of each observation.
    top, bottom: What each observation adds to the numerator and to the denominator of its cell.
    step: Number of deals that are summed before they are added to `sums`.
    sums: Sums over deals, which this changes, shape (5, cells).
    deals: Number of deals whose denominator is not zero, by cell, which this changes.
    Raises ValueError if there is no such cell.
    """
    whole = (np.ascontiguousarray(values, np.int64) for values in (deal, cell))
    parts = (np.ascontiguousarray(values, np.float64) for values in (top, bottom))
    if not _add(*whole, *parts, step, sums, deals):
        raise ValueError(f"cells from {cell.min()} to {cell.max()}, but there are {sums.shape[1]}")


@cache
def compile_cells() -> None:
    """Compile or load the function that adds to cells."""
    none = np.zeros(0)
    add_to_cells(none, np.zeros(0, np.int64), none, none, 1, np.zeros((5, 1)), np.zeros(1, np.int64))
