"""A report as one self-contained HTML file."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import wrap
from typing import Any
from urllib.parse import quote

import polars as pl

from analysis.table_files import csv_of
from reports.page import FOLDED, Block, Links, Listing, Picture, Report, Section, Table, with_commands
from reports.render.images import NARROW, attempt, svg, variable
from reports.render.theme import DARK, INK, PALETTE, QUIET, theme
from reports.sliders import Rounds, Sliders
from reports.words import Words, glossary
from simcore.errors import printable_lines

BESIDE = 4
"""Number of verdicts on the first screen of a page without an answer; the others come below it."""

BY_PICTURE = 3
"""Number of sentences beside the first picture of a section of a report."""

MOST_OPEN = 3
"""Largest number of pictures of a section that stand open on a page without an answer."""

TEMPLATES = Path(__file__).with_name("templates")


def own_version() -> str:
    """Return the version of the toolkit, after a space; nothing if it is not installed."""
    try:
        return f" {version('equipoise')}"
    except PackageNotFoundError:
        return ""


def to_html(report: Report, drawn: Callable[[], object] = lambda: None) -> str:
    """Return the page: it makes no requests, and names are always treated as text."""
    from markupsafe import Markup

    engine = _engine()
    blocks: Any = engine.get_template("blocks.html").module
    words = report.words
    strongest = report.levels[-1] if report.levels else ""
    of, marked = partial(_about, report), partial(_marked, glossary(words))

    def shown(block: Block, heading: str = "h3") -> Any:
        if isinstance(block, Picture):
            found = attempt(block, words.game, lambda: picture(block, heading))
            drawn()
            return found or paragraph(words("figure_failed", title=block.title))
        if isinstance(block, Table):
            return blocks.table(block, words, _link(block.frame), FOLDED, of, marked)
        if isinstance(block, Listing):
            return blocks.listing(block)
        if isinstance(block, Links):
            return blocks.links(block)
        if isinstance(block, Sliders):
            return blocks.sliders(block, words)
        if isinstance(block, Rounds):
            return blocks.rounds(block, words)
        return paragraph(block.text)

    def picture(block: Picture, heading: str) -> Any:
        images = [Markup(svg(block.figure, f"{kind}-{block.name}", **size)) for kind, size in _SIZES]
        return blocks.picture(block, words, *images, _link(block.figure.data()), strongest, heading, marked)

    def paragraph(text: str) -> Any:
        return Markup("<p>{}</p>").format(text)

    def raw(name: str) -> Any:
        return Markup((TEMPLATES / name).read_text(encoding="utf-8"))

    def first(report: Report) -> Any:
        if report.answer:
            return blocks.answer(report, words, Markup("").join(shown(one, "h2") for one in report.answer.pictures))
        return blocks.opening(report, words, "" if report.leading is None else shown(report.leading, "h2"), BESIDE)

    def body(section: Section) -> Any:
        return blocks.body(section, words, shown, marked)

    kinds = {type(block) for section in report.sections for block in section.blocks}
    scripts = [name for kind, name in _SCRIPTS.items() if kind in kinds]
    script = Markup("\n").join(map(raw, ("report.js", *scripts)))
    page = engine.get_template("report.html").render(
        report=report,
        words=words,
        version=own_version(),
        style=raw("style.css"),
        script=script,
        figure_colours=Markup(_dark_figures()),
        first=first,
        rest=() if report.answer else report.verdicts[BESIDE:],
        controls=lambda report: blocks.controls(report, words),
        inside=partial(_inside, words),
        body=body,
        halves=partial(_halves, report),
        sentence_list=lambda sentences: blocks.sentence_list(sentences, words),
    )
    return printable_lines(page)


@cache
def _engine() -> Any:
    """Return what fills in the templates; it compiles each of them once."""
    import jinja2

    engine = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters["with_commands"] = with_commands
    engine.filters["address"] = lambda path: quote(os.fsencode(path))
    return engine


def _about(report: Report, label: str) -> tuple[int | None, str]:
    """Return the number of players and the players in a run's label, for each if the label names it."""
    words = report.words
    counts = {words("players.number", players=count): count for count in report.players}
    rest = label
    players = next((counts[text] for text in counts if label == text or label.startswith(f"{text}, ")), None)
    if players:
        rest = label.removeprefix(words("players.number", players=players)).removeprefix(", ")
    return players, rest if rest in report.levels else ""


