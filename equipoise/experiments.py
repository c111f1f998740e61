"""What the commands for experiments share: they play one, write its files, and print the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.options import (
    ClusterOption,
    FormatOption,
    JsonOption,
    Language,
    LanguageOption,
    OpenOption,
    QuietOption,
)
from equipoise.output.destination import destination
from equipoise.output.pages import has_desktop
from equipoise.output.progress import hush

if TYPE_CHECKING:
    from equipoise.api.experiment import Experiment

DEFAULT_FORMATS = "html,json,parquet"


@dataclass(frozen=True)
class Output:
    """The options that only a command has: where it plays, and where its results go."""

    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="a new folder in runs/"),
    ] = None
    format_: FormatOption = DEFAULT_FORMATS
    lang: LanguageOption = Language.en  # language of the page
    open_: OpenOption = None  # whether to show the page.  If None, only in a terminal on a desktop.
    force: Annotated[bool, typer.Option("--force", help="Replace files that an earlier command has written.")] = False
    """out, format_, force: See `destination`."""
    quiet: QuietOption = False  # whether to print only the names of the files, without progress
    json_: JsonOption = False  # whether to print only JSON, without progress
    cluster: ClusterOption = None  # where to play


def carry_out(
    what: str,
    game: str,
    output: Output,
    play: Callable[[], Experiment],
    show: Callable[[Any, list[Path]], None],
    more: Sequence[str] = (),
) -> None:
    """Carry out an experiment for a command: play it, write its files, and print the results.

    what, game, more: See `destination`.
    output: Where the results go.
    play: Function that plays the experiment.
    show: Function that prints the experiment and the paths of its files.
    """
    with destination(what, game, output.out, output.format_, output.force, more) as place:
        if output.quiet or output.json_:
            hush()
        found = play()
        paths = found.write(place, output.lang) if place else []
        if place and "html" in place.chosen and (has_desktop() if output.open_ is None else output.open_):
            typer.launch(str(place.page.resolve()))
    if output.json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif output.quiet:
        for path in paths:
            typer.echo(str(path))
    else:
        show(found, paths)
