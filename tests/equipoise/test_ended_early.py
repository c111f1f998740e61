"""Ctrl-C, a full disk, a closed pipe: one line, an honest manifest, and no half-written file that looks whole."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.runs import writer
from simcore import executors
from simcore.errors import UsageError
from tests.equipoise.conftest import Cli
from tests.manifests import edit

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from equipoise.start import main
main()
"""
RANDOM = ("--strategies", "random")


def start(*arguments: object, environment: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """Start `equipoise` in a process of its own that Ctrl-C reaches, even where this one may not be interrupted."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80", **(environment or {})},
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options,
    )


def interrupt(process: subprocess.Popen[str], ready: Callable[[], bool]) -> tuple[str, str]:
    """Press Ctrl-C once something holds; return what the process said."""
    deadline = time.monotonic() + PATIENCE
    try:
        while not ready():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=PATIENCE)
    finally:
        process.kill()


def check_ended(folder: Path, status: str) -> None:
    """A run that ended early says so, and what it has is whole."""
    with pytest.raises(UsageError) as raised:
        eq.load(folder)
    said = str(raised.value)
    assert f"the run {status} (" in said
    assert "partial=True" in said
    assert "\n" not in said
    run = eq.load(folder, partial=True)
    assert run.manifest.digest is None
    assert run.manifest.games_written < run.manifest.games
    assert all(not path.name.startswith(".") for path in folder.rglob("*"))
    for path in (folder / "games").glob("*.parquet"):
        assert pl.read_parquet(path).height % 4 == 0
    if run.manifest.parts:
        frame = run.polars().select("game_id", "share60").collect()
        assert frame.height == run.manifest.rows == 4 * run.manifest.games_written
        assert frame["share60"].sum() == 60 * run.manifest.games_written
        assert frame["game_id"].n_unique() == run.manifest.games_written


# --- Ctrl-C ---


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_ctrl_c_in_the_middle_of_a_run(tmp_path: Path, form: str, cli: Cli) -> None:
    out = tmp_path / "run"
    process = start("simulate", "--games", "2.9e6", *RANDOM, "--out", out, "--format", form, "--quiet")
    said, error = interrupt(process, lambda: len(list(out.glob(f"games/part-*.{form}"))) >= 3)
    assert process.returncode == 130
    assert said == ""
    assert error == f"interrupted: {out} holds the games that were whole; delete it or run again\n"
    check_ended(out, "was interrupted")
    exported = tmp_path / "whole.csv"
    refused = cli("export", out, "--out", exported)
    assert (refused.code, exported.exists()) == (2, False)
    assert "--partial" in refused.err
    assert cli("export", out, "--out", exported, "--partial").code == 0
    assert pl.read_csv(exported).height == eq.load(out, partial=True).manifest.rows
    assert cli("replay", out, "--index", 2).code == 0


def test_ctrl_c_before_the_first_part_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writer, "write_frame", stopped)
    said = cli("simulate", "--games", 100, *RANDOM, "--out", tmp_path / "run", "--threads", 1)
    assert (said.code, said.err) == (130, "interrupted: nothing was written; run it again\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_the_commands_are_imported(tmp_path: Path) -> None:
    """Typing a command and thinking better of it at once shows no traceback."""
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    process = start("simulate", environment={"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}, cwd=tmp_path)
    said, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said, error) == (130, "", "interrupted\n")


def test_ctrl_c_without_a_table(tmp_path: Path) -> None:
    began = time.monotonic()
    process = start("simulate", "--games", "4e9", *RANDOM, "--format", "none", "--quiet", cwd=tmp_path)
    said, error = interrupt(process, lambda: time.monotonic() - began > 3)
    assert (process.returncode, said, error) == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_in_the_middle_of_a_replay(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    process = start("replay", *RANDOM, "--count", "1e6", "--format", "jsonl", "--out", out)
    _, error = interrupt(process, lambda: any(path.stat().st_size > 0 for path in tmp_path.iterdir()))
    assert process.returncode == 130
    assert error == "interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_was_killed_is_not_taken_for_whole(tmp_path: Path, cli: Cli) -> None:
    """Nothing can be done after SIGKILL; the manifest still says "running"."""
    out = tmp_path / "run"
    cli("simulate", "--games", 100, *RANDOM, "--out", out)
    edit(out, status="running")
    with pytest.raises(UsageError, match="the run has not ended"):
        eq.load(out)


# --- a full disk ---


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a disk of some size; without the right to mount, skip."""
    mounted: list[Path] = []

    def mount(size: str) -> Path:
        disk = tmp_path / "disk"
        disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            pytest.skip("no mount command")
        if done.returncode:
            pytest.skip("may not mount a disk")
        mounted.append(disk)
        return disk

    yield mount
    for disk in mounted:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize(("form", "size"), [("parquet", "6m"), ("csv", "40m")])
def test_disk_that_fills_up_during_a_run(cli: Cli, tiny: Callable[[str], Path], form: str, size: str) -> None:
    """Where a few parts have room."""
    out = tiny(size) / "run"
    said = cli("simulate", "--games", "2e5", *RANDOM, "--out", out, "--format", form)
    assert (said.code, said.out) == (2, "")
    reason = "No space left on device; make room or choose another folder"
    assert said.err == f"error: --out: {out} cannot be written: {reason}\n"
    check_ended(out, "failed")


def test_disk_that_is_full_from_the_start(cli: Cli, tiny: Callable[[str], Path]) -> None:
    disk = tiny("4k")
    said = cli("simulate", "--games", "100", *RANDOM, "--out", disk / "run")
    assert said.code == 2
    assert "manifest.json cannot be written: No space left on device" in said.err
    assert said.err.count("\n") == 1
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_export_to_a_full_disk(cli: Cli, tiny: Callable[[str], Path], tmp_path: Path, form: str) -> None:
    cli("simulate", "--games", "2000", *RANDOM, "--out", tmp_path / "run")
    disk = tiny("64k")
    said = cli("export", tmp_path / "run", "--out", disk / f"x.{form}")
    assert said.code == 2
    assert said.err == f"error: --out: {disk}/x.{form} cannot be written: No space left on device\n"
    assert list(disk.iterdir()) == []


def test_write_error_without_a_real_full_disk(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where nothing can be mounted: the third part cannot be written."""
    monkeypatch.setattr(executors, "PART_SIZES", (960,))
    write, written = writer.write_frame, []

    def failing(frame: pl.DataFrame, path: Path) -> None:
        if len(written) == 2:
            path.write_bytes(b"half a fi")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        write(frame, path)

    monkeypatch.setattr(writer, "write_frame", failing)
    out = tmp_path / "run"
    said = cli("simulate", "--games", 9_600, *RANDOM, "--out", out, "--threads", 1)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "No space left on device" in said.err
    check_ended(out, "failed")
    assert eq.load(out, partial=True).manifest.games_written == 1920


# --- standard output ---


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", [["simulate", "--games", "10", "--format", "none"], ["replay"]])
def test_output_that_cannot_be_written(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(*command, *RANDOM, stdout=full)
        error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2
    assert error.count("\n") == 1
    assert "No space left on device" in error


def test_a_reader_who_leaves_early_is_no_error() -> None:
    process = start("replay", *RANDOM, "--count", 2000)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Middle-Ages")
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_terminal_without_unicode() -> None:
    process = start(
        "simulate",
        "--games",
        100,
        *RANDOM,
        "--format",
        "none",
        environment={"PYTHONIOENCODING": "ascii"},
    )
    said, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, error) == (0, "")
    assert "Digest" in said
