"""Explain why Numba cannot compile a policy or a game: file, line, reason and the usual fix."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from simcore.errors import NotCompiled
from simcore.kernel.compilation import COMPILED

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|at (?P<other>\S+\.py) \((?P<at>\d+)\)')
_MISSING = re.compile(r"No implementation of function Function\(<(?:built-in )?\w+ (?P<name>[\w.]+)")
_NAME = re.compile(r"(?:name|attribute) '(?P<name>\w+)'")

CURES = (
    ("No implementation of function", "Numba knows only a part of Python: write it with loops, numbers and arrays"),
    ("Unknown attribute", "docs/strategies.md lists the fields of the state"),
    ("Cannot unify", "give the variable one type, whichever way the code goes"),
    ("can't unify return type", "return a whole number on every path"),
    ("is not defined", "define it in the module, or import it"),
    ("Untyped global name", "compile a function that the policy calls with @numba.njit, or make a value a number"),
    ("unsupported", "Numba knows only a part of Python: write it with loops, numbers and arrays"),
)
"""Texts of errors, and what usually fixes them."""

_OURS = re.compile(r"(^|/)(numba|simcore/(kernel|running))/")
"""Places that are not to blame."""

USUAL = "use numbers, loops, arrays and functions compiled with @numba.njit only"


@contextmanager
def compiling(game: str) -> Iterator[None]:
    """Explain errors of the compiler while the block runs, which compiles functions of a game or calls them."""
    try:
        yield
    except (NumbaError, KeyError) as error:  # Numba lets some of its own through, such as KeyError for an unknown field
        if not COMPILED:
            raise
        raise NotCompiled(game, explain(error)) from None


def explain(error: Exception, function: Callable[..., Any] | None = None) -> str:
    """Return in one line where the user's code went wrong, why, and what usually fixes it.

    error: The exception that Numba raised.
    function: The policy; None if the error may be in any function of a game.
    """
    text = f"Unknown attribute {error}" if isinstance(error, KeyError) else str(error)
    cure = next((cure for sign, cure in CURES if sign.lower() in text.lower()), USUAL)
    place = _place(text, function)
    return f"{f'{os.path.relpath(place[0])}, line {place[1]}: ' if place else ''}{_first(text)}; {cure}"


def _place(text: str, function: Callable[..., Any] | None) -> tuple[str, int] | None:
    """Return the file and the line of the user's code that the error names; None if it names none."""
    if function is not None:
        return function.__code__.co_filename, _line(text, function)
    for found in _PLACE.finditer(text):
        file = found["file"] or found["other"]
        if not _OURS.search(Path(file).as_posix()) and Path(file).is_file():
            return file, int(found["line"] or found["at"])
    return None


def _first(text: str) -> str:
    """Return the reason: the first paragraph of what Numba says."""
    missing = _MISSING.search(text)
    if missing:
        return f"Numba has no '{missing['name']}' for these arguments"
    return " ".join(_paragraph(text)).rstrip(".:") or "it cannot be compiled"


def _paragraph(text: str) -> Iterator[str]:
    told = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith(("Failed in nopython mode", "Failed in object mode")):
            continue
        if told and (not line or line.startswith(("During:", "File "))):
            return
        if line:
            told = True
            yield _PLACE.sub("", line).replace(", defined", "").strip()


def _line(text: str, function: Callable[..., Any]) -> int:
    """Return the line of the user's file that the error names; if it names none, the line of the function."""
    file = function.__code__.co_filename
    lines, first = inspect.getsourcelines(function)
    for found in _PLACE.finditer(text):
        place = int(found["line"] or found["at"])
        if Path(found["file"] or found["other"]).name == Path(file).name and first <= place < first + len(lines):
            return place
    name = _NAME.search(text)
    if name:
        for number, line in enumerate(lines):
            if re.search(rf"\b{name['name']}\b", line):
                return first + number
    return first
