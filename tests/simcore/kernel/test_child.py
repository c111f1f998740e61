"""Our own processes: what lies in the current folder is not run by them, and they end with who started them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from equipoise.benchmarks import processes
from simcore.kernel.compilation import COMPILED
from simcore.running import warm

DECOYS = ("numpy", "numba", "json", "runpy", "simcore", "equipoise", "typer")


@pytest.fixture
def decoys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder whose modules leave a mark when they are run."""
    for name in DECOYS:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path / "mark"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_cold_start_runs_nothing_of_the_current_folder(decoys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    said = decoys.with_name("said")
    start = subprocess.Popen

    def noted(command: list[str], **options: Any) -> Any:
        begun.append(command)
        return start([*command[:-1], "no-such-game"], **options | {"stderr": said.open("w")})

    monkeypatch.setattr(warm, "is_cold", lambda function: True)
    monkeypatch.setattr(warm, "is_private", lambda: False)
    monkeypatch.setattr(subprocess, "Popen", noted)
    with warm.compiling_aside("middle-ages"):
        pass
    assert len(begun) == 1
    assert "no game 'no-such-game'" in said.read_text()
    assert not decoys.exists()


def test_the_bench_runs_nothing_of_the_current_folder(decoys: Path) -> None:
    assert "version" in processes.output([*processes._EQUIPOISE, "--help"])
    processes.output([sys.executable, *processes.MEASURE, sys.executable, "-S", "-c", "pass"])
    assert not decoys.exists()


SLEEPER = """
import subprocess, sys, time
from simcore.kernel.child import python
child = subprocess.Popen(python("simcore.running.warm", "middle-ages"), stdin=subprocess.PIPE)
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not COMPILED or not Path("/proc").is_dir(), reason="nothing is compiled, or no /proc")
def test_the_compiling_process_ends_when_its_parent_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(tmp_path))
    root = Path(__file__).resolve().parents[3]
    parent = subprocess.Popen([sys.executable, "-c", SLEEPER], cwd=root, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = Path("/proc") / parent.stdout.readline().strip()
    assert child.exists()
    time.sleep(1)
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    deadline = time.monotonic() + 20
    while child.exists() and "zombie" not in (child / "status").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
