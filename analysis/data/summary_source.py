"""The totals of a run instead of its rows: analyses find there what they would have counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from analysis.data.accumulate import Arrays, fill, key_of
from analysis.data.results import Counted, Unanswered
from analysis.data.source import Array, Source
from analysis.runs import Run
from analysis.runs.totals_file import read_totals
from simcore.errors import printable
from simcore.running.columns import columns as columns_of

LEVEL = "standard"
"""Level of detail of the columns from which totals are counted."""


class SummarySource(Source):
    """A run that contains totals instead of rows."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.spec = run.described
        self.label = printable(str(run.folder))
        self.detail = run.manifest.detail
        self.planned = run.manifest.games

    @property
    def playable(self) -> bool:
        """Whether its games can be played again without running code that is not trusted."""
        return self.run.playable

    @cached_property
    def available(self) -> frozenset[str]:
        """Names of the columns from which totals were counted."""
        return frozenset(column.name for column in columns_of(self.spec.game, LEVEL))

    @cached_property
    def _arrays(self) -> Arrays:
        return read_totals(self.run.folder, self.run.manifest)

    def stretches(self) -> Sequence[Any]:
        """Return no stretches, because there are no rows."""
        return ()

    def read(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Raise `UsageError`, because there are no rows."""
        raise self._lacking()

    def counted(self, names: Sequence[str], make: Callable[[], Any], events: bool) -> tuple[Any, Counted] | None:
        """Return what an analysis would have counted.

        Raises UsageError if that was not counted while the run was played.
        """
        accumulator = make()
        key = key_of(accumulator, names)
        if events or not any(name.startswith(key) for name in self._arrays):
            raise self._lacking()
        try:
            fill(accumulator, key, self._arrays)
            return accumulator, Counted(*(int(part) for part in self._arrays["count"]))
        except (KeyError, TypeError, ValueError):  # it was another question, as about strategies of several runs
            raise self._lacking() from None

    def _lacking(self) -> Unanswered:
        return Unanswered(
            "summary_lacks",
            "{run}: contains totals instead of rows, and not the totals that this needs; "
            "run the simulation again with the level of detail 'standard'",
            run=self.label,
        )
