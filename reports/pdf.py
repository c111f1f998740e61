"""A report as PDF, made by Matplotlib alone, so that it works wherever the rest does.

It holds the sentences, the figures as vectors and the tables.  Whoever wants the page as it looks on the screen prints
it from a browser.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reports.page import FOLDED, Listing, Picture, Report, Table
from reports.theme import INK, QUIET, theme
from reports.words import Words

PAGE = (8.27, 11.69)
"""A4, inches."""

MARGIN = 0.85
WIDTH = PAGE[0] - 2 * MARGIN
MARKS = {"tilted": ("▲", "#A63A00"), "fair": ("●", "#00694B"), "unclear": ("◆", "#6B5600"), "fact": ("■", "#0B5394"),
         "unknown": ("?", "#525C6B")}  # fmt: skip
LEADING = 1.42
POINTS = 72.0


@dataclass(frozen=True)
class _Style:
    size: float
    weight: str = "normal"
    colour: str = INK
    before: float = 0.0
    after: float = 0.06
    family: str = "DejaVu Sans"


TITLE = _Style(22, "bold", after=0.1)
HEADING = _Style(15, "bold", before=0.25, after=0.1)
CAPTIONED = _Style(10.5, "bold", before=0.12)
BODY = _Style(9.5)
SMALL = _Style(8, colour="#525C6B", after=0.12)
CODE = _Style(7.5, family="DejaVu Sans Mono")
CELL = 7.0
GUTTER = 0.14


class _Pages:
    """Pages that fill from top to bottom."""

    def __init__(self, pages: Any, words: Words) -> None:
        self.pages = pages
        self.words = words
        self.canvas: Any = None
        self.y = 0.0

    def need(self, height: float) -> None:
        """Begin a new page unless there is room for so many inches."""
        if self.canvas is None or self.y - height < MARGIN:
            self.close()
            from matplotlib.figure import Figure as Canvas

            self.canvas = Canvas(figsize=PAGE)
            self.y = PAGE[1] - MARGIN

    def close(self) -> None:
        """End the page."""
        if self.canvas is not None:
            self.pages.savefig(self.canvas)
            self.canvas = None

    def line(self, text: str, x: float, style: _Style, align: str = "left", drop: float = 0.0) -> None:
        """Write a line whose top is at the current height."""
        self.canvas.text(
            (MARGIN + x) / PAGE[0], (self.y - drop) / PAGE[1], text, fontsize=style.size, fontweight=style.weight,
            color=style.colour, ha=align, va="top", family=style.family,
        )  # fmt: skip

    def text(
        self, text: str, style: _Style, indent: float = 0.0, mark: tuple[str, str] | None = None, keep: float = 0.0
    ) -> None:
        """Write a paragraph; `keep` more inches must follow on the same page."""
        leading = style.size * LEADING / POINTS
        lines = list(wrap(text, style, WIDTH - indent))
        self.need(style.before + leading * min(len(lines), 3) + keep)
        self.y -= style.before
        for number, line in enumerate(lines):
            self.need(leading)
            if mark and not number:
                self.line(mark[0], 0.0, _Style(style.size, colour=mark[1]))
            self.line(line, indent, style)
            self.y -= leading
        self.y -= style.after

    def figure(self, block: Picture) -> None:
        """Draw a figure."""
        height = block.figure.height(WIDTH)
        self.text(block.title, CAPTIONED, keep=height)
        box = self.canvas.add_gridspec(
            1, 1, left=(MARGIN + 0.05) / PAGE[0], right=(PAGE[0] - MARGIN) / PAGE[0], top=self.y / PAGE[1],
            bottom=(self.y - height) / PAGE[1],
        )  # fmt: skip
        axes = self.canvas.add_subplot(box[0])
        block.figure.draw(axes)
        self._fit(axes, self.y, height)
        self.y -= height + 0.08
        self.text(block.caption, SMALL)

    def _fit(self, axes: Any, top: float, height: float) -> None:
        """Shrink axes until their labels lie inside their place as well."""
        renderer = self.canvas.canvas.get_renderer() if hasattr(self.canvas.canvas, "get_renderer") else None
        tight = axes.get_tightbbox(renderer).transformed(self.canvas.transFigure.inverted())
        place = axes.get_position()
        left, right = MARGIN / PAGE[0], (PAGE[0] - MARGIN) / PAGE[0]
        low, high = (top - height) / PAGE[1], top / PAGE[1]
        axes.set_position((
            left + place.x0 - tight.x0, low + place.y0 - tight.y0,
            (right - left) - (place.x0 - tight.x0) - max(tight.x1 - place.x1, 0),
            (high - low) - (place.y0 - tight.y0) - max(tight.y1 - place.y1, 0),
        ))  # fmt: skip

    def table(self, block: Table) -> None:
        """Write a table, its headings again on every page."""
        style, bold = _Style(CELL), _Style(CELL, "bold")
        shown = block.rows[:FOLDED] if block.folded else block.rows
        cells = [[f"{cell.text} ({cell.more})" if cell.more else cell.text for cell in row] for row in shown]
        widths = _widths(cells, block.headings)
        self.text(block.title, CAPTIONED, keep=0.8)
        leading = CELL * 1.35 / POINTS
        head = [
            list(wrap(heading, bold, width - GUTTER)) for heading, width in zip(block.headings, widths, strict=True)
        ]

        def row(texts: Sequence[Sequence[str]], look: _Style) -> None:
            x = 0.0
            for lines, width, numeric in zip(texts, widths, block.numeric, strict=True):
                for number, line in enumerate(lines):
                    at = x + width - GUTTER if numeric else x
                    self.line(line, at, look, "right" if numeric else "left", number * leading)
                x += width
            self.y -= max(map(len, texts)) * leading + 0.035

        def heads() -> None:
            row(head, bold)
            self.canvas.add_artist(self._rule(self.y + 0.015))

        self.need(1.0)
        heads()
        for texts in cells:
            lines = [list(wrap(text, style, width - GUTTER)) for text, width in zip(texts, widths, strict=True)]
            before = self.canvas
            self.need(max(map(len, lines)) * leading + 0.035)
            if self.canvas is not before:
                heads()
            row(lines, style)
        self.y -= 0.06
        if len(shown) < len(block.rows):
            self.text(self.words("pdf.more", rows=len(block.rows) - len(shown)), SMALL)
        if block.caption:
            self.text(block.caption, SMALL)

    def _rule(self, y: float) -> Any:
        from matplotlib.lines import Line2D

        return Line2D([MARGIN / PAGE[0], 1 - MARGIN / PAGE[0]], [y / PAGE[1]] * 2, lw=0.6, color=QUIET)


def _widths(rows: Sequence[Sequence[str]], headings: Sequence[str]) -> list[float]:
    """Share the width of the page among columns by what they hold."""
    plain, bold = _Style(CELL), _Style(CELL, "bold")
    words = [max(measure(word, bold) for word in heading.split(" ")) + GUTTER for heading in headings]
    wanted = [max([measure(row[at], plain) + GUTTER for row in rows] + [words[at]]) for at in range(len(headings))]
    spare = WIDTH - sum(wanted)
    if spare >= 0:
        return [width + min(spare / len(wanted), 0.6) for width in wanted]
    fair = WIDTH / len(headings)
    narrow = sum(width for width in wanted if width <= fair)
    rest = sum(width for width in wanted if width > fair)
    return [width if width <= fair else (WIDTH - narrow) * width / rest for width in wanted]


@lru_cache(maxsize=8)
def _font(family: str, weight: str) -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(family=family, weight=weight)))
    font.set_size(100, 72)
    return font


@lru_cache(maxsize=4096)
def _advance(character: str, family: str, weight: str) -> float:
    return float(_font(family, weight).load_char(ord(character)).linearHoriAdvance) / 65536 / 100


def measure(text: str, style: _Style) -> float:
    """Return about how many inches a text is wide."""
    return sum(_advance(character, style.family, style.weight) for character in text) * style.size / POINTS


def wrap(text: str, style: _Style, width: float) -> Iterator[str]:
    """Break a text into lines; a word that is too long is broken as well."""
    line = ""
    for word in text.split(" "):
        while measure(word, style) > width and len(word) > 1:
            cut = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or measure(word[:n], style) <= width)
            if line:
                yield line
                line = ""
            yield word[:cut]
            word = word[cut:]
        candidate = f"{line} {word}" if line else word
        if line and measure(candidate, style) > width:
            yield line
            line = word
        else:
            line = candidate
    yield line


def to_pdf(report: Report) -> bytes:
    """Return the report as a PDF."""
    from matplotlib.backends.backend_pdf import PdfPages

    buffer = io.BytesIO()
    metadata = {"Title": report.title, "Creator": "Equipoise", "CreationDate": None}
    with (
        theme(**{"figure.constrained_layout.use": False, "pdf.fonttype": 42}),
        PdfPages(buffer, metadata=metadata) as pdf,
    ):
        pages = _Pages(pdf, report.words)
        pages.text(report.title, TITLE)
        pages.text(report.subtitle, _Style(11, colour="#525C6B", after=0.15))
        pages.text("   ".join(f"{name}: {value}" for name, value in report.facts), BODY)
        pages.text(report.words("section.verdicts"), HEADING, keep=0.6)
        _sentences(pages, report, report.verdicts)
        for text in report.warnings:
            pages.text(text, SMALL)
        for section in report.sections:
            pages.text(section.title, HEADING, keep=1.2)
            _sentences(pages, report, section.sentences)
            for block in section.blocks:
                if isinstance(block, Picture):
                    pages.figure(block)
                elif isinstance(block, Table):
                    pages.table(block)
                elif isinstance(block, Listing):
                    pages.text(block.title, CAPTIONED, keep=0.3)
                    for line in block.lines:
                        pages.text(line, CODE)
                else:
                    pages.text(block.text, BODY)
            for text in (*section.notes, section.basis):
                if text:
                    pages.text(text, SMALL)
        pages.close()
    return buffer.getvalue()


def _sentences(pages: _Pages, report: Report, sentences: Sequence[Any]) -> None:
    for sentence in sentences:
        status = report.words(f"status.{sentence.status}")
        pages.text(f"{status}. {sentence.text}", BODY, 0.2, MARKS[sentence.status])
