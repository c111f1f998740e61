"""Small elements of the page that several of its parts use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nicegui import ui


def heading(text: str, level: int = 2) -> None:
    """Add a heading."""
    ui.label(text).props(f'role="heading" aria-level="{level}"').classes("heading" if level > 1 else "title")


def named(field: Any, name: str) -> Any:
    """Give a field a name for screen readers, and return it."""
    return field.props(f'''aria-label="{name.replace('"', "'")}" dense outlined''')


def button(text: str, press: Any, is_plain: bool = False) -> Any:
    """Add a button."""
    return ui.button(text, on_click=press).props("flat dense no-caps" if is_plain else "outline no-caps")


def numbers(columns: Sequence[tuple[str, str]]) -> Any:
    """Add a table whose first column names its rows; `columns` are keys and headings."""
    wanted = [
        {"name": name, "label": label, "field": name, "align": "right" if at else "left"}
        for at, (name, label) in enumerate(columns)
    ]
    made = ui.table(rows=[], columns=wanted, row_key=columns[0][0])
    return made.props("flat dense hide-pagination").classes("numbers")
