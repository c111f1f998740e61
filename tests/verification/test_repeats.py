"""Commands given twice, and commands that are killed at random moments and given again, come to the same results."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from simcore.kernel.cache import beside_kernels

KILLS = 5

SHORTLY = re.compile(r"\(about [\d.,]+ \w+\)")
"""How long a command would take, by the pace of the machine at that time, in a sentence that names it."""

PASSING = ("seconds", "cpu_minutes", "notes", "path", "sentence", "kept_from_before")
"""Entries that say how long something took, what was kept from before, and where."""

COMMANDS = {
    "tune": "tune --players 2 --budget 6 --out tuned.toml",
    "mend": "mend --players 3 --games 400 --rounds 1 --best 1 --retune 2 --margin 1pp --yes --out mended",
    "sweep": "sweep --players 3 --games 4e3 --set starting_coins.3=0..20:5 --retune 2 --out swept",
    "compare": "compare base --players 3 --games 2e5 --set effects.mill_coins=3 --retune 2 --out compared",
    "tournament": "tournament --players 3 --games 1e4 --out played",
    "restrict": "restrict --players 3 --games 2e4 --out restricted",
}


def begun(command: str, folder: Path) -> subprocess.Popen[bytes]:
    """Begin a command in a folder, with what it keeps beside it and the kernels that were compiled already."""
    kept = folder.with_name(f"{folder.name}-cache")
    if not folder.exists():
        folder.mkdir()
        for kernels in beside_kernels("any").parent.glob("kernels-*"):
            shutil.copytree(kernels, kept / kernels.name)
    return subprocess.Popen(
        [sys.executable, "-m", "equipoise", *command.split(), "--seed", "3", "--threads", "1", "-q"],
        cwd=folder,
        env={**os.environ, "EQUIPOISE_CACHE_DIR": str(kept)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def killed(command: str, folder: Path, seconds: float, files: Collection[str]) -> int:
    """Kill a command again and again; return how often it was killed before it had written its files."""
    chance = random.Random(command)
    for kills in range(KILLS):
        process = begun(command, folder)
        try:
            assert process.wait(chance.uniform(0.1, 0.6) * seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if results(folder).keys() >= set(files):
            return kills
    assert begun(command, folder).wait() == 0
    return KILLS


def results(folder: Path) -> dict[str, Any]:
    """Return what the files of a folder say, except how long it took and what was kept from before.

    The page says so in its text, and is left out.
    """
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: meaning(name, data) for name, data in found.items() if not name.endswith(".html")}


def meaning(name: str, data: bytes) -> Any:
    """Return the values of a TOML or JSON file without those that differ from time to time; all bytes of another."""
    if name.endswith(".json"):
        return lasting(json.loads(data))
    return lasting(tomllib.loads(data.decode())) if name.endswith(".toml") else data


def lasting(value: Any) -> Any:
    """Return a value without the entries that differ from time to time."""
    if isinstance(value, dict):
        return {key: lasting(inner) for key, inner in value.items() if key not in PASSING}
    if isinstance(value, str):
        return SHORTLY.sub("", value)
    return [lasting(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_given_twice_or_killed_comes_to_the_same_results(name: str, tmp_path: Path) -> None:
    command = COMMANDS[name]
    assert begun(command, tmp_path / "warm").wait() == 0
    began = time.monotonic()
    assert begun(command, tmp_path / "whole").wait() == 0
    took, expected = time.monotonic() - began, results(tmp_path / "whole")
    assert expected and results(tmp_path / "warm") == expected
    kills = killed(command, tmp_path / "killed", took, expected)
    print(f"{name}: killed {kills} times, {len(expected)} files alike")
    assert kills > 0
    assert results(tmp_path / "killed") == expected
