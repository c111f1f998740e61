"""Replay logs of games that need no words of their own: every rule in the first line, and text made of the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def plain_header(words: Sequence[int], rules: Any, players: int) -> dict[str, Any]:
    """Return every value of the rules as an option."""
    return {"options": rules.model_dump(mode="json", exclude={"format", "game", "name", "title"})}


def plain_text(title: str, header: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for the game and one for each record."""
    yield f"{title}, {header['players']} players, seed {header['seed']}, game {header['game_id']}"
    for record in records:
        values = ", ".join(f"{name} {_text(value)}" for name, value in record.items() if name != "kind")
        yield f"{record['kind']}: {values}"


def _text(value: Any) -> str:
    """Return a value as people write it."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_text(item)}" for name, item in value.items()) or "-"
    if isinstance(value, list | tuple):
        return " ".join(f"[{_text(item)}]" if isinstance(item, list | tuple) else _text(item) for item in value) or "-"
    return str(value)
