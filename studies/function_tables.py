"""Writes docs/reference/eq.md from the signatures and docstrings of `eq`: python -m studies.function_tables"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path
from textwrap import wrap
from typing import Any

import typer

import analysis.api
import equipoise as eq
from equipoise.api.analyses import analysis_of
from equipoise.cli import app
from simcore.homes import GAMES, module_name

ROOT = Path(__file__).resolve().parents[1]
PAGE, METHODS = ROOT / "docs/reference/eq.md", "docs/reference/methods.md"
EXPLAINED = re.compile(r"^References\n-+\n\* (\S+)", re.MULTILINE)
PARTS = re.compile(r"^```python\n[^`]*```\n|^\| (\w+) \| meaning \|\n(?:\|.*\n)+", re.MULTILINE)
GROUPS = {"rules"}
"""Commands whose functions are those of their own commands."""


def written(page: str) -> str:
    """Return the page with its signatures and tables as the functions are now."""
    commands: Any = typer.main.get_command(app)
    asked = sorted(name for name in eq.__all__ if name.partition("_")[0] in commands.commands.keys() - GROUPS)
    others = sorted({*eq.__all__, "PlainGame"} - {*asked}, key=str.lower)
    parts = {
        "": "```python\n" + "".join(map(_signature, asked)) + "```\n",
        "name": _table("name", [(name, getattr(eq, name)) for name in others]),
        "analysis": _table("analysis", [one for one in _analyses() if not inspect.isclass(one[1])]),
    }
    return PARTS.sub(lambda part: parts[part[1] or ""], page)


def _analyses() -> Iterator[tuple[str, Any]]:
    """Yield the analyses of all games, and then those that one game has."""
    yield from ((name, getattr(eq, name)) for name in analysis.api.__all__)
    for game in map(module_name, GAMES):
        room = analysis_of(game)
        yield from ((f"{game}.{name}", getattr(room, name)) for name in getattr(room, "__all__", ()))


def _arguments(function: Any) -> str:
    taken = inspect.signature(function).parameters.values()
    return ", ".join(("*" if one.kind is one.VAR_POSITIONAL else "") + one.name for one in taken)


def _signature(name: str) -> str:
    lines = wrap(f"eq.{name}({_arguments(getattr(eq, name))})", 88, subsequent_indent=" " * 8)
    return "".join(f"{line}\n" for line in lines)


def _table(head: str, named: list[tuple[str, Any]]) -> str:
    return f"| {head} | meaning |\n|---|---|\n" + "".join(_row(*one) for one in named)


def _row(name: str, one: Any) -> str:
    """Return a name with its arguments, the first sentence of its docstring, and the page that this refers to."""
    text = inspect.getdoc(one) or ""
    said = " ".join(text.partition("\n\n")[0].split()).removeprefix("Return ").partition(";")[0].removesuffix(".")
    page = EXPLAINED.search(text)
    if page and ROOT / page[1] not in (PAGE, ROOT / METHODS):
        said += f" ([{Path(page[1]).stem}]({relpath(ROOT / page[1], PAGE.parent)}))"
    called = f"`{name}`" if inspect.isclass(one) else f"`{name}({_arguments(one)})`"
    return f"| {called} | {said[0].lower() + said[1:]} |\n"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
