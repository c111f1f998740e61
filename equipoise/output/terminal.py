"""A page in a terminal: what it says first and the tables that are marked for it, in the language of the page."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from equipoise.output.summary import print_whole
from reports.page import ABSENT, Report, Section, Table
from reports.words import Words
from simcore.errors import printable

# --- A table of a page as lines of a terminal, of which none cuts off a figure or a name ---


GAP = "  "
"""What separates columns."""

READABLE = 40
"""Width in characters below which a text is not folded as long as something can be left out instead."""


def fitted(table: Table, width: int) -> tuple[list[str], list[str]]:
    """Return the lines of the headings, and those of the rows that a terminal shows.

    Columns without any value are left out.  Headings and long texts are folded between words.  If that is not enough,
    columns that may be left out are left out, the last one first; then intervals that may be left out; then texts are
    folded more; then no column has intervals.  What is still too wide stays as it is.

    width: Width of the terminal in characters.
    """
    for columns, ranged, readable in _ways(table):
        texts = [_texts(table, at, at in ranged) for at in columns]
        numeric = [table.numeric[at] for at in columns]
        least = [_least(own, number, readable) for own, number in zip(texts, numeric, strict=True)]
        room = width - len(GAP) * (len(columns) - 1)
        if sum(least) <= room:
            break
    # Columns get what they want, less what the widest ones can spare.
    widths = [max(map(cell_len, own)) for own in texts]
    while sum(widths) > room and (spare := [at for at, own in enumerate(widths) if own > least[at]]):
        widths[max(spare, key=widths.__getitem__)] -= 1
    headings, *rows = (list(_lines(cells, widths, numeric)) for cells in zip(*texts, strict=True))
    return headings, [line for lines in rows for line in lines]


def _ways(table: Table) -> Iterator[tuple[list[int], Collection[int], int]]:
    """Yield columns to show, those of them with intervals, and how narrow texts may be: everything first, then less."""
    kept = [at for at in range(len(table.headings)) if any(row[at].text != ABSENT for row in table.rows)]
    ranged = [at for at in kept if any(row[at].more for row in table.rows)]
    yield kept, ranged, READABLE
    for dropped in reversed(table.wide):
        kept = [at for at in kept if at != dropped]
        yield kept, ranged, READABLE
    ranged = [at for at in ranged if at not in table.bare]
    yield from ((kept, ranged, READABLE), (kept, ranged, 0), (kept, [], 0))


def _texts(table: Table, at: int, ranged: bool) -> list[str]:
    """Return the heading and the cells of a column, with or without intervals."""
    cells = [row[at] for row in table.rows[: table.brief]]
    return [table.headings[at], *(f"{one.text} ({one.more})" if ranged and one.more else one.text for one in cells)]


def _least(texts: Sequence[str], numeric: bool, readable: int) -> int:
    """Return the width that a column needs at least."""
    words = [max(map(cell_len, text.split(" "))) for text in texts]
    if numeric:
        return max(words[0], *map(cell_len, texts[1:]))
    return max(*words, min(readable, max(map(cell_len, texts[1:]))))


def _lines(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> Iterator[str]:
    """Yield the lines of a row."""
    folded = [
        textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False) or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]
    for parts in zip_longest(*folded, fillvalue=""):
        padded = (
            " " * (width - cell_len(part)) + part if number else part + " " * (width - cell_len(part))
            for part, width, number in zip(parts, widths, numeric, strict=True)
        )
        yield GAP.join(padded).rstrip()


# --- A page in a terminal: what it says first and the tables that are marked for it, in the language of the page ---


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
