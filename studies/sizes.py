"""How large the rooms are: `python -m studies.sizes` prints lines, files, statements and the sizes of functions.

`tests/rooms.toml` has the size that each room should not exceed by more than a hundredth, and `tests/test_rooms.py`
holds it.  `--store` lowers these numbers to the present ones; for a room that has grown it adds an entry, in which you
say what the lines bought.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "tests/rooms.toml"
ROOMS = ("simcore", "strategies", "analysis", "reports", "equipoise", "studies", "tests")
REFUSED = {"found", "told", "kept", "known"}
"""Words that say nothing about what a name stands for."""
ROOM_TO_MOVE = 0.01
"""Part of its lines by which a room may grow or shrink without a word."""

HEAD = """\
# The size of each room: a ratchet, not a budget. `python -m studies.sizes --store` writes this file.
# lines: of Python. A room that grows by more than a hundredth needs an entry in `bought`, with the lines and what they
#     bought; a room that shrinks by more than that asks for --store, which forgets its entries.
# names: how often found, told, kept and known are names. It may only fall.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef
PARTS = (ast.stmt, ast.excepthandler, ast.match_case)
STORED_GAMES = "tests/older/"
"""Packages that an older version wrote: nobody changes them."""


class Module(NamedTuple):
    """What is counted of a module."""

    path: str
    lines: int
    statements: int  # lines of statements: without docstrings, imports, signatures, comments and blank lines
    functions: tuple[tuple[int, str], ...]  # statements and name of each function
    names: int  # uses of the words that are refused


def counted(node: ast.AST, lines: set[int], functions: list[tuple[int, str]]) -> int:
    """Return the number of statements in a node, without imports, docstrings, and inner functions and classes.

    The lines of all its statements are added to `lines`, and the functions in it to `functions`.
    """
    count = 0
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, (ast.Import, ast.ImportFrom)) or not isinstance(inner, PARTS):
            continue
        own = counted(inner, lines, functions)
        if isinstance(inner, Function):
            functions.append((own, inner.name))
        elif not isinstance(inner, ast.ClassDef):
            count += own
            text = isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant)
            if isinstance(inner, ast.stmt) and not (text and isinstance(inner.value.value, str)):
                count += 1
                within = inner.cases[0].body if isinstance(inner, ast.Match) else getattr(inner, "body", None)
                lines |= set(
                    range(inner.lineno, within[0].lineno if within else (inner.end_lineno or inner.lineno) + 1)
                )
    return count


def spoken(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself says."""
    for field in ("id", "arg", "attr", "name"):
        if isinstance(name := getattr(node, field, None), str):
            yield name


@cache
def parsed(path: Path) -> ast.Module:
    """Return a module as a tree; tests of the rooms ask for the same ones."""
    return ast.parse(path.read_text(encoding="utf-8"))


def measured(path: Path, root: Path = ROOT) -> Module:
    """Return the sizes of a module."""
    text, tree = path.read_text(encoding="utf-8"), parsed(path)
    lines: set[int] = set()
    functions: list[tuple[int, str]] = []
    counted(tree, lines, functions)
    names = sum(name in REFUSED for node in ast.walk(tree) for name in spoken(node))
    return Module(path.relative_to(root).as_posix(), text.count("\n"), len(lines), tuple(functions), names)


def rooms() -> dict[str, list[Module]]:
    """Return the modules of each room; files that Git does not know are new and count as well."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "*.py"]
    paths = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    there = [ROOT / path for path in paths if not path.startswith(STORED_GAMES) and (ROOT / path).exists()]
    return {room: [measured(path) for path in there if path.is_relative_to(ROOT / room)] for room in ROOMS}


def sizes(modules: Sequence[Module]) -> dict[str, int]:
    """Return what is stored of a room."""
    return {"lines": sum(one.lines for one in modules), "names": sum(one.names for one in modules)}


def stored() -> dict[str, Any]:
    """Return what is stored of all rooms."""
    return tomllib.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}


def allowed(room: Mapping[str, Any]) -> int:
    """Return the lines of a room that are stored, with those that it bought since."""
    return int(room["lines"]) + sum(one["lines"] for one in room.get("bought", ()))


def renewed(now: Mapping[str, int], before: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is to be stored of a room: the present sizes, and an entry for what it has grown by."""
    if before is None:
        return dict(now)
    names = min(now["names"], before["names"])
    if now["lines"] <= allowed(before):
        return {"lines": now["lines"], "names": names}
    grown = now["lines"] - allowed(before)
    more = [{"lines": grown, "what": ""}] if grown > ROOM_TO_MOVE * allowed(before) else []
    bought = [*before.get("bought", ()), *more]
    return {"lines": before["lines"], "names": names} | ({"bought": bought} if bought else {})


def written(sizes: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the file of the sizes of all rooms."""
    text = HEAD
    for room, one in sizes.items():
        text += f"\n[{room}]\nlines = {one['lines']}\nnames = {one['names']}\n"
        entries = (
            f"    {{lines = {more['lines']}, what = {json.dumps(more['what'])}}},\n" for more in one.get("bought", ())
        )
        text += f"bought = [\n{''.join(entries)}]\n" if one.get("bought") else ""
    return text


def row(name: str, modules: Sequence[Module]) -> str:
    """Return the line of the table for some modules."""
    functions = sorted(one for module in modules for one in module.functions)
    counts = [count for count, _ in functions]
    lines, longest = sum(one.lines for one in modules), max(modules, key=lambda one: one.lines)
    return (
        f"{name:<12}{len(modules):>6}{lines:>8,}{sum(one.statements for one in modules) / lines:>7.0%}"
        f"{len(counts):>7,}{statistics.median(counts):>5.0f}{statistics.mean(counts):>6.1f}"
        f"{sum(count > 60 for count in counts):>5}  {functions[-1][0]} {functions[-1][1]}"
        f", {longest.lines} {longest.path}"
    )


def main() -> None:
    """Print the sizes, and store them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m studies.sizes", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", action="store_true", help=f"write {STORED.relative_to(ROOT)} anew")
    given = parser.parse_args()
    there = rooms()
    print("room         files   lines  stmts  funcs  med  mean  >60  longest function, longest module")
    for room, modules in there.items():
        print(row(room, modules))
    print(row("product", [one for room, modules in there.items() if room != "tests" for one in modules]))
    if given.store:
        before = stored()
        after = {room: renewed(sizes(modules), before.get(room)) for room, modules in there.items()}
        STORED.write_text(written(after), encoding="utf-8")


if __name__ == "__main__":
    main()
