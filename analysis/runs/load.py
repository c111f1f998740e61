"""Open a run folder."""

from __future__ import annotations

from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from analysis.runs.frames import schema_of
from analysis.runs.manifest import FILE, Manifest, check_name, first_line
from simcore.batch import Spec
from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.rules import Rules
from strategies.library import strategy_from_dict
from strategies.spec import assemble_spec

if TYPE_CHECKING:
    import pandas as pd


_ENDED = {"running": "has not ended", "interrupted": "was interrupted", "failed": "failed", "complete": "ended"}
_MAGIC = b"PAR1"
"""First and last bytes of a Parquet file."""


@dataclass(frozen=True)
class Run:
    """A run folder that can be read.

    Parameters
    ----------
    folder
        Where it lies.
    manifest
        What was played.
    """

    folder: Path
    manifest: Manifest

    def __repr__(self) -> str:
        made = self.manifest
        return (
            f"<Run {str(self.folder)!r}: {made.game}, {made.players} players, {', '.join(made.strategies)}, "
            f"seed {made.seed}, {made.games_written:,} games, {made.status}; see polars() and pandas()>"
        )

    @property
    def spec(self) -> Spec:
        """The run's specification, ready to play or replay."""
        try:
            return spec_of(self.manifest)
        except UsageError as error:
            raise UsageError(f"{self.folder / FILE}: {str(error).removeprefix('--')}") from None

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """Names and types of the table's columns."""
        return schema_of(self.spec, self.manifest.detail)

    def polars(self) -> pl.LazyFrame:
        """Return the table, one row a game and seat, without reading it yet.

        Raises
        ------
        UsageError
            If the table has no rows or not those that were written, or a file is missing or damaged.
        """
        if not self.manifest.parts:
            raise UsageError(f"{self.folder}: no rows; the run {_ENDED[self.manifest.status]} before its first part")
        paths = [self.folder / name for name in self.manifest.parts]
        for path in paths:
            if not path.is_file():
                raise UsageError(f"{path}: missing; the run folder is not whole, run the simulation again")
        parquet = [path for path in paths if path.suffix == ".parquet"]
        try:
            cut = next((path for path in parquet or paths if not _is_whole(path)), None)
            if cut:
                raise UsageError(f"{cut}: damaged, its end is missing; run the simulation again")
            if parquet:
                frame = pl.scan_parquet(parquet, glob=False)
            else:
                frame = pl.scan_csv(paths, schema=self.schema, glob=False)
            if list(frame.collect_schema()) != list(self.schema):
                raise UsageError(
                    f"{self.folder}: the parts' columns are not those of the manifest; the run was changed"
                )
            rows = frame.select(pl.len()).collect().item()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise UsageError(f"{self.folder}: a part is damaged: {first_line(error)}") from None
        if rows != self.manifest.rows:
            raise UsageError(
                f"{self.folder}: the parts hold {rows:,} rows, the manifest says {self.manifest.rows:,}; "
                "the run was changed"
            )
        return frame

    def pandas(self, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the table in memory as a pandas frame.

        Parameters
        ----------
        columns
            Which columns; all if None.

        Raises
        ------
        UsageError
            As `polars` does, and if there is no such column.
        """
        frame = self.polars()
        for name in columns or ():
            if name not in self.schema:
                raise UsageError(f"{self.folder}: no column '{name}'{nearest(name, self.schema)}")
        return (frame if columns is None else frame.select(columns)).collect().to_pandas()


def load(folder: str | Path, partial: bool = False) -> Run:
    """Open a run folder.

    Parameters
    ----------
    folder
        What `simulate` wrote.
    partial
        Whether a run that ended early will do; its whole parts are there.

    Raises
    ------
    UsageError
        If it is no run folder, is damaged, or is not complete.
    """
    path = Path(folder)
    check_name(path, "")
    manifest = Manifest.read(path)
    if manifest.status != "complete" and not partial:
        have, wanted = manifest.games_written, manifest.games
        raise UsageError(
            f"{path}: the run {_ENDED[manifest.status]} ({have:,} of {wanted:,} games are whole); "
            "run it again, or read what is there with partial=True (--partial)"
        )
    return Run(path, manifest)


def _is_whole(path: Path) -> bool:
    """Return whether a Parquet file has its beginning and its end, and a CSV file the end of its last line."""
    with path.open("rb") as file:
        if path.suffix == ".csv":
            file.seek(max(file.seek(0, SEEK_END) - 1, 0))
            return file.read() == b"\n"
        start = file.read(len(_MAGIC))
        size = file.seek(0, SEEK_END)
        file.seek(max(size - len(_MAGIC), 0))
        return start == file.read() == _MAGIC and size > 2 * len(_MAGIC)


def load_spec(folder: str | Path) -> Spec:
    """Return the specification of a run folder, complete or not; see `load`."""
    return load(folder, partial=True).spec


def spec_of(manifest: Manifest) -> Spec:
    """Rebuild the specification that a manifest describes.

    Raises
    ------
    UsageError
        If the game, a rule or a strategy is not known to this version, or the manifest was changed.
    """
    game = load_game(manifest.game)
    rules = Rules.from_dict(game, manifest.rules, manifest.settings)
    strategies = [strategy_from_dict(game, table) for table in manifest.strategy_tables]
    if [strategy.name for strategy in strategies] != manifest.strategies:
        raise UsageError("strategies: not those of strategy_tables; the manifest was changed or damaged")
    return assemble_spec(game, manifest.players, strategies, rules, manifest.seed, manifest.design, manifest.games)
