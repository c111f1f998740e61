"""Writes, syncs, renames and imports that fail: a line or the whole result, right files, and the next run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.asking import can_ask
from tests.machine.processes import PATIENCE
from tests.toy import ROOT, environment

needs_asking = pytest.mark.skipif(not can_ask(), reason="the kernel does not ask before system calls")


def failing(place: Path, calls: int, limits: int, share: float, importing: Sequence[str]) -> dict[str, Any]:
    """Return what `tests.machine.failing` prints."""
    words = [str(place), str(calls), str(limits), str(share), *importing]
    done = subprocess.run(
        [sys.executable, "-m", "tests.machine.failing", *words],
        cwd=ROOT,
        env=environment(COLUMNS="80"),
        capture_output=True,
        text=True,
        timeout=100 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    print({key: found[key] for key in ("calls", "ended")})
    return found


@needs_asking
def test_fifty_of_all_that_can_fail(tmp_path: Path) -> None:
    """42 calls, 14 of each kind, and 8 imports; tests/verification tries all of them, and memory that ends."""
    found = failing(tmp_path, calls=14, limits=0, share=0.01, importing=["simulate"])
    assert found["wrong"] == []
    assert found["calls"] > 100
    assert found["ended"]["write"]["refused"] > 10
    assert found["ended"]["fsync"]["refused"] > 5
    assert found["ended"]["rename"]["refused"] > 5
    assert sum(found["ended"]["import"].values()) == 8
