"""What a function of a user's own is made of, so that its compiled form on the disk is never that of another one."""

from __future__ import annotations

import enum
import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from simcore.kernel.cache import KERNEL_ROOMS

NAMED = frozenset({*KERNEL_ROOMS, "numba", "llvmlite", "numpy", "builtins"}) | sys.stdlib_module_names
"""Packages whose functions are identified by their names: the folder of the cache depends on the versions of these."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), np.generic, np.dtype)


_STANDARD = Path(sysconfig.get_path("stdlib"))


class _Unknown(Exception):
    """A part of which nobody can say whether it has changed."""


def contents(function: Callable[..., Any]) -> str:
    """Return a digest of a function and of everything that it uses, in whatever module.

    It depends on code and values, and so follows helpers and constants that come from other modules, and constants that
    a module reads from a file when it is imported.

    function: A plain function, whose helpers are compiled by Numba.
    Returns str: SHA-256 in hex; "" if the function uses something whose code cannot be followed, such as an intrinsic
        or a class of the user's.

    Examples
    --------
    >>> contents(lambda seat: seat + 1) == contents(lambda seat: seat + 1)
    True
    >>> contents(lambda seat: seat + 1) == contents(lambda seat: seat + 2)
    False
    """
    digest = hashlib.sha256()
    try:
        for part in _Walk().of_function(function):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    except _Unknown:
        return ""
    return digest.hexdigest()


class _Walk:
    """A walk through all that a function uses; what was met before is not described again."""

    def __init__(self) -> None:
        self._met: dict[object, int] = {}
        self._held: list[object] = []  # so that no other object gets the same identity

    def _again(self, key: object, thing: object) -> bool:
        if key in self._met:
            return True
        self._met[key] = len(self._met)
        self._held.append(thing)
        return False

    def of_function(self, function: Any) -> Iterator[str]:
        """Describe a plain function."""
        yield f"function {self._met.get(id(function), len(self._met))}"
        if self._again(id(function), function):
            return
        yield from self.of_code(function.__code__, function.__globals__)
        for cell in function.__closure__ or ():
            yield from self.of(cell.cell_contents, _names_in(function.__code__))
        yield from self.of(function.__defaults__)
        yield from self.of(sorted((function.__kwdefaults__ or {}).items()))

    def of_code(self, code: CodeType, names: dict[str, Any]) -> Iterator[str]:
        """Describe code that finds its names in a module."""
        yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_argcount}"
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from self.of_code(constant, names)
            else:
                yield from self.of(constant)
        yield f"{code.co_flags} {code.co_posonlyargcount} {code.co_kwonlyargcount} {code.co_exceptiontable.hex()}"
        yield from self.of_names(_names_in(code), names)

    def of_names(self, wanted: Iterable[str], names: dict[str, Any]) -> Iterator[str]:
        """Describe those of the wanted names that a module has."""
        if "__getattr__" in names:
            raise _Unknown
        for name in wanted:
            if name in names:
                yield name
                yield from self.of(names[name], wanted)

    def of(self, value: Any, wanted: Iterable[str] = ()) -> Iterator[str]:
        """Describe a value; of a module, only what has one of the wanted names."""
        if isinstance(value, enum.Enum):
            yield f"{type(value).__qualname__}.{value.name}"
            yield from self.of(value.value)
        elif isinstance(value, _PLAIN):
            yield f"{type(value).__name__} {value!r}"
        elif isinstance(value, tuple | list | frozenset):
            items = sorted(value, key=repr) if isinstance(value, frozenset) else value
            yield f"{type(value).__qualname__} {getattr(value, '_fields', '')} {len(value)}"
            for item in items:
                yield from self.of(item)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"array {value.dtype!r} {value.shape} {value.tobytes().hex()}"
        elif isinstance(value, enum.EnumType):
            yield value.__qualname__
            yield from self.of(tuple(value))
        elif isinstance(value, ModuleType):
            yield f"module {value.__name__}"
            if not _is_named(value.__name__) and not self._again((id(value), tuple(wanted)), value):
                yield from self.of_names(wanted, vars(value))
        else:
            yield from self.of_callable(value)

    def of_callable(self, value: Any) -> Iterator[str]:
        """Describe a function that is compiled, or that has a name in a package whose version is known."""
        plain = getattr(value, "py_func", None) or getattr(value, "_defn", value)
        by_name = isinstance(plain, FunctionType | BuiltinFunctionType | type) and _is_named(plain.__module__ or "")
        if by_name or (isinstance(plain, np.ufunc) and getattr(np, plain.__name__, None) is plain):
            name = getattr(plain, "__qualname__", plain.__name__)
            yield f"named {getattr(plain, '__module__', 'numpy')} {name}"
            if isinstance(plain, FunctionType) and "<locals>" in name:  # one of several that a function has made
                yield from self.of_function(plain)
        elif isinstance(value, Dispatcher) and isinstance(plain, FunctionType):
            options = {**value.targetoptions, "locals": getattr(value, "locals", {})}
            yield " ".join(f"{name}={_shown(option)}" for name, option in sorted(options.items()))
            yield from self.of_function(plain)
        else:
            raise _Unknown


def _names_in(code: CodeType) -> tuple[str, ...]:
    """Return all names in code, also in functions inside it, which may use what a variable around them holds."""
    inside = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return tuple(dict.fromkeys(name for one in (code.co_names, *map(_names_in, inside)) for name in one))


def _is_named(module: str) -> bool:
    """Return whether a module is one of a known package, and not a user's own that has the name of one."""
    top = module.partition(".")[0]
    if top not in sys.stdlib_module_names:
        return top in NAMED
    file = getattr(sys.modules.get(top), "__file__", None)
    return file is None or Path(file).is_relative_to(_STANDARD)


def _shown(option: Any) -> str:
    return option.__qualname__ if isinstance(option, type) else repr(option)
