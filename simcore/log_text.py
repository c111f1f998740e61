"""What the texts of replay logs have in common, whatever the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

NAME_WIDTH = 20


def title(game: str, header: Mapping[str, Any]) -> str:
    """Return the line that says which game it is."""
    return f"{game}: game {header['game_id']} of seed {header['seed']}, {header['players']} players"


def strategies(names: Iterable[str]) -> str:
    """Return the line with the names of the strategies by seat."""
    return f"Strategies: {', '.join(f'{seat} {name}' for seat, name in enumerate(names, 1))}"


def options(header: Mapping[str, Any]) -> str:
    """Return the line with the options in force."""
    return f"Options: {', '.join(f'{name} {_option(value)}' for name, value in header['options'].items())}"


def _option(value: object) -> str:
    if isinstance(value, list):
        return "/".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def short(name: str) -> str:
    """Return the name of a strategy as it fits into a table."""
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 3] + "..."


def count(number: int, what: str) -> str:
    """Count some things: "1 card", "5 cards"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
