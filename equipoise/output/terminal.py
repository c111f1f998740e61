"""A page in a terminal: what it says first and the tables that are marked for it, in the language of the page."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from equipoise.output.console import print_whole
from equipoise.output.fitting import fitted
from reports.page import Report, Section
from reports.words import Words
from simcore.errors import printable

BOLD = "tilted"
"""Status of the verdicts that stand out."""

Line = tuple[str, str]
"""A text and its style."""


def show_page(report: Report, paths: Sequence[Path]) -> None:
    """Print the first sentences, the marked tables and the facts of a page, and the paths of its files."""
    console = Console(highlight=False)
    facts = " · ".join(report.words("fact", name=name, value=value) for name, value in report.facts)
    before: list[Line] = [
        (report.title, "bold"),
        (report.subtitle, "dim"),
        *((one.text, "bold" if one.status == BOLD else "") for one in report.verdicts),
        *((text, "yellow") for text in report.warnings),
    ]
    _print_texts(console, before)
    shown = [section for section in report.sections if section.briefs]
    for section in shown:
        _print_section(console, report.words, section, len(shown) > 1)
    _print_texts(console, [(facts, "dim")])
    for path in paths:
        print_whole(console, str(path))


def _print_texts(console: Console, lines: Sequence[Line]) -> None:
    """Print texts, each on as many lines as it needs; Rich would break a line between a number and its unit."""
    for text, style in lines:
        filled = textwrap.fill(printable(text), console.width, break_long_words=False, break_on_hyphens=False)
        console.print(Text(filled, style=style), soft_wrap=True)


def _print_section(console: Console, words: Words, section: Section, titled: bool) -> None:
    """Print the marked tables of a section, and its notes."""
    if titled:
        _print_texts(console, [(section.title, "bold")])
    for table in section.briefs:
        headings, rows = fitted(table, console.width)
        _print_texts(console, [(table.title, "bold")])
        for line, style in [*((one, "bold dim") for one in headings), *((one, "") for one in rows)]:
            console.print(Text(printable(line), style=style), soft_wrap=True)
        if len(table.rows) > table.brief:
            _print_texts(console, [(words("terminal.more", rows=len(table.rows) - table.brief), "dim")])
    _print_texts(console, [(note, "yellow") for note in section.notes])
