"""The output of `mend`: the best changes, what smaller changes achieve, what each lever does, and what else moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.mend import Mend
from equipoise.api.experiment import Experiment
from equipoise.output.console import print_table, print_whole
from equipoise.output.swept import shortened
from reports.comparison import measure_name
from reports.mend import called
from reports.study import words_of
from reports.words import ENGLISH, Words
from simcore.game import load_game

SHOWN = 5
"""Largest number of rows of what else a change moves."""

LEAST = 76
"""Width of the tables in characters."""


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print the results of a search."""
    found: Mend = experiment.results[0]
    console = Console(highlight=False)
    inputs = found.inputs[0]
    words = words_of(inputs.game, experiment.rules, ENGLISH)
    console.print(Text(words("mend.title", game=load_game(inputs.game).title), style="bold"))
    who = words.listed(list(dict.fromkeys(inputs.strategies)))
    console.print(Text(f"{words('mend.subtitle', players=found.players, target=found.target)}; {who}", style="dim"))
    for row in found.changes.iter_rows(named=True):
        name = words.name(f"sweep_{row['target']}")
        console.print(Text(f"{row['rank']}. {row['change']} (meets the target: {name})", style="bold"))
        print_table(console, _lines(words, found.table.filter(pl.col("rank") == row["rank"]), found.learned), LEAST)
    console.print(Text("The size of a change, and how far apart it leaves the best and the worst", style="bold"))
    print_table(console, _frontier(words, found.frontier), LEAST)
    for number, verdict in enumerate(found.verdicts):
        console.print(Text(words.verdict(verdict), style="bold" if number == 0 else ""))
    for line in _moved(words, found):
        console.print(Text(line))
    for note in found.notes:
        console.print(Text(words.note(note), style="yellow" if note.code == "mend_habit" else "dim"))
    counted = f"{found.games:,} games, seed {inputs.seed}; the ranges are for all changes together."
    console.print(Text(counted, style="dim"))
    for path in paths:
        print_whole(console, str(path))


def _said(row: dict[str, Any], field: str) -> str:
    return format(row[field], ".1%" if row["is_share"] else ",.2f")


def _lines(words: Words, rows: pl.DataFrame, learned: bool) -> Table:
    """Return one line for each seat, camp, role, measure or card; also by habit, if players learned the change."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    fields = ("before", "habit", "value") if learned else ("before", "value")
    for heading in ("", "before", *(("by habit", "who know it") if learned else ("after",)), "interval", "wanted"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=bool(heading))
    for row in rows.iter_rows(named=True):
        ends = f"{_said(row, 'value_low')} to {_said(row, 'value_high')}"
        values = (_said(row, field) for field in fields)
        table.add_row(called(words, row["name"], row["kind"]), *values, ends, _said(row, "wanted"))
    return table


def _frontier(words: Words, rows: pl.DataFrame) -> Table:
    """Return one line for each change, smallest first."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("values", "apart", "farthest", "has", "wanted", "change"):
        table.add_column(heading, justify="left" if heading == "change" else "right", no_wrap=heading != "change")
    for row in rows.iter_rows(named=True):
        who = called(words, row["farthest"], row["kind"])
        change = ", ".join(_short(row["change"].split(", "))) if row["change"] else words("sweep.as_is")
        left = "" if row["left"] is None else f"{100 * row['left']:.1f}"
        table.add_row(str(row["touched"]), left, who, _said(row, "value"), _said(row, "wanted"), change)
    return table


def _short(settings: Sequence[str]) -> list[str]:
    """Return settings without the tables of their keys, if they stay distinct."""
    keys = [setting.partition("=")[0] for setting in settings]
    pairs = zip(shortened(keys), settings, strict=True)
    return [f"{key}={setting.partition('=')[2]}" for key, setting in pairs]


def _moved(words: Words, found: Mend) -> Iterator[str]:
    """Yield one line for each change, on what else it moves."""
    for row in found.changes.iter_rows(named=True) if not found.moved.is_empty() else ():
        sure = found.surely_moved(row["rank"]).head(SHOWN)
        told = [
            f"{measure_name(words, one)} {_measured(one, 'before')} to {_measured(one, 'after')}"
            for one in sure.iter_rows(named=True)
        ]
        yield f"What else change {row['rank']} moves most: {'; '.join(told) or 'nothing significantly'}."


def _measured(row: dict[str, Any], field: str) -> str:
    return "none" if row[field] is None else _said(row, field)
