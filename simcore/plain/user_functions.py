"""Strategies that users bring to games in plain Python: functions in files of their own."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from simcore.imports import Sources, sources_with

FIRST = 1_000_000
"""Number of the first such strategy in a line-up; smaller numbers are strategies of the game's own file."""

_KNOWN: list[UserFunction] = []


@dataclass(frozen=True)
class UserFunction:
    """A strategy of a user's own.

    It is pickled as the bytes of its file, so that other processes run the same.
    """

    name: str  # its name in messages
    function: Callable[..., Any]  # takes what a seat sees, its moves and a generator; returns one of the moves

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process finds it."""
        module, attribute = self.function.__module__, self.function.__name__
        found = getattr(sys.modules.get(module), attribute, None)
        if getattr(found, "function", found) is not self.function or module == "__main__":
            raise pickle.PicklingError(f"strategy '{self.name}' is in no file")
        return NamedFunction, (self.name, sources_with(module), module, attribute)

    @property
    def travels(self) -> bool:
        """Whether another process can play it."""
        try:
            pickle.dumps(self)
        except pickle.PicklingError:
            return False
        return True


def number_of(name: str, function: Callable[..., Any]) -> int:
    """Return the number by which a line-up names a strategy of a user's own."""
    known = UserFunction(name, function)
    if known not in _KNOWN:
        _KNOWN.append(known)
    return FIRST + _KNOWN.index(known)


def user_function(number: int) -> UserFunction | None:
    """Return the strategy that a line-up names by a number; None if it is one of the game's file."""
    return _KNOWN[number - FIRST] if number >= FIRST else None


@dataclass(frozen=True)
class NamedFunction:
    """A strategy of a user's own in another process: its file is run when a game needs it."""

    name: str
    sources: Sources | None  # what is run; None if it is installed
    module: str
    attribute: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function; see `UserFunction`."""
        if self.sources is not None:
            self.sources.run(f"strategy '{self.name}'", "strategies")
        found = getattr(import_module(self.module), self.attribute)
        return getattr(found, "function", found)
