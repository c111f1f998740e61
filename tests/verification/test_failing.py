"""Every write, sync, rename and import fails once, and memory ends at 20 limits: right files, and the next run goes on.

Run by name: `pytest tests/verification/test_failing.py -s` prints how the commands ended, in some ten minutes.
`tests/equipoise/test_failing.py` is a sample of this.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")

from equipoise.process import MEMORY, MEMORY_EACH
from tests.machine.failing import LIMITS, LINES
from tests.machine.limited import Limited, check_ended, limited, make_inputs
from tests.machine.test_failing import failing, needs_asking

ALL = 10**6


@needs_asking
def test_every_write_sync_and_rename_fails_once(tmp_path: Path) -> None:
    found = failing(tmp_path, calls=ALL, limits=0, share=0, importing=[])
    assert found["wrong"] == []
    assert sum(sum(ends.values()) for ends in found["ended"].values()) == found["calls"] > 100
    assert {how for ends in found["ended"].values() for how in ends} == {"completed", "refused"}


@needs_asking
@pytest.mark.parametrize("command", LINES)
def test_every_import_fails_once(tmp_path: Path, command: str) -> None:
    found = failing(tmp_path, calls=0, limits=0, share=1, importing=[command])
    assert found["wrong"] == []
    assert set(found["ended"]["import"]) == {"completed", "refused"}
    assert found["ended"]["import"]["refused"] > 500


@needs_asking
def test_memory_ends_at_twenty_limits_that_no_command_has_seen(tmp_path: Path) -> None:
    found = failing(tmp_path, calls=0, limits=LIMITS, share=0, importing=[])
    assert found["wrong"] == []
    assert sum(found["ended"]["memory"].values()) == LIMITS * len(LINES)
    assert found["ended"]["memory"]["stopped"] > 0
    assert found["ended"]["memory"]["completed"] > 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit what is only reserved")
@pytest.mark.parametrize("command", ["simulate", "export", "sweep", "check"])
def test_twenty_limits_of_memory_are_seen_at_the_beginning(tmp_path: Path, command: str) -> None:
    """From 100 MB to twice what a command asks for: it says so in one line, or it completes."""
    make_inputs(tmp_path)
    most = 2 * (MEMORY + (os.cpu_count() or 1) * MEMORY_EACH)
    limits = [(100 << 20) + (most - (100 << 20)) * number // (LIMITS - 1) for number in range(LIMITS)]
    tried = [Limited(command, "memory", limit, tmp_path / f"{command} {limit}") for limit in limits]
    codes = []
    for one, (code, error) in zip(tried, limited(tried), strict=True):
        check_ended(one, code, error)
        codes.append(code)
    assert codes == sorted(codes, key=lambda code: -(code or 0))
    assert {0, 2} == set(codes)
