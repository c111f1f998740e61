"""The output of `import`: what was taken from a table, and where it is."""

from __future__ import annotations

import json

import typer

from analysis.tables.importing import Imported
from reports.words import ENGLISH


def show(made: Imported, json_: bool = False) -> None:
    """Print what was imported: how the winner is known first, then the runs."""
    notes = [ENGLISH.note(note) for note in made.notes]
    if json_:
        typer.echo(json.dumps({"runs": [_about(run) for run in made.runs], "notes": notes}, indent=2))
        return
    for note in notes:
        typer.echo(note)
    for run in made.runs:
        one = _about(run)
        people = f", {len(made.origin.people):,} people" if made.origin.people else ""
        rules = f", rules '{one['rules']}'" if one["rules"] != "base" else ""
        typer.echo(f"{one['folder']}: {one['games']:,} games with {one['players']} players{people}{rules}")


def _about(run: object) -> dict[str, object]:
    from analysis.runs import Run

    assert isinstance(run, Run)
    made = run.manifest
    return {
        "folder": str(run.folder),
        "games": made.games_written,
        "players": made.players,
        "rules": made.rules["name"],
        "digest": made.digest,
    }
