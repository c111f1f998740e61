"""A table of results from elsewhere, written as a run that all other questions can read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import Ask
from equipoise.options import JsonOption
from equipoise.parameters import DecimalMark, Question, Teams, Typed, table_of
from equipoise.questions.asked import question
from simcore.errors import UsageError

if TYPE_CHECKING:
    from analysis.runs import Run
    from analysis.tables.importing import Imported


@dataclass(frozen=True)
class Taken:
    """The option that only the command has: it says what was taken from the table, and where it is."""

    json_: JsonOption = False

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Import, and print how the winner is known first, then the runs."""
        from reports.words import ENGLISH

        made = ask(False)
        notes, runs = [ENGLISH.note(note) for note in made.notes], [_about(run) for run in made.runs]
        if self.json_:
            typer.echo(json.dumps({"runs": runs, "notes": notes}, indent=2))
            return
        for note in notes:
            typer.echo(note)
        people = f", {len(made.origin.people):,} people" if made.origin.people else ""
        for one in runs:
            rules = f", rules '{one['rules']}'" if one["rules"] != "base" else ""
            typer.echo(f"{one['folder']}: {one['games']:,} games with {one['players']} players{people}{rules}")


def _about(run: Run) -> dict[str, object]:
    made = run.manifest
    return {
        "folder": str(run.folder),
        "games": made.games_written,
        "players": made.players,
        "rules": made.rules["name"],
        "digest": made.digest,
    }


@question(
    "equipoise import results.csv --out runs/mine",
    "equipoise import results.csv --out runs/mine --column seat=Position --column score=Points --lowest-wins",
    "equipoise import BGStatsExport.json --title Azul --out runs/azul --anonymous",
    only=Taken,
)
def import_table(
    path: Annotated[str | Path, Typed(takes="FILE", read=table_of, argument=True)],
    out: Annotated[str | Path, Typed(takes="FOLDER")],
    columns: Annotated[
        Mapping[str, str] | Sequence[str] | None, Typed(takes="FIELD=NAME", each=True, option="column")
    ] = None,
    title: Annotated[str, Typed(takes="NAME")] = "",
    *,
    lowest_wins: bool = False,
    no_seats: bool = False,
    anonymous: bool = False,
    force: bool = False,
    decimal: DecimalMark = "",
    teams: Teams = "",
) -> Imported:
    """Read a table of results from elsewhere, and write it as a run.

    Parameters
    ----------
    path
        CSV or Parquet file with one row for each seat of each game, or with one row for each game and columns such as
        `score_1`, `score_2`; or the JSON file of BG Stats.  docs/your-results.md lists the columns.
    out
        Folder of the run.  If the table has several numbers of players, or several sets of rules, each has a run in a
        folder inside it.
    columns
        The file's name for a field, such as `seat=Position`; may be repeated.
    title
        Name of the game, for pages; in a file of BG Stats with several games, the one to read.
    lowest_wins
        The lowest score wins.
    no_seats
        The order of the players means nothing, although the table has one.
    anonymous
        Write A, B, C ... instead of the names of people and groups.
    force
        Replace the runs of an earlier import.
    decimal
        `point` or `comma`: what is before the decimals, if numbers such as 1,234 or 1.234 leave it open.
    teams
        The seats that win together, such as 1/234.  Each team's par is an equal part of the wins.

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
    * docs/reference/methods.md

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
    from analysis.tables.importing import import_table as read_table
    from equipoise.process import command_line

    named = columns if isinstance(columns, Mapping) else dict(map(_column, columns or ()))
    how = (title, lowest_wins, not no_seats, anonymous, force, command_line(), decimal, teams)
    return read_table(Path(path), Path(out), named, *how)


def _column(text: str) -> tuple[str, str]:
    """Return a field and its name in the file."""
    field, _, name = (part.strip() for part in text.partition("="))
    if not field or not name:
        raise UsageError(f"'{text}': write FIELD=NAME, such as seat=Position", "column")
    return field.lower(), name
