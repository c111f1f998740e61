"""`equipoise replay` as a page, and the games that it finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.equipoise.conftest import Cli
from tests.nim import Written, forgotten, nim  # noqa: F401

RANDOM = ("--strategies", "random")
Refused = Callable[..., str]


@pytest.fixture(autouse=True)
def launched(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages that were opened in a browser."""
    pages: list[str] = []
    monkeypatch.setattr("typer.launch", pages.append)
    return pages


@pytest.fixture
def run(cli: Cli) -> Path:
    assert cli("simulate", *RANDOM, "--games", 40, "--players", 3, "--out", "run", "--quiet").code == 0
    return Path("run")


def test_a_page_goes_where_the_user_says(cli: Cli, run: Path, launched: list[str], refused: Refused) -> None:
    said = cli("replay", run, "--index", 12, "--format", "html", "--out", "game.html")
    assert (said.code, said.out, launched) == (0, "game.html\n", [])
    text = Path("game.html").read_text(encoding="utf-8")
    assert "Game 12 of Middle-Ages" in text
    assert "equipoise replay run --index 12 --format html --out game.html" in text
    again = ("replay", run, "--index", 13, "--format", "html", "--out", "game.html")
    assert "game.html exists" in refused(*again, left=("game.html", "run"))
    assert cli(*again, "--force", "--lang", "fr").code == 0
    assert "Partie 13 de Middle-Ages" in Path("game.html").read_text(encoding="utf-8")


def test_open_writes_into_the_run_and_shows_it(cli: Cli, run: Path, launched: list[str]) -> None:
    page = run / "game-5.html"
    for _ in range(2):  # the same page again is no question
        assert cli("replay", run, "--index", 5, "--open").out == f"{page}\n"
    assert launched == [str(page.resolve())] * 2
    assert cli("replay", run, "--index", 5, "--format", "html", "--no-open").code == 0
    assert len(launched) == 2


def test_without_a_run_it_goes_into_a_folder_of_its_own(cli: Cli, launched: list[str]) -> None:
    assert cli("replay", *RANDOM, "--open").out == f"{Path('runs/middle-ages-replay-1/game-0.html')}\n"
    assert cli("replay", *RANDOM, "--open").out == f"{Path('runs/middle-ages-replay-2/game-0.html')}\n"
    assert len(launched) == 2


def test_what_is_not_ours_is_not_replaced(run: Path, refused: Refused) -> None:
    (run / "game-5.html").write_text("mine")
    said = refused("replay", run, "--index", 5, "--open", left=("run",))
    assert "no command of this kind wrote" in said
    assert (run / "game-5.html").read_text() == "mine"


def test_found_games_are_named_and_shown(cli: Cli, run: Path) -> None:
    said = cli("replay", run, "--find", "seat-3")
    index = int(said.err.split()[1])
    assert f"Game {index} of 40 games, where seat 3 wins 100%." in said.err
    assert said.out == cli("replay", run, "--index", index).out
    said = cli("replay", run, "--find", "closest", "--format", "html", "--out", "close.html")
    assert (said.code, said.out) == (0, "close.html\n")
    assert said.err.strip().splitlines()[-1] in Path("close.html").read_text(encoding="utf-8")


def test_fewer_games_of_players_who_look_ahead(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equipoise.commands.replay.SLOWLY", 2)
    said = cli("replay", "--players", 2, "--skill", "search", "--find", "closest")
    assert "the closest of 2 games" in said.err
    said = cli("replay", "--players", 2, "--skill", "search", "--find", "closest", "--games", 3)
    assert "the closest of 3 games" in said.err


def test_games_are_found_without_a_run(cli: Cli, run: Path) -> None:
    """The same games, and the same answer."""
    for what in ("closest", "comeback"):
        inside = cli("replay", run, "--find", what)
        outside = cli("replay", *RANDOM, "--players", 3, "--games", 40, "--find", what)
        assert inside.err.splitlines()[-1] == outside.err.splitlines()[-1]
        assert inside.out == outside.out
    assert "of 1,000 games" in cli("replay", *RANDOM, "--find", "closest").err


def test_a_game_in_plain_python(cli: Cli, nim: Written) -> None:  # noqa: F811
    said = cli("replay", "--game", nim(), "--find", "longest", "--games", 50, "--format", "html", "--out", "nim.html")
    assert said.code == 0 and "the longest of 50 games" in said.err
    assert "Move 2" in Path("nim.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("--find closest --index 3", "--find: it chooses one game; leave out --index"),
        ("--find closest --count 3", "--find: it chooses one game; leave out --count"),
        ("--find closets", "--find: 'closets'; did you mean 'closest'?"),
        ("--find seat-5", "--find: seat-5: the table has seats 1 to 4"),
        ("--find longest", "--find: every game of Middle-Ages lasts 16 rounds"),
        ("--find seat-4 --games 1", "--find: seat 4 wins none of the 1 games; look among more games, or for another"),
        ("--games 30", "--games: it says what --find chooses from; leave it out, or add --find"),
        ("--find closest --games 0", "--games: 0 is out of range"),
        ("--open --format jsonl", "--open: a browser shows a page, and no jsonl; leave out --format"),
        ("--open --format text", "--open: a browser shows a page, and no text; leave out --format"),
        ("--open --count 2", "--count: a page shows one game; leave it out, or choose another format"),
        ("--format html --out game.txt", "--out: game.txt is a page; let its name end in .html"),
        ("--format html --lang de", "--lang"),
    ],
)
def test_bad_input_is_one_line(refused: Refused, arguments: str, says: str) -> None:
    assert says in refused("replay", *RANDOM, *arguments.split())


def test_a_run_says_how_many_games_it_has(run: Path, refused: Refused) -> None:
    said = refused("replay", run, "--find", "closest", "--games", 9, left=("run",))
    assert said.startswith("--games: the run run says what to play")
