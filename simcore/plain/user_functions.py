"""Strategies that users bring to games in plain Python: functions in files of their own."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from simcore.imports import import_file

FIRST = 1_000_000
"""Number of the first such strategy in a line-up; smaller numbers are strategies of the game's own file."""

_KNOWN: list[UserFunction] = []


@dataclass(frozen=True)
class UserFunction:
    """A strategy of a user's own.

    It is pickled as the name of its file and the SHA-256 of that, so that other processes run the same file.
    """

    name: str  # its name in messages
    function: Callable[..., Any]  # takes what a seat sees, its moves and a generator; returns one of the moves

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process finds it."""
        path, attribute = inspect.getsourcefile(self.function), self.function.__name__
        if path is None or self.function.__qualname__ != attribute or not Path(path).is_file():
            raise pickle.PicklingError(f"strategy '{self.name}' is in no file")
        return NamedFunction, (self.name, str(Path(path).resolve()), attribute, _digest(path))

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


@cache
def _digest(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()


@dataclass(frozen=True)
class NamedFunction:
    """A strategy of a user's own in another process: its file is run when a game needs it."""

    name: str
    path: str
    attribute: str
    digest: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function; see `UserFunction`."""
        if _digest(self.path) != self.digest:
            raise ImportError(f"{self.path} has changed since the run began")
        found = getattr(import_file(Path(self.path)), self.attribute)
        return getattr(found, "function", found)
