"""Totals instead of rows: what analyses would count from a run's games is counted while they are played.

A summary holds the filled accumulators of some analyses.  An analysis of the run finds its accumulator there later, and
continues as if it had read all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.accumulate import Arrays, fill, held, key_of
from analysis.data.results import Counted, Unanswered
from analysis.data.source import Block, Source
from analysis.data.sources import LEVEL, SpecSource, row_columns
from simcore.running.batch import Spec
from simcore.running.tally import Sums


@dataclass(frozen=True)
class Asked:
    """What an analysis counts."""

    names: tuple[str, ...]  # names of the columns that it needs
    make: Callable[[], Any]  # function that makes its empty accumulator


class Noted(Exception):
    """Raised to stop an analysis after it has been recorded what it counts."""


class NotingSource(SpecSource):
    """A source that records what analyses count, and gives them no games.

    asked : dict: What the analyses count, by key.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.detail = LEVEL
        self.asked: dict[str, Asked] = {}

    def counted(self, names: Sequence[str], make: Callable[[], Any], events: bool) -> tuple[Any, Counted] | None:
        """Record what is counted from the rows."""
        if not events:
            self.asked[key_of(make(), names)] = Asked(tuple(names), make)
        raise Noted


@dataclass
class Summary(Sums):
    """Accumulators that are filled as games are played."""

    adds = ("count",)

    spec: Spec  # the run
    asked: Mapping[str, Asked]  # what is counted, by key
    count: Counted = field(default_factory=Counted)

    def __post_init__(self) -> None:
        self.names = tuple(dict.fromkeys(name for one in self.asked.values() for name in one.names))
        self.filled = {key: one.make() for key, one in self.asked.items()}

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Add the rows of consecutive games that begin with the first game of a deal."""
        per_deal, players = self.spec.games_per_deal, self.spec.players
        games = len(rows) // players
        whole = games // per_deal * per_deal
        self.count += Counted(whole, whole // per_deal, games - whole)
        if not whole:
            return
        columns = row_columns(self.spec, rows[: whole * players], self.names)
        for key, one in self.asked.items():
            self.filled[key].add(Block(per_deal, {name: columns[name] for name in one.names}))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that was counted, as arrays by name; `restore` takes them."""
        found = {"count": np.array([self.count.games, self.count.deals, self.count.excluded])}
        for key, accumulator in self.filled.items():
            found |= held(accumulator, key)
        return found

    def restore(self, arrays: Arrays) -> None:
        """Replace the contents by arrays that `arrays` returned.

        Raises ValueError if the arrays do not fit this run.
        """
        try:
            self.count = Counted(*(int(part) for part in arrays["count"]))
            for key, accumulator in self.filled.items():
                fill(accumulator, key, arrays)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{error}") from None


def noted(spec: Spec, analyses: Sequence[Callable[[Source], object]]) -> dict[str, Asked]:
    """Return what those of some analyses that apply to a run count from its rows."""
    source = NotingSource(replace(spec, games=spec.games_per_deal))
    for analysis in analyses:
        try:
            analysis(source)
        except (Noted, Unanswered):
            continue
    return source.asked
