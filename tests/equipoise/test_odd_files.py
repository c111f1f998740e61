"""Files as other systems make them: pipes, devices, ends of lines of Windows, and names that are not UTF-8."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.equipoise.conftest import Cli
from tests.machine.processes import RANDOM
from tests.toy import ROOT

CONFIGS = ROOT / "configs/middle-ages"
GAMES = ROOT / "docs/example-games.csv"
LEVELS = ("--strategies", "random|greedy", "--games", 100, "--format", "none", "--json")


def endless(path: str) -> None:
    """Make a link to what never ends."""
    Path(path).symlink_to("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("make", [os.mkfifo, endless], ids=["pipe", "device"])
@pytest.mark.parametrize(
    "line",
    [
        "rules validate pipe.toml",
        "simulate --rules pipe.toml",
        "simulate --strategies pipe.toml",
        "simulate --out run --force",
        "simulate --resume run",
        "sweep pipe.toml",
        "compare base pipe.toml",
        "check pipe.toml",
        "playtest pipe.csv",
        "playtest --log pipe.jsonl",
        "import pipe.csv --out made",
        "report run",
        "verify run",
        "replay run",
        "export run --out x.csv",
        "log .",
        "index .",
        "tune --budget 1 --out tuned.toml",
    ],
)
def test_nothing_waits_for_a_pipe_or_reads_a_device(
    refused: Callable[..., str], line: str, make: Callable[[str], None]
) -> None:
    """Nobody ever writes into the pipes, and the devices have no end."""
    names = {"pipe.toml", "pipe.csv", "pipe.jsonl", "tuned.toml.journal"}
    for name in names:
        make(name)
    for folder, name in (("run", "manifest.json"), ("sweep", "sweep.json")):
        Path(folder).mkdir()
        make(f"{folder}/{name}")
    refused(*line.split(), left=(*names, "run", "sweep"))


def with_crlf(source: Path, target: Path) -> Path:
    """Copy a text file as Windows would write it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    return target


def test_ends_of_lines_of_windows_change_nothing(cli: Cli, tmp_path: Path) -> None:
    rules = with_crlf(CONFIGS / "base.toml", tmp_path / "mine.toml")
    assert cli("rules", "diff", rules, "base").out.endswith(": the same rules\n")
    player = with_crlf(CONFIGS / "strategies/greedy.toml", tmp_path / "player.toml")
    line = ("simulate", "--games", 80, "--format", "none", "--json", "--strategies")
    ours, theirs = (json.loads(cli(*line, name).out) for name in (player, "greedy"))
    assert ours["digest"] == theirs["digest"]

    sheet = with_crlf(GAMES, tmp_path / "sheet" / GAMES.name)
    ours, theirs = (json.loads(cli("playtest", file, *LEVELS).out) for file in (sheet, GAMES))
    assert ours["results"] == theirs["results"]
    for name, file in (("ours", sheet), ("theirs", GAMES)):
        assert cli("import", file, "--out", tmp_path / name).code == 0
    ours, theirs = (sorted((tmp_path / name).rglob("*.parquet")) for name in ("ours", "theirs"))
    assert [path.read_bytes() for path in ours] == [path.read_bytes() for path in theirs] != []

    log = tmp_path / "game.jsonl"
    assert cli("replay", *RANDOM, "--format", "jsonl", "--out", log).code == 0
    assert cli("playtest", "--log", with_crlf(log, tmp_path / "other.jsonl"), *LEVELS).code == 0

    shutil.copytree(CONFIGS / "baselines/default", tmp_path / "default")
    for file in (tmp_path / "default").iterdir():
        with_crlf(file, file)
    assert cli("check", with_crlf(CONFIGS / "baselines/default.toml", tmp_path / "default.toml")).code == 0


@pytest.mark.skipif(os.name == "nt", reason="names of files are Unicode there")
def test_names_that_are_not_utf_8(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and tables must have names that polars can open; all other files may have any name."""
    monkeypatch.chdir(tmp_path)
    sys.stdout.reconfigure(errors="backslashreplace")  # as `open_streams` does
    odd = os.fsdecode(b"caf\xe9")
    assert cli("verify", odd).err == "error: caf\\udce9: no such run folder\n"
    for line in (["simulate", "--out", odd], ["simulate", "--resume", odd]):
        said = cli(*line)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert "caf\\udce9: not a name in UTF-8; choose another" in said.err
    rules, player, sheet = f"{odd}.toml", f"{odd}-player.toml", f"{odd}.csv"
    for source, name in ((CONFIGS / "base.toml", rules), (CONFIGS / "strategies/greedy.toml", player), (GAMES, sheet)):
        shutil.copy(source, name)
    line = ("simulate", "--games", 240, "--quiet", "--rules", rules, "--strategies", player, "--out", "run")
    assert cli(*line).code == 0
    assert cli("export", "run", "--out", f"{odd}.csv").err.endswith(
        "caf\\udce9.csv: not a name in UTF-8; choose another\n"
    )
    for line in (
        ("verify", "run"),
        ("report", "run", "--deals", 20, "--no-open"),
        ("playtest", sheet, *LEVELS[:-1]),
        ("import", sheet, "--out", "made"),
        ("sweep", "--set", "starting_coins.1=0..1", "--games", 240, *RANDOM, "--out", f"{odd}-sweep", "--no-open"),
        ("log", ".", "--out", f"{odd}-log.html", "--no-open"),
        ("index", ".", "--no-open"),
    ):
        said = cli(*line)
        assert (said.code, "Traceback" in said.err) == (0, False), said
    assert "caf\\udce9" in Path("index.html").read_text(encoding="utf-8")
