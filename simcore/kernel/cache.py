"""The cache of compiled kernels between processes, in a private folder of the user and in files that are checked.

Numba has such a cache too, but it trusts whatever it finds, and its files are pickles, which can run any code.  Here
every file begins with a checksum of the rest.  A file that is not exactly as it was written is deleted and the function
is compiled again, and a folder that somebody else owns or can write to is not used at all.

An installed package may bring kernels of its own in the same files, which `.ci/package` compiles.  They are trusted as
its code is, only read, and used where the user's cache has none.
"""

from __future__ import annotations

import atexit
import enum
import hashlib
import logging
import os
import pickle
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from operator import methodcaller
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.codegen import get_host_cpu_features
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from simcore.atomic import write
from simcore.imports import bytes_of

# mypy: disable-error-code="no-untyped-call"


LOG = logging.getLogger("equipoise.kernels")

KERNEL_ROOMS = ("simcore", "strategies")
KEPT_CACHES = 4
CHECKSUM = 32
"""Number of bytes of the SHA-256 at the beginning of a file."""

BROUGHT = Path(__file__).parent / "compiled"
"""Where an installed package brings kernels along, in a folder that is named as the one in the cache would be."""

BROUGHT_FOR = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
"""Numba's settings with which they are compiled."""

NEEDED = {"+avx", "+avx2", "+bmi", "+bmi2", "+cx16", "+f16c", "+fma", "+lzcnt", "+movbe", "+popcnt", "+sahf", "+xsave"}
"""What a processor of that kind can do; those that have this have its SSE as well."""

_REFRESH = methodcaller("refresh")
"""Numba's own preparation of a target context, which loads everything that its compiler knows."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@cache
def cache_folder(package: str = "") -> Path:
    """Return the folder of compiled kernels, whose name depends on everything that may change them.

    If no such folder can be made, or somebody else could write to it, this process uses a private folder, which is
    removed when the process ends.

    package: If it is a package outside the kernel packages, its kernels get a folder inside, whose key includes its own
        sources.
    """
    if package in KERNEL_ROOMS:
        return cache_folder()
    if package:
        return _folder(cache_folder(), f"{package}-", code_of(package))
    root = Path(os.environ.get("EQUIPOISE_CACHE_DIR") or user_cache_path("equipoise"))
    return _folder(root, "kernels-", _key_with(os.environ))


def _key_with(settings: Mapping[str, str]) -> str:
    """Return what kernels depend on, with some settings of Numba: a kernel contains the code of many files."""
    chosen = sorted(name for name in settings if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR")
    libraries = (numba.__version__, llvmlite.__version__, np.__version__)
    return "|".join((code_of(KERNEL_ROOMS[0]), *libraries, *(f"{name}={settings[name]}" for name in chosen)))


@cache
def brought() -> Path | None:
    """Return the folder of the kernels that came with the package; None if there are none for what runs here.

    Any setting of Numba in the environment gives the folder another name.
    """
    folder = BROUGHT / _named("kernels-", _key_with(BROUGHT_FOR | os.environ))
    return folder if folder.is_dir() and set(get_host_cpu_features().split(",")) >= NEEDED else None


@cache
def code_of(package: str) -> str:
    """Return the SHA-256 of all code that affects the course of a game whose descriptor is in a top-level package."""
    digest = hashlib.sha256()
    for source in (*_of_kernel_rooms(), *(() if package in KERNEL_ROOMS else sources(sys.modules[package]))):
        digest.update(bytes_of(source))
    return digest.hexdigest()


def _of_kernel_rooms() -> list[Path]:
    """Return the sources of the kernel packages."""
    top = Path(__file__).resolve().parents[2]
    return [source for room in KERNEL_ROOMS for source in _python_files(top / room)]


def beside_kernels(name: str) -> Path:
    """Return a folder of this user for other results that are stored between processes.

    If the compiled kernels are in a private folder that is removed with the process, so is this folder.
    """
    kernels = cache_folder()
    folder = (kernels if is_private() else kernels.parent) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def is_private() -> bool:
    """Return whether the kernels of this process are in a private folder that is removed with it."""
    folder = cache_folder()
    return bool(_private_folder.cache_info().currsize) and folder == _private_folder()


def sources(module: ModuleType) -> list[Path]:
    """Return the Python files of a top-level module or package."""
    folders = getattr(module, "__path__", None)
    if folders is not None:
        return [source for folder in folders for source in _python_files(Path(folder))]
    return [Path(module.__file__)] if getattr(module, "__file__", None) else []  # type: ignore[arg-type]


def _python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _named(prefix: str, key: str) -> str:
    return f"{prefix}{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _folder(root: Path, prefix: str, key: str) -> Path:
    """Return the folder for the kernels with this key, and delete all but the newest few folders of its kind."""
    folder = root / _named(prefix, key)
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        doubt = _doubt(root, folder)
    except OSError as error:
        doubt = f"cannot be made: {error.strerror or error}"
    if doubt:
        LOG.warning(
            "The kernel cache %s %s. This process compiles its kernels into a private folder and removes it at the "
            "end; to keep them, let EQUIPOISE_CACHE_DIR name a folder that only you can write to.",
            root,
            doubt,
        )
        return _private_folder()
    with suppress(OSError):
        os.utime(folder)  # it is in use, so it is not the oldest
    others = [path for path in root.glob(f"{prefix}*") if path != folder]
    for stale in sorted(others, key=_changed, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def _changed(folder: Path) -> float:
    """Return when a folder was last changed; 0 where another process has deleted it meanwhile."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _doubt(root: Path, folder: Path) -> str:
    """Return why the contents of a folder cannot be trusted; empty if they can."""
    if not hasattr(os, "geteuid"):
        return ""
    me, above, own = os.geteuid(), root.stat(), folder.lstat()
    if above.st_uid not in (me, 0) or own.st_uid != me or not stat.S_ISDIR(own.st_mode):
        return "belongs to another user"
    shared = above.st_mode & (stat.S_IWOTH if above.st_uid == me else _OTHERS_WRITE)
    if own.st_mode & _OTHERS_WRITE or (shared and not above.st_mode & stat.S_ISVTX):
        return "can be written to by other users"
    return ""


