"""Find an analysis by its name: the general ones directly, and those of one game by the game's module."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from simcore.homes import home, known_games, module_name


def analysis_of(name: str) -> Any:
    """Return an analysis, or the module of one game's own analyses, such as `middle_ages`; None if there is neither."""
    general = import_module("analysis.api")
    if name in general.__all__:
        return getattr(general, name)
    for game in known_games():
        if module_name(game) == name:
            module = f"{home(game).declarations}.api"
            return import_module(module) if find_spec(module) else None
    return None
