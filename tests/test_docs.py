"""The README and the pages of docs: their commands have known options, and their links and names lead somewhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
import typer

from equipoise.cli import app

ROOT = Path(__file__).resolve().parents[1]
README, DOCS = ROOT / "README.md", ROOT / "docs"
PAGES = sorted([README, ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")])


def sessions(text: str) -> Iterator[str]:
    """Yield the commands of the toolkit in sessions as they are typed, without comments."""
    for language, block in re.findall(r"^```(console|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ ") or language == "sh":
                words = shlex.split(line.removeprefix("$ "), comments=True)
                if words[0] in ("simulate", "equipoise"):
                    yield shlex.join(words)


def commands(text: str) -> list[list[str]]:
    """Return the words of the commands in sessions."""
    return [shlex.split(re.split(r" '>' ", line)[0]) for line in sessions(text)]


@cache
def program() -> Any:
    """Return the program as Typer makes it for each call."""
    return typer.main.get_command(app)


@cache
def options_of(command: Any) -> set[str]:
    """Return the names of the options of a command."""
    return {name for one in command.get_params(typer.Context(command)) for name in (*one.opts, *one.secondary_opts)}


def options_are_known(words: list[str]) -> None:
    """Stop at a command or an option that the program does not have."""
    command = program()
    asked, words = words, words if words[0] == "simulate" else words[1:]
    while hasattr(command, "commands") and words:
        assert words[0] in command.commands, asked
        command, words = command.commands[words[0]], words[1:]
    options = options_of(command)
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= {*options, "--help"}, asked


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_pages_have_the_options_of_the_program(page: Path) -> None:
    for words in commands(page.read_text(encoding="utf-8")):
        options_are_known(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


NAMED = re.compile(r"`((?:simcore|strategies|analysis|reports|equipoise|tests|studies|stats)/[\w./-]*\w)`")
"""Files and folders that a page names; those of `stats/` lie in `analysis/`."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    named = NAMED.findall(page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any((root / name).exists() for root in (ROOT, ROOT / "analysis"))]
    assert missing == []


def test_names_of_modules_that_pages_name_are_there() -> None:
    """All but the files `analysis.py` and `strategies.py`, and the group of entry points `equipoise.strategies`."""
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = set(re.findall(r"`((?:simcore|strategies|analysis|reports)(?:\.\w+)+)`", text))
    assert len(found) > 5
    assert [name for name in sorted(found) if not name.endswith(".py") and locate(name) is None] == []
