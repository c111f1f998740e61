"""Random damages of a run's folder, for tests of what its readers find."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from analysis.runs.folders import claim
from analysis.runs.manifest import FILE
from analysis.runs.writer import RunWriter
from simcore.errors import UsageError
from simcore.running.executors import execute
from tests.specs import make_spec

Change = Callable[[random.Random, Path, Path], None]
"""Spoils the first folder; the second is a run of the same shape with another seed."""


def make_runs(place: Path, patch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Write two runs of seven parts each that differ in their seed."""
    patch.setattr("simcore.running.executors.PART_SIZES", (960, 122_880))
    for seed in (1, 2):
        spec = make_spec(3, ["greedy", "random", "random"], design="rotate", seed=seed, games=1_600)
        claim(place / str(seed))
        writer = RunWriter(place / str(seed), spec, "standard", "parquet", ["simulate"])
        writer.close(execute(spec, 1, "standard", writer.write, writer.finished))
    return place / "1", place / "2"


def _parts(folder: Path) -> list[Path]:
    return sorted((folder / "games").iterdir())


def _file(chance: random.Random, folder: Path) -> Path:
    """Choose a file: a part mostly, the manifest now and then."""
    return folder / FILE if chance.random() < 0.2 else chance.choice(_parts(folder))


def flip(chance: random.Random, folder: Path, other: Path) -> None:
    """Turn one bit."""
    path = _file(chance, folder)
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def cut(chance: random.Random, folder: Path, other: Path) -> None:
    """Lose the end."""
    path = _file(chance, folder)
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def overwrite(chance: random.Random, folder: Path, other: Path) -> None:
    """Put zeros or random bytes over a stretch."""
    path = _file(chance, folder)
    data = bytearray(path.read_bytes())
    begin, size = chance.randrange(len(data)), chance.randrange(1, 4096)
    stretch = data[begin : begin + size]
    data[begin : begin + size] = bytes(len(stretch)) if chance.random() < 0.5 else chance.randbytes(len(stretch))
    path.write_bytes(data)


def double(chance: random.Random, folder: Path, other: Path) -> None:
    """Repeat a stretch."""
    path = _file(chance, folder)
    data = path.read_bytes()
    begin = chance.randrange(len(data) - 1)
    end = chance.randrange(begin + 1, len(data))
    path.write_bytes(data[:end] + data[begin:])


def swap(chance: random.Random, folder: Path, other: Path) -> None:
    """Exchange two parts."""
    one, two = chance.sample(_parts(folder), 2)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def repeat(chance: random.Random, folder: Path, other: Path) -> None:
    """Copy a part over another."""
    one, two = chance.sample(_parts(folder), 2)
    one.write_bytes(two.read_bytes())


def foreign(chance: random.Random, folder: Path, other: Path) -> None:
    """Put a part of another run in its place, or its whole manifest."""
    path = _file(chance, folder)
    path.write_bytes((other / path.relative_to(folder)).read_bytes())


def lose(chance: random.Random, folder: Path, other: Path) -> None:
    """Delete a part."""
    chance.choice(_parts(folder)).unlink()


def edit_field(chance: random.Random, folder: Path, other: Path) -> None:
    """Change one value of the manifest, at any depth."""
    table = json.loads((folder / FILE).read_text(encoding="utf-8"))
    holder: Any = table
    key: Any = chance.choice(list(holder))
    while isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.8:
        holder = holder[key]
        key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    old = holder[key]
    if isinstance(old, bool):
        holder[key] = not old
    elif isinstance(old, int | float):
        holder[key] = old + chance.choice([-1, 1, 1000])
    elif isinstance(old, str):
        holder[key] = chance.choice([old + "x", "", old[::-1] + "0", "greedy"])
    elif isinstance(old, list):
        holder[key] = chance.choice([old[::-1], old[:-1], [*old, *old[:1]], None])
    else:
        holder[key] = chance.choice([{}, None, {"surprise": 1}])
    (folder / FILE).write_text(json.dumps(table, indent=2), encoding="utf-8")


KINDS: tuple[Change, ...] = (flip, cut, overwrite, double, swap, repeat, foreign, lose, edit_field)


def content(folder: Path) -> Any:
    """Return what a folder holds: bytes of the parts, and what the manifest says."""
    found: dict[str, Any] = {path.name: path.read_bytes() for path in _parts(folder)}
    try:
        found[FILE] = json.loads((folder / FILE).read_bytes())
    except ValueError:
        found[FILE] = None
    return found


def missed(place: Path, trials: int, seed: int, patch: pytest.MonkeyPatch) -> tuple[Counter[str], list[str]]:
    """Spoil a run so many times; return how often in each way, and what its reader did not find."""
    folder, other = make_runs(place, patch)
    whole = {path: path.read_bytes() for path in [folder / FILE, *_parts(folder)]}
    before = content(folder)
    chance, done, silent = random.Random(seed), Counter[str](), list[str]()
    while done.total() < trials:
        change = KINDS[done.total() % len(KINDS)]
        change(chance, folder, other)
        if content(folder) != before:
            done[change.__name__] += 1
            try:
                eq.load(folder).polars().collect()
                silent.append(f"{change.__name__}, number {done.total()} of seed {seed}")
            except UsageError as error:
                assert "\n" not in str(error)
        for path, data in whole.items():
            path.write_bytes(data)
    eq.load(folder).polars().collect()
    return done, silent
