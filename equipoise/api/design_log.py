"""What was tried in a project folder: what `eq.log` and `eq.index` return, and how a log is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from analysis.design_log import Entry, as_frame, best
from analysis.pictured import Pictured
from equipoise.api.experiment import notebook_html
from equipoise.output.pages import write
from equipoise.output.summary import print_whole
from reports.figures.base import Figure
from reports.page import Report
from reports.pages.design_log import INDEX, apart_in_words, best_in_words, changes_in_words, compose_index, compose_log
from reports.render.html import to_html
from reports.study.plots import by_name
from reports.words import Words
from simcore.errors import printable


@dataclass(frozen=True, eq=False)
class DesignLog(Pictured):
    """The runs and experiments in a folder, oldest first."""

    entries: tuple[Entry, ...]  # one entry for each run or experiment
    problems: tuple[str, ...]  # sentences saying what could not be read, and why
    lang: str  # language of the page and of the verdicts on runs

    @property
    def table(self) -> pl.DataFrame:
        """One row for each run or experiment."""
        return as_frame(self.entries)

    def figures(self, lang: str = "") -> dict[str, Figure]:
        """Return the figures of the page by name, in order, in the log's own language."""
        return by_name(self.report().pictures)

    def report(self) -> Report:
        """Return the page."""
        return compose_log(self.entries, self.problems, Words(self.lang))

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain values."""
        fairest = [str(entry.path) for entry in best(self.entries)]
        return {"entries": self.table.to_dicts(), "best": fairest, "problems": list(self.problems)}

    def __repr__(self) -> str:
        return f"<DesignLog: {len(self.entries)} runs and experiments>"

    def _repr_html_(self) -> str:
        return notebook_html(repr(self)[1:-1], self.problems, [self.table])


@dataclass(frozen=True, eq=False)
class Index:
    """The pages in a folder, and what was tried there."""

    folder: Path  # folder that contains the pages
    pages: tuple[tuple[str, str, str], ...]
    """For each page: its path relative to the folder, its title, and its first sentence.  Newest first."""
    tried: DesignLog  # the runs and experiments in the folder

    def report(self) -> Report:
        """Return the page; its links are relative to the folder."""
        return compose_index(self.pages, self.tried.entries, self.tried.problems, Words(self.tried.lang))

    def save(self) -> Path:
        """Write the page into the folder, replacing an earlier index, and return its path."""
        page = self.folder / INDEX
        write([(page, lambda: to_html(self.report()).encode())], page, force=True)
        return page

    def __repr__(self) -> str:
        return f"<Index: {len(self.pages)} pages, {len(self.tried.entries)} runs and experiments>"

    def _repr_html_(self) -> str:
        pages = pl.DataFrame(self.pages, schema=["page", "title", "first sentence"], orient="row")
        return notebook_html(repr(self)[1:-1], self.tried.problems, [pages, self.tried.table])


# --- The output of `log`: a line and a sentence for each run and experiment ---


def show(found: DesignLog, paths: Sequence[Path]) -> None:
    """Print a log."""
    console, words = Console(highlight=False), Words(found.lang)
    for entry in found.entries:
        table = words("sweep.section", players=entry.players)
        heading = f"{entry.when[:16].replace('T', ' ')}  {entry.what}, {entry.game}, {table}"
        console.print(Text(heading, style="bold"))
        if entry.changed:
            changed = changes_in_words(words, entry.game, entry.changed)
            console.print(Text(f"  {words('log.changed', changed=changed)}"))
        ends = (one for one in (entry.before, entry.after) if one)
        apart = " -> ".join(apart_in_words(words, one, entry.unit) for one in ends)
        if apart:
            console.print(Text(f"  {words('log.apart', apart=apart)}"))
        if entry.verdict:
            console.print(Text(f"  {entry.verdict}"))
        console.print(Text(f"  {printable(str(entry.path))}", style="dim"), soft_wrap=True)
    for entry in best(found.entries):
        console.print(Text(best_in_words(words, entry), style="bold"))
    for problem in found.problems:
        console.print(Text(words("log.unread", problem=problem), style="yellow"))
    for path in paths:
        print_whole(console, str(path))
