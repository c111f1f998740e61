"""The output of `sweep`: a line for each cell, and the conclusions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.sweep import Sweep
from equipoise.api.experiment import Experiment
from equipoise.output.console import print_table, print_whole
from reports.study import words_of
from reports.words import ENGLISH, Words
from simcore.game import load_game

SHOWN = 30
"""Largest number of cells that are printed for one number of players."""

LEAST = 76
"""Width of the tables in characters."""


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print a sweep."""
    found: Sweep = experiment.results[0]
    console = Console(highlight=False)
    inputs = found.inputs[0]
    game = load_game(inputs.game)
    words = words_of(inputs.game, experiment.rules, ENGLISH)
    console.print(Text(words("sweep.title", game=game.title, keys=words.listed(list(found.keys))), style="bold"))
    for players, lineup in found.cells.select("players", "lineup").unique(maintain_order=True).rows():
        who = ", ".join(dict.fromkeys(found.lineups[lineup]))
        console.print(Text(f"{words('sweep.section', players=players)}, {who}", style="bold"))
        _tell(console, words, found, players, lineup, "camp" if game.asymmetric else "seat")
    for verdict in found.verdicts:
        console.print(Text(words.verdict(verdict), style="bold"))
    for note in found.notes:
        console.print(Text(words.note(note), style="yellow" if note.code.startswith("habit") else "dim"))
    counted = f"{found.games:,} games, seed {inputs.seed}; the ranges are for all seats of a cell together."
    console.print(Text(counted, style="dim"))
    for path in paths:
        print_whole(console, str(path))


def _tell(console: Console, words: Words, found: Sweep, players: int, lineup: int, kind: str) -> None:
    """Print the cells of one number of players and one line-up."""
    rows = found.rows(players, lineup, kind)
    names = rows["name"].unique(maintain_order=True).to_list()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for key in shortened(found.keys):
        table.add_column(key, no_wrap=True)
    for name in names:
        label = words("seat.number", seat=name.rpartition("-")[2]) if kind == "seat" else words.name(name)
        table.add_column(label, justify="right", no_wrap=True)
    if found.target:
        table.add_column("target", no_wrap=True)
    cells = found.cells.filter((pl.col("players") == players) & (pl.col("lineup") == lineup))
    size = len(names)
    for number, cell in enumerate(cells.head(SHOWN).iter_rows(named=True)):
        lines = rows.slice(number * size, size)
        values = [Text(str(cell[key]) if cell[key] is not None else words("sweep.as_is_short")) for key in found.keys]
        shares = [Text(f"{row['value']:.1%}") for row in lines.iter_rows(named=True)]
        said = [Text(words.name(f"sweep_{cell['target']}"))] if found.target else []
        table.add_row(*values, *shares, *said)
    print_table(console, table, LEAST)
    half = (rows["value_high"] - rows["value_low"]).max()
    if half is not None:
        console.print(Text(f"Intervals: ± {50 * float(half):.1f} points or less.", style="dim"))  # type: ignore[arg-type]
    if len(cells) > SHOWN:
        console.print(Text(f"... and {len(cells) - SHOWN} more cells; see the files.", style="dim"))


def shortened(keys: Sequence[str]) -> list[str]:
    """Return keys without their tables, if they stay distinct."""
    ends = [re.sub(r"^.*\.(?=[^.]*[^.\d])", "", key) for key in keys]
    return ends if len(set(ends)) == len(ends) else list(keys)
