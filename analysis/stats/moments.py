"""Sums over deals, from which every estimate and its standard error are computed.

The deal is the unit: values are summed over the games of a deal before anything is squared.  Sums and cross-products of
integers are exact in 64-bit floats up to 2**53, so totals do not depend on the order of addition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.running.accumulator import Accumulator, add_to_cells, compile_cells

Floats = NDArray[np.float64]

MIN_DEALS = 30
"""Smallest number of deals behind an interval."""

DIGITS = 9
"""Number of decimals of scores that are not whole; what lies beyond is rounding."""


def totals(values: NDArray[Any], per_deal: int) -> NDArray[Any]:
    """Sum values of shape (games, ...) over the games of each deal: (deals, ...)."""
    return values if per_deal == 1 else np.asarray(values.reshape(-1, per_deal, *values.shape[1:]).sum(axis=1))


class Moments(Accumulator):
    """Number, sum and cross-products of vectors, one for each deal.

    size: Length of the vector.
    """

    adds = ("deals", "sum", "cross")

    def __init__(self, size: int) -> None:
        self.deals = 0
        self.sum: Floats = np.zeros(size)
        self.cross: Floats = np.zeros((size, size))

    def add(self, vectors: NDArray[Any]) -> None:
        """Add vectors, shape (deals, size)."""
        values = np.asarray(vectors, np.float64)
        self.deals += len(values)
        self.sum += values.sum(axis=0)
        self.cross += values.T @ values

    @property
    def mean(self) -> Floats:
        """Mean over deals; NaN without deals."""
        return self.sum / self.deals if self.deals else np.full_like(self.sum, np.nan)

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the mean; NaN with fewer than two deals."""
        if self.deals < 2:
            return np.full_like(self.cross, np.nan)
        centred = self.cross - np.outer(self.sum, self.sum) / self.deals
        return centred / (self.deals - 1) / self.deals

    def ratios(self, top: NDArray[Any], bottom: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return ratios of linear combinations, and their covariance by linearisation (Woodruff 1971).

        top, bottom: Shape (ratios, size): weights of the numerators and the denominators.
        """
        below = bottom @ self.sum
        with np.errstate(divide="ignore", invalid="ignore"):
            values = (top @ self.sum) / below
            lines = (top - values[:, None] * bottom) / below[:, None]
        correction = self.deals / (self.deals - 1) if self.deals > 1 else np.nan
        return values, lines @ self.cross @ lines.T * correction


@dataclass(frozen=True)
class Estimates:
    """Estimates of many cells at once."""

    value: Floats
    se: Floats
    """value, se: Ratio and its standard error; NaN for an empty cell."""
    top: Floats
    bottom: Floats
    """top, bottom: Numerator and denominator of the ratio."""
    deals: NDArray[np.int64]  # number of deals in which the denominator is not zero

    def __getitem__(self, cells: slice) -> Estimates:
        """Return some of the cells."""
        return Estimates(*(part[cells] for part in vars(self).values()))


class Ratios(Accumulator):
    """Ratios of totals, one for each cell, with standard errors from deals but without covariances between cells.

    size: Number of cells.
    """

    adds = ("_sums", "_deals")

    _STEP = 2048  # deals that are summed at a time
    _DENSE = 64  # cells up to which that is done, as in former versions, whose sums these are to the last bit

    def __init__(self, size: int) -> None:
        compile_cells()
        self.size = size
        self._sums: Floats = np.zeros((5, size))  # top, bottom, top squared, top x bottom, bottom squared
        self._deals: NDArray[np.int64] = np.zeros(size, np.int64)

    def add(self, top: ArrayLike, bottom: ArrayLike | None = None, *, per_deal: int = 1) -> None:
        """Add games, shape (games, cells).

        bottom: What each game adds to the denominators.  If None, 1.
        per_deal: Number of games of a deal; they follow each other.
        """
        over = totals(np.asarray(top, np.float64), per_deal)
        under = totals(np.asarray(bottom, np.float64), per_deal) if bottom is not None else np.full_like(over, per_deal)
        for number, values in enumerate((over, under)):
            self._sums[number] += values.sum(axis=0)
        for number, (left, right) in enumerate(((over, over), (over, under), (under, under)), 2):
            self._sums[number] += np.einsum("dc,dc->c", left, right)
        self._deals += (under != 0).sum(axis=0)

    def scatter(self, cell: NDArray[Any], top: NDArray[Any], per_deal: int, bottom: NDArray[Any] | None = None) -> None:
        """Add single observations, the same number in each game: shape (games, ...).

        top: What each observation adds to the numerator.
        per_deal: Number of games of a deal; they follow each other.
        bottom: What each observation adds to the denominator.  If None, 1.
        """
        deal = np.repeat(np.arange(len(cell) // per_deal), cell[:per_deal].size)
        step = self._STEP if self.size <= self._DENSE else max(len(cell), 1)
        below = np.ones(cell.size) if bottom is None else bottom.ravel()
        add_to_cells(deal, cell.ravel(), top.ravel(), below, step, self._sums, self._deals)

    def cells(self) -> Estimates:
        """Return every cell's ratio and standard error."""
        top, bottom, squares, mixed, below = self._sums
        deals = self._deals
        with np.errstate(divide="ignore", invalid="ignore"):
            value = top / bottom
            rest = squares - 2 * value * mixed + value**2 * below
            rest = np.where(rest > 1e-12 * squares, rest, 0.0)  # what is left below that is rounding
            se = np.sqrt(rest * deals / (deals - 1)) / np.abs(bottom)
        return Estimates(value, np.where(deals > 1, se, np.nan), top, bottom, deals)


class Contrasts(Accumulator):
    """Differences of two ratios, "with" minus "without", one for each cell, with standard errors from deals.

    size: Number of cells.
    """

    adds = ("deals", "sum", "cross")

    def __init__(self, size: int) -> None:
        self.deals: NDArray[np.int64] = np.zeros(size, np.int64)
        self.sum: Floats = np.zeros((size, 4))
        self.cross: Floats = np.zeros((size, 4, 4))

    def add(self, *totals: NDArray[Any]) -> None:
        """Add the totals of each deal, each of shape (deals, cells): top and bottom with, top and bottom without."""
        values = np.stack([np.asarray(total, np.float64) for total in totals], axis=2)
        self.deals += ((values[:, :, 1] != 0) | (values[:, :, 3] != 0)).sum(axis=0)
        self.sum += values.sum(axis=0)
        self.cross += np.einsum("dki,dkj->kij", values, values, optimize=True)

    def values(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the ratio with, the ratio without, their difference, and its standard error."""
        with np.errstate(divide="ignore", invalid="ignore"):
            with_, without = self.sum[:, 0] / self.sum[:, 1], self.sum[:, 2] / self.sum[:, 3]
            lines = np.stack(
                [1 / self.sum[:, 1], -with_ / self.sum[:, 1], -1 / self.sum[:, 3], without / self.sum[:, 3]], axis=1
            )
            variance = np.einsum("ki,kij,kj->k", lines, self.cross, lines) * self.deals / (self.deals - 1)
        se = np.sqrt(np.maximum(variance, 0))
        return with_, without, with_ - without, np.where((self.deals > 1) & np.isfinite(variance), se, np.nan)


def signed(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of which any difference can be taken: whole ones as 64-bit integers, others without dust.

    Examples
    --------
    >>> signed(np.array([3, 5], np.uint8)).dtype
    dtype('int64')
    >>> signed(np.array([1.1, 0.1])) - 0.1
    array([1., 0.])
    """
    if np.issubdtype(values.dtype, np.floating):
        return np.round(values.astype(np.float64), DIGITS)
    return values.astype(np.int64)


class Histogram(Accumulator):
    """How often each number occurred."""

    def __init__(self) -> None:
        self.value: NDArray[Any] = np.zeros(0, np.int64)
        self.count: NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, values: NDArray[Any]) -> None:
        """Add numbers."""
        self._take(*np.unique(signed(values), return_counts=True))

    def merge(self, other: Self) -> None:
        self._take(other.value, other.count)

    def _take(self, value: NDArray[Any], count: NDArray[Any]) -> None:
        every, number = np.concatenate([self.value, value]), np.concatenate([self.count, count])
        self.value, place = np.unique(every, return_inverse=True)
        self.count = np.bincount(place, number, len(self.value)).astype(np.int64)

    def columns(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the numbers under a name, with the number of `games` of each, and their `share`."""
        return {name: self.value, "games": self.count, "share": self.count / max(self.count.sum(), 1)}

    def quantile(self, share: float) -> int:
        """Return the least number that at least this share of all numbers do not exceed."""
        reached = np.cumsum(self.count) >= share * self.count.sum() - 1e-9
        return int(self.value[int(reached.argmax())])
