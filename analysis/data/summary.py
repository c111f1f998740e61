"""Totals in the place of rows: what analyses would count from a run's games, counted while these are played.

A summary holds the accumulators of some analyses, filled.  An analysis that is asked about the run later finds its own
there, and goes on as if it had read all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.accumulators import Arrays, fill, held, key_of
from analysis.data.results import Unanswered
from analysis.data.source import Block, Counted, Source
from analysis.data.sources import SpecSource, row_columns
from analysis.data.summary_source import LEVEL
from simcore.running.batch import Spec


@dataclass(frozen=True)
class Asked:
    """What an analysis counts.

    Parameters
    ----------
    names
        Columns that it needs.
    make
        Makes its empty accumulator.
    """

    names: tuple[str, ...]
    make: Callable[[], Any]


class Noted(Exception):
    """It was noted what an analysis counts; it is not to go on."""


class NotingSource(SpecSource):
    """Notes what analyses count, and gives them nothing.

    Attributes
    ----------
    asked : dict
        What was noted, by key.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.detail = LEVEL
        self.asked: dict[str, Asked] = {}

    def counted(self, names: Sequence[str], make: Callable[[], Any], events: bool) -> tuple[Any, Counted] | None:
        """Note what is counted from the rows."""
        if not events:
            self.asked[key_of(make(), names)] = Asked(tuple(names), make)
        raise Noted


@dataclass
class Summary:
    """Accumulators that are filled as games are played; further sums in the sense of `simcore.running.totals`.

    Parameters
    ----------
    spec
        The run.
    asked
        What is counted, by key.
    """

    spec: Spec
    asked: Mapping[str, Asked]
    count: Counted = field(default_factory=Counted)

    def __post_init__(self) -> None:
        self.names = tuple(dict.fromkeys(name for one in self.asked.values() for name in one.names))
        self.filled = {key: one.make() for key, one in self.asked.items()}

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Take in the rows of consecutive games that begin with a deal's first."""
        per_deal, players = self.spec.games_per_deal, self.spec.players
        games = len(rows) // players
        whole = games // per_deal * per_deal
        self.count.games += whole
        self.count.deals += whole // per_deal
        self.count.excluded += games - whole
        if not whole:
            return
        columns = row_columns(self.spec, rows[: whole * players], self.names)
        for key, one in self.asked.items():
            self.filled[key].add(Block(per_deal, {name: columns[name] for name in one.names}))

    def merge(self, other: Summary) -> None:
        """Take in all that another holds."""
        for name in ("games", "deals", "excluded"):
            setattr(self.count, name, getattr(self.count, name) + getattr(other.count, name))
        for key, accumulator in self.filled.items():
            accumulator.merge(other.filled[key])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that was counted, as arrays by name; `restore` takes them."""
        found = {"count": np.array([self.count.games, self.count.deals, self.count.excluded])}
        for key, accumulator in self.filled.items():
            found |= held(accumulator, key)
        return found

    def restore(self, arrays: Arrays) -> None:
        """Take in what `arrays` returned, in place of what was there.

        Raises
        ------
        ValueError
            If the arrays are not of such a run.
        """
        try:
            self.count = Counted(*(int(part) for part in arrays["count"]))
            for key, accumulator in self.filled.items():
                fill(accumulator, key, arrays)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{error}") from None


def noted(spec: Spec, analyses: Sequence[Callable[[Source], object]]) -> dict[str, Asked]:
    """Return what some analyses count from the rows of a run, as far as they apply to it."""
    source = NotingSource(replace(spec, games=spec.games_per_deal))
    for analysis in analyses:
        try:
            analysis(source)
        except (Noted, Unanswered):
            continue
    return source.asked
