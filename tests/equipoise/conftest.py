"""Command lines run in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from equipoise.cli import app, run
from simcore.running.executors import Pool
from tests.analysis.check.conftest import measured  # noqa: F401  a fixture
from tests.fuzzing import EXAMPLES, USUAL


@dataclass(frozen=True)
class Said:
    """What a command left: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


class Cli(Protocol):
    """Runs a command line of `equipoise`."""

    def __call__(self, *arguments: object) -> Said: ...


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: object) -> Said:
        capsys.readouterr()
        code = run(app, [str(argument) for argument in arguments])
        return Said(code, *capsys.readouterr())

    return call


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of threads of every pool that is made from now on."""
    sizes: list[int] = []
    make = Pool.__init__

    def noted(self: Pool, threads: int) -> None:
        sizes.append(threads)
        make(self, threads)

    monkeypatch.setattr(Pool, "__init__", noted)
    return sizes


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own; refuse to fuzz long as the machine's administrator."""
    if EXAMPLES > USUAL and hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.fail("EQUIPOISE_FUZZ: run many examples as an ordinary user, not as root")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('PWNED', 'w')\n")


@pytest.fixture
def refused(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run a command line in an empty folder; it must end with 2, one line on standard error, and leave nothing."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def call(*arguments: object, left: tuple[str, ...] = ()) -> str:
        said = cli(*arguments)
        assert said.code == 2, said
        assert said.out == ""
        assert said.err.startswith("error: ")
        assert said.err.count("\n") == 1
        assert said.err.endswith("\n")
        assert "Traceback" not in said.err
        assert sorted(path.name for path in folder.iterdir()) == sorted(left)
        return said.err.removeprefix("error: ").strip()

    return call
