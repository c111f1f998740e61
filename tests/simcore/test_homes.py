"""Games that installed packages offer; `tests/docs` installs a whole one."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from simcore import homes
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import GAMES, home, known_games

Offer = Callable[[str, str, str], None]


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Return a function that makes a package with this text and offers it as a game."""
    offered: list[EntryPoint] = []
    monkeypatch.setattr(homes, "offered", lambda group: offered)
    monkeypatch.setattr(homes, "_REMEMBERED", {})
    monkeypatch.syspath_prepend(tmp_path)

    def make(game: str, package: str, text: str) -> None:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(text, encoding="utf-8")
        offered.append(EntryPoint(game, package, homes.ENTRY_POINTS))

    return make


def test_the_games_of_this_tree_come_first(offer: Offer) -> None:
    offer("zebra", "zebra_game", "")
    offer("abacus", "abacus_game", "")
    assert known_games() == (*GAMES, "abacus", "zebra")


def test_an_installed_game_lives_in_its_package(offer: Offer, tmp_path: Path) -> None:
    offer("zebra-race", "zebra_home", "")
    found = home("zebra-race")
    assert (found.package, found.declarations, found.report) == (
        "zebra_home",
        "zebra_home.analysis",
        "zebra_home.report",
    )
    assert str(found.configs) == str(tmp_path / "zebra_home" / "configs")


def test_nobody_replaces_a_game_of_this_tree(offer: Offer) -> None:
    offer(GAMES[0], "impostor", "")
    assert known_games() == GAMES
    assert home(GAMES[0]).package == "simcore"
    assert load_game(GAMES[0]).name == GAMES[0]


@pytest.mark.parametrize(
    ("game", "package", "text", "message"),
    [
        ("broken", "broken_game", "import no_such_module", "fails on import: ModuleNotFoundError: No module named"),
        ("crash", "crash_game", "1 / 0", "fails on import: ZeroDivisionError"),
        ("empty", "empty_game", "", "empty_game.GAME is not a game of that name"),
        ("odd", "odd_game", "GAME = 1", "odd_game.GAME is not a game of that name"),
        (
            "other",
            "other_game",
            "from simcore.games.middle_ages import GAME",
            "other_game.GAME is not a game of that name",
        ),
    ],
)
def test_what_is_no_game_is_named(offer: Offer, game: str, package: str, text: str, message: str) -> None:
    offer(game, package, text)
    with pytest.raises(UsageError, match=r"^game: ") as caught:
        load_game(game)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_an_unknown_game_is_named_with_its_nearest(offer: Offer) -> None:
    offer("pig", "pig_game", "")
    with pytest.raises(UsageError, match="no game 'pigg'; did you mean 'pig'"):
        load_game("pigg")


def test_a_package_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ghost = EntryPoint("ghost", "no_such_package", "equipoise.games")
    monkeypatch.setattr(homes, "offered", lambda group: [ghost])
    with pytest.raises(UsageError, match=r"^game: ghost .* fails on import: ModuleNotFoundError"):
        load_game("ghost")


def test_a_package_that_comes_while_the_program_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert "late" not in known_games()
    installed = tmp_path / "late_game-1.0.dist-info"
    installed.mkdir()
    assert "late" not in known_games(), "it is still being written"
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: late-game\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(f"[{homes.ENTRY_POINTS}]\nlate = late_game\n")
    assert "late" in known_games()
    for file in installed.iterdir():
        file.unlink()
    installed.rmdir()
    assert "late" not in known_games()


def test_a_folder_that_is_gone_has_no_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend("")
    folder.rmdir()
    assert set(GAMES) <= set(known_games())
