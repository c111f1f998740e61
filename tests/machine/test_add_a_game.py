"""docs/reference/add-a-game.md, to the letter: its files, its commands, the checks of conformance, its exact answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from simcore.kernel.compilation import COMPILED
from tests.in_turn import in_turn
from tests.toy import leave_installed

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/reference/add-a-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = "pip install -e ."


def commands() -> list[str]:
    """Return what the page has its reader type, in order."""
    return [line.removeprefix("$ ") for block in CONSOLE.findall(GUIDE) for line in block.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of the page, and what pip would write to make Python find them: no network is needed."""
    top = tmp_path_factory.mktemp("pig-game")
    for name, text in FILE.findall(GUIDE):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    leave_installed(top)
    return top


def run(folder: Path, *arguments: str, where: Path | None = None, **environment: str) -> str:
    """Run Python where both packages are found, and return what it prints."""
    path = os.pathsep.join(filter(None, [str(ROOT), str(folder), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=where or folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_commands_of_the_page_run(folder: Path) -> None:
    typed = commands()
    assert typed[0] == INSTALL
    said = in_turn([re.sub(r"--games 1e\d", "--games 1e3", command) for command in typed[1:]], folder, folder)
    assert [one for one in said.values() if one.code] == []
    (conformance,) = [one.out for command, one in said.items() if command.startswith("equipoise test-game")]
    assert re.search(r"^\d+ passed", conformance, re.MULTILINE)
    (replayed,) = [one.out for command, one in said.items() if command.startswith("equipoise replay")]
    assert replayed.startswith("Pig, 2 players")
    assert (folder / "pig-report" / "report.html").is_file()


REPORT = """
from reports.study.chapters import Chapter, GameReport
from reports.page import Remark, Section

def turns(study):
    return Section("turns", study.words("section.turns"), blocks=(Remark(study.words("turns.said", score=100)),))

REPORT = GameReport((Chapter("turns", turns, after="seats"),))
"""
DECLARATIONS = """
import numpy as np
from analysis.data.declarations import Breakdown, Declarations

def reached(columns, rules):
    score = columns["points"]
    return (score >= rules.target)[:, :, None].sum(axis=1, keepdims=True)[:, 0], np.ones((len(score), 1, 1))

DECLARATIONS = Declarations(
    breakdowns=(Breakdown("targets", "endings", ("reached",), ("game",), ("points",), reached, "number"),)
)
"""
ENGLISH = """
[names]
endings = "How games of Pig end"
targets = "Players who reach the target"
"targets.caption" = "In each game."
[phrases]
"section.turns" = "Turns of Pig"
"turns.said" = "The target is {score:,}."
"""
FRENCH = """
[names]
endings = "La fin des parties de Pig"
[phrases]
"section.turns" = "Les tours de Pig"
"turns.said" = "Il faut {score:,} points."
"""


def test_an_installed_game_brings_its_own_declarations_sections_and_words(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    files = {"report.py": REPORT, "analysis.py": DECLARATIONS}
    files |= {"configs/words/en.toml": ENGLISH, "configs/words/fr.toml": FRENCH}
    for name, text in files.items():
        (tmp_path / "pig" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "pig" / name).write_text(text, encoding="utf-8")
    played = "simulate --game pig --games 400 --out run --quiet"
    reports = [f"equipoise report run --lang {lang} --format md --out {lang}.md" for lang in ("en", "fr")]
    done = in_turn([played, *reports], tmp_path, tmp_path)
    assert [one for one in done.values() if one.code] == []
    for lang, turns, said, endings in (
        ("en", "Turns of Pig", "The target is 100.", "How games of Pig end"),
        ("fr", "Les tours de Pig", "Il faut 100 points.", "La fin des parties de Pig"),
    ):
        page = (tmp_path / f"{lang}.md").read_text(encoding="utf-8")
        headings = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
        assert headings.index(turns) == headings.index("Seats" if lang == "en" else "Sièges") + 1
        assert said in page
        assert endings in headings
        assert "Players who reach the target" in page, "French falls back on English"


def test_pig_takes_240_lines_in_all() -> None:
    assert sum(text.count("\n") for _, text in FILE.findall(GUIDE)) <= 240


def test_the_table_names_the_files_of_the_page() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", GUIDE.split("## The package")[0], re.MULTILINE)
    shown = {name.removeprefix("pig/") for name, _ in FILE.findall(GUIDE)}
    assert {name.replace("*", "random") for name in listed} <= shown
    assert {re.sub(r"strategies/\w+\.", "strategies/*.", name) for name in shown} == set(listed)


# --- the exact answer ---


def gains(points: int, target: int = 100, hold: int = 20, faces: int = 6) -> dict[int, float]:
    """Return the chances of what a turn brings a player who holds from `hold` points on, 0 for a 1."""
    reached, found = defaultdict(float, {0: 1.0}), defaultdict(float)
    for total in range(hold + faces):
        if total >= hold or (total and points + total >= target):
            found[total] += reached[total]
            continue
        found[0] += reached[total] / faces
        for face in range(2, faces + 1):
            reached[total + face] += reached[total] / faces
    return found


def first_player_wins(target: int = 100) -> float:
    """Return the chance of the player who begins, both holding at 20, by solving the game backwards."""
    turn = [gains(points, target) for points in range(target)]
    wins: dict[tuple[int, int], float] = {}  # of the player to move, by own points and the other's

    def scored(own: int, other: int) -> float:
        """Chance to win by a turn that brings something."""
        after = ((gain, chance) for gain, chance in turn[own].items() if gain)
        return sum(c * (1.0 if own + gain >= target else 1 - wins[other, own + gain]) for gain, c in after)

    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), min(target - 1, total) + 1):
            other = total - own
            mine, theirs = scored(own, other), scored(other, own)
            lost, given = turn[own][0], turn[other][0]
            # win = mine + lost (1 - reply), reply = theirs + given (1 - win)
            wins[own, other] = (mine + lost * (1 - theirs - given)) / (1 - lost * given)
    return wins[0, 0]


PLAY = """
import sys, numba
numba.__version__ = sys.argv[1] or numba.__version__
from simcore.running.batch import run_chunk
from simcore.running.accumulator import Digest
from strategies.spec import make_spec
games, few = map(int, sys.argv[2:])
rows = run_chunk(make_spec("pig", 2, ["hold20"], seed=3), 0, games)
digest = Digest()
digest.add(rows[: 2 * few], 0)
print((rows["share60"][::2] == 60).sum(), digest.hexdigest(), "simcore.kernel.parts" in sys.modules)
"""
MANY, FEW = 100_000, 20


@pytest.fixture(scope="module")
def played(folder: Path) -> list[str]:
    """Return how many of many games the first player won, the digest of the first few, and how it was compiled."""
    return run(folder, "-c", PLAY, "", str(MANY), str(FEW)).split()


def test_both_holding_at_20_the_first_player_wins_5347(played: list[str]) -> None:
    exact = first_player_wins()
    assert round(exact, 4) == 0.5347  # as published for hold at 20
    error = (exact * (1 - exact) / MANY) ** 0.5
    assert abs(int(played[0]) / MANY - exact) < 4 * error


def test_plain_python_plays_the_same_games(folder: Path, played: list[str]) -> None:
    plain = run(folder, "-c", PLAY, "", str(FEW), str(FEW), NUMBA_DISABLE_JIT="1").split()
    assert plain[1] == played[1]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_an_unknown_version_of_numba_compiles_in_its_own_way_and_comes_to_the_same_games(
    folder: Path, tmp_path: Path, played: list[str]
) -> None:
    own = {"NUMBA_OPT": "0", "EQUIPOISE_CACHE_DIR": str(tmp_path)}
    unknown = run(folder, "-c", PLAY, "99.0.0", str(FEW), str(FEW), **own).split()
    assert (played[2], unknown[2]) == ("True", "False")
    assert unknown[1] == played[1]
    assert len(list(tmp_path.rglob("*.nbc"))) >= 3


def test_redraw_as_on_the_page_keeps_what_a_seat_knows_and_nothing_else(tmp_path: Path) -> None:
    (example,) = [block for block in PYTHON.findall(GUIDE) if "def redraw" in block]
    (tmp_path / "dealt.py").write_text(example + DEALT, encoding="utf-8")
    run(tmp_path, "dealt.py", NUMBA_DISABLE_JIT="1")


DEALT = """
from types import SimpleNamespace

from simcore.components.deck import add_cards
from simcore.components.hand import add_card
from simcore.kernel.records import blank
from simcore.kernel.streams import begin

def imagined(order):
    # Seat 1 holds the first three cards, the others hold the next six in some order.
    state = blank(TABLE)
    begin(state.rng, 1, 0)
    for place, kind in enumerate([0, 1, 2, *order]):
        add_card(state.hands[[1, 1, 1, 0, 0, 2, 2, 2, 2][place]], kind)
    for kind in range(10):
        add_cards(state.deck, kind, 2)
    redraw(SimpleNamespace(players=3), state, 1)
    return state

one, other = imagined([3, 4, 5, 6, 7, 8]), imagined([8, 7, 6, 5, 4, 3])
assert one.hands.tobytes() == other.hands.tobytes() and one.deck.tobytes() == other.deck.tobytes()
assert one.hands["of"][1].tolist() == [1, 1, 1] + 7 * [0]
assert one.hands["cards"].tolist() == [2, 3, 4, 0, 0, 0]
assert one.hands["of"][0].tolist() != [0, 0, 0, 1, 1] + 5 * [0]
assert int(one.deck.left) == 20 and not one.held.any()
"""


def test_the_text_of_a_replay_as_on_the_page() -> None:
    (example,) = [block for block in PYTHON.findall(GUIDE) if "def narrate" in block]
    found: dict[str, Any] = {}
    exec(example, found)
    records = [{"kind": "turn", "seat": 2, "points": 7}, {"kind": "end"}]
    lines = list(found["narrate"]({"game_id": 3, "seed": 1}, records))
    assert lines == ["Pig: game 3 of seed 1", "Seat 2 has 7 points"]
