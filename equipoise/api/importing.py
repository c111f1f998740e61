"""`eq.import_table`: results that people or other programs have written down, as a run that can be analysed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.runs.folders import free_folder
from analysis.runs.manifest import FILE
from analysis.tables.importing import Imported
from analysis.tables.importing import import_table as read_table
from equipoise.typed import command_line

AnyRun = Any
"""A run, a run folder, or what `equipoise.api.reporting` takes for one."""


def import_table(
    path: str | Path,
    out: str | Path,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    *,
    lowest_wins: bool = False,
    no_seats: bool = False,
    anonymous: bool = False,
    force: bool = False,
) -> Imported:
    """Read a table of results, and write it as a run.

    Parameters
    ----------
    path
        A CSV or Parquet file with one row for each seat of each game, or with one row for each game and columns such as
        `score_1`, `score_2`; or the JSON file of BG Stats.  docs/tables.md lists the columns.
    out
        Folder of the run.  If the table has several numbers of players, or several sets of rules, each has a run in a
        folder inside it.
    columns
        The file's name for some columns, such as ``{"seat": "Position"}``.
    title
        Name of the game, for pages.  In a file of BG Stats with several games, the one to read.
    lowest_wins
        Whether the lowest score wins.
    no_seats
        Whether the order of the players means nothing, although the table has one.
    anonymous
        Whether to write A, B, C ... instead of the names of people and groups.
    force
        Whether runs of an earlier import may be replaced.

    Returns
    -------
    Imported
        `run`, the run with the most games; `runs`, all of them; and `notes` on what the table does not say.

    Raises
    ------
    UsageError
        If a row cannot be used, or the folder is not free; the message names the row, and nothing is written.

    References
    ----------
    * docs/statistics.md

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import equipoise as eq
    >>> rows = [f"{game},{seat},{seat * game % 7}" for game in range(100) for seat in (1, 2, 3)]
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder) / "results.csv"
    ...     _ = table.write_text("\\n".join(["game,seat,score", *rows]))
    ...     made = eq.import_table(table, Path(folder) / "mine")
    ...     eq.seat_advantage(made.run).table["games"].to_list()
    [100, 100, 100]
    """
    return read_table(
        Path(path), Path(out), columns, title, lowest_wins, not no_seats, anonymous, force, command_line()
    )


def runs_in(given: Sequence[AnyRun]) -> Iterator[AnyRun]:
    """Yield runs; a table of results is imported into a new folder, and a folder of imported runs stands for them."""
    for one in given:
        if not isinstance(one, str | Path):
            yield one
            continue
        path = Path(one)
        if path.is_file():
            yield from import_table(path, free_folder(Path("runs"), path.stem)).runs
        elif path.is_dir() and not (path / FILE).exists() and (inside := sorted(path.glob(f"*/{FILE}"))):
            yield from (manifest.parent for manifest in inside)
        else:
            yield path
