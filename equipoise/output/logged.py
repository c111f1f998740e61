"""The output of `log`: a line and a sentence for each run and experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from analysis.seats.distance import Distance
from equipoise.output.console import print_whole
from simcore.errors import printable

if TYPE_CHECKING:
    from equipoise.api.design_log import DesignLog


def show(found: DesignLog, paths: Sequence[Path]) -> None:
    """Print a log."""
    console = Console(highlight=False)
    for entry in found.entries:
        heading = f"{entry.when[:16].replace('T', ' ')}  {entry.what}, {entry.game}, {entry.players} players"
        console.print(Text(heading, style="bold"))
        if entry.changed:
            console.print(Text(f"  changed: {', '.join(entry.changed)}"))
        apart = " -> ".join(_said(one) for one in (entry.before, entry.after) if one)
        if apart:
            console.print(Text(f"  best and worst apart: {apart} points of the wins"))
        if entry.verdict:
            console.print(Text(f"  {entry.verdict}"))
        console.print(Text(f"  {printable(str(entry.path))}", style="dim"), soft_wrap=True)
    for problem in found.problems:
        console.print(Text(f"Not read: {problem}", style="yellow"))
    for path in paths:
        print_whole(console, str(path))


def _said(one: Distance) -> str:
    return f"{100 * one.value:.1f} ({100 * (one.low or 0):.1f} to {100 * (one.high or 0):.1f})"
