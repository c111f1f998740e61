"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import polars as pl

from reports.faults import attempt
from reports.page import FOLDED, Block, Listing, Picture, Report, Table
from reports.render import NARROW, svg, variable
from reports.theme import DARK

TEMPLATES = Path(__file__).with_name("templates")


def own_version() -> str:
    """Return the version of the toolkit behind a space; nothing where it is not installed."""
    try:
        return f" {version('equipoise')}"
    except PackageNotFoundError:
        return ""


def to_html(report: Report) -> str:
    """Return the page: no request leaves it, and whatever a name holds is text."""
    import jinja2
    from markupsafe import Markup

    engine = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    blocks: Any = engine.get_template("blocks.html").module
    words = report.words

    def shown(block: Block) -> Any:
        if isinstance(block, Picture):
            return attempt(block, words.game, lambda: drawn(block)) or paragraph(
                words("figure_failed", title=block.title)
            )
        if isinstance(block, Table):
            return blocks.table(block, words, _link(block.frame), FOLDED)
        if isinstance(block, Listing):
            return blocks.listing(block)
        return paragraph(block.text)

    def drawn(block: Picture) -> Any:
        images = [Markup(svg(block.figure, f"{kind}-{block.name}", **size)) for kind, size in _SIZES]
        return blocks.picture(block, words, *images, _link(block.figure.data()))

    def paragraph(text: str) -> Any:
        return Markup("<p>{}</p>").format(text)

    def raw(name: str) -> Any:
        return Markup((TEMPLATES / name).read_text(encoding="utf-8"))

    return engine.get_template("report.html").render(
        report=report, words=words, version=own_version(), style=raw("style.css"), script=raw("report.js"),
        figure_colours=Markup(_dark_figures()), shown=shown,
        sentence_list=lambda sentences: blocks.sentence_list(sentences, words),
    )  # fmt: skip


_SIZES: tuple[tuple[str, dict[str, float]], ...] = (("wide", {}), ("narrow", {"width": NARROW}))


def _dark_figures() -> str:
    """Return the colours of figures on a dark page."""
    colours = "".join(f"{variable(light)}: {dark.lower()}; " for light, dark in DARK.items())
    return f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {colours}}} }}"


def _link(frame: pl.DataFrame) -> str:
    """Return a frame as the address of a CSV that lies in the page."""
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(frame.write_csv().encode()).decode()
