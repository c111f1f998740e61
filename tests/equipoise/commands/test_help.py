"""`equipoise help`: what a designer needs first, all commands on request, and the help of one command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.options import FIRST, OTHERS, PANELS, panel_of
from tests.equipoise.conftest import Cli

ALL = [name for names in PANELS.values() for name in names]


def listed(text: str) -> list[str]:
    """Return the commands that a help lists."""
    words = [line.removeprefix("\u2502 ").split(" ")[0] for line in text.splitlines() if line.startswith("\u2502 ")]
    return [word for word in words if word in ALL]


@pytest.mark.parametrize("line", [(), ("--help",)])
def test_general_help_lists_what_a_designer_needs_first(cli: Cli, line: tuple[str, ...]) -> None:
    said = cli(*line)
    assert said.code == 0 and listed(said.out) == list(FIRST) == [name for name in ALL if name in FIRST]
    assert len(FIRST) <= len(ALL) / 2
    assert "equipoise help all lists all commands" in said.out


def test_what_the_readme_shows_is_listed_first() -> None:
    readme = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
    sold = set(re.findall(r"equipoise ([\w-]+)", readme)) & set(ALL) - {"docs"}
    assert len(sold) > 5
    assert {*sold, "check", "skill", "strategies"} <= set(FIRST)


@pytest.mark.parametrize("line", [("help",), ("help", "all")])
def test_all_commands_are_listed_by_heading(cli: Cli, line: tuple[str, ...]) -> None:
    said = cli(*line)
    assert said.code == 0 and listed(said.out) == ALL
    assert all(panel in said.out for panel in PANELS)
    assert listed(cli("--help").out) == list(FIRST), "the next help is short again"


def test_one_command_is_explained(cli: Cli) -> None:
    assert cli("help", "mend").out == cli("mend", "--help").out
    assert cli("help", "rules", "keys").out == cli("rules", "keys", "--help").out
    assert "keys" in cli("help", "rules").out


def test_an_unknown_command_is_one_line(refused: Callable[..., str]) -> None:
    assert refused("help", "mendd") == "COMMAND: no command 'mendd'; did you mean 'mend'?"


def test_a_command_that_nobody_put_under_a_heading_has_one() -> None:
    assert panel_of("brand-new") == OTHERS
    assert panel_of("mend") == "Change the rules"
