"""The table that `equipoise bench` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.words import ENGLISH

Row = tuple[str, str, str, str, str]
"""The case, its best and median figure, and two more figures; the first row of a part has the headings."""

Entries = list[dict[str, Any]]

BUSY = 0.5
"""Load of the last minute above which the table mentions it."""


def _case(entry: dict[str, Any]) -> str:
    return f"{entry['players']} players, {entry['strategy']}"


def _pace(entry: dict[str, Any]) -> tuple[str, str]:
    return f"{entry['games_per_second']:,.0f}", f"{entry['games_per_second_median']:,.0f}"


def _speed(entries: Entries, reference: str) -> Iterator[Row]:
    yield "One thread", "games/s", "median", "decisions/s", f"of {reference}" if reference else ""
    for entry in entries:
        ratio = entry["ratio_to_yardstick"]
        yield _case(entry), *_pace(entry), f"{entry['decisions_per_second']:,.0f}", f"{ratio:.2f}" if ratio else ""


def _scaling(entries: Entries, reference: str) -> Iterator[Row]:
    yield f"{entries[0]['threads']} threads", "games/s", "median", "", "of one thread"
    for entry in entries:
        yield _case(entry), *_pace(entry), "", f"{entry['ratio']:.2f}"


def _writing(entries: Entries, reference: str) -> Iterator[Row]:
    yield f"Writing, {_case(entries[0])}", "games/s", "median", "bytes/game", "processor time"
    for entry in entries:
        yield entry["table"], *_pace(entry), f"{entry['bytes_per_game']:,.0f}", f"{entry['processor_ratio']:.2f}"


def _strategies(entries: Entries, reference: str) -> Iterator[Row]:
    yield f"Strategies, {entries[0]['players']} players", "games/s", "median", "ns/decision", "of the fastest"
    for entry in entries:
        nanoseconds = f"{entry['nanoseconds_per_decision']:,.0f}"
        yield entry["strategy"], *_pace(entry), nanoseconds, f"{entry['ratio_to_fastest']:.2f}"


def _features(entries: Entries, reference: str) -> Iterator[Row]:
    yield f"Without, {_case(entries[0])}", "games/s", "median", "ns saved/decision", "of the time"
    for entry in sorted(entries, key=lambda entry: -float(entry["nanoseconds"])):
        saved = ENGLISH.number(entry["nanoseconds"], "+,.1f")
        yield entry["without"], *_pace(entry), saved, ENGLISH.number(entry["share"], "+.1%")


def _start(entries: Entries, reference: str) -> Iterator[Row]:
    yield "A whole process", "seconds", "median", "", ""
    for entry in entries:
        yield entry["what"], f"{entry['seconds']:.2f}", f"{entry['seconds_median']:.2f}", "", ""


def _memory(entries: Entries, reference: str) -> Iterator[Row]:
    yield "Peak memory", "MB", "", "", "of the first"
    for entry in entries:
        yield f"{entry['games']:,} games, written", f"{entry['peak_bytes'] / 1e6:,.0f}", "", "", f"{entry['ratio']:.2f}"


_PARTS: dict[str, Callable[[Entries, str], Iterator[Row]]] = {
    "speed": _speed,
    "scaling": _scaling,
    "writing": _writing,
    "start": _start,
    "memory": _memory,
    "strategies": _strategies,
    "features": _features,
}


def show(results: dict[str, Any]) -> None:
    """Print the results of `equipoise bench`."""
    console = Console(highlight=False)
    machine, yardstick = results["machine"], results["yardstick"]
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    for _ in range(4):
        table.add_column(justify="right")
    for part, rows in _PARTS.items():
        if results.get(part):
            for number, row in enumerate(rows(results[part], yardstick.get("title", ""))):
                table.add_row(*map(Text, row), style="bold" if number == 0 else None)
            table.add_row()
    console.print(Text(f"{results['title']} on {machine['processor']}, {machine['threads']} threads", style="bold"))
    console.print()
    console.print(table)
    if yardstick and results.get("speed"):
        console.print(Text(f"{yardstick['title']}: {yardstick['source']}.", style="dim"))
    if (machine["load"] or 0) > BUSY:
        console.print(
            Text(f"Other work was running (load {machine['load']}); measure again without it.", style="yellow")
        )
