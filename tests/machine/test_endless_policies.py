"""Ctrl-C ends commands whose policies never come back, at once."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simcore.running import executors
from tests.machine.processes import PATIENCE, RANDOM, ROOT, interrupt, plays, start
from tests.waiting import hears_again, until

LOOPS = """
import equipoise

@equipoise.policy("middle-ages")
def loops(rules, lineup, state, seat):
    x = 0
    while state.round >= 0:
        x += 1
    return x
"""


SOON = 4
"""Seconds; two, and as many again where the machine is busy."""


@pytest.fixture
def looping(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start a command, and wait until its policy goes round in circles."""
    (tmp_path / "loops.py").write_text(LOOPS)

    def begin(*command: str) -> subprocess.Popen[str]:
        process = start(*command, cwd=tmp_path)
        until(lambda: plays(process) or process.poll() is not None, PATIENCE)
        assert process.poll() is None, process.communicate()
        return process

    return begin


@pytest.mark.parametrize(
    "command",
    [
        "simulate --out run --strategies loops.py:loops",
        "replay --out log --strategies loops.py:loops",
        "tournament --out cup --strategies random,loops.py:loops",
        "restrict --out cost --strategy loops.py:loops",
        "tune --out mine.toml --against loops.py:loops",
        f"check {ROOT / 'configs/middle-ages/baselines/default.toml'} --strategies loops.py:loops",
        "bench --only speed --players 2 --strategies loops.py:loops",
    ],
    ids=lambda command: command.split()[0],
)
def test_ctrl_c_ends_a_policy_that_loops(
    tmp_path: Path, looping: Callable[..., subprocess.Popen[str]], command: str
) -> None:
    process = looping(*command.split())
    _, error = interrupt(process, lambda: True, within=SOON)
    assert process.returncode == 130
    assert error.splitlines()[-1].startswith("interrupted")
    kept = {"loops.py", "__pycache__", "mine.toml.journal"}  # the last holds what a tuning goes on from
    assert {path.name for path in tmp_path.iterdir()} <= kept


def test_a_second_ctrl_c_ends_it_at_once(looping: Callable[..., subprocess.Popen[str]]) -> None:
    process = looping("simulate", "--format", "none", "--strategies", "loops.py:loops")
    process.send_signal(signal.SIGINT)
    until(lambda: hears_again(process.pid))
    began = time.monotonic()
    said = interrupt(process, lambda: process.poll() is None, within=SOON)
    assert process.returncode == 130, said
    assert time.monotonic() - began < executors.PATIENCE / 2


def test_ctrl_c_ends_a_thousand_threads(tmp_path: Path) -> None:
    process = start("simulate", "--games", "4e9", "--threads", 1000, *RANDOM, "--format", "none", cwd=tmp_path)
    _, error = interrupt(process, lambda: plays(process), within=SOON)
    assert (process.returncode, error) == (130, "interrupted\n")
