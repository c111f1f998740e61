"""What the commands for experiments share: where their files go, and what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from equipoise.files import claimed
from equipoise.output.pages import check, has_desktop, write
from equipoise.output.progress import hush
from simcore.errors import UsageError

if TYPE_CHECKING:
    from equipoise.api.experiment import Experiment

FORMATS = ("html", "md", "pdf", "png", "csv", "json", "parquet", "none")
DEFAULT_FORMATS = "html,json,parquet"


@dataclass(frozen=True)
class Destination:
    """Where the files of an experiment go.

    Parameters
    ----------
    page
        Path of the page, whether or not it is written; the other files are named after it.
    chosen
        The formats.
    force
        Whether existing files may be replaced.
    """

    page: Path
    chosen: tuple[str, ...]
    force: bool


@contextmanager
def destination(
    what: str, game: str, out: Path | None, format_: str, force: bool, more: Sequence[str] = ()
) -> Iterator[Destination | None]:
    """Yield the destination of an experiment's files, or None if nothing is written.

    Problems are reported at once and not after the work.  Other processes do not write there while the block runs.
    `more` gives the names of further files that the experiment writes.

    Raises
    ------
    UsageError
        If a format is unknown, or existing files or folders are in the way.
    """
    from analysis.runs.folders import free_folder
    from reports.outputs import formats, places

    chosen = formats(format_, FORMATS)
    if "none" in chosen:
        if len(chosen) > 1 or out is not None:
            raise UsageError("'none' writes nothing; leave out the folder and the other formats", "format")
        yield None
        return
    folder = out or free_folder(Path("runs"), f"{game}-{what}")
    if folder.suffix in (".html", ".json", ".md"):
        raise UsageError(f"{folder} names a file; name a folder for {what}.html and the other files", "out")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; name another", "out")
    page = folder / f"{what}.html"
    files, folders = places(page, chosen)
    files += [page.with_suffix(f".{name}") for name in ("json", "parquet") if name in chosen]
    check([*files, *(page.with_name(name) for name in more)], folders, force)
    with claimed(page):
        yield Destination(page, chosen, force)


def deliver(place: Destination, found: Experiment, lang: str, open_: bool | None) -> list[Path]:
    """Write the files, show the page if requested, and return the paths of the files."""
    from reports.outputs import files

    def everything() -> Iterator[tuple[Path, Callable[[], bytes]]]:
        yield from files(found.report(lang), place.page, place.chosen)
        if "json" in place.chosen:
            yield place.page.with_suffix(".json"), lambda: json.dumps(found.to_dict(), indent=2).encode()
        if "parquet" in place.chosen:
            yield place.page.with_suffix(".parquet"), found.parquet
        yield from ((place.page.with_name(name), make) for name, make in found.more_files())

    paths = write(everything(), place.page, place.force)
    if "html" in place.chosen and (has_desktop() if open_ is None else open_):
        typer.launch(str(place.page.resolve()))
    return paths


@dataclass(frozen=True)
class Output:
    """The options of a command that say where its results go.

    Parameters
    ----------
    out, formats, force
        See `destination`.
    lang
        Language of the page.
    open_
        Whether to show the page.  If None, only in a terminal on a desktop.
    quiet
        Whether to print only the names of the files, without progress.
    json_
        Whether to print only JSON, without progress.
    """

    out: Path | None
    formats: str
    lang: str
    open_: bool | None
    force: bool
    quiet: bool
    json_: bool


def carry_out(
    what: str, game: str, output: Output, play: Callable[[], Experiment],
    show: Callable[[Any, list[Path]], None], more: Sequence[str] = (),
) -> None:  # fmt: skip
    """Carry out an experiment for a command: play it, write its files, and print the results.

    Parameters
    ----------
    what, game, more
        See `destination`.
    output
        Where the results go.
    play
        Function that plays the experiment.
    show
        Function that prints the experiment and the paths of its files.
    """
    with destination(what, game, output.out, output.formats, output.force, more) as place:
        if output.quiet or output.json_:
            hush()
        found = play()
        paths = deliver(place, found, output.lang, output.open_) if place else []
    if output.json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif output.quiet:
        for path in paths:
            typer.echo(str(path))
    else:
        show(found, paths)
