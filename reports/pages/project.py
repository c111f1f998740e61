"""The index of a project folder: its pages with their first sentences, and what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from analysis.design_log import DEEP, Entry
from reports.page import Links, Report, Section
from reports.pages.design_log import compose_log
from reports.words import Words
from simcore.errors import printable

HEAD = 64_000
"""Number of bytes of a page that are read to recognise it."""

MOST = 1000
"""Largest number of pages in an index."""

INDEX = "index.html"


class _Head(HTMLParser):
    """The title of a page, its generator, and its description."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.meta, self._inside = "", dict[str, str](), False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read the attributes of a tag in the head."""
        self._inside = tag == "title" and not self.title
        told = dict(attrs)
        if tag == "meta":
            self.meta[told.get("name") or ""] = told.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        """End the title."""
        self._inside = False

    def handle_data(self, data: str) -> None:
        """Read the title."""
        if self._inside:
            self.title += data


def pages_in(folder: Path) -> list[tuple[str, str, str]]:
    """Return the pages in a folder that Equipoise made, newest first: relative path, title, and first sentence.

    Folders are searched to the same depth as for the log, links are not followed, and only the beginning of each page
    is read.
    """
    found: list[Path] = []
    level = [folder]
    for _ in range(DEEP + 1):
        inside = [path for here in level for path in sorted(here.iterdir()) if not path.is_symlink()]
        found += [path for path in inside if path.suffix == ".html" and path.name != INDEX and path.is_file()]
        level = [path for path in inside if path.is_dir()]
    made = []
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[:MOST]:
        head = _Head()
        with path.open("rb") as file:
            head.feed(file.read(HEAD).decode("utf-8", "replace"))
        if head.meta.get("generator", "").startswith("Equipoise"):
            title, said = head.title or path.name, head.meta.get("description", "")
            made.append((path.relative_to(folder).as_posix(), _on_one_line(title), _on_one_line(said)))
    return made


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def compose_index(
    pages: Sequence[tuple[str, str, str]], entries: Sequence[Entry], problems: Sequence[str], words: Words
) -> Report:
    """Return the index of a folder.

    pages: The pages, from `pages_in`.
    entries, problems: The results of `analysis.design_log.read_log`.
    words: Language.
    """
    log = compose_log(entries, problems, words)
    listed = Section("pages", words("index.pages"), (), (Links(tuple(pages)),))
    return replace(
        log,
        title=words("index.title"),
        subtitle=words("index.subtitle"),
        facts=((words("index.pages"), words.number(len(pages), ",")), *log.facts),
        sections=(*((listed,) if pages else ()), *log.sections),
    )
