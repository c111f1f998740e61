"""What `simulate` prints: who wins, from which seat, how sure."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.seats.shares import Estimate, Shares, seat_shares, strategy_shares
from equipoise.console import print_table, print_whole
from simcore.batch import Spec
from simcore.executors import Result

WIDTH = 24
"""Of the longest bar."""

FIGURES = 60
"""Columns of text that the figures take."""


def show(spec: Spec, result: Result, summary: dict[str, Any]) -> None:
    """Print a run's results."""
    console = Console(highlight=False)
    seats = seat_shares(result.tally)
    console.print(Text(_title(spec), style="bold"))
    pace = spec.games / max(summary["seconds"], 1e-9)
    console.print(Text(f"{_count(spec.games, 'game')} in {summary['seconds']:.1f} s, {pace:,.0f} a second"))
    bars = console.width >= FIGURES + WIDTH // 2
    print_table(console, _table("seat", seats, spec.game.score, bars), FIGURES)
    names = dict.fromkeys(spec.strategies)
    if len(names) > 1:
        counts = {name: spec.strategies.count(name) for name in names}
        print_table(console, _table("strategy", strategy_shares(result.tally, counts), None, bars), FIGURES)
    console.print(Text(verdict(seats), style="bold"))
    console.print(Text(_denominator(seats), style="dim"))
    if summary["out"]:
        print_whole(console, f"Table     {summary['out']}")
    print_whole(console, f"Digest    {result.digest}")


def _title(spec: Spec) -> str:
    names = list(dict.fromkeys(spec.strategies))
    changed = f" with {', '.join(spec.rules.settings)}" if spec.rules.settings else ""
    return (
        f"{spec.game.title}, {spec.players} players, rules '{spec.rules.name}'{changed}, "
        f"{' against '.join(names)}, seed {spec.seed}"
    )


def _table(what: str, shares: Shares, score: str | None, bars: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(what, no_wrap=True)
    for heading in ("wins", "95 % interval", "of par", *([f"mean {score}"] if score else ())):
        table.add_column(heading, justify="right", no_wrap=True)
    if bars:
        table.add_column("")
    top = max(estimate.par_normalised for estimate in shares.estimates)
    for estimate in shares.estimates:
        cells = [
            Text(estimate.name.removeprefix("seat ")),
            Text(_number(estimate.share, ".2%")),
            Text(_interval(estimate)),
            Text(_number(estimate.par_normalised, ".3f")),
        ]
        if score:
            cells.append(Text(_number(estimate.score, ".2f")))
        if bars:
            cells.append(Text(_bar(estimate, top), style="cyan"))
        table.add_row(*cells)
    return table


def _number(value: float, form: str) -> str:
    return "-" if math.isnan(value) else format(value, form)


def _interval(estimate: Estimate) -> str:
    if math.isnan(estimate.half_width):
        return "too few games"
    return f"{max(estimate.low, 0):.2%} to {min(estimate.high, 1):.2%}"


def _bar(estimate: Estimate, top: float) -> str:
    if math.isnan(estimate.share):
        return ""
    return "█" * round(WIDTH * estimate.par_normalised / max(top, 1e-9))


def verdict(shares: Shares) -> str:
    """Return one sentence about the seat that stands out most."""
    best = max(shares.estimates, key=lambda estimate: abs(estimate.share - estimate.par))
    gap = (best.share - best.par) * 100
    if math.isnan(best.half_width):
        return "Too few games to say anything about the seats; play at least a thousand."
    if abs(gap) <= best.half_width * 100:
        return f"No seat differs from par ({best.par:.1%}) by more than chance would."
    word = "above" if gap > 0 else "below"
    return (
        f"{best.name.capitalize()} stands out: {best.share:.1%} of the wins, {abs(gap):.1f} points {word} "
        f"par ({best.par:.1%})."
    )


def _denominator(shares: Shares) -> str:
    counted = _count(shares.games, "game")
    if shares.games != shares.deals:
        counted = f"{_count(shares.deals, 'whole deal')} ({counted})"
    return f"Shares of {counted}; shared wins count in part; intervals hold for all lines of a table at once."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
