"""How results are printed so that no terminal, however narrow, cuts a figure."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_table(console: Console, table: Table, least: int) -> None:
    """Print a table that takes so many columns of text; a terminal that is narrower wraps its lines."""
    Console(highlight=False, width=max(console.width, least)).print(table)


def print_whole(console: Console, text: str) -> None:
    """Print a path or digest in one piece, fit for the clipboard."""
    console.print(Text(text), soft_wrap=True)
