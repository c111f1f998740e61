"""Commands about runs that exist: `export` and `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from equipoise.command import command
from equipoise.output.progress import Progress
from equipoise.parameters import Partial, Replace, Trust, Typed, Verify, comma_list, run_of, whole
from simcore.errors import UsageError

FORMATS = ("parquet", "csv")


@command(
    "equipoise export runs/first --out first.csv",
    "equipoise export runs/first --columns game_id,seat,coins --out small.parquet",
)
def export(
    run: Annotated[Path, Typed("Run folder.", "RUN", run_of, argument=True)],
    out: Annotated[Path, Typed("File to write.")],
    format_: Annotated[
        str | None, Typed("Format of the file: parquet or csv.  If None, by the ending of FILE.", choices=FORMATS)
    ] = None,
    columns: Annotated[
        Sequence[str] | None, Typed("Columns to write, separated by commas.  If None, all.", "NAME,...", comma_list)
    ] = None,
    partial: Partial = False,
    verify: Verify = True,
    force: Replace = False,
) -> None:
    """Write the whole table of a run into one file."""
    from analysis.runs.export import write_table
    from analysis.runs.load import load
    from analysis.runs.manifest import check_name
    from equipoise.files import whole_path

    kind = format_ or out.suffix.removeprefix(".")
    if kind not in FORMATS:
        raise UsageError(f"--format: '{out.name}' ends neither in .parquet nor in .csv; choose one with --format")
    check_name(out, "out")
    opened = load(run, partial, verify)
    with whole_path(out, force) as path:
        rows = write_table(opened, path, kind, columns)
    typer.echo(f"{out}: {rows:,} rows")


# --- `equipoise verify`: do the games of a run, played again, give what its files say? ---


@command("equipoise verify runs/first", "equipoise verify runs/first runs/second --sample 1e4")
def verify(
    runs: Annotated[Sequence[Path], Typed("Run folders.", "RUN", run_of, each=True, argument=True)],
    sample: Annotated[
        int | None, Typed("Number of games, chosen at random, to play again.  If None, all games.", "N", whole)
    ] = None,
    partial: Partial = False,
    game: Annotated[str | None, Typed("The Python file of the game, if it is one.  If None, none.", "FILE")] = None,
    trust: Trust = False,
) -> None:
    """Check that runs are genuine, by playing their games again.

    The checksums of the manifest and the files, the order of the games and the digest of the rules show that nothing
    was damaged. Playing all games again shows that the table and the digest of outcomes belong to the game, players,
    rules and seed that the manifest names; --sample shows this for some games only. The exit code is 0, 1 (games
    differ) or 2 (a run cannot be read or is damaged).
    """
    from analysis.data.verifying import verify_run
    from analysis.runs import load

    opened = [load(folder, partial, trust=trust) for folder in runs]
    wanted = [min(run.manifest.games_written, sample or run.manifest.games_written) for run in opened]
    false = 0
    with Progress("games", sum(wanted)) as progress:
        for number, run in enumerate(opened):
            before = sum(wanted[:number])
            found = verify_run(run, sample, lambda done, at=before: progress.update(at + done))  # type: ignore[misc]
            typer.echo(f"{run.folder}: {found.describe()}")
            false += found.difference is not None
    if false:
        raise typer.Exit(1)
