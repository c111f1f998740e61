"""A table of a page as lines of a terminal, of which none cuts off a figure or a name."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from reports.page import ABSENT, Table

GAP = "  "
"""What separates columns."""

READABLE = 40
"""Width in characters below which a text is not folded as long as something can be left out instead."""


def fitted(table: Table, width: int) -> tuple[list[str], list[str]]:
    """Return the lines of the headings, and those of the rows that a terminal shows.

    Columns without any value are left out.  Headings and long texts are folded between words.  If that is not enough,
    columns that may be left out are left out, the last one first; then intervals that may be left out; then texts are
    folded more; then no column has intervals.  What is still too wide stays as it is.

    table: The table.
    width: Width of the terminal in characters.
    """
    for columns, ranged, readable in _ways(table):
        texts = [_texts(table, at, at in ranged) for at in columns]
        numeric = [table.numeric[at] for at in columns]
        least = [_least(own, number, readable) for own, number in zip(texts, numeric, strict=True)]
        room = width - len(GAP) * (len(columns) - 1)
        if sum(least) <= room:
            break
    widths = _widths([max(map(cell_len, own)) for own in texts], least, room)
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


def _widths(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns: what they want, less what the widest ones can spare."""
    widths = list(wanted)
    while sum(widths) > room and (spare := [at for at, own in enumerate(widths) if own > least[at]]):
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


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
