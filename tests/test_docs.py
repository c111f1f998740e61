"""The README and the pages of docs: their commands run, and their links and names lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
import typer

from equipoise.cli import app, run
from tests.brief import tune_briefly
from tests.undrawn import leave_blank

ROOT = Path(__file__).resolve().parents[1]
README, COMMANDS = ROOT / "README.md", ROOT / "docs/reference/commands.md"
PAGES = sorted([README, ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
SHORTER = (
    (r"report --game (\S+) --games 1e5", r"report --game \1 --games 40 --deals 20 --quick"),
    (r"restrict --games 1e4", "restrict --games 200"),
    (r"--games 1e\d", "--games 1e3"),
    (r"bench --quick$", "bench --only speed --seconds 0.02 --players 2 --strategies random"),
    (r"--budget \w+", "--budget 1 --games 240"),
    (r"--retune \w+", "--retune 1"),
    (r"^(equipoise compare .*=\d)$", r"\1 --games 1e3 --retune 1"),
    (r"^(equipoise compare .* --habit)$", r"\1 --games 1e3"),
    (r"^(equipoise sweep .*)$", r"\1 --games 1e3"),
    (r"^(equipoise sensitivity).*$", r"\1 --games 1e3 --strategies greedy"),
    (r"^equipoise skill.*$", "equipoise skill --games 60 --searched 2 --players 2"),
    (r"^equipoise mend.*$", "equipoise mend --players 2 --games 200 --strategies greedy --rounds 1 --best 1"),
    (r"^(equipoise playtest .*)$", r"\1 --games 1e3 --strategies 'random|greedy'"),
    (r"check$", f"check {ROOT / 'configs/middle-ages/baselines/default.toml'}"),
)
"""What README commands are cut to, so that they are tried and not waited for."""


# --- the README, and links ---


def commands(text: str) -> list[list[str]]:
    """Return the words of the commands in sessions, but for those that are not of the toolkit."""
    typed = [
        line.removeprefix("$ ")
        for language, block in re.findall(r"^```(console|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.startswith("$ ") or language == "sh"
    ]
    words = [shlex.split(re.split(r" [>|] ", line)[0], comments=True) for line in typed]
    return [one for one in words if one[0] in ("simulate", "equipoise")]


def test_readme_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, and a line for each question, in order, in one folder."""
    monkeypatch.chdir(tmp_path)
    tune_briefly(monkeypatch.setattr)
    leave_blank(monkeypatch.setattr)
    lines = README.read_text(encoding="utf-8") + COMMANDS.read_text(encoding="utf-8").partition("\n## ")[0]
    for line in map(shlex.join, commands(lines)):
        for pattern, shorter in SHORTER:
            line = re.sub(pattern, shorter, line)
        words = shlex.split(line)
        arguments = words if words[0] == "simulate" else words[1:]
        assert run(app, arguments) == 0, (line, capsys.readouterr())
        assert capsys.readouterr().out, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_pages_have_the_options_of_the_program(page: Path) -> None:
    group: Any = typer.main.get_command(app)
    for words in commands(page.read_text(encoding="utf-8")):
        command, words = group, words if words[0] == "simulate" else words[1:]
        while hasattr(command, "commands") and words:
            assert words[0] in command.commands, words
            command, words = command.commands[words[0]], words[1:]
        context = typer.Context(command)
        options = {name: one for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}
        given = [word.partition("=")[0] for word in words if word.startswith("--")]
        assert set(given) <= {*options, "--help"}, words


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
