"""Files appear whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from simcore.atomic import hidden, remove_leftovers, replacing


def test_a_file_takes_the_place_of_another_at_the_end_of_the_block(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with replacing(path) as part:
        part.write_text("new")
        assert path.read_text() == "old" and part.parent == tmp_path
    assert path.read_text() == "new" and [*tmp_path.iterdir()] == [path]


def test_nothing_changes_if_anything_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as part:
        part.write_text("new")
        raise KeyboardInterrupt
    monkeypatch.setattr(os, "fsync", lambda handle: os.fstat(-1))
    with pytest.raises(OSError), replacing(path, durable=True) as part:
        part.write_text("new")
    with replacing(path, commit=lambda move: None) as part:
        part.write_text("no longer wanted")
    with pytest.raises(FileNotFoundError), replacing(path):
        pass
    assert path.read_text() == "old" and [*tmp_path.iterdir()] == [path]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "link", tmp_path / "other"
    other.write_text("of somebody else")
    path.symlink_to(other)
    with replacing(path) as part:
        part.write_text("new")
    assert other.read_text() == "of somebody else" and path.read_text() == "new" and not path.is_symlink()


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path, texts = tmp_path / "file", [str(number) * 10_000 for number in range(8)]

    def write(text: str) -> None:
        for _ in range(20):
            with replacing(path) as part:
                part.write_text(text)

    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert not path.exists() or path.read_text() in texts
    for writer in writers:
        writer.join()
    assert path.read_text() in texts and [*tmp_path.iterdir()] == [path]


def test_only_names_of_our_own_making_are_leftovers(tmp_path: Path) -> None:
    path = tmp_path / "run"
    (tmp_path / ".run.deadbeef").mkdir()
    hidden(path).mkdir()
    remove_leftovers(path)
    assert [one.name for one in tmp_path.iterdir()] == [".run.deadbeef"]
