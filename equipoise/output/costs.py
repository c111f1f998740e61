"""The output of `restrict`: the restrictions, the one that costs most first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from equipoise.output.console import print_table, print_whole
from simcore.game import load_game

if TYPE_CHECKING:
    from analysis.restricted_play import Restricted
    from equipoise.api.experiment import Experiment

LEAST = 80
"""Width of the table in characters."""

MEANING = (
    "Costs: points of the wins that are lost; the ranges are for the whole table. Changed: games with another winner."
)


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print what each restriction costs, the verdicts, and the paths of the files."""
    from reports.words import ENGLISH

    result: Restricted = experiment.results[0]

    console = Console(highlight=False)
    inputs = result.inputs[0]
    game = load_game(inputs.game)
    title = f"{game.title}, {inputs.players} players, rules '{inputs.rules}', seed {inputs.seed}"
    console.print(Text(title, style="bold"))
    others = f"against {inputs.players - 1} {result.others}"
    if result.role:
        others = f"as {result.role}, in games of {result.others}"
    score = "" if result.score is None else f", {result.score:.1f} {game.score}"
    share = f"{result.share:.2%} of the wins" + (f" (par {result.par:.2%})" if result.role else "")
    console.print(Text(f"{result.strategy} {others}: {share}{score}"))
    print_table(console, _table(result, game.score), LEAST)
    console.print(Text(MEANING, style="dim"))
    for verdict in result.verdicts:
        console.print(Text(ENGLISH.verdict(verdict)))
    for note in result.notes:
        console.print(Text(ENGLISH.note(note), style="yellow"))
    console.print(Text(f"{ENGLISH.denominator(inputs)}.", style="dim"))
    for path in paths:
        print_whole(console, str(path))


def _table(result: Restricted, score: str | None) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    more = (["of par"] if result.role else []) + ([f"{score} lost"] if score else [])
    for number, heading in enumerate(
        ("forbidden", "wins", "costs", f"{100 * result.level:.4g} % interval", *more, "changed")
    ):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    for row in result.table.iter_rows(named=True):
        table.add_row(
            Text(row["restriction"]),
            Text(f"{row['share']:.2%}"),
            Text(f"{100 * row['cost']:+.2f}"),
            Text(_interval(row)),
            *([Text(f"{row['cost_of_par']:+.1%}")] if result.role else []),
            *([Text(f"{row['score_cost']:+.2f}")] if score else []),
            Text(f"{row['changed']:.1%}"),
        )
    return table


def _interval(row: dict[str, Any]) -> str:
    if row["cost_low"] is None:
        return "-"
    return f"{100 * row['cost_low']:+.2f} to {100 * row['cost_high']:+.2f}"
