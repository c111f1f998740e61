"""A full disk: one line, an honest manifest, and no half-written file that looks whole."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from analysis.runs import writer
from tests.equipoise.conftest import Cli
from tests.machine.processes import RANDOM, check_ended
from tests.toy import environment


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


@pytest.mark.parametrize(("form", "size"), [("parquet", "10m"), ("csv", "75m")])
def test_disk_that_fills_up_during_a_run(cli: Cli, tiny: Callable[[str], Path], form: str, size: str) -> None:
    """Where three parts have room, and two threads write."""
    out = tiny(size) / "run"
    said = cli("simulate", "--games", "2e5", *RANDOM, "--out", out, "--format", form, "--threads", "2")
    assert (said.code, said.out) == (2, "")
    reason = "No space left on device; make room or choose another folder"
    assert said.err.replace("/manifest.json", "") == f"error: --out: {out} cannot be written: {reason}\n"
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
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960,))
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


@pytest.mark.parametrize("module", ["cli", "commands/listing"])
def test_a_compiled_module_that_a_full_disk_cut_short_is_named(tmp_path: Path, module: str) -> None:
    command = [sys.executable, "-m", "equipoise", "games"]
    own = environment(PYTHONPYCACHEPREFIX=str(tmp_path), PYTHONDONTWRITEBYTECODE="")
    subprocess.run(command, env=own, check=True, capture_output=True)
    (kept,) = tmp_path.rglob(f"equipoise/{module}.*.pyc")
    kept.write_bytes(kept.read_bytes()[:1000])
    said = subprocess.run(command, env=own, check=False, capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr == f"error: {kept} is cut short, as if the disk had been full; delete it and try again\n"
    kept.unlink()
    subprocess.run(command, env=own, check=True, capture_output=True)
