"""Arguments of `eq`: a wrong type is refused in one line before any work begins."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

from equipoise import parameters
from equipoise.parameters import Typed, bare, names_of, parted, spanned
from simcore import doors
from simcore.errors import UsageError, shown
from simcore.homes import known_games

NUMBERS: Mapping[Any, type] = {int: Integral, float: Real}
"""The types that a parameter takes as a number; NumPy's are turned into Python's."""

WORDS = {
    int: ("a whole number", "whole numbers"), float: ("a number", "numbers"), str: ("text", "texts"),
    Path: ("a path", "paths"), NoneType: ("None", "None"), bool: ("True, False", "truth values"),
}  # fmt: skip
"""How messages name one value of a type, and several."""

GROUPS = (list, tuple, range, set, frozenset)
"""Groups of values that functions take as they are; others, such as a NumPy array, are turned into lists."""


class _Wrong(Exception):
    """Raised if a value is of none of the types that an argument accepts."""


@cache
def guarded(function: Callable[..., Any], public: Callable[[str], Any]) -> Callable[..., Any]:
    """Return a function of `eq` that first checks the types of its arguments.

    A wrong type raises `UsageError`, whose message names the argument and says what to give.  What `eq.simulate`
    returned stands for its run folder.  For the name of an argument that does not exist, Python raises `TypeError`.

    public: Returns a name of `eq`, as annotations use it that are imported for type checkers only.
    """

    @wraps(function)
    def call(*values: Any, **named: Any) -> Any:
        try:
            bound = checked(function, public, *values, **named)
        except TypeError:
            return function(*values, **named)
        return function(*bound.args, **bound.kwargs)

    call.__module__ = "equipoise"  # where pickle finds it
    call.__signature__ = bare(function)  # type: ignore[attr-defined]
    return call


def checked(
    function: Callable[..., Any], public: Callable[[str], Any], *values: Any, **named: Any
) -> inspect.BoundArguments:
    """Return the arguments of a function as it takes them.

    Raises UsageError if one has a wrong type, or a number is out of range.
    Raises TypeError if the function has no such argument.
    """
    signature = inspect.signature(function)
    bound = signature.bind(*values, **named)
    for name, value in bound.arguments.items():
        if wanted := _wanted(function, public, name):
            kind, typed = wanted
            several = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
            bound.arguments[name] = (
                tuple(_take(one, kind, name) for one in value) if several else _take(value, kind, name)
            )
            if (name == "game" or typed.complete is known_games) and isinstance(value, str):
                bound.arguments[name] = doors.named(value)
            if typed.span and value is not None and not typed.span[0] <= value <= typed.span[1]:
                raise UsageError(f"{value} is out of range; give a whole number from {spanned(*typed.span)}", name)
    return bound


class _Names(dict[str, Any]):
    """The names of a function's module, and names of `eq` that the module imports for type checkers only."""

    def __init__(self, known: Mapping[str, Any], public: Callable[[str], Any]) -> None:
        super().__init__(known)
        self.public = public

    def __missing__(self, name: str) -> Any:
        try:
            return self.public(name)
        except AttributeError:
            raise KeyError(name) from None


@cache
def _wanted(function: Callable[..., Any], public: Callable[[str], Any], name: str) -> tuple[Any, Typed] | None:
    """Return the type that a parameter of a function accepts, and how it is typed; None if nothing is said.

    Only then are modules imported that types are from.
    """
    annotation = inspect.signature(function).parameters[name].annotation
    if not isinstance(annotation, str) or annotation == "typer.Context":
        return None
    names = _Names(names_of(function), public)
    kind, typed = parted(eval(annotation, {}, names))
    if isinstance(kind, ForwardRef):
        kind = eval(kind.__forward_arg__, {}, _Names(names, parameters.heavy))
    return kind, typed


def _take(value: Any, wanted: Any, name: str) -> Any:
    """Return an argument as the function takes it; raise `UsageError` if its type is wrong."""
    try:
        return _as_one_of(value, wanted)
    except _Wrong:
        raise UsageError(f"{_quoted(value)} cannot be used; give {_expected(wanted)}", name) from None


def _options(wanted: Any) -> Iterator[Any]:
    """Yield the types of a union, or the type itself."""
    if get_origin(wanted) in (Union, UnionType):
        for one in get_args(wanted):
            yield from _options(one)
    else:
        yield wanted


def _as_one_of(value: Any, wanted: Any) -> Any:
    """Return a value as one of the types that are wanted."""
    options = list(_options(wanted))
    for one in options:
        try:
            return _as(value, one)
        except _Wrong:
            continue
    from equipoise.api.simulation import Simulation

    if isinstance(value, Simulation) and any(getattr(one, "__name__", "") == "Run" for one in options):
        return value.run
    raise _Wrong


def _as(value: Any, wanted: Any) -> Any:
    """Return a value as one type."""
    if wanted in NUMBERS:
        too_large = isinstance(value, int) and value.bit_length() > 1_000  # even to be written in a message
        if isinstance(value, bool) or not isinstance(value, NUMBERS[wanted]) or too_large:
            raise _Wrong
        return value.item() if hasattr(value, "item") else value
    kind, inside = get_origin(wanted) or wanted, get_args(wanted)
    if kind is Literal:
        if value not in inside:
            raise _Wrong
        return value
    if kind is Mapping and isinstance(value, Mapping):
        return {_as_one_of(key, inside[0]): _as_one_of(one, inside[1]) for key, one in value.items()}
    if kind is Sequence and isinstance(value, Collection) and not isinstance(value, str | bytes | Mapping):
        found = [_as_one_of(one, inside[0]) for one in value]
        return value if isinstance(value, GROUPS) and all(map(operator.is_, found, value)) else found
    if isinstance(value, str | Path) and "\0" in str(value):  # no file can have such a name
        raise _Wrong
    right = callable(value) if kind is Callable else kind is Any or isinstance(value, kind)
    if not right or kind in (Mapping, Sequence):
        raise _Wrong
    return value


def _expected(wanted: Any) -> str:
    """Return what an argument accepts, in words."""
    options = list(_options(wanted))
    words = list(dict.fromkeys(_word(one, options) for one in options))
    return " or ".join(", ".join(words).rsplit(", ", 1))


def _word(wanted: Any, others: Sequence[Any]) -> str:
    kind, inside = get_origin(wanted) or wanted, get_args(wanted)
    if kind in WORDS:
        return WORDS[kind][0]
    if kind is Literal:
        return ", ".join(map(repr, inside))
    if kind is Sequence:
        items = list(_options(inside[0]))
        if all(one in others for one in items):
            return "a list of these"
        return f"a list of {' or '.join(WORDS[one][1] for one in items)}" if set(items) <= set(WORDS) else "a list"
    name = {Mapping: "mapping", Callable: "function"}.get(kind, getattr(kind, "__name__", "value")).lower()
    article = "an expression" if name == "expr" else f"a {name}"
    return name if name.endswith("s") else article


def _quoted(value: Any) -> str:
    try:
        return shown(repr(value))
    except Exception:  # a number with thousands of digits, or an object that cannot show itself
        return "a number this large" if isinstance(value, int) else f"this {type(value).__name__}"
