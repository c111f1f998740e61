"""Commands about runs that exist, or come from elsewhere: `export`, `verify`, `import`, `log` and `index`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from equipoise.options import JsonOption, OpenOption, examples
from equipoise.output.progress import Progress
from equipoise.parameters import (
    DecimalMark,
    Lang,
    Level,
    Partial,
    Replace,
    Teams,
    Trust,
    Typed,
    Verify,
    comma_list,
    whole,
)
from simcore.errors import UsageError

EXPORT_EXAMPLES = examples(
    "equipoise export runs/first --out first.csv",
    "equipoise export runs/first --columns game_id,seat,coins --out small.parquet",
)


FORMATS = ("parquet", "csv")


def export(
    run: Annotated[Path, Typed("Run folder.", "RUN", argument=True)],
    out: Annotated[Path, Typed("File to write.")],
    format_: Annotated[
        str | None, Typed("Format of the file: parquet or csv.  If None, by the ending of FILE.", choices=FORMATS)
    ] = None,
    columns: Annotated[
        Sequence[str] | None, Typed("Columns to write, separated by commas.  If None, all.", read=comma_list)
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


VERIFY_EXAMPLES = examples(
    "equipoise verify runs/first",
    "equipoise verify runs/first runs/second --sample 1e4",
)


def verify(
    runs: Annotated[Sequence[Path], Typed("Run folders.", "RUN", each=True, argument=True)],
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


# --- `equipoise import`: read a table of results, and write it as a run ---


IMPORT_TABLE_EXAMPLES = examples(
    "equipoise import results.csv --out runs/mine",
    "equipoise import results.csv --out runs/mine --column seat=Position --column score=Points --lowest-wins",
    "equipoise import BGStatsExport.json --title Azul --out runs/azul --anonymous",
)

ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="FIELD=NAME", help="The file's name for a field, such as seat=Position; may be repeated."
    ),
]
TitleOption = Annotated[
    str,
    typer.Option(
        "--title", metavar="NAME", help="Name of the game; in a file of BG Stats with several games, the one to read."
    ),
]
LowestOption = Annotated[bool, typer.Option("--lowest-wins", help="The lowest score wins.")]
NoSeatsOption = Annotated[bool, typer.Option("--no-seats", help="The order of the players means nothing.")]
AnonymousOption = Annotated[
    bool, typer.Option("--anonymous", help="Write A, B, C ... instead of the names of people and groups.")
]


def import_table(
    table: Annotated[Path, typer.Argument(metavar="FILE", help="CSV or Parquet file, or the JSON file of BG Stats.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder of the run.")],
    column: ColumnsOption = None,
    title: TitleOption = "",
    lowest_wins: LowestOption = False,
    no_seats: NoSeatsOption = False,
    anonymous: AnonymousOption = False,
    decimal: DecimalMark = "",
    teams: Teams = "",
    force: Annotated[bool, typer.Option("--force", help="Replace the runs of an earlier import.")] = False,
    json_: JsonOption = False,
) -> None:
    """Read a table of results from elsewhere, and write it as a run."""
    from equipoise.api.importing import import_table as make
    from equipoise.api.importing import show

    made = make(
        table,
        out,
        columns_of(column),
        title,
        lowest_wins=lowest_wins,
        no_seats=no_seats,
        anonymous=anonymous,
        force=force,
        decimal=decimal,
        teams=teams,
    )
    show(made, json_)


def columns_of(given: list[str] | None) -> dict[str, str]:
    """Return the columns that `--column` names, by field."""
    found = {}
    for one in given or ():
        field, equals, name = one.partition("=")
        if not equals or not field.strip() or not name.strip():
            raise UsageError(f"'{one}': write FIELD=NAME, such as seat=Position", "column")
        found[field.strip().lower()] = name.strip()
    return found


# --- `equipoise log`: what was tried in a project folder ---


LOG_EXAMPLES = examples("equipoise log", "equipoise log my-game/runs --out log.html")


def log(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Folder that contains the runs and experiments, up to four levels deep."),
    ] = Path(),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File for the page.", show_default="none")
    ] = None,
    level: Level = 0.95,
    lang: Lang = "en",
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    json_: JsonOption = False,
) -> None:
    """List what was tried: each run and experiment in a folder, its change, and how far apart the seats were."""
    from equipoise.api.design_log import log as read
    from equipoise.output.pages import check, show_in_browser, write

    if out is not None:
        if out.suffix != ".html":
            raise UsageError(f"{out} must end in .html", "out")
        check([out], [], force)
    found = read(folder, lang, level)
    paths: list[Path] = []
    if out is not None:
        from reports.render.html import to_html

        paths = write([(out, lambda: to_html(found.report()).encode())], out, force)
        show_in_browser([out], open_)
    if json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        from equipoise.api.design_log import show

        show(found, paths)


# --- `equipoise index`: one page that links to all pages in a project folder ---


INDEX_EXAMPLES = examples("equipoise index", "equipoise index my-game/runs --lang fr")


def index(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Folder that contains the pages, runs and experiments, up to four levels deep."
        ),
    ] = Path("runs"),
    level: Level = 0.95,
    lang: Lang = "en",
    open_: OpenOption = None,
) -> None:
    """Write index.html into a folder: links to all its pages with their first sentences, and what was tried."""
    from equipoise.api.design_log import index as make
    from equipoise.output.pages import show_in_browser

    page = make(folder, lang, level).save()
    typer.echo(str(page))
    show_in_browser([page], open_)