def _marked(terms: Mapping[str, str], text: str) -> Any:
    """Return a text in which the first mention of each glossary term shows its meaning on hover."""
    from markupsafe import Markup, escape

    if not terms:
        return text
    left = dict(terms)

    def explained(match: re.Match[str]) -> str:
        meaning = left.pop(match[0].lower(), None)
        return f'<abbr title="{escape(meaning)}">{match[0]}</abbr>' if meaning else match[0]

    known = "|".join(re.escape(str(escape(term))) for term in terms)
    return Markup(re.sub(rf"(?<![\w&#])({known})(?!\w)", explained, str(escape(text)), flags=re.IGNORECASE))


def _halves(report: Report, section: Section) -> tuple[Section, Section | None]:
    """Return what a section shows at once, and what is folded below it, if anything is.

    A report shows the first sentences and one picture; another page everything, but only the first of many pictures.
    """
    blocks = [block for block in section.blocks if report.answer or block is not report.leading]
    pictures = [block for block in blocks if isinstance(block, Picture)]
    seen: list[Block] = [*pictures[:1]]
    top = min(section.top, BY_PICTURE) if pictures else section.top
    if not report.answer:
        seen = blocks if len(pictures) <= MOST_OPEN else [block for block in blocks if block not in pictures[1:]]
        top = len(section.sentences)
    rest = tuple(block for block in blocks if block not in seen)
    above = replace(section, sentences=section.sentences[:top], blocks=tuple(seen))
    below = replace(section, sentences=section.sentences[top:], blocks=rest)
    return (replace(above, notes=(), basis=""), below) if rest or below.sentences else (above, None)


def _inside(words: Words, section: Section) -> str:
    """Return the contents of a folded section."""
    figures = sum(isinstance(block, Picture) for block in section.blocks)
    tables = sum(isinstance(block, Table) for block in section.blocks)
    parts = [
        words(f"inside.{kind}{'' if count == 1 else 's'}", count=count)
        for kind, count in (("figure", figures), ("table", tables))
        if count
    ]
    return words("inside", title=section.short or section.title) + (f" ({words.listed(parts)})" if parts else "")


_SCRIPTS: dict[type, str] = {Sliders: "sliders.js", Rounds: "rounds.js"}
"""The scripts of the blocks that move."""

_SIZES: tuple[tuple[str, dict[str, float]], ...] = (("wide", {}), ("narrow", {"width": NARROW}))


def _dark_figures() -> str:
    """Return the colours of figures on a dark page."""
    colours = "".join(f"{variable(light)}: {dark.lower()}; " for light, dark in DARK.items())
    return f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {colours}}} }}"


def _link(frame: pl.DataFrame) -> str:
    """Return a frame as a link to a CSV file that is embedded in the page."""
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(csv_of(frame)).decode()


# A report as one picture to share: its headline and its first chart, in the size that messengers and websites show.


PIXELS = (1200, 630)
DOTS = 150
"""Dots per inch; they decide how large letters are."""

LETTERS, LINES = 62, 4
"""Longest line of the headline, and the largest number of lines; what is longer ends in three dots."""

TOP = 0.97
ROW = 0.078
"""Height of a line of the headline, as a part of the picture."""


def to_share(report: Report) -> bytes:
    """Return a report as PNG, 1200 x 630 pixels; without a chart, the headline stands alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    buffer = io.BytesIO()
    with theme():
        canvas = Canvas(figsize=(PIXELS[0] / DOTS, PIXELS[1] / DOTS), dpi=DOTS, layout="constrained")
        FigureCanvasAgg(canvas)
        lines = _headline(report)
        canvas.text(0.03, TOP, report.title, size=8, color=QUIET, va="top")
        for number, line in enumerate(lines, 1):
            canvas.text(
                0.03, TOP - ROW * number + 0.012, line, size=14, color=INK, weight="bold", family="serif", va="top"
            )
        canvas.text(0.97, 0.02, "Equipoise", size=7, color=PALETTE[0], ha="right", va="bottom", weight="bold")
        if report.pictures:
            chart = canvas.add_subfigure(canvas.add_gridspec(1, 1)[0])
            chart.set_facecolor("none")
            report.pictures[0].figure.draw(chart.add_subplot())
            engine = canvas.get_layout_engine()
            if engine is not None:
                below = TOP - ROW * (len(lines) + 1)
                engine.set(rect=(0.02, 0.06, 0.96, below - 0.06))  # type: ignore[call-arg]
        canvas.savefig(buffer, format="png", facecolor="white", metadata={"Software": "Equipoise"})
    return buffer.getvalue()


def _headline(report: Report) -> list[str]:
    """Return the headline in lines."""
    text = report.opening[0].text if report.opening else report.subtitle
    lines = wrap(text, LETTERS)
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], f"{lines[LINES - 1][: LETTERS - 1].rstrip()}…"]
