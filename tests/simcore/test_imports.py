"""Files of modules are found without running any module."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simcore.imports import importing_from, module_file, sources_of


def test_nothing_runs_to_find_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("outer/__init__.py", "outer/inner.py", "loose/inside.py", "single.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1 / 0")
    assert module_file("outer.inner") == tmp_path / "outer/inner.py"
    assert module_file("outer") == tmp_path / "outer/__init__.py"
    assert module_file("loose.inside") == tmp_path / "loose/inside.py"
    assert module_file("loose") is module_file("outer.none") is module_file("none") is module_file("../single") is None
    assert module_file("single", here=False) is None
    assert sources_of("outer.inner") == [tmp_path / "outer/__init__.py", tmp_path / "outer/inner.py"]
    assert sources_of("single") == [tmp_path / "single.py"]
    assert sources_of("none") == sources_of("sys") == []
    assert not {"outer", "single", "loose"} & set(sys.modules)


def test_the_importing_from_is_searched_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    with importing_from(Path.cwd()):
        assert sys.path == [str(tmp_path), *before]
    assert sys.path == before
