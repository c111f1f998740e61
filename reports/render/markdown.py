"""A report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from reports.page import (
    Answer,
    Block,
    Links,
    Listing,
    Picture,
    Remark,
    Report,
    Section,
    Sentence,
    Step,
    Table,
    with_commands,
)
from reports.render.images import attempt
from reports.sliders import Rounds
from simcore.errors import printable_lines

MARK = "<!-- Equipoise -->"
"""First line, which nobody sees; it says that the file may be written again."""

_MARKS = re.compile(r"([\\`*_\[\]<>|#])")


def to_markdown(report: Report, figures: str) -> str:
    """Return the report as Markdown.

    figures: Folder of the figures, relative to the file.
    """
    words = report.words
    lines = [MARK, f"# {_text(report.title)}", "", _text(report.subtitle), ""]
    lines += [f"- **{_text(name)}**: {_text(value)}" for name, value in report.facts]
    if report.answer:
        lines += _answer(report, report.answer, figures)
    else:
        lines += ["", f"## {_text(words('section.verdicts'))}", "", *_sentences(report, report.verdicts)]
        lines += _steps(report, report.steps)
    if report.warnings:
        lines += [f"**{_text(words('mind'))}**", "", *(f"- {_said(text)}" for text in report.warnings), ""]
    for section in report.sections:
        lines += _section(report, section, figures)
    return printable_lines("\n".join(lines).rstrip() + "\n")


def _answer(report: Report, answer: Answer, figures: str) -> Iterator[str]:
    words = report.words
    yield from ("", f"## {_text(answer.sentence.text)}", "", _text(" ".join(answer.more)), "")
    for picture in answer.pictures[:1]:  # none if nothing can be said about seats
        yield from _block(report, picture, figures)
    yield from (f"### {_text(words('answer.why'))}", "", _text(answer.cause), "")
    yield from _steps(report, answer.steps)


def _steps(report: Report, steps: Sequence[Step]) -> Iterator[str]:
    if steps:
        yield from (f"### {_text(report.words('answer.next'))}", "")
        yield from (f"{number}. {_text(step.text)} {_code(step.command)}" for number, step in enumerate(steps, 1))
        yield ""


def _section(report: Report, section: Section, figures: str) -> Iterator[str]:
    yield from (f"## {_text(section.title)}", "")
    yield from _sentences(report, section.sentences)
    for block in section.blocks:
        yield from _block(report, block, figures)
    if section.notes:
        yield from (f"- {_text(text)}" for text in section.notes)
        yield ""
    if section.basis:
        yield from (_text(section.basis), "")


def _sentences(report: Report, sentences: tuple[Sentence, ...]) -> Iterator[str]:
    for sentence in sentences:
        yield f"- **{_text(report.words(f'status.{sentence.status}'))}.** {_said(sentence.text)}"
    if sentences:
        yield ""


def _block(report: Report, block: Block, figures: str) -> Iterator[str]:
    if isinstance(block, Picture):
        picture, words = block, report.words
        yield from (f"### {_text(block.title)}", "")
        told = attempt(
            block, words.game, lambda: f"![{_text(picture.figure.alt_text)}](<{figures}/{picture.name}.png>)"
        )
        yield from (told or _text(words("figure_failed", title=block.title)), "")
        if block.caption:
            yield from (f"*{_text(block.caption)}*", "")
    elif isinstance(block, Table):
        yield from (f"### {_text(block.title)}", "", *_table(block), "")
        if block.caption:
            yield from (f"*{_text(block.caption)}*", "")
    elif isinstance(block, Listing):
        fence = "```"
        while any(fence in line for line in block.lines):
            fence += "`"
        yield from (f"### {_text(block.title)}", "", fence, *block.lines, fence, "")
    elif isinstance(block, Links):
        yield from (f"- [{_text(title)}](<{quote(path)}>): {_text(said)}" for path, title, said in block.pages)
        yield ""
    elif isinstance(block, Remark):
        yield from (_text(block.text), "")
    elif isinstance(block, Rounds):
        for stage in block.stages:
            yield from _block(report, Listing(stage.title, tuple(line.text for line in stage.lines)), figures)


def _table(table: Table) -> Iterator[str]:
    yield "| " + " | ".join(_text(heading) for heading in table.headings) + " |"
    yield "|" + "|".join("---:" if numeric else "---" for numeric in table.numeric) + "|"
    for row in table.rows:
        cells = (f"{_text(cell.text)} ({_text(cell.more)})" if cell.more else _text(cell.text) for cell in row)
        yield "| " + " | ".join(cells) + " |"


def _code(text: str) -> str:
    """Return a command in backticks, more of them than it contains."""
    line, fence = " ".join(text.split()), "`"
    while fence in line:
        fence += "`"
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"


def _said(text: str) -> str:
    """Return a sentence with escaped Markdown marks; what stands in backticks is a command."""
    parts = with_commands(" ".join(text.split()))
    return "".join(_code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _text(text: str) -> str:
    """Return a line of text with escaped Markdown marks."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text).replace("\\<", "&lt;").replace("\\>", "&gt;")
