"""Python files of users: found without being run, read once, and run from the bytes that were hashed.

Neither for such a file nor for the modules of its folder is bytecode read or written.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import linecache
import os
import sys
import traceback
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.errors import UsageError, printable

ROOMS = frozenset({"simcore", "strategies", "analysis", "reports", "configs", "equipoise"})

NOT_THEIRS = sys.stdlib_module_names | ROOMS | {"numpy", "numba", "llvmlite"}
"""Modules that are never looked for in a user's folder."""

INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Names of folders of installed packages."""

OURS = tuple(Path(__file__).parent / room for room in ("", "plain", "doors"))
"""Folders of the code between a user's and the loop that plays, which no message about the user's names."""

_FILE = "equipoise_file_"
"""How the name of a module begins that is a file."""

_RUN: dict[tuple[str, Path], tuple[Sources, ModuleType]] = {}
"""By name and file of the module: what this process has run."""

_GIVEN: dict[str, Sources] = {}
"""By name of the module: what the process that started this one has run; it is not read again."""


def is_file(reference: str) -> bool:
    """Return whether a reference names a Python file rather than a module or a game."""
    return reference.endswith(".py")


def module_file(name: str, here: bool = True) -> Path | None:
    """Return the file of a module, without importing it or its parent packages; None if there is none.

    name: Name of the module, with dots.
    here: Whether to look in the current folder first.
    """
    found = _found(name, here)
    return Path(found.origin) if found and found.origin else None


def _found(name: str, here: bool) -> ModuleSpec | None:
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    folder, found = Path.cwd().resolve(), None
    places: Sequence[str] = [str(folder)] * (here and parts[0] not in NOT_THEIRS) + _places(folder)
    for number in range(len(parts)):
        found = PathFinder.find_spec(".".join(parts[: number + 1]), places)
        if found is None and number == 0:
            with suppress(ValueError, ImportError):  # what pip has installed for editing is not on Python's path
                found = importlib.util.find_spec(parts[0])
        if found is None:
            return None
        places = found.submodule_search_locations or []
    return found


@dataclass(frozen=True)
class Sources:
    """A user's Python file and the modules of its folder that it imports, or an installed module with its package.

    These bytes, and no others, are hashed, run and sent to other processes.
    """

    name: str  # of the module
    path: Path  # its file
    folder: Path | None  # where it finds its modules; None if it is installed, and Python runs it as it is
    files: tuple[tuple[Path, bytes], ...]  # all files with their bytes, in the order of their paths

    @property
    def sha256(self) -> str:
        """SHA-256 of the file's bytes, followed by those of its modules if it has any."""
        digest = hashlib.sha256(dict(self.files).get(self.path, b""))
        for path, data in self.files:
            if path != self.path:
                digest.update(hashlib.sha256(data).digest())
        return digest.hexdigest()

    @property
    def modules(self) -> dict[str, str]:
        """SHA-256 of each of its modules, by path in its folder."""
        if self.folder is None:
            return {}
        others = [(path, data) for path, data in self.files if path != self.path]
        return {path.relative_to(self.folder).as_posix(): hashlib.sha256(data).hexdigest() for path, data in others}

    def with_modules(self, modules: Mapping[str, str], label: str, where: str) -> Sources:
        """Return the same with these modules and no others, as it was when a run was made.

        label, where: What messages call the file, and the place of an error.
        Raises UsageError if one of them is missing or has another SHA-256.
        """
        if self.folder is None:
            return self
        for name, digest in modules.items():
            if self.modules.get(name) != digest:
                what = "is not the file that the games were played with" if name in self.modules else "is missing"
                raise UsageError(f"{label}: {printable(str(name))}, which it imports, {what}, so it was not run", where)
        kept = {self.path, *(self.folder / name for name in modules)}
        return replace(self, files=tuple((path, data) for path, data in self.files if path in kept))

    def run(self, label: str, where: str) -> ModuleType:
        """Run it, once for each process, and return the module.

        label, where: What messages call it, and the place of an error.
        Raises UsageError if it fails, or this process has run one of its files with other bytes.
        """
        read = dict(self.files)
        before, module = _RUN.get((self.name, self.path), (self, None))
        if before != self or any(
            read.get(path, data) != data for other, _ in _RUN.values() for path, data in other.files
        ):
            raise UsageError(f"{label}: has changed since this process ran it; start Python again", where)
        if module:
            return module
        self._check_names(label, where)
        present, finder = {*sys.modules}, _Finder(self)
        sys.meta_path.insert(0, finder)
        try:
            with blamed(label, where, [*map(str, read)]):
                module = import_module(self.name)
        except BaseException:
            sys.meta_path.remove(finder)
            for name in {*sys.modules} - present:
                if isinstance(getattr(sys.modules[name], "__loader__", None), _Loader):
                    del sys.modules[name]
            raise
        _RUN[self.name, self.path] = self, module
        return module

    @cached_property
    def _names(self) -> set[str]:
        """The top-level names by which its files are imported."""
        if self.folder is None:
            return set()
        imported = {self.name.partition(".")[0], *(name for _, data in self.files for name in _imports(data))}
        return imported & {path.relative_to(self.folder).parts[0].removesuffix(".py") for path, _ in self.files}

    def _check_names(self, label: str, where: str) -> None:
        """Raise `UsageError` if this process has run, or may run, other modules with the names of its own."""
        elsewhere = {name for other in given() if other.folder != self.folder for name in other._names}
        for name in sorted(self._names & elsewhere):
            raise UsageError(f"{label}: another file has run a module '{name}'; give one of them another name", where)
        for name, module in [*sys.modules.items()]:
            loader, top = getattr(module, "__loader__", None), name.partition(".")[0]
            if top in self._names and not (isinstance(loader, _Loader) and loader.sources.folder == self.folder):
                raise UsageError(
                    f"{label}: a module '{top}' was imported before; if it is this one, start Python again and import "
                    "it afterwards, otherwise give one of them another name",
                    where,
                )


