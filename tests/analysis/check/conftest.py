"""A small baseline, measured once a session, and copies of it to spoil."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.check.baseline import Baseline, choices_of, read_baseline, signed
from analysis.check.checking import update

HEAD = """\
# A comment of the user's.
format = "equipoise-baseline/1"
game = "middle-ages"
players = [2, 4]
strategies = ["greedy"]
games = 20_000

[margins]
win_share_by_seat = "2pp"
score = 1.0
card_score = 2.5

[judge]
games = 20_000
"""


def write(path: Path, head: str = HEAD) -> Baseline:
    """Measure a baseline and put it into a folder, as the command does."""
    made = update(choices_of(head, path))
    made.baseline.frozen.mkdir(parents=True)
    for name, text in made.copies.items():
        (made.baseline.frozen / name).write_text(text, encoding="utf-8")
    path.write_text(made.text, encoding="utf-8")
    return read_baseline(path)


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The baseline; not to be changed."""
    path = tmp_path_factory.mktemp("repository") / "configs/middle-ages/baselines/default.toml"
    path.parent.mkdir(parents=True)
    return write(path).path


Spoil = Callable[..., Path]


@pytest.fixture
def spoiled(measured: Path, tmp_path: Path) -> Spoil:
    """Copy the baseline's repository, and replace some of the file's text."""

    def spoil(*changes: tuple[str, str]) -> Path:
        root = tmp_path / "repository"
        shutil.copytree(measured.parents[3], root)
        path = root / measured.relative_to(measured.parents[3])
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(signed(text), encoding="utf-8")
        return path

    return spoil
