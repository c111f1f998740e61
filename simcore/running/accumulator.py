"""What adds up over games, in parts that are then merged: the base of it, digests, and sums by cell."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from simcore.kernel.compilation import cached_kernel, inlined
from simcore.kernel.records import words


class Accumulator:
    """An object that adds up over games, and takes over what others of its kind added up.

    A class names in `adds` its own numbers and arrays that add up; accumulators that it holds, alone or in a list,
    tuple or dictionary, are merged without being named.  All other attributes say what is counted, and stay.

    Examples
    --------
    >>> class Wins(Accumulator):
    ...     adds = ("won",)
    ...
    ...     def __init__(self, won: int) -> None:
    ...         self.won = won
    >>> one, other = Wins(3), Wins(4)
    >>> one.merge(other)
    >>> one.won
    7
    """

    adds: ClassVar[tuple[str, ...]] = ()
    later: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """Numbers that runs from before do not have, with what stands for them."""

    def merge(self, other: Self) -> None:
        """Add everything that another accumulator of the same kind holds; arrays stay the same objects."""
        for name in self.adds:
            value = getattr(self, name)
            value += getattr(other, name)
            setattr(self, name, value)
        for mine, theirs in zip(held_by(self), held_by(other), strict=True):
            mine[1].merge(theirs[1])


def held_by(owner: object) -> Iterator[tuple[str, Accumulator]]:
    """Yield the accumulators that an object holds, in order, each with its place, such as `.share` or `.counts[2]`."""
    for name, value in vars(owner).items():
        if isinstance(value, Accumulator):
            yield f".{name}", value
        elif isinstance(value, list | tuple):
            yield from ((f".{name}[{at}]", one) for at, one in enumerate(value) if isinstance(one, Accumulator))
        elif isinstance(value, dict):
            yield from ((f".{name}[{at}]", one) for at, one in value.items() if isinstance(one, Accumulator))


# --- A digest of outcomes that does not depend on the order in which they were computed ---


PASSES = 2
MOST_WORDS = 1024
"""Largest number of words of a row, for which there are keys."""

_GENERATOR = np.random.Generator(np.random.PCG64(0x45717569706F6973))
KEYS = _GENERATOR.integers(0, 2**32, size=(PASSES, MOST_WORDS), dtype=np.uint64)
_PAIRED = np.ascontiguousarray(KEYS.reshape(PASSES, -1, 2).transpose(0, 2, 1))  # those of low words, those of high ones
_MIX1, _MIX2, _GOLDEN = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)
_ONE, _30, _27, _31, _32 = map(np.uint64, (1, 30, 27, 31, 32))
_WORD = np.uint64(0xFFFFFFFF)


@inlined
def _mix(code):
    """Apply the finaliser of SplitMix64."""
    code = (code ^ (code >> _30)) * _MIX1
    code = (code ^ (code >> _27)) * _MIX2
    return code ^ (code >> _31)


@cached_kernel
def add_hashes(rows, keys, first, sums):
    """Add to each sum a hash of every row of (rows, pairs of 32-bit words), numbered from `first`.

    Each row is hashed with NH (Black, Halevi, Krawczyk, Krovetz and Rogaway 1999) with two sets of keys, each hash is
    mixed with the row's number by the finaliser of SplitMix64, and the results are added modulo 2**64.
    """
    number = np.uint64(first)
    for i in range(rows.shape[0]):
        row = rows[i]
        one = np.uint64(0)
        two = np.uint64(0)
        for j in range(rows.shape[1]):
            low = row[j]
            high = low >> _32
            one += ((low + keys[0, 0, j]) & _WORD) * ((high + keys[0, 1, j]) & _WORD)
            two += ((low + keys[1, 0, j]) & _WORD) * ((high + keys[1, 1, j]) & _WORD)
        number += _ONE
        sums[0] += _mix(one ^ (number * _GOLDEN))
        sums[1] += _mix(two ^ (number * _GOLDEN))


class Digest(Accumulator):
    """A running digest of a run's outcomes; the order in which chunks are added or digests merged does not matter."""

    adds = ("sums", "rows")

    def __init__(self) -> None:
        self.sums = np.zeros(PASSES, np.uint64)
        self.rows = 0

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Add consecutive rows of a game's `row_dtype`; `first_row` is the number of the first."""
        pairs = rows.view(np.uint64).reshape(len(rows), words(rows.dtype) // 2)
        with np.errstate(over="ignore"):  # which plain Python would warn of
            add_hashes(pairs, _PAIRED, np.int64(first_row), self.sums)
        self.rows += len(rows)

    def hexdigest(self) -> str:
        """Return 64 hexadecimal digits."""
        parts = [str(self.rows), *map(str, self.sums.tolist())]
        return hashlib.sha256(b"equipoise-outcomes/1 " + " ".join(parts).encode()).hexdigest()


# --- Sums of observations by cell, from which ratios and their standard errors are computed ---


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
