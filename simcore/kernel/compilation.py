"""Compilation of kernels.  Only this room deals with Numba: `parts`, `cache`, `pointers` and `intrinsics` do the rest.

`kernel` and `inlined` decorate helpers, and `cached_kernel` the function that plays a game's batches.  With
NUMBA_DISABLE_JIT=1, all of them leave plain Python, which plays the same games, slowly.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core.errors import NumbaError

from simcore.errors import NotCompiled
from simcore.kernel.cache import Kept

KNOWN_NUMBA = ("0.62.", "0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
"""Versions for whose internal classes `parts` was made; others compile in Numba's own way, in twice the time."""

config: Any = numba.config
COMPILED = not config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": False}
WHOLE: dict[str, Any] = {}
"""Options of Numba's decorators for functions that are run, rather than called by kernels."""

_decorate: Callable[..., Any] = numba.jit
kept: Callable[..., Kept] = Kept
if numba.__version__.startswith(KNOWN_NUMBA):
    from simcore.kernel.parts import Helper, WholeCompiler, prepare_to_load

    kept = partial(Kept, prepare=prepare_to_load)
    WHOLE = {"pipeline_class": WholeCompiler}
    _decorate = partial(partial, Helper)


def _helper(**options: bool) -> Callable[..., Any]:
    """Return the decorator of a function that is a part of kernels."""
    if not COMPILED:
        return lambda function: function
    return _decorate(**_OPTIONS, **options)


kernel = _helper()
"""Decorator of a function that other kernels call."""

inlined = _helper(forceinline=True)
"""The same for a function that is to be inlined into its callers."""

apart = _helper(forceinline=False)
"""The same for a large function that is rarely needed and must not be inlined; a `kernel` may be inlined."""


def is_cold(function: Callable[..., Any]) -> bool:
    """Return whether nothing is cached on the disk for a `cached_kernel`, so that its first call has to compile."""
    return COMPILED and function._cache.is_cold  # type: ignore[attr-defined]


def cached_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a game's batch function on first use, and cache it on disk."""
    if not COMPILED:
        return function
    made = numba.jit(**_OPTIONS, **WHOLE)(function)
    made._cache = kept(function)
    return made


# --- Kernels that are written once and compiled for every game, with the game's own kernels inside ---
#
# A closure over compiled functions cannot be loaded from the disk cache.  Therefore a template is a plain function
# whose global names are filled in for a game, and which belongs to the game's own module.


def instantiate(template: Callable[..., Any], beside: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """Return a template as a function of a game's module.

    template: A plain function.
    beside: A kernel of the game; the new function belongs to its module.
    **names: Global names of the template that stand for the game's own kernels and records.
    """
    host = getattr(beside, "py_func", beside)
    code = template.__code__.replace(co_filename=host.__code__.co_filename)
    found = FunctionType(code, template.__globals__ | names, template.__name__, template.__defaults__)
    found.__module__, found.__doc__, found.__qualname__ = host.__module__, template.__doc__, template.__name__
    return found


# --- Explain why Numba cannot compile a policy or a game: file, line, reason and the usual fix ---


_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|at (?P<other>\S+\.py) \((?P<at>\d+)\)')
_MISSING = re.compile(r"No implementation of function Function\(<(?:built-in )?\w+ (?P<name>[\w.]+)")
_NAME = re.compile(r"(?:name|attribute) '(?P<name>\w+)'")

CURES = (
    ("No implementation of function", "Numba knows only a part of Python: write it with loops, numbers and arrays"),
    ("Unknown attribute", "docs/reference/strategies.md lists the fields of the state"),
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
