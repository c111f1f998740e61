"""The README and the pages of docs: their commands run, and their links and names lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from pydoc import locate
from typing import Any

import pytest
import typer

from analysis.mend import search
from equipoise.cli import app, run
from equipoise.conformance import twins
from equipoise.lab import serving
from tests.brief import learn_briefly, report_briefly, tune_briefly
from tests.nim import forgotten  # noqa: F401  a fixture
from tests.test_docs_sessions import PAGES as SHOWN
from tests.undrawn import leave_blank

ROOT = Path(__file__).resolve().parents[1]
README, COMMANDS, DOCS = ROOT / "README.md", ROOT / "docs/reference/commands.md", ROOT / "docs"
PAGES = sorted([README, ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")])
SLOW = ("cards", "find-a-change", "whom-to-believe")
"""Pages of the manual whose commands `tests/machine` types."""

SHORTER = (
    (r"--players 2,3,4,5", "--players 2,3"),
    (r" --(games 1e[4-9]|(searched|budget|seconds) \S+)", ""),
    (r"--retune \w+", "--retune 1"),
    (r"^(equipoise (?:report --game|compare base|sweep --|sensitivity|skill|restrict|luck|tournament|learn|tune).*)$",
     r"\1 --games 240"),
    (r"^((?:equipoise )?simulate\b(?!.*--precision|.*--games).*|equipoise playtest .*)$", r"\1 --games 400"),
    (r"^(equipoise check .*(?:--update --game|--set).*)$", r"\1 --games 1e3"),
    (r"^(equipoise report --game .*) --games 240$", r"\1 --games 40 --deals 20 --quick"),
    (r"^(equipoise compare base (?!.*--habit).*)$", r"\1 --retune 1"),
    (r"^(equipoise (?:tune|learn).*)$", r"\1 --budget 1"),
    (r"^(equipoise skill.*)$", r"\1 --searched 12"),
    (r"^(equipoise mend(?: .*?)?)(?: --habit)?$", r"\1 --habit --rounds 1 --best 1 --games 100 --strategies random"),
    (r"^(equipoise playtest .*)$", r"\1 --strategies 'random|greedy'"),
    (r"^(.*seigneurial.*'random\|)greedy'$", r"\1lord=bailiff,tenant=payer'"),
    (r"bench --quick$", "bench --only speed --seconds 0.02 --players 2 --strategies random"),
    (r"test-game my-game", "test-game ./mygame.py"),
)  # fmt: skip
"""What commands are cut to, so that they are tried and not waited for."""

DOORS = {"openspiel:": "pyspiel", "pettingzoo:": "pettingzoo", "tictactoe_v3": "pygame", "rps_v2": "pygame"}
"""What a command needs that is not always installed."""

SAYS = {
    "bring-your-game": ("takes", "See for yourself once that the right player wins: equipoise replay --game ./nim.py")
}
"""What some commands of a page print."""

BEFORE = {
    "runs/new": ("simulate --games 300 --out runs/old", "simulate --games 300 --set shortfall=debt --out runs/new"),
    "./mygame.py": ("equipoise new-game mygame --plain",),
}
"""What somebody has already who types a command with such a name in it."""


# --- commands, and links ---


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


def type_every_command(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Type the commands of a page in order, in an empty folder, with few games; of the reference, its first part."""
    monkeypatch.chdir(folder)
    tune_briefly(monkeypatch.setattr)
    learn_briefly(monkeypatch.setattr)
    report_briefly(monkeypatch.setattr)
    leave_blank(monkeypatch.setattr)
    monkeypatch.setattr(search, "SECONDS", 0.2)
    monkeypatch.setattr(twins, "GAMES", 300)
    monkeypatch.setattr(serving, "serve", lambda session, listener, is_open, tell: tell("here"))
    text = page.read_text(encoding="utf-8").partition("\n## " if page == COMMANDS else "\0")[0]
    shutil.copy(DOCS / "example-club.csv", folder)
    (folder / "docs").mkdir()
    shutil.copy(DOCS / "example-card.toml", folder / "docs")
    shutil.copy(DOCS / "example-games.csv", folder / "games.csv")
    for toml in re.findall(r"^```toml\n(game = .*?)^```$", text, re.MULTILINE | re.DOTALL):
        (folder / "experiment.toml").write_text(toml.replace("100000", "240"), encoding="utf-8")
    said = ""
    for line in [*(line for name, before in BEFORE.items() if name in text for line in before), *sessions(text)]:
        if all(find_spec(module) for door, module in DOORS.items() if door in line):
            line, _, file = line.partition(" '>' ")
            for pattern, shorter in SHORTER:
                line = re.sub(pattern, shorter, line)
            words = shlex.split(line)
            code = run(app, words if words[0] == "simulate" else words[1:])
            out, err = capsys.readouterr()
            assert code in ((0, 1, 3) if "check" in words else (0,)) and out, (line, err)
            said += out
            if file:
                (folder / file).write_text(out, encoding="utf-8")
    assert all(one in said for one in SAYS.get(page.stem, ()))


TYPED = [
    page
    for page in (README, COMMANDS, *sorted(DOCS.glob("*.md")))
    if list(sessions(page.read_text(encoding="utf-8"))) and page.stem not in (*SLOW, *SHOWN)
]
"""README, the manual and the questions of the reference; of pages that show what is printed, `test_docs_sessions`."""


@pytest.mark.parametrize("page", TYPED, ids=lambda page: page.stem)
def test_every_command_runs(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    forgotten: None,  # noqa: F811
) -> None:
    type_every_command(page, tmp_path, monkeypatch, capsys)


def options_are_known(words: list[str]) -> None:
    """Stop at a command or an option that the program does not have."""
    command: Any = typer.main.get_command(app)
    asked, words = words, words if words[0] == "simulate" else words[1:]
    while hasattr(command, "commands") and words:
        assert words[0] in command.commands, asked
        command, words = command.commands[words[0]], words[1:]
    options = {name for one in command.get_params(typer.Context(command)) for name in (*one.opts, *one.secondary_opts)}
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
