"""Every command under every limit: it ends, says why in one line, leaves whole files, and then works without the limit.

`tests/equipoise/test_limits.py` is a sample of this.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.process import FILES, MEMORY, MEMORY_EACH
from tests.machine.limited import LINES, Limited, check_ended, limited, make_inputs, prepare
from tests.machine.test_full_disk import tiny  # noqa: F401  a fixture
from tests.toy import environment

LIMITED = [("size", most) for most in (0, 5_000, 60_000)]
LIMITED += [("files", most) for most in (FILES, FILES + 8)]
LIMITED += [("memory", most << 20) for most in (100, 2_000)]
PYTHON = 64 << 20
"""Bytes of address space that Python takes before a command begins."""
NONE = ("size", resource.RLIM_INFINITY)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what all commands read; their kernels are compiled, as a full disk keeps none."""
    folder = tmp_path_factory.mktemp("limits")
    make_inputs(folder)
    tried = [Limited(name, *NONE, folder / f"{name} at first") for name in LINES]
    for one, how in zip(tried, limited(tried), strict=True):
        check_ended(one, *how)
        assert how[0] == 0, (one, how)
    return folder


@pytest.mark.parametrize(("limit", "most"), LIMITED)
def test_every_command_with_little_and_then_with_enough(place: Path, limit: str, most: int) -> None:
    tried = [Limited(name, limit, most, place / f"{name} {limit} {most}") for name in LINES]
    ended = limited(tried)
    for one, how in zip(tried, ended, strict=True):
        check_ended(one, *how)
    failed = [Limited(one.command, *NONE, one.folder) for one, how in zip(tried, ended, strict=True) if how[0]]
    for one, how in zip(failed, limited(failed), strict=True):
        check_ended(one, *how)
        assert how[0] == 0, (one, how)


@pytest.mark.parametrize("size", ["128k", "512k"])
def test_every_command_on_one_small_disk(place: Path, tiny: Callable[[str], Path], size: str) -> None:  # noqa: F811
    disk = tiny(size)
    (disk / "in").symlink_to(place / "in")
    tried = [Limited(name, *NONE, disk / name) for name in LINES]
    ended = limited(tried)
    for one, how in zip(tried, ended, strict=True):
        check_ended(one, *how)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit what is only reserved")
@pytest.mark.parametrize("command", LINES)
def test_the_memory_that_every_command_asks_for_is_enough(place: Path, command: str) -> None:
    asked = MEMORY + (os.cpu_count() or 1) * MEMORY_EACH
    one = Limited(command, "memory", asked + PYTHON, place / f"{command} enough")
    prepare(one)
    done = subprocess.run(
        [sys.executable, "-m", "equipoise", *one.words],
        cwd=one.folder,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (one.most, one.most)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
