"""What a process loads before it does anything: the answer to `--help` must not wait for compilers and tables."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("argv", "heavy"),
    [
        (["--help"], {"numba", "numpy", "polars", "scipy", "matplotlib"}),
        (["simulate", "--help"], {"numba", "numpy", "polars", "scipy", "matplotlib"}),
        (["simulate", "--games", "8", "--format", "none"], {"scipy.stats", "matplotlib", "analysis.headlines"}),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(argv, heavy):
    command = [sys.executable, "-X", "importtime", "-m", "equipoise", *argv]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    loaded = set(re.findall(r"^import time: .*\| +(\S+)$", ended.stderr, re.MULTILINE))
    assert ended.returncode == 0
    assert "equipoise.cli" in loaded
    assert not loaded & heavy
