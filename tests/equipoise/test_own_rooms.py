"""A user's own modules may have the names of our packages: they are neither run nor in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from equipoise.process import ROOMS, TREE

RAN = "print('a decoy ran')\n"
WORK = """
import equipoise as eq
spec = eq.make_spec("middle-ages", strategies="random", games=20)
assert len(eq.run_chunk(spec, 0, 2)) == 8
assert "Round 1" in eq.replay(spec, 0).text()
from equipoise.pytest_plugin import balance_check
from reports.words import ENGLISH
"""


@pytest.fixture
def decoys(tmp_path: Path) -> Path:
    """Modules and folders in turn."""
    for number, name in enumerate(ROOMS):
        folder = tmp_path / name
        if number % 2:
            folder.mkdir()
        file = folder / "__init__.py" if number % 2 else folder.with_suffix(".py")
        file.write_text(RAN + "own = 42\nstats = 'mine'\n")
    return tmp_path


def python(folder: Path, code: str, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | more,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_decoys_would_be_run_without_it(decoys: Path) -> None:
    assert "a decoy ran" in python(decoys, "import analysis")


def test_decoys_beside_a_notebook_are_not_run(decoys: Path) -> None:
    assert python(decoys, WORK) == ""


def test_import_alone_leaves_the_names_to_the_user(decoys: Path) -> None:
    code = "import equipoise, equipoise.pytest_plugin, analysis; assert analysis.own == 42"
    assert python(decoys, code) == "a decoy ran\n"


def test_what_the_user_imported_before_stays_within_reach(decoys: Path) -> None:
    code = f"import analysis{WORK}\nimport analysis.stats\nfrom analysis import own\nassert own == 42"
    assert python(decoys, code) == "a decoy ran\n"


def test_a_command_runs_no_decoy_in_its_folder_or_on_the_path(decoys: Path) -> None:
    code = "import sys; sys.argv[1:] = ['games']; from equipoise.start import main; main()"
    assert "decoy" not in python(decoys, code, PYTHONPATH=str(decoys))


def test_a_process_that_compiles_runs_no_decoy_on_the_path(decoys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore.child_processes import python as child

    monkeypatch.setenv("PYTHONPATH", str(decoys))
    done = subprocess.run(child("strategies.kit"), cwd=decoys, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_package_of_ours_is_named() -> None:
    assert {path.parent.name for path in TREE.glob("*/__init__.py")} - {"equipoise", "tests"} == set(ROOMS)
