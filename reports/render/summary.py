"""A report on a single A4 page: answer, figure, cause, next steps, and a sentence for each question."""

from __future__ import annotations

from collections.abc import Iterator

from reports.page import Report, Sentence
from reports.render.pdf import Pages, write_first

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
