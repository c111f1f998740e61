"""The kernel cache: one folder for each state of the sources, old ones forgotten; and the two bit functions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from simcore import jit
from simcore.jit import COMPILED, kernel, lowest_bit, nth_bit, popcount


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(tmp_path))
    jit.cache_folder.cache_clear()
    yield tmp_path
    jit.cache_folder.cache_clear()


def test_cache_lies_where_the_user_says(cache: Path) -> None:
    folder = jit.cache_folder()
    assert folder.parent == cache
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["NUMBA_OPT", "NUMBA_CPU_NAME"])
def test_cache_depends_on_numbas_settings(cache: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.cache_folder()
    jit.cache_folder.cache_clear()
    monkeypatch.setenv(name, "1")
    assert jit.cache_folder() != before


def test_cache_depends_on_every_kernel_source(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = jit.cache_folder()
    for room in ("simcore", "strategies"):
        jit.cache_folder.cache_clear()
        changed = jit.KERNEL_ROOMS
        monkeypatch.setattr(jit, "KERNEL_ROOMS", [other for other in changed if other != room])
        assert jit.cache_folder() != before
        monkeypatch.setattr(jit, "KERNEL_ROOMS", changed)


def test_old_caches_are_forgotten(cache: Path) -> None:
    for age in range(9):
        folder = cache / f"kernels-{age}"
        folder.mkdir()
        (folder / "one.nbi").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (cache / "mine").mkdir()
    current = jit.cache_folder()
    kept = sorted(path.name for path in cache.glob("kernels-*"))
    assert kept == sorted([current.name, *(f"kernels-{age}" for age in range(jit.KEPT_CACHES - 1))])
    assert (cache / "mine").is_dir()


def test_a_package_elsewhere_has_a_folder_for_each_state_of_its_own_sources(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "checkers"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "helper.py").write_text("SQUARES = 64")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("checkers")
    before = jit.cache_folder("checkers")
    assert before.parent == jit.cache_folder()
    (package / "helper.py").write_text("SQUARES = 100")
    jit.cache_folder.cache_clear()
    assert jit.cache_folder("checkers") != before
    assert jit.cache_folder("checkers").parent == jit.cache_folder() == before.parent


def test_a_function_is_cold_until_it_is_compiled(cache: Path) -> None:
    def double(number):  # type: ignore[no-untyped-def]
        return 2 * number

    found = jit.entry(double)
    assert jit.is_cold(found) == COMPILED
    assert found(21) == 42
    assert not jit.is_cold(jit.entry(double))


@kernel
def _bits(word):  # type: ignore[no-untyped-def]
    return lowest_bit(word), popcount(word)


@pytest.mark.parametrize("word", [0, 1, 2, 12, 2**31, 2**32, 2**63, 2**64 - 1, 0b1011000])
def test_bits(word: int) -> None:
    low, count = _bits(np.uint64(word))
    assert count == bin(word).count("1")
    assert low == (len(bin(word)) - 1 - bin(word).rindex("1") if word else 64)


@kernel
def _nth(word, n):  # type: ignore[no-untyped-def]
    return nth_bit(word, n)


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0b1011000, 0xF0F0F0F0F0F0F0F0])
def test_nth_bit(word: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    for n in range(min(len(places) + 1, 63)):
        assert _nth(np.uint64(word), np.int64(n)) == (places[n] if n < len(places) else 64)
