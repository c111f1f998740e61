"""Run a Python file and find the game that it defines."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from simcore.errors import UsageError, printable
from simcore.plain.game import PlainGame
from simcore.plain.playing import raised

DIGEST = "__equipoise_sha256__"
"""Name in a module under which the SHA-256 of its file is kept."""


def kind_of(path: str, sha256: str = "") -> type[PlainGame]:
    """Run a Python file, once for each process, and return the game that it defines.

    path: Path of the file.
    sha256: SHA-256 that the file must have; empty if it may be any.
    Raises UsageError if the file cannot be read or run, is not the file that is wanted, or does not define one game.
    """
    file, label = Path(path).resolve(), printable(str(path))
    digest = digest_of(path)
    if sha256 and digest != sha256:
        raise UsageError(
            f"{label}: is not the file that the games were played with (its SHA-256 differs), so it was not run", "game"
        )
    name = f"equipoise_game_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    module = sys.modules.get(name) or _run(file, name, label)
    if module.__dict__.setdefault(DIGEST, digest) != digest:
        raise UsageError(f"{label}: has changed since this process ran it; start Python again", "game")
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, PlainGame) and value.__module__ == name
    ]
    if len(found) != 1:
        many = "no class" if not found else f"{len(found)} classes"
        raise UsageError(f"{label}: has {many} derived from equipoise.PlainGame; a file holds one game", "game")
    return found[0]


def digest_of(path: str) -> str:
    """Return the SHA-256 of a file.

    Raises UsageError if it cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: cannot be read: {reason}", "game") from None


def _run(file: Path, name: str, label: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise UsageError(f"{label}, line {error.lineno}: {error.msg}", "game") from None
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UsageError(f"{label}: {raised(error, str(file))}", "game") from None
    finally:
        sys.path.remove(str(file.parent))
    return module
