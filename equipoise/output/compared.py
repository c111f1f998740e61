"""The output of `compare`: whether the change helped, each seat before and after, and what else moved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.compare import Comparison
from equipoise.api.experiment import Experiment
from equipoise.output.console import print_table, print_whole
from reports.comparison import measure_name
from reports.study import words_of
from reports.words import ENGLISH, Words
from simcore.game import load_game

SHOWN = 8
"""Largest number of rows of what else moved."""

LEAST = 76
"""Width of the tables in characters."""


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print a comparison."""
    found: Comparison = experiment.results[0]
    console = Console(highlight=False)
    inputs = found.inputs[0]
    words = words_of(inputs.game, experiment.rules, ENGLISH)
    console.print(
        Text(words("compare.title", game=load_game(inputs.game).title, versions=" / ".join(found.labels)), style="bold")
    )
    for number, verdict in enumerate(found.verdicts):
        console.print(Text(words.verdict(verdict), style="bold" if number == 0 else ""))
    for (version, players), rows in found.table.group_by("version", "players", maintain_order=True):
        values = {"after": version, "before": found.labels[0], "players": players}
        console.print(Text(words("compare.pair", **values), style="bold"))
        print_table(console, _seats(words, rows, found.who), LEAST)
    for note in found.cautions:
        console.print(Text(words.note(note), style="yellow"))
    for note in found.notes:
        if note not in found.cautions and note.code != "compare_sized":  # which was said before the games were played
            console.print(Text(words.note(note), style="dim"))
    _tell_moved(console, words, found)
    counted = f"{found.games:,} games, seed {inputs.seed}; the ranges are for all seats of a version together."
    console.print(Text(counted, style="dim"))
    for path in paths:
        print_whole(console, str(path))


def _seats(words: Words, rows: pl.DataFrame, who: Sequence[str]) -> Table:
    """Return one line for each camp and seat, with the kinds of players side by side."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    roles = rows["role"].null_count() < len(rows)
    for heading in ("seat", *(("role", "camp") if roles else ())):
        table.add_column(f"\n{heading}", no_wrap=True)
    for kind in who:
        for number, heading in enumerate(("before", "after", "difference")):
            above = words.name(f"compare_{kind}").removeprefix("players ") if number == 2 else ""
            table.add_column(f"{above}\n{heading}", justify="right", no_wrap=True)
    lines = rows.filter(pl.col("who") == who[0])
    for number, line in enumerate(lines.iter_rows(named=True)):
        cells = [Text("" if line["seat"] is None else str(line["seat"]))]
        if roles:
            cells += [Text(words.name(line[key]) if line[key] else "") for key in ("role", "camp")]
        for kind in who:
            row = rows.filter(pl.col("who") == kind).row(number, named=True)
            cells += [Text(f"{row['before']:.1%}"), Text(f"{row['after']:.1%}"), Text(_difference(row))]
        table.add_row(*cells)
    return table


def _difference(row: dict[str, Any]) -> str:
    """Return a difference in percentage points, with the half-width of its interval."""
    said = f"{100 * row['difference']:+.1f}"
    if row["difference_low"] is None:
        return said
    return f"{said} ± {50 * (row['difference_high'] - row['difference_low']):.1f}"


def _tell_moved(console: Console, words: Words, found: Comparison) -> None:
    """Print what else moved, largest first."""
    if found.moved.is_empty():
        return
    for version, players in found.moved.select("version", "players").unique(maintain_order=True).rows():
        sure = found.moved_significantly(players, version)
        total = len(found.moved.filter((pl.col("version") == version) & (pl.col("players") == players)))
        if sure.is_empty():
            console.print(Text(words("compare.nothing_moved", total=total)))
            continue
        several = f" ('{version}', {players} players)" if len(found.labels) * len(found.players) > 2 else ""
        console.print(
            Text(f"What else moved{several}: {len(sure)} of {total} measures, the largest first", style="bold")
        )
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("measure", "before", "after", "difference", "in SD"):
            table.add_column(heading, justify="left" if heading == "measure" else "right", no_wrap=heading != "measure")
        for row in sure.head(SHOWN).iter_rows(named=True):
            form = ".1%" if row["is_share"] else ",.2f"
            change = f"{100 * row['difference']:+.1f} points" if row["is_share"] else f"{row['difference']:+,.2f}"
            table.add_row(
                Text(measure_name(words, row)), *(Text(format(row[side], form)) for side in ("before", "after")),
                Text(change), Text("-" if row["size"] is None else f"{row['size']:+.2f}"),
            )  # fmt: skip
        print_table(console, table, LEAST)
