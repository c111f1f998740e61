"""The files of a policy of a user's own: its file, and the modules beside it that it imports."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

from simcore.kernel.contents import NAMED

KNOWN = NAMED | {"equipoise"}
"""Packages that are no part of a policy, even if its file lies beside them."""


def digest_of(path: Path) -> str:
    """Return the SHA-256, in hex, of a Python file, or of it and the modules of the user's that it imports.

    Nothing is run.  Modules count if they lie in the folder of the file or, if that is part of a package, in the
    package.

    path: The file.
    """
    own = path.read_bytes()
    others = sorted(_reached(path.resolve()) - {path.resolve()})
    digest = hashlib.sha256(own)
    for other in others:
        digest.update(hashlib.sha256(other.read_bytes()).digest())
    return digest.hexdigest()


def _reached(path: Path) -> set[Path]:
    """Return a file and the files that it imports, also through others."""
    found: set[Path] = set()
    todo = [path]
    while todo:
        if (file := todo.pop()) not in found:
            found.add(file)
            todo += _imported(file, path.parent)
    return found


def _imported(path: Path, beside: Path) -> Iterator[Path]:
    """Yield the files that a file imports, of those in a folder or in its own package."""
    top = path.parent
    while (top / "__init__.py").is_file():
        top = top.parent
    package = path.relative_to(top).parts[0]
    try:
        statements = [*ast.walk(ast.parse(path.read_bytes()))]
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in statements:
        if isinstance(node, ast.Import):
            named = [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inside = node.module or ""
            named = [(node.level, inside), *((node.level, f"{inside}.{alias.name}".strip(".")) for alias in node.names)]
        else:
            continue
        for level, name in named:
            first = name.partition(".")[0]
            if level:
                yield from _files(path.parents[min(level, len(path.parents)) - 1], name)
            elif first == package:
                yield from _files(top, name)
            elif first not in KNOWN and beside.name not in ("site-packages", "dist-packages"):
                yield from _files(beside, name)


def _files(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files that an import of a name in a folder runs."""
    for part in filter(None, name.split(".")):
        for file in (folder / f"{part}.py", folder / part / "__init__.py"):
            if file.is_file():
                yield file.resolve()
        folder /= part
