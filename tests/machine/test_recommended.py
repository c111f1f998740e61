"""Every command that a page recommends can be given, whatever a game has: weights, levers, moves to forbid, or none."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcore import homes
from simcore.game import load_game
from tests.brief import learn_briefly, tune_briefly
from tests.equipoise.conftest import Cli
from tests.toy import ROOT, TOY

STEP = re.compile(r"^\d+\. .*`equipoise ([^`]+)`$", re.MULTILINE)
FEW = {"--games": "1000", "--budget": "1"}
PAGES = {"report", "compare", "sensitivity", "skill", "mend", "restrict", "luck", "cards", "tournament", "sweep"}
"""Commands that write pages; they put them, and the rules of `mend`, into folders of their own."""

BRIEF = {
    "report": ["--quick", "--games=2000"],
    "tune": ["--force"],
    "learn": ["--games=200", "--budget=1"],
    "mend": ["--rounds=1", "--best=1", "--habit"],
    "compare": ["--habit"],
    "skill": ["--searched=8"],
}
"""What commands need that a number of games does not make short."""

PATIENT = {"mend", "sweep", "sensitivity", "simulate"}
"""Commands that ask before they take long, as everything does on a busy machine."""


@pytest.fixture
def play(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> Cli:
    """Run commands in an empty folder, as if each had a process of its own."""
    tune_briefly(monkeypatch.setattr)
    learn_briefly(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> object:
        monkeypatch.setattr(homes, "_REMEMBERED", {})
        load_game.cache_clear()
        return cli(*arguments)

    return call


def short(command: str) -> list[str]:
    """Return a recommended command that plays few games and writes Markdown."""
    words = shlex.split(command)
    few = FEW | ({"--games": "100"} if "search" in words else {})
    words = [few.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    words += [] if words[0] in ("report", "tune", "learn") else [f"--games={few['--games']}"]
    words += ["--format=md"] if words[0] in PAGES else []
    words += ["--yes"] if words[0] in PATIENT else []
    return words + BRIEF.get(words[0], [])


def steps(folder: Path) -> Iterator[str]:
    for page in folder.rglob("*.md"):
        yield from STEP.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("game", "change"), [("kuhn", "bet=2"), (TOY, "walls=6"), ("./nim.py", "heaps=4"), ("medievallons", "hand_size=7")]
)
def test_what_a_page_recommends_can_be_given(game: str, change: str, play: Cli, tmp_path: Path) -> None:
    if game.startswith("./"):
        assert play("new-game", "nim", "--plain").code == 0
    for first in ("report", f"compare base --set {change}", "tournament", "luck"):
        said = play(*short(f"{first} --game {game}"))
        assert said.code == 0, said.err
    asked: set[str] = set()
    for _ in range(2):
        for command in sorted(set(steps(tmp_path)) - asked):
            said = play(*short(command))
            assert said.code in (0, 1 if command.startswith("check") else 0), f"{command}: {said.err}"
            asked.add(command)
    assert "report" in {command.split()[0] for command in asked}


def test_footers_can_be_given_in_an_installation_without_a_checkout(tmp_path: Path) -> None:
    """As pip leaves it: the packages with their pages, and nothing beside them."""
    site, here = tmp_path / "site", tmp_path / "here"
    here.mkdir()
    for room in ("analysis", "configs", "equipoise", "reports", "simcore", "strategies"):
        shutil.copytree(ROOT / room, site / room, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(site)}
    for line in ("docs glossary", "docs whom-to-believe", "help all", "help mend", "rules keys"):
        command = [sys.executable, "-m", "equipoise", *line.split()]
        made = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
        assert made.returncode == 0 and "checkout" not in made.stdout, f"{line}: {made.stderr}"
        assert not list(here.iterdir())
