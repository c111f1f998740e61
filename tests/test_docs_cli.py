"""docs/reference/commands.md is true: its commands and options are those of the program, no more and no fewer."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from equipoise.cli import app, run
from equipoise.options import PANELS
from studies.option_tables import table_of, written
from tests.nim import NIM

ROOT = Path(__file__).resolve().parents[1]
CLI = ROOT / "docs/reference/commands.md"


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command by its words."""
    children = getattr(command, "commands", {})
    if not children:
        yield " ".join(path), command
    for name, child in children.items():
        yield from commands(child, (*path, name))


WALKED = dict(commands(typer.main.get_command(app)))


def parameters(command: Any) -> dict[str, Any]:
    """Return options by their names, arguments by what help calls them."""
    return {
        ", ".join(f"`{name}`" for name in parameter.opts)
        if parameter.param_type_name == "option"
        else f"`{parameter.metavar}`": parameter
        for parameter in command.params
    }


def section(command: str) -> dict[str, tuple[str, str]]:
    """Return default and meaning by option, from a command's section of the page."""
    text = CLI.read_text(encoding="utf-8").split(f"\n## {command}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \| (.*?) ?\| (.+) \|$", text, re.MULTILINE)
    return {option: (default, meaning) for option, default, meaning in rows}


def test_every_command_has_a_section_and_no_other() -> None:
    headings = re.findall(r"^## (.+)$", CLI.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(headings) == sorted(WALKED)


def test_commands_stand_in_one_order_in_help_and_on_the_page() -> None:
    """That of `equipoise.options.PANELS`, where each command is named once."""
    group: Any = typer.main.get_command(app)
    listed = group.list_commands(None)
    headings = re.findall(r"^## ([\w-]+)", CLI.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == [name for panel in PANELS.values() for name in panel] == list(dict.fromkeys(headings))
    assert sorted(listed) == sorted(group.commands)


@pytest.mark.parametrize("name", WALKED)
def test_help_names_what_options_take(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In words of the trade, not in types of Python; nothing is lost to Markdown."""
    assert run(app, [*name.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert not re.search(r"--[a-z-]+.*<(str|int|bool|float|path)>", text), text
    assert "//" not in text


@pytest.mark.parametrize("name", WALKED)
def test_every_option_is_documented_and_no_other(name: str) -> None:
    documented, real = section(name), parameters(WALKED[name])
    assert sorted(documented) == sorted(real)
    for option, parameter in real.items():
        told = documented[option][0]
        assert parameter.help, option
        if parameter.default not in (None, False, "", ()):
            value = getattr(parameter.default, "value", parameter.default)
            assert told == f"`{value}`", option
        elif isinstance(parameter.show_default, str):
            assert told == parameter.show_default, option
        else:
            assert told == "", option


def test_the_tables_of_questions_are_those_of_their_functions() -> None:
    """`python -m studies.option_tables` writes them."""
    page = CLI.read_text(encoding="utf-8")
    assert written(page) == page
    assert table_of(WALKED["sensitivity"]) in page
    assert written(page.replace("switches and tables to try", "what to try")) == page


def test_options_before_a_command_are_documented() -> None:
    text = CLI.read_text(encoding="utf-8").split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(--[\w-]+)` \|", text, re.MULTILINE)) == sorted(
        name for parameter in typer.main.get_command(app).params for name in parameter.opts
    )


@pytest.mark.parametrize("name", [name for name, command in WALKED.items() if command.epilog])
def test_examples_in_help_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mygame.py").write_text(NIM, encoding="utf-8")
    lines = re.findall(r"`equipoise ([^`>]+)", WALKED[name].epilog)
    assert lines
    for line in lines:
        own, words = name.split(), shlex.split(line, comments=True)
        assert words[: len(own)] == own
        WALKED[name].make_context(name, words[len(own) :])
