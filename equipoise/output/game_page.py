"""The page of one game: where it goes, and that a browser shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from simcore.errors import KernelFault, UsageError

if TYPE_CHECKING:
    from analysis.course.finding import Found
    from simcore.running.batch import Spec


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
    from equipoise.output.pages import check, has_desktop, write
    from equipoise.typed import command_line
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
    if has_desktop() if page.open_ is None else page.open_:
        typer.launch(str(file.resolve()))
    if played.fault:
        raise KernelFault(f"game {index} broke an invariant: {played.fault}")
