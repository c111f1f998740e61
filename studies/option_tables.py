"""Writes the tables of questions in docs/reference/commands.md from their functions: python -m studies.option_tables"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

from equipoise.cli import QUESTIONS, app

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/commands.md"
HEAD = "| option | default | meaning |\n|---|---|---|\n"
LINKS = {
    "path of a Python file": "../bring-your-game.md",
    "openspiel:GAME": "doors.md#openspiel",
    "pettingzoo:MODULE.ENV": "doors.md#pettingzoo",
    "`family`, `club`, `experts` or `search`": "../whom-to-believe.md#four-levels-of-skill",
    "`module:attribute`": "strategies.md#a-policy-of-your-own",
    "tuned for other rules": "../whom-to-believe.md#by-habit",
    "path of a TOML file": "../change-a-rule.md#keep-it",
    "`equipoise rules keys`": "keys.md",
    "table of results": "../your-results.md#a-table-of-results",
    "a measure": "measures.md",
    "object store": "cluster.md#where-the-table-goes",
    "Dask cluster": "cluster.md",
    "run that ended early": "#a-run-that-ended-early",
    "totals": "#totals-instead-of-a-table",
    "Python code": "security.md",
    "docs/reference/methods.md": "methods.md#runs-to-a-precision",
}
"""Where words lead that stand in the texts of options."""


def table_of(command: Any) -> str:
    """Return the table of a command: one row for each option or argument."""
    rows = [" | ".join(_row(one)).replace("|  |", "| |") for one in command.params if one.name != "help"]
    return HEAD + "".join(f"| {row} |\n" for row in rows)


def _row(one: Any) -> tuple[str, str, str]:
    names = one.opts if one.param_type_name == "option" else (one.metavar,)
    words = one.show_default if isinstance(one.show_default, str) else ""
    value = "" if one.default in (None, False) else f"`{getattr(one.default, 'value', one.default)}`"
    text = one.help.rstrip(".")
    meaning = text if text[1].isupper() else text[0].lower() + text[1:]
    for said, page in LINKS.items():
        meaning = meaning.replace(said, f"[{said.removeprefix('docs/reference/')}]({page})", 1)
    return ", ".join(f"`{name}`" for name in names), words or value, meaning.replace("|", "\\|")


def written(page: str) -> str:
    """Return the page with the tables of all questions as they are now."""
    commands = typer.main.get_command(app).commands
    for name in (question.partition("_")[0] for question in QUESTIONS):
        before, heading, after = page.partition(f"\n## {name}\n")
        start, _, end = after.partition(HEAD)
        page = before + heading + start + table_of(commands[name]) + re.sub(r"\A(\|.*\n)*", "", end)
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
