"""A game in plain Python that an installed package offers is named as any other game is."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import equipoise as eq
from simcore.doors.installed import digest_of
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import known_games
from tests.equipoise.conftest import Cli
from tests.nim import NIM, forgotten  # noqa: F401  a fixture

Installed = Callable[..., Path]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Iterator[Installed]:  # noqa: F811
    """Return a function that writes a module, with texts replaced, and what pip leaves beside it; return its path."""
    folder, beside = tmp_path / "site", tmp_path / "site/nim_game-1.0.dist-info"
    beside.mkdir(parents=True)
    (beside / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-game\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(tmp_path)

    def install(names: str = "nim_game:Nim", old: str = "", new: str = "") -> Path:
        (beside / "entry_points.txt").write_text(f"[equipoise.games]\nnim = {names}\n")
        (folder / "nim_game.py").write_text(NIM.replace(old, new) if old else NIM)
        sys.modules.pop("nim_game", None)
        importlib.invalidate_caches()
        return folder / "nim_game.py"

    yield install
    sys.modules.pop("nim_game", None)


def test_an_installed_class_is_a_game_like_any_other(installed: Installed) -> None:
    installed()
    assert "nim" in known_games()
    game = load_game("nim")
    assert (game.name, game.title, game.reference, list(game.players)) == ("nim", "Nim", "nim", [2, 3, 4])
    assert eq.simulate("nim", games=20, out="run").run.manifest.declared.file == "nim"


def test_its_runs_are_played_again_without_naming_it(
    installed: Installed, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed()
    assert cli("simulate", "--game", "nim", "--games", "40", "--out", "run").code == 0
    load_game.cache_clear()
    monkeypatch.setattr("simcore.homes._REMEMBERED", {})
    assert cli("verify", "run").code == 0
    assert "seat 1" in cli("replay", "run", "--index", "3").out.lower()


def test_other_processes_play_the_same_games(installed: Installed) -> None:
    installed()
    play = load_game("nim").play_batch
    here = eq.simulate("nim", games=30, out="here").run.manifest.digest
    play.elsewhere = True
    assert eq.simulate("nim", games=30, out="there").run.manifest.digest == here


def test_runs_of_another_version_are_read_and_not_played(
    installed: Installed, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed()
    assert cli("simulate", "--game", "nim", "--games", "40", "--out", "run").code == 0
    before = digest_of("nim")
    installed("nim_game:Nim", "largest: int = 7", "largest: int = 6")
    assert digest_of("nim") != before
    load_game.cache_clear()
    monkeypatch.setattr("simcore.homes._REMEMBERED", {})
    assert cli("export", "run", "--out", "rows.csv").code == 0
    said = cli("verify", "run")
    assert said.code == 2 and said.err.count("\n") == 1
    trusted = cli("verify", "run", "--trust")
    assert (trusted.code, "is not the version that the games were played with" in trusted.err) == (2, True)


@pytest.mark.parametrize(
    ("names", "old", "new", "message"),
    [
        ("nim_game:Nimm", "", "", "nim_game"),
        ("nim_game:int", "import equipoise as eq", "import equipoise as eq\nint = int",
         "nim: nim_game:int is not derived from equipoise.PlainGame"),
        ("nim_game:Nim", "    players =", "    name = 'other'\n    players =", "nim: the class is called 'other'"),
        ("nim_game:Nim", "import equipoise as eq", "import no_such_module", "nim (module nim_game) fails on import"),
    ],
)  # fmt: skip
def test_what_is_no_game_is_named(installed: Installed, names: str, old: str, new: str, message: str) -> None:
    installed(names, old, new)
    with pytest.raises(UsageError, match=r"^game: ") as caught:
        load_game("nim")
    assert message in str(caught.value)


def test_the_manifest_keeps_no_path_of_the_package(installed: Installed) -> None:
    path = installed()
    eq.simulate("nim", games=20, out="run")
    assert json.loads(Path("run/manifest.json").read_text())["declared"]["file"] == "nim"
    assert str(path.parent) not in Path("run/manifest.json").read_text()
