"""What some games of a run came to: totals that can be merged, kept in a file and taken up again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self

import numpy as np

from simcore.running.batch import Spec
from simcore.running.digest import Digest
from simcore.running.tally import Tally


class Sums(Protocol):
    """Further sums over the rows of a run's games."""

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Take in the rows of consecutive games that begin with a deal's first."""

    def merge(self, other: Self) -> None:
        """Take in all that another holds."""


Also = Callable[[], Sums]
"""Makes empty further sums."""


class Totals:
    """Totals of some games of a run.

    Parameters
    ----------
    spec
        The run.
    also
        Makes further sums over the same games; None: there are none.

    Attributes
    ----------
    tally : Tally
        Who won how much.
    digest : Digest
        Running digest of the outcomes.
    more : Sums or None
        The further sums.
    """

    def __init__(self, spec: Spec, also: Also | None = None) -> None:
        self.tally, self.digest = Tally(spec), Digest()
        self.more = also() if also else None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.tally.games

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Take in the rows of consecutive games; `first_row` is the number of the first row."""
        self.digest.add(rows, first_row)
        self.tally.add(rows)
        if self.more is not None:
            self.more.add(rows)

    def merge(self, other: Totals) -> None:
        """Take in all that other totals of the same run hold."""
        self.digest.merge(other.digest)
        self.tally.merge(other.tally)
        if self.more is not None and other.more is not None:
            self.more.merge(other.more)

    def to_dict(self) -> dict[str, Any]:
        """Return the tally and the digest as plain values; `from_dict` takes them."""
        return {"tally": self.tally.to_dict(), "sums": self.digest.sums.tolist()}

    @classmethod
    def from_dict(cls, spec: Spec, table: Mapping[str, Any], also: Also | None = None) -> Totals:
        """Return the totals that `to_dict` made a table of; the further sums are empty.

        Raises
        ------
        ValueError
            If the table is not of such a run.
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
    """Merges the totals of parts in the order of the parts, so that sums with fractions come out alike.

    Parameters
    ----------
    total
        Takes them.
    numbers
        Numbers of the parts, in order.

    Attributes
    ----------
    merged : int
        How many parts the total holds.
    """

    def __init__(self, total: Totals, numbers: Iterable[int]) -> None:
        self.total = total
        self.merged = 0
        self._left = list(numbers)
        self._waiting: dict[int, Totals] = {}

    def add(self, number: int, totals: Totals) -> None:
        """Take in a part; it waits until all before it are there."""
        self._waiting[number] = totals
        while self.merged < len(self._left) and self._left[self.merged] in self._waiting:
            self.total.merge(self._waiting.pop(self._left[self.merged]))
            self.merged += 1