def file_sources(path: str | Path, label: str, where: str) -> Sources:
    """Read a user's Python file, and the modules of its folder that it imports; nothing is run.

    label, where: What messages call it, and the place of an error.
    Raises UsageError if one of them cannot be read.
    """
    try:
        file = Path(path).resolve()
        if file.exists() and not file.is_file():
            raise ValueError("not a file")
        name = f"{_FILE}{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
        return _GIVEN.get(name) or Sources(name, file, file.parent, _read([file], file.parent))
    except (OSError, ValueError) as error:
        raise UsageError(f"{label}: cannot be read: {getattr(error, 'strerror', None) or error}", where) from None


def module_sources(name: str, here: bool = True) -> Sources | None:
    """Read a module of the current folder and what it imports there, or an installed one; None if there is none.

    Nothing is run.  Of a package, all modules are read.

    name: Name of the module, with dots.
    here: Whether to look in the current folder first.
    """
    found, top = None if name in _GIVEN else _found(name, here), name.partition(".")[0]
    if found is None:
        return _GIVEN.get(name)
    folder, path = Path.cwd().resolve(), Path(found.origin or "")
    path = path.parent.resolve() / path.name
    if here and path in (own := _beside(folder, top)):
        return Sources(name, path, folder, _read(own, folder))
    whole = _found(top, here)
    packages = (whole and whole.submodule_search_locations) or ()
    files = [file for package in packages for file in _inside(Path(package))] or [path]
    return Sources(name, path, None, tuple((file, file.read_bytes()) for file in files if file.is_file()))


def _read(todo: Sequence[Path], folder: Path) -> tuple[tuple[Path, bytes], ...]:
    """Read files, and those of a folder that they import, also through others."""
    waiting, files = [*todo], {}
    while waiting:
        if (file := waiting.pop()) not in files:
            files[file] = file.read_bytes()
            waiting += [other for top in _imports(files[file]) for other in _beside(folder, top)]
    return tuple(sorted(files.items()))


def _imports(data: bytes) -> set[str]:
    """Return the top-level names that a file imports; none if it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = [*ast.walk(ast.parse(data))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = [alias.name for node in statements if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in statements if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}


def _beside(folder: Path, top: str) -> list[Path]:
    """Return the files of a module or package of a folder; of a package, all."""
    inside, file = folder / top, folder / f"{top}.py"
    if not top or top in NOT_THEIRS or folder.name in INSTALLED:
        return []
    own = _inside(inside) if (inside / "__init__.py").is_file() else [file] if _is_readable(file) else []
    other = getattr(PathFinder.find_spec(top, _places(folder)), "origin", None)
    if own and other:
        place = Path(other).parent
        raise UsageError(f"{inside}: Python finds another module '{top}' in {place}; give this one another name")
    return own or ([] if other else _inside(inside))  # a folder without __init__.py comes after other modules


def _places(folder: Path) -> list[str]:
    """Return where Python looks for modules, other than in a user's folder."""
    return [place for place in sys.path if folder.name in INSTALLED or Path(place).resolve() != folder]


def _inside(package: Path) -> list[Path]:
    return sorted(file for file in package.rglob("*.py") if _is_readable(file))


def _is_readable(file: Path) -> bool:
    return file.is_file() and os.access(file, os.R_OK)


