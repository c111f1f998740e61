"""What was tried in a folder: as a list, or as one page that links to all its pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import Ask
from equipoise.options import JsonOption, OpenOption
from equipoise.parameters import Lang, Level, Question, Replace, Typed
from equipoise.questions.asked import question
from simcore.errors import UsageError

if TYPE_CHECKING:
    from equipoise.api.design_log import DesignLog, Index

Folder = Annotated[str | Path, Typed(takes="FOLDER", argument=True)]


@dataclass(frozen=True)
class Listed:
    """The options that only the command has: it writes the page, and prints the list."""

    out: Annotated[Path | None, Typed("File for the page.  If None, none.", "FILE")] = None
    open_: OpenOption = None
    force: Replace = False
    json_: JsonOption = False

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Read the folder, write the page, and print the list."""
        from equipoise.api.design_log import show
        from equipoise.output.pages import check, show_in_browser, write
        from reports.render.html import to_html

        pages = [] if self.out is None else [self.out]
        if self.out is not None and self.out.suffix != ".html":
            raise UsageError(f"{self.out} must end in .html", "out")
        check(pages, [], self.force)
        made = ask(False)
        for page in pages:
            write([(page, lambda: to_html(made.report()).encode())], page, self.force)
            show_in_browser(pages, self.open_)
        if self.json_:
            typer.echo(json.dumps(made.to_dict(), indent=2))
        else:
            show(made, pages)


@dataclass(frozen=True)
class Written:
    """The option that only the command has: it shows the page that it has written."""

    open_: OpenOption = None

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Write the page, and say where it is."""
        from equipoise.output.pages import show_in_browser

        page = ask(False).save()
        typer.echo(str(page))
        show_in_browser([page], self.open_)


@question("equipoise log", "equipoise log my-game/runs --out log.html", only=Listed)
def log(folder: Folder = ".", lang: Lang = "en", level: Level = 0.95) -> DesignLog:
    """List what was tried: each run and experiment in a folder, its change, and how far apart the seats were.

    Parameters
    ----------
    folder
        Folder that contains the runs and experiments, up to four levels deep.

    Raises
    ------
    UsageError
        If the folder does not exist or has nothing to list.

    References
    ----------
    * docs/reference/log.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> eq.log("runs").table.height
    1
    """
    from analysis.design_log import read_log
    from analysis.stats.intervals import check_level
    from equipoise.api.design_log import DesignLog
    from reports.words import Words

    check_level(level)
    entries, problems = read_log(Path(folder), partial(Words.verdict, Words(lang)), level)
    return DesignLog(tuple(entries), tuple(problems), lang)


@question("equipoise index", "equipoise index my-game/runs --lang fr", only=Written)
def index(folder: Folder = "runs", lang: Lang = "en", level: Level = 0.95) -> Index:
    """Make index.html in a folder: links to all its pages with their first sentences, and what was tried.

    Parameters
    ----------
    folder
        Folder that contains the pages, runs and experiments, up to four levels deep.

    Raises
    ------
    UsageError
        If the folder does not exist or has nothing to list.

    References
    ----------
    * docs/reference/log.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> page = eq.index("runs")
    >>> len(page.tried.entries)
    1
    """
    from analysis.stats.intervals import check_level
    from equipoise.api.design_log import DesignLog, Index
    from reports.pages.design_log import pages_in
    from reports.words import Words

    check_level(level)
    place, words = Path(folder), Words(lang)
    if not place.is_dir():
        raise UsageError(f"{place}: no such folder; name the one that your pages and runs are in")
    pages = pages_in(place)
    try:
        tried = log(place, lang, level)
    except UsageError:
        if not pages:
            raise
        tried = DesignLog((), (), words.lang)
    return Index(place, tuple(pages), tried)
