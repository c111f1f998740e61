"""A page in a terminal: what it says first, in the language of the page."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from equipoise.output.console import print_whole
from reports.page import Report

BOLD = "tilted"
"""Status of the verdicts that stand out."""


def show_page(report: Report, paths: Sequence[Path]) -> None:
    """Print the title, the verdicts, the warnings and the facts of a page, and the paths of its files."""
    console = Console(highlight=False)
    facts = " · ".join(report.words("fact", name=name, value=value) for name, value in report.facts)
    lines = [
        (report.title, "bold"),
        (report.subtitle, "dim"),
        *((one.text, "bold" if one.status == BOLD else "") for one in report.verdicts),
        *((text, "yellow") for text in report.warnings),
        (facts, "dim"),
    ]
    for text, style in lines:  # Rich would break a line between a number and its unit
        filled = textwrap.fill(text, console.width, break_long_words=False, break_on_hyphens=False)
        console.print(Text(filled, style=style), soft_wrap=True)
    for path in paths:
        print_whole(console, str(path))
