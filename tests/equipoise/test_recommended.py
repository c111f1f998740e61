"""What pages, refusals and footers recommend runs, also for a game without decisions and for an imported table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.cli import program
from simcore import homes
from simcore.game import load_game
from tests.analysis.data.test_sameness import DICE, game
from tests.equipoise.conftest import Cli
from tests.machine.test_recommended import short, steps

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-games.csv"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, as in a process of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(homes, "_REMEMBERED", {})
    load_game.cache_clear()
    return tmp_path


def run_all(cli: Cli, folder: Path) -> set[str]:
    """Run every step of the pages in a folder with few games, and return the names of their commands."""
    asked = set(steps(folder))
    for command in sorted(asked):
        said = cli(*short(command)) if "--results" not in command else cli(*command.split())
        assert said.code in (0, 1 if command.startswith("check") else 0), f"{command}: {said.err}"
    return {command.split()[0] for command in asked}


def test_a_game_without_decisions_is_not_tuned(cli: Cli, here: Path) -> None:
    (here / game(here, DICE, "(1,)")).rename("dice.py")
    line = "report --game ./dice.py --quick --games 200 --deals 50 --format md --out page"
    assert cli(*line.split()).code == 0
    assert run_all(cli, here) == {"report", "simulate"}


def test_an_imported_table_can_be_guarded(cli: Cli, here: Path) -> None:
    assert cli("report", EXAMPLE, "--format", "md", "--out", "page.html").code == 0
    assert run_all(cli, here) == {"check"}


@pytest.mark.parametrize(
    "line",
    [
        "my/games.csv --log=my/one.jsonl --teams=12/34 --decimal=comma",
        "--log=my/one.jsonl",
        "--plan 12 --groups 3",
    ],
)
def test_what_asks_players_who_look_ahead_about_real_games_can_be_given(cli: Cli, here: Path, line: str) -> None:
    (here / "my").mkdir()
    rows = [f'{game},{seat},"{seat},5",{int(seat > 2)}' for game in range(8) for seat in (1, 2, 3, 4)]
    (here / "my/games.csv").write_text("\n".join(["game,seat,score,winner", *rows]))
    (here / "my/one.jsonl").write_text(eq.replay(eq.make_spec(players=4, strategies="random", games=10), 5).jsonl())
    said = cli(
        "playtest", *line.split(), "--strategies", "random|greedy", "--games", 200, "--format", "md", "--out", "page"
    )
    assert said.code == 0, said.err
    (command,) = re.findall("look ahead [^`]*`equipoise ([^`]+)`", (here / "page/playtest.md").read_text())
    assert command.startswith(f"playtest {line} --game middle-ages ")
    said = cli(*short(command), "--format", "none")
    assert said.code == 0, said.err
    assert "To ask players who look ahead" not in said.out


def test_what_footers_print_can_be_given(cli: Cli, here: Path) -> None:
    footers = re.findall("`equipoise ([^`]+)`", str(program().info.epilog).replace("COMMAND", "mend"))
    for listing in ("games", "rules list", "rules list --game fief-2"):
        footers += re.findall(r"equipoise ([^,\n]+)", cli(*listing.split()).out)
    assert len(footers) >= 6
    for line in footers:
        assert cli(*line.split()).code == 0, line
