"""The store: what was stored comes back, and nothing but what was stored."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from simcore.kernel import cache
from simcore.kernel.cache import Store, beside_kernels, sealed, unsealed
from tests.file_damage import damages

ONE, OTHER = (hashlib.sha256(name).hexdigest() for name in (b"one", b"other"))
DATA = b"won = 17.67\nlost = 4\nwon = 3\n"
STORE = Store("results", ".toml")


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(cache, "beside_kernels", lambda name: tmp_path)
    return tmp_path


def test_what_was_stored_comes_back_and_is_still_a_file_of_its_kind(folder: Path) -> None:
    assert STORE.recall(ONE) is None
    STORE.keep(ONE, DATA)
    assert STORE.recall(ONE) == DATA
    comment, rest = STORE.path(ONE).read_bytes().split(b"\n", 1)
    assert comment.startswith(b"# ") and rest == DATA
    assert [path.name for path in folder.iterdir()] == [f"{ONE}.toml"]


def test_no_damage_goes_unseen_and_all_of_it_heals() -> None:
    STORE.keep(ONE, DATA)
    STORE.keep(OTHER, DATA.replace(b"17.67", b"15.67"))
    count = 0
    for name, damage in damages(STORE.path(ONE), STORE.path(OTHER), 5):
        damage()
        assert STORE.recall(ONE) is None, name
        STORE.keep(ONE, DATA)
        assert STORE.recall(ONE) == DATA, name
        assert STORE.recall(OTHER) == DATA.replace(b"17.67", b"15.67"), name
        count += 1
    assert count > len(DATA)


def test_a_seal_belongs_to_one_name() -> None:
    assert unsealed("a", sealed("a", b"")) == b""
    for name, whole in (("b", sealed("a", DATA)), ("a", DATA), ("a", b"")):
        with pytest.raises(ValueError, match="not what was stored"):
            unsealed(name, whole)


def test_it_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 3_000)
    for number in range(8):
        STORE.keep(f"{number}", bytes(1_000))
        os.utime(STORE.path(f"{number}"), (number, number))
    assert [STORE.recall(f"{number}") is not None for number in range(8)] == 6 * [False] + 2 * [True]
    (folder / "of-another-kind").write_bytes(bytes(5_000))
    STORE.keep("8", b"")
    assert (folder / "of-another-kind").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden")
def test_a_folder_that_cannot_be_written_is_no_fault(folder: Path) -> None:
    folder.chmod(0o500)
    try:
        STORE.keep(ONE, DATA)
        assert STORE.recall(ONE) is None
    finally:
        folder.chmod(0o700)


def test_the_real_folder_is_the_users_own() -> None:
    assert beside_kernels(STORE.folder).stat().st_mode & 0o077 == 0
