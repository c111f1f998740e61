"""A report as PDF, laid out by fpdf2, which is pure Python and therefore works wherever the toolkit works.

The PDF contains the sentences, the tables, and the figures as vectors.  To get the page as it looks on the screen,
print it from a browser.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.enums import TableBordersLayout, TextEmphasis
from fpdf.fonts import FontFace

from reports.page import FOLDED, Answer, Links, Listing, Picture, Remark, Report, Sentence, Step, Table
from reports.render.images import attempt, drawing
from reports.render.theme import theme
from reports.sliders import Rounds, Sliders

MARGIN = 21.0
"""Margin in millimetres."""

LEADING = 1.42
"""Height of a line of text, in multiples of the font size."""

CELL = 7.0
"""Font size in tables, in points."""

SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
FONTS = ((SANS, "", "DejaVuSans"), (SANS, "B", "DejaVuSans-Bold"), (MONO, "", "DejaVuSansMono"))
INK, FAINT = (34, 34, 34), (82, 92, 107)
MARKS = {"tilted": ("▲", (166, 58, 0)), "fair": ("●", (0, 105, 75)), "unclear": ("◆", (107, 86, 0)),
         "fact": ("■", (11, 83, 148)), "unknown": ("?", FAINT)}  # fmt: skip


class Pages(FPDF):
    """A4 pages in the report's font."""

    def __init__(self, report: Report) -> None:
        super().__init__(format="A4", unit="mm")
        self.words = report.words
        self.set_margins(MARGIN, MARGIN)
        self.set_auto_page_break(True, MARGIN)
        self.set_title(report.title)
        self.set_creator("Equipoise")
        with theme():
            import matplotlib
        folder = Path(matplotlib.get_data_path()) / "fonts/ttf"
        for family, style, name in FONTS:
            self.add_font(family, style, folder / f"{name}.ttf")
        self.add_page()

    def footer(self) -> None:
        """Number the page."""
        self.set_y(-MARGIN / 2)
        self._letters(7.5, colour=FAINT)
        self.cell(0, 4, str(self.page_no()), align="C")

    def _letters(self, size: float, style: str = "", family: str = SANS, colour: tuple[int, int, int] = INK) -> None:
        self.set_font(family, style, size)
        self.set_text_color(*colour)

    def text_(
        self,
        text: str,
        size: float = 9.5,
        style: str = "",
        family: str = SANS,
        colour: tuple[int, int, int] = INK,
        after: float = 1.5,
        keep: float = 0.0,
    ) -> None:
        """Write a paragraph, with room for `keep` more millimetres on the same page."""
        self._letters(size, style, family, colour)
        height = size * LEADING * 25.4 / 72
        if self.will_page_break(height + keep):
            self.add_page()
        self.multi_cell(0, height, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(after)

    def small(self, text: str) -> None:
        """Write a caption or note."""
        self.text_(text, 8, colour=FAINT, after=3)

    def heading(self, text: str, keep: float = 30) -> None:
        """Write the heading of a section."""
        self.ln(4)
        self.text_(text, 15, "B", after=2.5, keep=keep)

    def caption(self, text: str, keep: float) -> None:
        """Write the title of a figure, table or listing."""
        self.ln(2)
        self.text_(text, 10.5, "B", keep=keep)

    def height_of(self, text: str, size: float = 8.5) -> float:
        """Return the height of a sentence in millimetres."""
        self._letters(size)
        lines: Any = self.multi_cell(self.epw - 5, size * LEADING * 25.4 / 72, text, dry_run=True, output="LINES")
        return (len(lines) + 1) * size * LEADING * 25.4 / 72

    def sentences(self, found: Iterable[Sentence], size: float = 9.5) -> None:
        """Write verdicts, each with the mark of its status."""
        for sentence in found:
            mark, colour = MARKS[sentence.status]
            if self.will_page_break(10):
                self.add_page()
            self._letters(size, colour=colour)
            self.cell(5, size * LEADING * 25.4 / 72, mark)
            with self.local_context():
                self.set_left_margin(MARGIN + 5)
                self.text_(f"{self.words(f'status.{sentence.status}')}. {sentence.text}", size)
            self.set_left_margin(MARGIN)
            self.set_x(MARGIN)

    def figure(self, block: Picture) -> None:
        """Draw a figure as wide as the text."""
        inches = self.epw / 25.4
        drawn = attempt(
            block, self.words.game, lambda: (drawing(block.figure, inches), block.figure.height(inches) * 25.4)
        )
        if drawn is None:
            self.text_(self.words("figure_failed", title=block.title))
            return
        image, height = drawn
        self.caption(block.title, height)
        self.image(io.BytesIO(image), w=self.epw, h=height)
        self.ln(2)
        self.small(block.caption)

    def data(self, block: Table) -> None:
        """Write a table with its headings on every page; numbers are aligned to the right."""
        shown = block.rows[:FOLDED] if block.folded else block.rows
        rows = [[f"{cell.text} ({cell.more})" if cell.more else cell.text for cell in row] for row in shown]
        self.caption(block.title, 20)
        self._letters(CELL)
        with self.table(
            headings_style=FontFace(emphasis=TextEmphasis.B),
            borders_layout=TableBordersLayout.SINGLE_TOP_LINE,
            col_widths=self._widths([block.headings, *rows]),
            text_align=tuple("RIGHT" if numeric else "LEFT" for numeric in block.numeric),
            line_height=CELL * LEADING * 25.4 / 72,
            padding=(0, 1),
        ) as table:
            for row in [block.headings, *rows]:
                table.row(row)
        self.ln(1.5)
        if len(shown) < len(block.rows):
            self.small(self.words("pdf.more", rows=len(block.rows) - len(shown)))
        if block.caption:
            self.small(block.caption)

    def _widths(self, rows: Sequence[Sequence[str]]) -> tuple[float, ...]:
        """Divide the width among columns by their contents; a long column is wrapped to leave room for the others."""
        wanted = [max(self.get_string_width(text) for text in column) + 3 for column in zip(*rows, strict=True)]
        most = max(self.epw / len(wanted), self.epw - sum(sorted(wanted)[:-1]))
        return tuple(min(width, most) for width in wanted)


def to_pdf(report: Report) -> bytes:
    """Return the report as a PDF."""
    pages = Pages(report)
    pages.text_(report.title, 22, "B", after=2.5)
    pages.text_(report.subtitle, 11, colour=FAINT, after=4)
    pages.text_("   ".join(f"{name}: {value}" for name, value in report.facts))
    if report.answer:
        write_first(pages, report.answer)
    else:
        pages.heading(report.words("section.verdicts"), 15)
        pages.sentences(report.verdicts)
        _steps(pages, report.steps)
    for text in report.warnings:
        pages.small(text)
    write: dict[type, Any] = {
        Picture: pages.figure,
        Table: pages.data,
        Listing: partial(_listing, pages),
        Links: partial(_links, pages),
        Remark: lambda remark: pages.text_(remark.text),
        Sliders: lambda sliders: None,  # the figures and tables say the same
        Rounds: partial(_rounds, pages),
    }
    for section in report.sections:
        pages.heading(section.title)
        pages.sentences(section.sentences)
        for block in section.blocks:
            write[type(block)](block)
        for text in (*section.notes, section.basis):
            if text:
                pages.small(text)
    return bytes(pages.output())


def write_first(pages: Pages, answer: Answer) -> None:
    """Write the first page: the answer, its figure, the cause and what to do next."""
    pages.heading(answer.sentence.text, 15)
    pages.text_(" ".join(answer.more))
    for picture in answer.pictures[:1]:  # none if nothing can be said about seats
        pages.figure(picture)
    pages.caption(pages.words("answer.why"), 10)
    pages.text_(answer.cause)
    _steps(pages, answer.steps)


def _steps(pages: Pages, steps: Sequence[Step]) -> None:
    if steps:
        pages.caption(pages.words("answer.next"), 20)
    for step in steps:
        pages.text_(step.text, after=0.5, keep=6)
        pages.text_(step.command, 8, family=MONO)


def _links(pages: Pages, block: Links) -> None:
    for path, title, said in block.pages:
        pages.text_(f"{title} ({path}): {said}")


def _rounds(pages: Pages, rounds: Rounds) -> None:
    for stage in rounds.stages:
        _listing(pages, Listing(stage.title, tuple(line.text for line in stage.lines)))


def _listing(pages: Pages, block: Listing) -> None:
    pages.caption(block.title, 8)
    for line in block.lines:
        pages.text_(line, 7.5, family=MONO)


# --- A report on a single A4 page: answer, figure, cause, next steps, and a sentence for each question ---


LEAST = 22.0
"""Space in millimetres at the foot for the line that says what was played."""


def to_summary(report: Report) -> bytes:
    """Return the summary as a PDF of one page.

    The questions are in the order of the page; those for which there is no room are left out.
    """
    pages = Pages(report)
    pages.text_(report.title, 13, "B", after=0)
    if report.answer:
        write_first(pages, report.answer)
    else:
        pages.sentences(_fitting(pages, report.verdicts))
    for section in report.sections:
        said = list(_fitting(pages, section.sentences[:1]))
        if said and not (report.answer and section.name == "seats"):
            pages.text_(section.short or section.title, 9.5, "B", after=0.5)
            pages.sentences(said, 8.5)
    pages.set_auto_page_break(False)
    pages.set_y(-LEAST)
    facts = "; ".join(f"{name}: {value}" for name, value in report.facts)
    pages.text_(facts, 7.5, after=0)
    return bytes(pages.output())


def _fitting(pages: Pages, sentences: tuple[Sentence, ...]) -> Iterator[Sentence]:
    """Yield the sentences for which there is room."""
    for sentence in sentences:
        if pages.height_of(sentence.text) + 8 < pages.h - LEAST - pages.get_y() and sentence.status != "unknown":
            yield sentence
