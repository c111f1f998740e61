"""Printing of results so that even a narrow terminal cuts off no figure."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_table(console: Console, table: Table, least: int) -> None:
    """Print a table that is at least `least` characters wide; a narrower terminal wraps its lines."""
    Console(highlight=False, width=max(console.width, least)).print(table)


def print_whole(console: Console, text: str) -> None:
    """Print a path or digest in one piece, so that it can be copied."""
    console.print(Text(text), soft_wrap=True)
