"""Files of pages, experiments and single games: checking what exists, and writing them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from equipoise.files import REPLACE, check_file, claimed, write_together
from simcore.errors import KernelFault, UsageError, nearest

if TYPE_CHECKING:
    from analysis.course.finding import Found
    from simcore.running.batch import Spec


def check(files: Sequence[Path], folders: Sequence[Path], force: bool) -> None:
    """Report before the work what would fail after it."""
    for path in files:
        check_file(path, force)
        _refuse_link(path)
    for path in folders:
        _refuse_link(path)
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path} is not a folder; name another file", "out")
        if path.is_dir() and any(path.iterdir()) and not force:
            raise UsageError(f"{path} exists; name another file", "out", REPLACE)


def _refuse_link(path: Path) -> None:
    """Refuse to write through a link that came with a folder, such as the run of a stranger."""
    from analysis.runs.manifest import FILE

    stranger = next((place for place in (path.parent, path) if place.is_symlink()), None)
    if stranger and (stranger.parent / FILE).exists():
        raise UsageError(f"{stranger} is a link in a run folder, which leads elsewhere; remove it", "out")


def write(files: Iterable[tuple[Path, Callable[[], bytes]]], page: Path, force: bool) -> list[Path]:
    """Make all files, write them, and return the paths to show the user: single files, and each further folder once.

    files: The path of each file, and the function that makes its bytes.
    page: Path of the page; files in the same folder are returned one by one.
    force: Whether existing files may be replaced.
    """
    made = [(path, make()) for path, make in files]
    for path, _ in made:
        _refuse_link(path)
    write_together(made, page, force)
    return list(dict.fromkeys(path if path.parent == page.parent else path.parent for path, _ in made))


def has_desktop() -> bool:
    """Return whether the process runs in a terminal on a desktop."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_in_browser(paths: Iterable[Path], wanted: bool | None) -> None:
    """Let a browser show the page among some files if that is wanted; None: on a desktop's terminal."""
    if (page := next((path for path in paths if path.suffix == ".html"), None)) and (
        has_desktop() if wanted is None else wanted
    ):
        typer.launch(str(page.resolve()))


# --- Where the files of an experiment go: one folder, kept from other processes until they are written ---


FORMATS = ("html", "md", "pdf", "png", "csv", "share", "json", "parquet", "none")
REPORTED = ("html", "md", "pdf", "png", "csv", "summary", "share")
"""The formats of experiments, and those of a report."""


def formats(text: str, offered: Sequence[str] = FORMATS) -> tuple[str, ...]:
    """Return the formats that a user named, separated by commas; raise `UsageError` if one is not known."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",")))
    for name in names:
        if name not in offered:
            raise UsageError(f"no format '{name}'{nearest(name, offered)}", "format")
    return names


def formats_of(text: str, name: str, offered: Sequence[str] = FORMATS) -> str:
    """Return formats as they were typed; an unknown one is refused before anything is loaded that plays."""
    formats(text, offered)
    return text


@dataclass(frozen=True)
class Destination:
    """Where the files of an experiment go."""

    page: Path  # path of the page, whether or not it is written; the other files are named after it
    chosen: tuple[str, ...]  # the formats
    force: bool  # whether existing files may be replaced


@contextmanager
def destination(
    what: str, game: str, out: Path | None, format_: str, force: bool, more: Sequence[str] = ()
) -> Iterator[Destination | None]:
    """Yield the destination of an experiment's files, or None if nothing is written.

    Problems are reported at once and not after the work.  Other processes do not write there while the block runs.
    `more` gives the names of further files that the experiment writes.

    Raises UsageError if a format is unknown, or existing files or folders are in the way.
    """
    from analysis.runs.folders import free_folder
    from reports.render.outputs import places

    chosen = formats(format_)
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


# --- The page of one game: where it goes, and that a browser shows it ---


@dataclass(frozen=True)
class Page:
    """Where a page goes, and what happens to it."""

    run: Path | None  # folder of the run that the game belongs to, if there is one
    out: Path | None  # the file that the user named; if None, one in the folder of the run, or in a new folder
    lang: str  # language
    force: bool  # whether an existing file that the user named may be replaced
    open_: bool | None  # whether a browser shows it; if None, on a desktop's terminal

    def file(self, game: str, index: int) -> Path:
        """Return the file of a game's page."""
        from analysis.runs.folders import free_folder

        if self.out is not None:
            return self.out
        return (self.run or free_folder(Path("runs"), f"{game}-replay")) / f"game-{index}.html"


def write_page(spec: Spec, index: int, found: Found | None, page: Page) -> None:
    """Write the page of a game of a run, name the file, and let a browser show it.

    An earlier page of the same game, in the place where it goes by itself, is replaced.

    Raises UsageError if the file cannot be written.
    Raises KernelFault if the game broke an invariant; the page shows it up to there.
    """
    from analysis.course.finding import estimate_chances
    from equipoise.process import command_line
    from reports.pages.game import compose_game
    from reports.render.html import to_html
    from reports.words import Words
    from simcore.running.replay import replay

    file, force = page.file(spec.game.name, index), page.force or page.out is None
    if page.out is not None and file.suffix.lower() != ".html":
        raise UsageError(f"{file} is a page; let its name end in .html", "out")
    check([file], [], force)
    played = replay(spec, index)
    chances = None if played.fault else estimate_chances(spec, index)
    report = compose_game(played, Words(page.lang), found, command_line(), chances)
    for path in write([(file, lambda: to_html(report).encode())], file, force):
        typer.echo(str(path))
    show_in_browser([file], page.open_)
    if played.fault:
        raise KernelFault(f"game {index} broke an invariant: {played.fault}")
