"""The kernel cache: one folder for each state of the sources, the user's alone, and files that heal when damaged."""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from numba.core.codegen import CPUCodegen

from simcore.kernel import cache, compilation
from simcore.kernel.cache import brought, cache_folder, code_of, is_private
from simcore.kernel.compilation import COMPILED
from simcore.running.executors import execute
from tests.specs import make_spec

ROOT = Path(__file__).resolve().parents[3]
compiled = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(tmp_path))
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """Let the folders be looked for again, as in another process."""
    for remembering in (cache_folder, code_of, brought):
        remembering.cache_clear()


def test_cache_lies_where_the_user_says(room: Path) -> None:
    folder = cache_folder()
    assert folder.parent == room
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["NUMBA_OPT", "NUMBA_CPU_NAME"])
def test_cache_depends_on_numbas_settings(room: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_folder()
    cache_folder.cache_clear()
    monkeypatch.setenv(name, "1")
    assert cache_folder() != before


def test_cache_depends_on_every_kernel_source(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_folder()
    for left_out in ("simcore", "strategies"):
        forget()
        changed = cache.KERNEL_ROOMS
        monkeypatch.setattr(cache, "KERNEL_ROOMS", [other for other in changed if other != left_out])
        assert cache_folder() != before
        monkeypatch.setattr(cache, "KERNEL_ROOMS", changed)


def test_old_caches_are_forgotten(room: Path) -> None:
    for age in range(9):
        folder = room / f"kernels-{age}"
        folder.mkdir()
        (folder / "one.nbc").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (room / "mine").mkdir()
    current = cache_folder()
    os.utime(current, (1, 1))
    forget()
    assert cache_folder().stat().st_mtime > 1e9, "what is in use is not the oldest"
    assert cache._changed(room / "deleted-by-another-process") == 0
    kept = sorted(path.name for path in room.glob("kernels-*"))
    assert kept == sorted([current.name, *(f"kernels-{age}" for age in range(cache.KEPT_CACHES - 1))])
    assert (room / "mine").is_dir()


def test_a_package_elsewhere_has_a_folder_for_each_state_of_its_own_sources(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "checkers"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "helper.py").write_text("SQUARES = 64")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("checkers")
    before = cache_folder("checkers")
    assert before.parent == cache_folder()
    (package / "helper.py").write_text("SQUARES = 100")
    forget()
    assert cache_folder("checkers") != before
    assert cache_folder("checkers").parent == cache_folder() == before.parent


def double(number):
    return 2 * number


def test_a_function_is_cold_until_it_is_compiled(room: Path) -> None:
    found = compilation.cached_kernel(double)
    assert compilation.is_cold(found) == COMPILED
    assert found(21) == 42
    assert not compilation.is_cold(compilation.cached_kernel(double))


# --- damage ---


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").touch()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "short": lambda path: path.write_bytes(b"abc"),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 50),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"."),
    "folder": as_folder,
}


def flip(path: Path, place: int) -> None:
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[place // 8 % len(data)] ^= 1 << place % 8
    path.write_bytes(data)


@compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_anew(room: Path, damage: str) -> None:
    assert compilation.cached_kernel(double)(21) == 42
    (path,) = cache_folder().rglob("*.nbc")
    DAMAGES[damage](path)
    again = compilation.cached_kernel(double)
    assert again(21) == 42
    assert not again.stats.cache_hits
    healed = compilation.cached_kernel(double)
    assert healed(21) == 42
    assert healed.stats.cache_hits


@compiled
def test_what_another_processor_compiled_is_compiled_anew(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache may move to another machine; code for a processor that has more features would end the process."""
    compilation.cached_kernel(double)(21)
    with monkeypatch.context() as change:
        change.setattr(CPUCodegen, "magic_tuple", lambda codegen: ("other", "other", "+other"))
        moved = compilation.cached_kernel(double)
        assert moved(21) == 42
        assert not moved.stats.cache_hits
    assert len(list(cache_folder().rglob("*.nbc"))) == 2
    at_home = compilation.cached_kernel(double)
    assert at_home(21) == 42
    assert at_home.stats.cache_hits


@compiled
def test_any_flipped_bit_is_found(room: Path) -> None:
    compilation.cached_kernel(double)(21)
    (path,) = cache_folder().rglob("*.nbc")
    whole = path.read_bytes()
    for place in (0, 255, 256, 1000, *range(3, 8 * len(whole), 997)):
        flip(path, place)
        with pytest.raises(ValueError, match="double"):
            cache._read(path)
        path.write_bytes(whole)
    assert cache._read(path) == whole[cache.CHECKSUM :]


@compiled
def test_a_file_in_the_place_of_another_is_not_taken_for_it(room: Path) -> None:
    def half(number):
        return number // 2

    def forget(found: Callable[..., int]) -> Path:
        assert found(42) in (21, 84)
        (path,) = (path for path in cache_folder().rglob("*.nbc") if path.name.startswith(found._cache._stem))
        return path

    twice, halved = forget(compilation.cached_kernel(double)), forget(compilation.cached_kernel(half))
    shutil.copy(halved, twice)
    assert compilation.cached_kernel(double)(42) == 84


# --- kernels that come with the package ---


def triple(number):
    return 3 * number


triple.__module__ = "strategies.triple"


def tripled() -> bool:
    """Call the function of the package; return whether it had to be compiled."""
    called = compilation.cached_kernel(triple)
    was_cold = compilation.is_cold(called)
    assert called(14) == 42
    assert was_cold == (not called.stats.cache_hits)
    return was_cold


@pytest.fixture
def came(room: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compile the function as `.ci/package` does, with a processor that can do what it needs; return its file."""
    with monkeypatch.context() as change:
        for name, value in {**cache.BROUGHT_FOR, "EQUIPOISE_CACHE_DIR": str(room / "package")}.items():
            change.setenv(name, value)
        change.setattr(CPUCodegen, "magic_tuple", lambda one: (one._llvm_module.triple, *cache.BROUGHT_FOR.values()))
        forget()
        assert tripled()
        (path,) = cache_folder().iterdir()
    monkeypatch.setattr(cache, "BROUGHT", room / "package")
    monkeypatch.setattr(cache, "get_host_cpu_features", lambda: ",".join({"+sse2", *cache.NEEDED}))
    forget()
    return path


@compiled
def test_kernels_that_came_along_are_used_and_left_alone(came: Path) -> None:
    came.chmod(0o400)
    before = came.read_bytes()
    assert not tripled()
    assert list(cache_folder().iterdir()) == []
    came.chmod(0o600)
    came.write_bytes(before[:-1])
    compilation.cached_kernel(triple)(14)
    assert len(list(cache_folder().iterdir())) == 1  # what is damaged is compiled for the user
    assert came.read_bytes() == before[:-1]
    came.unlink()
    assert not tripled()


OTHERWISE: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    "another Numba": lambda change: change.setattr(cache.numba, "__version__", "0.1"),
    "another llvmlite": lambda change: change.setattr(cache.llvmlite, "__version__", "0.1"),
    "another NumPy": lambda change: change.setattr(cache.np, "__version__", "0.1"),
    "other sources": lambda change: change.setattr(cache, "KERNEL_ROOMS", ("strategies",)),
    "a setting": lambda change: change.setenv("NUMBA_OPT", "2"),
    "a processor that is named": lambda change: change.setenv("NUMBA_CPU_NAME", "generic"),
    "a smaller processor": lambda change: change.setattr(
        cache, "get_host_cpu_features", lambda: ",".join(cache.NEEDED - {"+avx2"})
    ),
}


@compiled
@pytest.mark.parametrize("what", OTHERWISE)
def test_kernels_that_came_along_for_something_else_are_not_used(
    came: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as change:
        OTHERWISE[what](change)
        forget()
        assert brought() is None
        assert tripled()
    forget()
    assert brought() == came.parent


RUN = ("simulate", "--games", "100", "--strategies", "random", "--format", "none", "--json")


def simulate(folder: Path) -> tuple[str, str]:
    """Play some games with a cache of kernels; return their digest and what was said."""
    done = subprocess.run(
        [sys.executable, "-m", "equipoise", *RUN],
        env={**os.environ, "EQUIPOISE_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)["digest"], done.stderr


@compiled
def test_a_run_with_damaged_kernels_comes_to_the_same_end(tmp_path: Path) -> None:
    """All files but the largest, whose compilation would take long, are damaged in one way or another."""
    expected = execute(make_spec(4, ["random"], games=100), 1).digest
    copied = tmp_path / cache_folder().name
    copied.mkdir(mode=0o700)
    for path in cache_folder().glob("[!.]*.nbc"):  # what begins with a dot is being written
        shutil.copy(path, copied)
    small = [path for path in copied.glob("simcore.*.nbc") if path.stat().st_size < 100_000]
    assert len(small) >= 3
    for number, path in enumerate(small):
        if number % 2:
            flip(path, 4000 + number)
        else:
            DAMAGES[list(DAMAGES)[number // 2 % len(DAMAGES)]](path)
    assert simulate(tmp_path) == (expected, "")
    assert simulate(tmp_path) == (expected, "")


@compiled
def test_a_full_disk_plays_from_memory(
    room: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, data: bytes, mode: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cache, "write", full)
    cache._tell_once.cache_clear()
    for _ in range(2):
        assert compilation.cached_kernel(double)(21) == 42
    assert len(caplog.messages) == 1
    assert "No space left on device" in caplog.text
    assert str(cache_folder()) in caplog.text


# --- other users ---


def test_the_cache_is_for_its_user_alone(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(room / "new"))
    before = os.umask(0)
    try:
        compilation.cached_kernel(double)(21)
        places = [room / "new", cache_folder(), *cache_folder().rglob("*")]
    finally:
        os.umask(before)
    assert (len(places) > 2) == COMPILED
    for path in places:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


@pytest.mark.parametrize("which", ["root", "folder"])
def test_a_cache_that_others_can_write_to_is_not_used(room: Path, which: str, caplog: pytest.LogCaptureFixture) -> None:
    own = cache_folder()
    assert not is_private()
    (room if which == "root" else own).chmod(0o777)
    cache_folder.cache_clear()
    assert is_private()
    assert cache_folder() != own
    assert not stat.S_IMODE(cache_folder().stat().st_mode) & 0o077
    assert len(caplog.messages) == 1
    assert f"{room} can be written to by other users" in caplog.text


def test_a_cache_of_another_user_is_not_used(
    room: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    own = cache_folder()
    cache_folder.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache_folder() != own
    assert is_private()
    assert len(caplog.messages) == 1
    assert "belongs to another user" in caplog.text


def test_a_link_is_not_used_as_a_cache(room: Path, caplog: pytest.LogCaptureFixture) -> None:
    own = cache_folder()
    own.rename(room / "elsewhere")
    own.symlink_to(room / "elsewhere")
    cache_folder.cache_clear()
    assert is_private()
    assert len(caplog.messages) == 1


def test_where_no_cache_can_be_made_a_private_one_serves(
    room: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (room / "file").touch()
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(room / "file"))
    cache_folder.cache_clear()
    assert is_private()
    assert "cannot be made" in caplog.text
    assert caplog.records[0].levelno == logging.WARNING
