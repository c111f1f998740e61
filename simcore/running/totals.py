"""Totals of some games of a run, which can be merged, stored in a file and read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from simcore.running.accumulator import Accumulator
from simcore.running.batch import Spec
from simcore.running.digest import Digest
from simcore.running.tally import Tally


class Sums(Accumulator):
    """Further sums over the rows of a run's games."""

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Add the rows of consecutive games that begin with the first game of a deal."""
        raise NotImplementedError


Also = Callable[[], Sums]
"""Function that makes empty further sums."""


class Totals(Accumulator):
    """Totals of some games of a run.

    spec: The run.
    also: Makes further sums over the same games.  If None, there are none.

    tally : Tally: Wins by seat and by strategy.
    digest : Digest: Running digest of the outcomes.
    more : Sums or None: The further sums.
    """

    def __init__(self, spec: Spec, also: Also | None = None) -> None:
        self.tally, self.digest = Tally(spec), Digest()
        self.more = also() if also else None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.tally.games

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Add the rows of consecutive games; `first_row` is the number of the first row."""
        self.digest.add(rows, first_row)
        self.tally.add(rows)
        if self.more is not None:
            self.more.add(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the tally and the digest as plain values; `from_dict` reads them."""
        return {"tally": self.tally.to_dict(), "sums": self.digest.sums.tolist()}

    @classmethod
    def from_dict(cls, spec: Spec, table: Mapping[str, Any], also: Also | None = None) -> Totals:
        """Return the totals from a result of `to_dict`; the further sums are empty.

        Raises ValueError if the table does not fit the run.
        """
        found = cls(spec, also)
        found.tally.take(table.get("tally"))
        sums = table.get("sums")
        if not isinstance(sums, list) or len(sums) != len(found.digest.sums):
            raise ValueError("sums of the digest")
        try:
            found.digest.sums[:] = sums
        except (OverflowError, TypeError):
            raise ValueError("sums of the digest") from None
        found.digest.rows = found.tally.games * spec.players
        return found


class InOrder:
    """Merges the totals of parts in the order of the parts, so that sums of fractions are always the same.

    total: The totals into which they are merged.
    numbers: Numbers of the parts, in order.

    merged : int: Number of parts that have been merged.
    """

    def __init__(self, total: Totals, numbers: Iterable[int]) -> None:
        self.total = total
        self.merged = 0
        self._left = list(numbers)
        self._waiting: dict[int, Totals] = {}

    def add(self, number: int, totals: Totals) -> None:
        """Add a part; it waits until all parts before it have arrived."""
        self._waiting[number] = totals
        while self.merged < len(self._left) and self._left[self.merged] in self._waiting:
            self.total.merge(self._waiting.pop(self._left[self.merged]))
            self.merged += 1
