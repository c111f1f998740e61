"""Arguments that may be one thing or several."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def listed(given: Any) -> list[Any]:
    """Return the things that an argument names: one text, path or number, several of them, or none."""
    if given is None:
        return []
    return [given] if isinstance(given, str | Path | int) else list(given)
