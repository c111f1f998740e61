"""Commands on a game in plain Python: a new one is written, played, reported, compared and exported."""

from __future__ import annotations

import hashlib
import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

import equipoise as eq
from analysis.runs.manifest import Manifest, signed
from simcore import homes
from simcore.game import load_game
from simcore.running.batch import run_chunk
from tests.equipoise.conftest import Cli
from tests.nim import NIM, forget_files
from tests.waiting import until


@pytest.fixture
def nim(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Write `nim.py`, and run commands as if each had a process of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> object:
        monkeypatch.setattr(homes, "_REMEMBERED", {})
        load_game.cache_clear()
        forget_files()
        return cli(*arguments)

    assert call("new-game", "nim", "--plain").code == 0
    return call


def test_a_run_needs_code_to_be_played_and_none_to_be_read(nim: Cli, tmp_path: Path) -> None:
    assert nim("simulate", "--game", "./nim.py", "--games", 400, "--out", "run").code == 0
    shutil.move("nim.py", "away.py")
    assert nim("export", "run", "--out", "run.csv").out == "run.csv: 800 rows\n"
    assert nim("report", "run", "--no-open", "--quick").code == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Nim" in page
    refused = nim("verify", "run")
    assert refused.code == 2
    assert "the game is Python code (./nim.py), which is not run because a run names it" in refused.err
    assert "--trust" in refused.err
    assert "./nim.py: cannot be read: No such file" in nim("replay", "run", "--trust").err
    shutil.move("away.py", "nim.py")
    assert nim("verify", "run", "--trust").out == nim("verify", "run", "--game", "./nim.py").out
    shown = nim("replay", "run", "--game", "./nim.py", "--index", 3, "--format", "jsonl")
    end = json.loads(shown.out.splitlines()[-1])
    rows = [line.split(",") for line in Path("run.csv").read_text().splitlines()[1:] if line.startswith("3,")]
    assert end["place"] == [int(row[4]) for row in rows]
    assert end["share60"] == [int(row[5]) for row in rows]


def test_another_file_is_not_run(nim: Cli) -> None:
    assert nim("simulate", "--game", "./nim.py", "--games", 40, "--out", "run").code == 0
    with Path("nim.py").open("a") as file:
        file.write("\nopen('ran', 'w').close()\n")
    Path("elsewhere").mkdir()
    shutil.copy("nim.py", "elsewhere/nim.py")
    refused = nim("verify", "run", "--trust")
    assert refused.code == 2
    assert (
        "./nim.py: is not the file that the games were played with (its SHA-256 differs), so it was not" in refused.err
    )
    assert not Path("ran").exists()
    assert "which is not run because a run names it" in nim("verify", "run", "--game", "elsewhere/nim.py").err


def digests(run: str) -> tuple[str | None, str]:
    manifest = Manifest.read(Path(run))
    assert manifest.declared
    return manifest.digest, manifest.declared.sha256


def test_the_file_that_the_manifest_names_has_played(nim: Cli) -> None:
    """Also if its time and size are those of another one, and whatever Python keeps beside it."""
    text = Path("nim.py").read_text()
    for name, choice in (("one", "min(moves)"), ("two", "max(moves)")):
        Path("nim.py").write_text(text.replace("rng.choice(moves)", choice))
        os.utime("nim.py", (0, 0))
        assert nim("simulate", "--game", "./nim.py", "--games", 300, "--out", name).code == 0
        assert not Path("__pycache__").exists()
        assert digests(name)[1] == hashlib.sha256(Path("nim.py").read_bytes()).hexdigest()
    assert digests("one")[0] != digests("two")[0]
    Path("evil.py").write_text("open('ran', 'w').close()\n" + text)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile("evil.py", cache_from_source("nim.py"), "nim.py", invalidation_mode=mode)
    assert nim("verify", "two", "--trust").code == 0
    assert not Path("ran").exists()


def test_a_module_beside_a_game_is_named_and_compared(nim: Cli) -> None:
    Path("helper.py").write_text("LARGEST = 5\n")
    text = Path("nim.py").read_text()
    assert "largest: int = 7" in text
    Path("nim.py").write_text("import helper\n" + text.replace("largest: int = 7", "largest: int = helper.LARGEST"))
    played = ("--games", 6000, "--threads", 2, "--strategies", "./mine.py:low,random")
    Path("mine.py").write_text("import helper\n\n\ndef low(view, moves, rng):\n    return min(moves)\n")
    assert nim("simulate", "--game", "./nim.py", *played, "--out", "run").code == 0
    manifest = Manifest.read(Path("run"))
    named = {"helper.py": hashlib.sha256(b"LARGEST = 5\n").hexdigest()}
    assert manifest.declared and manifest.declared.modules == manifest.strategy_tables[0]["modules"] == named
    assert nim("verify", "run", "--trust").code == 0
    Path("helper.py").write_text("LARGEST = 5\nopen('ran', 'w').close()\n")
    said = nim("verify", "run", "--trust")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "game: ./nim.py: helper.py, which it imports, is not the file that the games were played with" in said.err
    assert "which is not run because a run names it" in nim("verify", "run", "--game", "./nim.py").err
    Path("ran").unlink()  # the user has named the file
    Path("helper.py").unlink()
    assert "helper.py, which it imports, is missing, so it was not run\n" in nim("verify", "run", "--trust").err
    assert not Path("ran").exists()


def test_processes_play_what_was_read(nim: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the game and of strategies, also if the files are gone."""
    Path("helper.py").write_text("least = min\n")
    Path("nim.py").write_text("import helper\n" + Path("nim.py").read_text())
    Path("mine.py").write_text("from helper import least\n\n\ndef low(view, moves, rng):\n    return least(moves)\n")
    spec = eq.make_spec("./nim.py", strategies=["./mine.py:low", "random"], games=60)
    here = run_chunk(spec, 0, 60)
    for name in ("nim.py", "mine.py", "helper.py"):
        Path(name).write_text("1 / 0\n") if name == "mine.py" else Path(name).unlink()
    spec.game.play_batch.elsewhere = True
    assert (run_chunk(spec, 0, 60) == here).all()


def test_rules_compare_and_check(nim: Cli) -> None:
    game = ("--game", "./nim.py")
    assert "largest   7" in nim("rules", "keys", *game).out
    assert "did you mean 'heaps'?" in nim("simulate", *game, "--set", "heeps=2").err
    assert "`sweep --set heaps=2..4` tries numbers" in nim("sensitivity", *game).err
    for out, heaps in (("two", 2), ("three", 3)):
        assert nim("simulate", *game, "--games", 800, "--set", f"heaps={heaps}", "--out", out).code == 0
    assert nim("compare", "two", "three", "--format", "none").code == 0
    assert nim("tournament", *game, "--games", 200, "--format", "none").code == 0
    made = nim("check", "--update", *game, "--players", 2, "--games", 2000, "configs/nim/baselines/default.toml")
    assert made.code == 0, made.err
    assert nim("check").err.endswith("; a game of your own is named by its file, as in --game ./mine.py\n")
    assert nim("check", *game).code == 0
    Path("nim.py").write_text(NIM.replace("heaps: int = 3", "heaps: int = 1"))
    again = "equipoise check --update --yes configs/nim/baselines/default.toml --game ./nim.py"
    assert again in " ".join(nim("check", *game).out.split())
    assert nim(*again.split()[1:]).code == 0 and nim("check", *game).code == 0
    assert f"#   {again.replace(' --yes', '')}\n" in Path("configs/nim/baselines/default.toml").read_text()


@pytest.mark.parametrize("key", ["file", "name", "rules", "strategies"])
def test_a_forged_declaration_runs_nothing(nim: Cli, tmp_path: Path, key: str) -> None:
    assert nim("simulate", "--game", "./nim.py", "--games", 40, "--out", "run").code == 0
    (tmp_path / "evil.py").write_text("open('ran', 'w').close()")
    path = tmp_path / "run" / "manifest.json"
    table = Manifest.read(tmp_path / "run").to_dict()
    table["declared"][key] = {
        "file": "./evil.py",
        "name": "fief-2",
        "rules": {"heaps": {"deep": 1}},
        "strategies": ["<b>"],
    }[key]
    path.write_text(signed(table))
    for command in (["verify", "run"], ["verify", "run", "--trust"], ["report", "run", "--no-open", "--quick"]):
        said = nim(*command)
        assert said.code == (0 if key == "file" and command[0] == "report" else 2), said
        assert len(said.err.strip().splitlines()) <= 1 or said.code == 0
    assert not Path("ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_ends_at_once_and_leaves_no_process(nim: Cli, tmp_path: Path) -> None:
    started = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "equipoise",
            "simulate",
            "--game",
            "./nim.py",
            "--games",
            "1e6",
            "--threads",
            "2",
            "--out",
            "run",
            "--quiet",
        ],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
    )
    needle = str((tmp_path / "nim.py").resolve())
    until(lambda: _processes(needle))
    started.send_signal(signal.SIGINT)
    assert started.wait(60) == 130
    until(lambda: not _processes(needle))


def _processes(needle: str) -> list[str]:
    """Return the numbers of the processes that have a text in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if needle.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found