class _Loader(SourceFileLoader):
    """Runs the bytes of a file."""

    def __init__(self, name: str, path: Path, sources: Sources) -> None:
        super().__init__(name, str(path))
        self.sources, self._data = sources, dict(sources.files).get(path, b"")

    def get_data(self, path: str) -> bytes:
        """Return the bytes of the file, or read another one beside it."""
        return self._data if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> Any:
        """Compile the bytes, and let messages quote their lines, whatever becomes of the file."""
        try:
            code = self.source_to_code(self._data, self.path)
        except (SyntaxError, ValueError) as reason:  # before Python 3.11.4, a null byte raises ValueError
            error = reason if isinstance(reason, SyntaxError) else SyntaxError(str(reason))
            error.filename = self.path
            error.lineno = error.lineno or self._data.count(b"\n", 0, max(self._data.find(b"\0"), 0)) + 1
            raise error from None
        lines = importlib.util.decode_source(self._data).splitlines(keepends=True)
        linecache.cache[self.path] = len(self._data), None, lines, self.path
        return code


class _Finder:
    """Finds a user's file and its modules among what was read, whenever its own code imports them."""

    def __init__(self, sources: Sources) -> None:
        self._sources, self._files = sources, {path for path, _ in sources.files}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """Return how Python imports a module; None if it is not one of ours."""
        folder = self._sources.folder
        if name == self._sources.name and name.startswith(_FILE):
            return self._spec(name, self._sources.path)
        if folder is None or _importer() not in (self._sources, __name__):
            return None
        for place in [folder] if path is None else map(Path, path):
            inside = place / name.rpartition(".")[2]
            for file in (inside / "__init__.py", inside.with_name(f"{inside.name}.py")):
                if file in self._files:
                    return self._spec(name, file)
            if any(inside in file.parents for file in self._files):
                return self._spec(name, inside / "__init__.py")  # of a package without this file
            if path is not None and any(place in file.parents for file in self._files):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)  # which Python would run unread
        if path is not None or PathFinder.find_spec(name, [str(folder)]) is None:
            return None
        if found := PathFinder.find_spec(name, _places(folder)):
            return found
        how = "only .py files that an import statement names are run"
        if _beside(folder, name) and any(name in _imports(data) for _, data in self._sources.files):
            how = "the run does not name it, so the run cannot be replayed; make it again"
        raise ModuleNotFoundError(f"No module named {name!r}: {how}", name=name)

    def _spec(self, name: str, file: Path) -> ModuleSpec | None:
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(name, file, self._sources)
        return importlib.util.spec_from_file_location(name, file, loader=loader, submodule_search_locations=inside)


def _importer() -> Sources | str | None:
    """Return who asks for a module: a user's file with its modules, or the name of another module."""
    frame = sys._getframe(2)
    while frame.f_back and str(frame.f_globals.get("__name__")).startswith("importlib"):
        frame = frame.f_back
    loader = frame.f_globals.get("__loader__")
    return loader.sources if isinstance(loader, _Loader) else frame.f_globals.get("__name__")


def given() -> tuple[Sources, ...]:
    """Return what another process needs, to run the same bytes as this one."""
    return tuple(sources for sources, _ in _RUN.values() if sources.folder)


def take(sources: Collection[Sources]) -> None:
    """Run these bytes in this process, whatever is in their files."""
    _GIVEN.update((one.name, one) for one in sources)


def sources_with(module: str) -> Sources | None:
    """Return what this process has run that a module belongs to; None if it is no user's file."""
    file = Path(str(getattr(sys.modules.get(module), "__file__", None)))
    return next((sources for sources in given() if file in dict(sources.files)), None)


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file, or those that this process has run."""
    return next((files[path] for one in given() if path in (files := dict(one.files))), None) or path.read_bytes()


@contextmanager
def blamed(label: str, where: str, files: Collection[str]) -> Iterator[None]:
    """Let an error of a user's code be a `UsageError` in one line, with file and line.

    label, where: What the message calls the code, and the place of an error.
    """
    try:
        yield
    except (UsageError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        file = printable(Path(str(error.filename)).name)
        place = label if label.endswith(file) else f"{label}: {file}"
        raise UsageError(f"{place}, line {error.lineno}: {error.msg}", where) from None
    except BaseException as error:  # a user may derive classes from it
        raise UsageError(f"{label}: {raised(error, files)}", where) from None


def raised(error: BaseException, files: Collection[str]) -> str:
    """Return what failed in the user's code, and where: file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if Path(frame.filename).parent not in OURS]
    if isinstance(error, NotImplementedError) and not theirs:
        return f"the class has no method '{frames[-1].name}'"
    own = [frame for frame in theirs if frame.filename in files] or theirs
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    text = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return f"{own[0].name if own else 'the game'} raised {text[:200].rstrip(' :')}{place}"
