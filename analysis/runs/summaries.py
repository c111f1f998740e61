"""Writing of a run folder that contains totals instead of rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from analysis.runs.folders import GAMES, Folder
from analysis.runs.manifest import SUMMARY, Manifest
from analysis.runs.places import Place, place_of
from analysis.runs.totals_file import write_totals
from analysis.runs.writer import RunWriter
from simcore.running.batch import Spec
from simcore.running.parts import PlayedPart
from simcore.running.totals import Also, Totals


class SummaryWriter(RunWriter):
    """Writes totals to a file as the games are played, so that neither disk space nor memory grows with their number.

    The totals are those of consecutive parts from the first one.  Parts are merged in order, so that sums of fractions
    are the same for any number of threads.

    out, spec, command, precision: See `RunWriter`.
    also: Makes the totals; see `analysis.data.summary`.
    """

    def __init__(
        self, out: Path | Place, spec: Spec, command: Sequence[str], also: Also, precision: str | None = None
    ) -> None:
        super().__init__(out, spec, SUMMARY, "none", command, precision=precision, also=also)
        self._take(0)
        if isinstance(self.place, Folder):
            with suppress(OSError):
                (self.place.path / GAMES).rmdir()

    @classmethod
    def taken_up(
        cls, out: Path | Place, spec: Spec, manifest: Manifest, totals: Totals, number: int, also: Also
    ) -> Self:
        """Return the writer of a run that is continued after `number` parts."""
        writer = cls.__new__(cls)
        writer._set(place_of(out), spec, manifest, totals, also)
        writer._take(number)
        return writer

    def _take(self, number: int) -> None:
        self.columns = None
        self._next, self._waiting = number, dict[int, Totals]()

    def _count(self, part: PlayedPart) -> None:
        self._waiting[part.number] = part.totals
        while self._next in self._waiting:
            self.totals.merge(self._waiting.pop(self._next))
            self._next += 1

    def _listed(self) -> dict[str, Any]:
        """Write the totals, and return their entry in the manifest."""
        more: Any = self.totals.more
        part = write_totals(self.place, self._next, self.totals.games, more.arrays())
        return {"games_written": self.totals.games, "rows": 0, "parts": [part]}

    def _sums(self) -> dict[str, Any]:
        """Return the sums that are not in the file of totals."""
        return self.totals.to_dict()

    def _settle(self) -> None:
        """Remove the totals that the manifest no longer names."""
        self._tidy()

    def _files(self) -> set[str]:
        return {part.file for part in self._manifest.parts}

    def _go_back(self) -> None:
        """Leave the manifest and the totals on the disk unchanged, because they match."""