@cache
def _private_folder() -> Path:
    passing = tempfile.TemporaryDirectory(prefix="equipoise-")
    atexit.register(passing.cleanup)
    return Path(passing.name)


class Kept:
    """The compiled forms of one function on the disk; replaces Numba's own cache.

    function: The plain function.
    prepare: Function that prepares Numba's target context to load functions of our own.
    contents: What the function is made of, if the sources of its package do not say it.
    """

    def __init__(
        self, function: Callable[..., Any], prepare: Callable[[Any], object] = _REFRESH, contents: str = ""
    ) -> None:
        self._function = function
        self._package = function.__module__.partition(".")[0]
        self._prepare = prepare if self._package in KERNEL_ROOMS else _REFRESH
        self._stem = f"{function.__module__}.{function.__qualname__}".translate({60: None, 62: None})  # < and >
        self._contents = contents.encode()

    @property
    def cache_path(self) -> str:
        """The folder of its files; Numba's statistics show it."""
        return str(cache_folder(self._package))

    @property
    def _folders(self) -> tuple[Path, ...]:
        """The folder of the cache, and that of what came with the package."""
        came = brought() if self._package in KERNEL_ROOMS else None
        return (Path(self.cache_path), *([came] if came else ()))

    @property
    def is_cold(self) -> bool:
        """Whether nothing is on the disk, so that the first call has to wait for the compiler."""
        return not any(path.name.startswith(f"{self._stem}-") for folder in self._folders for path in folder.iterdir())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return what was compiled for a signature; None if there is nothing, or any doubt about it."""
        self._prepare(target)
        here = target.codegen().magic_tuple()
        for folder, made_for in zip(self._folders, (here, (here[0], *BROUGHT_FOR.values())), strict=False):
            key = self._key(signature, made_for)
            path = folder / self._file(key)
            if not os.path.lexists(path):
                continue
            try:
                found, reduced = pickle.loads(_read(path))
                if found == key:
                    return CompileResult._rebuild(target, *reduced)
            except Exception as error:
                LOG.info("Compiling again what was damaged in the kernel cache (%s) ...", error)
            if folder != brought():
                _remove(path)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store what was compiled; if that fails, this process continues with what it has in memory."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        try:
            key = self._key(signature, result.codegen.magic_tuple())
            data = dumps((key, result._reduce()))
            write(Path(self.cache_path) / self._file(key), hashlib.sha256(data).digest() + data, mode=0o600)
        except Exception as error:
            _tell_once(f"{self.cache_path}: {getattr(error, 'strerror', None) or error}")

    def _key(self, signature: Any, made_for: tuple[str, ...]) -> tuple[Any, ...]:
        code, cells = self._function.__code__, self._function.__closure__ or ()
        inside = dumps(tuple(cell.cell_contents for cell in cells))
        return signature, made_for, hashlib.sha256(code.co_code + inside + self._contents).hexdigest()

    def _file(self, key: tuple[Any, ...]) -> str:
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return f"{self._stem}-{sys.implementation.cache_tag}-{name}.nbc"


def _read(path: Path) -> bytes:
    """Return what was written to a file; raise `ValueError` if the file is not exactly that."""
    with path.open("rb") as file:
        trusted = {os.geteuid(), Path(__file__).stat().st_uid} if hasattr(os, "geteuid") else ()
        if trusted and os.fstat(file.fileno()).st_uid not in trusted:  # who owns the code can change kernels as well
            raise ValueError("of another user")
        whole = file.read()
    data = whole[CHECKSUM:]
    if hashlib.sha256(data).digest() != whole[:CHECKSUM]:
        raise ValueError(path.name)
    return data


def _remove(path: Path) -> None:
    """Remove whatever is at the path of a file."""
    try:
        path.unlink()
    except OSError:
        shutil.rmtree(path, ignore_errors=True)


@cache
def _tell_once(reason: str) -> None:
    LOG.warning("Compiled kernels cannot be kept in %s. The next process will compile them again.", reason)


# What a function of a user's own is made of, so that its compiled form on the disk is never that of another one.


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


# --- Results that are stored between processes, in files that are checked before they are used ---
#
# The first line of every file holds the SHA-256 of the rest and the digest that is the file's name.  A file with one
# wrong bit, one that was cut, or one that was copied over another is therefore as good as none: its result is computed
# again, and the file is written again.  The line is a comment in TOML, so that a stored strategy stays a strategy file.


MOST_BYTES = 500_000_000
"""Largest size of a folder, and of a file in it; the oldest files are deleted first."""


def sealed(name: str, data: bytes) -> bytes:
    """Return data with a first line that holds their checksum and a name.

    Examples
    --------
    >>> sealed("a", b"1\\n").splitlines()[1]
    b'1'
    """
    return _seal(name, data) + data


def unsealed(name: str, whole: bytes) -> bytes:
    """Return the data that were sealed under a name.

    Raises ValueError if they are not exactly what was sealed, or were sealed under another name.
    """
    head, end, data = whole.partition(b"\n")
    if head + end != _seal(name, data):
        raise ValueError(f"{name}: not what was stored")
    return data


def _seal(name: str, data: bytes) -> bytes:
    checksum = hashlib.sha256(name.encode() + b"\n" + data).hexdigest()
    return f"# {checksum} {name}\n".encode()


@dataclass(frozen=True)
class Store:
    """A folder of results next to the compiled kernels, each in a file that a digest names."""

    folder: str  # name of the folder
    suffix: str  # ending of the files

    def path(self, digest: str) -> Path:
        """Return the path of a result, whether it is stored or not."""
        return beside_kernels(self.folder) / f"{digest}{self.suffix}"

    def recall(self, digest: str) -> bytes | None:
        """Return what was stored under a digest; None if there is nothing, or anything but exactly that."""
        try:
            with os.fdopen(os.open(self.path(digest), os.O_RDONLY | NO_LINK), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
                    return None
                return unsealed(digest, file.read())
        except (OSError, ValueError):
            return None

    def keep(self, digest: str, data: bytes) -> None:
        """Store a result, if the disk allows it, in place of whatever has its name."""
        with suppress(OSError):
            path = self.path(digest)
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            write(path, sealed(digest, data))
            self._trim(path.parent)

    def _trim(self, folder: Path) -> None:
        """Delete the oldest files if the folder is too large."""
        files = [(path.lstat(), path) for path in folder.glob(f"*{self.suffix}")]
        total = 0
        for status, path in sorted(files, key=lambda pair: -pair[0].st_mtime):
            total += status.st_size
            if total > MOST_BYTES:
                path.unlink(missing_ok=True)


NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags for opening a file that follow no link and do not wait for a pipe, where the system has them."""
