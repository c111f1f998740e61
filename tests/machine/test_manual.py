"""Commands of the README and the manual can be typed, and pages show what is printed.

`tests/test_docs.py` looks whether the program has their options; `tests/test_docs_sessions.py` plays short pages.
"""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from analysis.mend import search
from equipoise.cli import app, run
from equipoise.conformance import twins
from equipoise.lab import serving
from tests.brief import learn_briefly, report_briefly, tune_briefly
from tests.nim import forgotten  # noqa: F401  a fixture
from tests.test_docs import DOCS, README, sessions
from tests.test_docs_sessions import PAGES, show
from tests.undrawn import leave_blank

COMMANDS = DOCS / "reference/commands.md"

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


SHOWN = ("cards", "tutorial")

TYPED = [
    page
    for page in (README, COMMANDS, *sorted(DOCS.glob("*.md")))
    if list(sessions(page.read_text(encoding="utf-8"))) and page.stem not in (*PAGES, *SHOWN)
]
"""README, the manual and the questions of the reference; pages that show what is printed are played below."""


@pytest.mark.parametrize("page", TYPED, ids=lambda page: page.stem)
def test_every_command_runs(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    forgotten: None,  # noqa: F811
) -> None:
    """In order, in an empty folder, with few games; of the reference, its first part."""
    monkeypatch.chdir(tmp_path)
    tune_briefly(monkeypatch.setattr)
    learn_briefly(monkeypatch.setattr)
    report_briefly(monkeypatch.setattr)
    leave_blank(monkeypatch.setattr)
    monkeypatch.setattr(search, "SECONDS", 0.2)
    monkeypatch.setattr(twins, "GAMES", 300)
    monkeypatch.setattr(serving, "serve", lambda session, listener, is_open, tell: tell("here"))
    text = page.read_text(encoding="utf-8").partition("\n## " if page == COMMANDS else "\0")[0]
    shutil.copy(DOCS / "example-club.csv", tmp_path)
    (tmp_path / "docs").mkdir()
    for card in ("example-card.toml", "example-fief-card.toml"):
        shutil.copy(DOCS / card, tmp_path / "docs")
    shutil.copy(DOCS / "example-games.csv", tmp_path / "games.csv")
    for toml in re.findall(r"^```toml\n(game = .*?)^```$", text, re.MULTILINE | re.DOTALL):
        (tmp_path / "experiment.toml").write_text(toml.replace("100000", "240"), encoding="utf-8")
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
                (tmp_path / file).write_text(out, encoding="utf-8")
    assert all(one in said for one in SAYS.get(page.stem, ()))


@pytest.mark.parametrize("name", SHOWN)
def test_pages_show_what_is_printed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    show(name, tmp_path, monkeypatch)
