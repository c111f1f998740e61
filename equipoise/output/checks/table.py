"""A check as a table in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.check.checking import Check
from analysis.check.claims import Finding, family_of, value_text
from equipoise.output.checks.telling import (
    NOT_THE_VERDICT,
    allowed_text,
    causes,
    compared,
    conclusion,
    shift_text,
    smallest,
)
from equipoise.retuning import CURE

ACCEPT = "If the change is intended, accept it once it is in the rules or the code:"
LOG_WIDTH = 120
STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}


def show(check: Check) -> None:
    """Print a check."""
    console = Console(highlight=False, width=_width())
    players = ", ".join(str(count) for count in check.baseline.choices.players)
    console.print(Text(f"{check.title}, {players} players: {check.baseline.label}", style="bold"))
    for line in causes(check):
        console.print(Text(line))
    if check.habits:
        console.print(Text(CURE))
    rows = list(gathered(check.findings))
    if check.against != "digests" or check.verdict != "pass":
        console.print(_fitted(rows, console))
    for said in (compared(check), smallest(check)):
        if said:
            console.print(Text(said, style="dim"))
    console.print(Text(f"{conclusion(check)} {check.seconds:.1f} s", style=STYLES[check.verdict]))
    if check.verdict == "fail" and not check.results:
        console.print(Text(f"{ACCEPT} equipoise check --update --yes {check.baseline.label}"))
    if check.chosen_seed:
        console.print(Text(NOT_THE_VERDICT, style="yellow"))


def _width() -> int | None:
    """Return the width of the terminal or, without a terminal, one that needs no line breaks in the log of a CI job."""
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else LOG_WIDTH


def gathered(findings: tuple[Finding, ...]) -> Iterator[tuple[Finding, int]]:
    """Yield findings that do not pass, and for each family that passes its largest finding and the number of them."""
    groups: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        alone = "" if finding.verdict == "pass" else finding.claim.name
        groups.setdefault((finding.claim.players, family_of(finding.claim.name), alone), []).append(finding)
    for group in groups.values():
        yield max(group, key=lambda finding: finding.used), len(group)


def _fitted(rows: list[tuple[Finding, int]], console: Console) -> Table:
    """Return the table; where the terminal is narrow, long names are folded where a reader would fold them."""
    for gap, dot in ((" ", "."), ("\n", "."), (" ", "\n.")):
        table = _table(rows, gap, dot)
        if console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width:
            break
    return table


def _table(rows: list[tuple[Finding, int]], gap: str, dot: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("measure", overflow="fold")
    for name in ("before", "now", "shift", "allowed"):
        table.add_column(name, justify="right", no_wrap=True)
    for players, findings in groupby(rows, key=lambda row: row[0].claim.players):
        table.add_row("", Text(f"{players} players", style="bold"))
        for finding, count in findings:
            table.add_row(
                Text(finding.verdict, style=STYLES[finding.verdict]),
                Text(finding.claim.name.replace(".", dot, 1) + (f"{gap}(+{count - 1})" if count > 1 else "")),
                *figures(finding),
            )
    return table


def figures(finding: Finding) -> tuple[str, str, str, str]:
    """Return a measure's old and new value, their difference, and the allowed difference."""
    is_share = finding.claim.is_share
    missing = "gone" if finding.verdict == "fail" else "too few deals"
    return (
        "" if finding.before is None else value_text(finding.before, is_share),
        missing if finding.now is None else value_text(finding.now, is_share),
        "" if finding.shift is None else shift_text(finding),
        allowed_text(finding),
    )
