"""The index of a project folder: its pages with what each says first, and what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from analysis.design_log import DEEP, Entry
from reports.design_log import compose_log
from reports.page import Links, Report, Section, Sentence
from reports.words import Words

HEAD = 64_000
"""Bytes of a page that are read to know what it is."""

MOST = 1000
"""Most pages that an index lists."""

INDEX = "index.html"


class _Head(HTMLParser):
    """The title of a page, what made it, and what it says of itself."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.meta, self._inside = "", dict[str, str](), False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in what a tag of the head says."""
        self._inside = tag == "title" and not self.title
        told = dict(attrs)
        if tag == "meta":
            self.meta[told.get("name") or ""] = told.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        """End the title."""
        self._inside = False

    def handle_data(self, data: str) -> None:
        """Take in the title."""
        if self._inside:
            self.title += data


def pages_in(folder: Path) -> list[tuple[str, str, str]]:
    """Return the pages of a folder that Equipoise made, the newest first: path from there, title, and first sentence.

    Folders are searched as deep as for the log, links are not followed, and no page is more than read in part.
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
            made.append(
                (path.relative_to(folder).as_posix(), head.title or path.name, head.meta.get("description", ""))
            )
    return made


def compose_index(
    pages: Sequence[tuple[str, str, str]], entries: Sequence[Entry], problems: Sequence[str], words: Words
) -> Report:
    """Return the index of a folder.

    Parameters
    ----------
    pages
        Of `pages_in`.
    entries, problems
        Of `analysis.design_log.read_log`.
    words
        Language.
    """
    log = compose_log(entries, problems, words)
    listed = Section("pages", words("index.pages"), (), (Links(tuple(pages)),))
    first = (Sentence(words("index.said", pages=len(pages), entries=len(entries))),)
    return replace(
        log, title=words("index.title"), subtitle=words("index.subtitle"), verdicts=(*log.verdicts, *first),
        sections=(*((listed,) if pages else ()), *log.sections),
    )  # fmt: skip
