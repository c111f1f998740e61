"""The output of `playtest`: sentences, and the probabilities of the levels or the power of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.playtest import Plan, Playtest
from equipoise.api.experiment import Experiment
from equipoise.output.console import print_table, print_whole
from reports.page import table as page_table
from reports.playtest import LEVELS, headed, pair_columns
from reports.study import words_of
from reports.words import ENGLISH

LEAST = 76
"""Width of the table in characters."""


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print the analysis of real games, or of a plan."""
    found: Playtest | Plan = experiment.results[0]
    console = Console(highlight=False)
    words = words_of(experiment.rules.game_name, experiment.rules, ENGLISH)
    title, subtitle = headed(words, found)
    console.print(Text(title, style="bold"))
    console.print(Text(subtitle, style="dim"))
    for number, verdict in enumerate(found.verdicts):
        console.print(Text(words.verdict(verdict), style="" if number else "bold"))
    columns = LEVELS if isinstance(found, Playtest) else pair_columns(found.table)
    page = page_table(words, "table", "", found.table, columns)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading, numeric in zip(page.headings, page.numeric, strict=True):
        shown.add_column(heading, justify="right" if numeric else "left")
    for row in page.rows:
        shown.add_row(*(Text(cell.text) for cell in row))
    print_table(console, shown, LEAST)
    for note in found.notes:
        console.print(Text(words.note(note), style="yellow" if note.code.startswith("habit") else "dim"))
    inputs = found.inputs[0]
    console.print(Text(f"{found.games:,} simulated games, seed {inputs.seed}.", style="dim"))
    for path in paths:
        print_whole(console, str(path))
