"""The cache of compiled kernels between processes, in a private folder of the user and in files that are checked.

Numba has such a cache too, but it trusts whatever it finds, and its files are pickles, which can run any code.  Here
every file begins with a checksum of the rest.  A file that is not exactly as it was written is deleted and the function
is compiled again, and a folder that somebody else owns or can write to is not used at all.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from operator import methodcaller
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from simcore.atomic import write
from simcore.imports import bytes_of

LOG = logging.getLogger("equipoise.kernels")

KERNEL_ROOMS = ("simcore", "strategies")
KEPT_CACHES = 4
CHECKSUM = 32
"""Number of bytes of the SHA-256 at the beginning of a file."""

_REFRESH = methodcaller("refresh")
"""Numba's own preparation of a target context, which loads everything that its compiler knows."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@cache
def cache_folder(package: str = "") -> Path:
    """Return the folder of compiled kernels, whose name depends on everything that may change them.

    All sources of the kernel packages, Numba's version and its environment are part of the key, because a kernel
    contains the code of helpers from many files.  If no such folder can be made, or somebody else could write to it,
    this process uses a private folder, which is removed when the process ends.

    package: If it is a package outside the kernel packages, its kernels get a folder inside, whose key includes its own
        sources.
    """
    if package in KERNEL_ROOMS:
        return cache_folder()
    if package:
        return _folder(cache_folder(), f"{package}-", _sources(sys.modules[package]))
    key = f"{numba.__version__}|{np.__version__}"
    for name in sorted(key for key in os.environ if key.startswith("NUMBA_") and key != "NUMBA_CACHE_DIR"):
        key += f"|{name}={os.environ[name]}"
    root = Path(os.environ.get("EQUIPOISE_CACHE_DIR") or user_cache_path("equipoise"))
    return _folder(root, "kernels-", _of_kernel_rooms(), key)


@cache
def code_of(package: str) -> str:
    """Return the SHA-256 of all code that affects the course of a game whose descriptor is in a top-level package."""
    digest = hashlib.sha256()
    for source in (*_of_kernel_rooms(), *(() if package in KERNEL_ROOMS else _sources(sys.modules[package]))):
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


def _sources(module: ModuleType) -> list[Path]:
    """Return the Python files of a top-level module or package."""
    folders = getattr(module, "__path__", None)
    if folders is not None:
        return [source for folder in folders for source in _python_files(Path(folder))]
    return [Path(module.__file__)] if getattr(module, "__file__", None) else []  # type: ignore[arg-type]


def _python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _folder(root: Path, prefix: str, sources: Iterable[Path], key: str = "") -> Path:
    """Return the folder for the kernels of these sources, and delete all but the newest few folders of its kind."""
    digest = hashlib.sha256(key.encode())
    for source in sources:
        digest.update(bytes_of(source))
    folder = root / f"{prefix}{digest.hexdigest()[:16]}"
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
    others = [path for path in root.glob(f"{prefix}*") if path != folder]
    for stale in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


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
    def is_cold(self) -> bool:
        """Whether nothing is on the disk, so that the first call has to wait for the compiler."""
        return not any(path.name.startswith(f"{self._stem}-") for path in Path(self.cache_path).iterdir())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return what was compiled for a signature; None if there is nothing, or any doubt about it."""
        self._prepare(target)
        key = self._key(signature, target.codegen())
        path = self._path(key)
        if not os.path.lexists(path):
            return None
        try:
            found, reduced = pickle.loads(_read(path))
            if found == key:
                return CompileResult._rebuild(target, *reduced)
        except Exception as error:
            LOG.info("Compiling again what was damaged in the kernel cache (%s) ...", error)
        _remove(path)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store what was compiled; if that fails, this process continues with what it has in memory."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        try:
            key = self._key(signature, result.codegen)
            data = dumps((key, result._reduce()))
            write(self._path(key), hashlib.sha256(data).digest() + data, mode=0o600)
        except Exception as error:
            _tell_once(f"{self.cache_path}: {getattr(error, 'strerror', None) or error}")

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        code, cells = self._function.__code__, self._function.__closure__ or ()
        inside = dumps(tuple(cell.cell_contents for cell in cells))
        return signature, codegen.magic_tuple(), hashlib.sha256(code.co_code + inside + self._contents).hexdigest()

    def _path(self, key: tuple[Any, ...]) -> Path:
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return Path(self.cache_path) / f"{self._stem}-{sys.implementation.cache_tag}-{name}.nbc"


def _read(path: Path) -> bytes:
    """Return what was written to a file; raise `ValueError` if the file is not exactly that."""
    with path.open("rb") as file:
        if hasattr(os, "geteuid") and os.fstat(file.fileno()).st_uid != os.geteuid():
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
