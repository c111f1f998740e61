"""The output of `tournament`: strategies, strongest first, and the verdicts."""

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
    from analysis.tournament import Tournament
    from equipoise.api.experiment import Experiment

LEAST = 80
"""Width of the table in characters."""

HEADINGS = ("strategy", "strength", "even", "mix", "rank", "best reply", "dominated by")

BY_ROLE = ("strategy", "strength", "of par", "mix", "rank", "best reply", "dominated by")

MEANINGS_BY_ROLE = (
    "strength: 0 is the mean of the role; of par: mean wins if the whole role plays the strategy, over what the other "
    "roles play; mix: share in an equilibrium; rank: alpha-rank; best reply: what wins most, and how much more, if all "
    "others of the role play the strategy and the other roles play their mix."
)

MEANINGS = (
    "even: wins at the table with one of each, played or by the model; - if there is no such table, or the data reject "
    "the model; mix: share in a symmetric equilibrium; rank: alpha-rank; best reply: what wins most, and how much "
    "above par, if all others play the strategy."
)


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print the standings at each number of players, the verdicts, and the paths of the files."""
    from analysis.data.results import counted
    from reports.words import ENGLISH

    console = Console(highlight=False)
    for result in experiment.results:
        inputs = result.inputs[0]
        title = f"{load_game(inputs.game).title}, {inputs.players} players, rules '{inputs.rules}', seed {inputs.seed}"
        console.print(Text(title, style="bold"))
        print_table(console, _table(result), LEAST)
        console.print(Text(MEANINGS_BY_ROLE if "role" in result.table.columns else MEANINGS, style="dim"))
        for verdict in result.verdicts:
            console.print(Text(ENGLISH.verdict(verdict)))
        for note in result.notes:
            console.print(Text(ENGLISH.note(note), style="yellow"))
        tables = result.companies["company"].n_unique()
        console.print(Text(f"{ENGLISH.denominator(inputs)}, {counted(tables, 'table')}.", style="dim"))
    for path in paths:
        print_whole(console, str(path))


def _table(result: Tournament) -> Table:
    from analysis.tournament.result import OFTEN

    table = Table(box=None, pad_edge=False, header_style="bold")
    by_role = "role" in result.table.columns
    for number, heading in enumerate(BY_ROLE if by_role else HEADINGS):
        figure = 0 < number < 5
        table.add_column(heading, justify="right" if figure else "left", no_wrap=figure or number == 0)
    for row in result.table.iter_rows(named=True):
        reply = row["best_reply"] + ("" if row["best_reply"] == row["strategy"] else f" {row['exploitable']:+.0%}")
        table.add_row(
            Text(f"{row['role']}={row['strategy']}" if by_role else row["strategy"]),
            Text(_strength(row)),
            Text(_number(row["par_normalised"], ".2f") if by_role else _even(row)),
            Text(_number(row["mix"], ".0%")),
            Text(_number(row["alpha_rank"], ".0%")),
            Text(reply),
            Text(row["dominated_by"] if (row["dominated_often"] or 0) >= OFTEN else ""),
        )
    return table


def _strength(row: dict[str, Any]) -> str:
    if row["strength"] is None or row["strength_high"] is None:
        return _number(row["strength"], "+.2f")
    return f"{row['strength']:+.2f} ± {(row['strength_high'] - row['strength_low']) / 2:.2f}"


def _even(row: dict[str, Any]) -> str:
    """Return the wins at the table with one of each strategy, marked if they come from the model."""
    return _number(row["even_share"], ".1%") + (" (model)" if row["even_by"] == "model" else "")


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
