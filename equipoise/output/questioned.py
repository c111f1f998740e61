"""The output of `sensitivity`: one sentence for each switch and table, starting with those that matter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from analysis.sensitivity import Sensitivity
from equipoise.api.experiment import Experiment
from equipoise.output.console import print_whole
from reports.study import words_of
from reports.words import ENGLISH
from simcore.game import load_game


def show(experiment: Experiment, paths: Sequence[Path]) -> None:
    """Print a sensitivity analysis."""
    console = Console(highlight=False)
    found: Sensitivity = experiment.results[0]
    inputs = found.inputs[0]
    words = words_of(inputs.game, experiment.rules, ENGLISH)
    console.print(Text(words("sensitivity.title", game=load_game(inputs.game).title), style="bold"))
    who = words.listed(list(dict.fromkeys(inputs.strategies)))
    console.print(Text(f"{words.listed([str(count) for count in found.players])} players, {who}", style="dim"))
    for verdict in found.verdicts:
        console.print(Text(words.verdict(verdict), style="bold" if verdict.status == "tilted" else ""))
    for note in found.notes:
        console.print(Text(words.note(note), style="yellow" if note.code.startswith("habit") else "dim"))
    counted = f"{found.games:,} games, seed {inputs.seed}; intervals hold for all switches and tables at once."
    console.print(Text(counted, style="dim"))
    for path in paths:
        print_whole(console, str(path))
