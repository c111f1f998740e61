"""The notebook in docs/ runs from top to bottom; its own cells compare its figures with ours."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs").glob("*.ipynb"))


def small(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook that plays a tenth of its games."""
    for cell in notebook.cells:
        cell.source = cell.source.replace('games = "30_000"', 'games = "3_000"')
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    done = NotebookClient(small(notebook), timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = [output for cell in done.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in said)
    assert any("seat" in output.get("text", "") and "of the wins" in output.get("text", "") for output in said)
    assert (tmp_path / "hand-run/manifest.json").is_file()


def test_there_is_a_notebook_with_its_outputs() -> None:
    """It is read without running it, too; and it stays small."""
    for path in NOTEBOOKS:
        cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        assert all(cell.execution_count for cell in cells)
        assert path.stat().st_size < 100_000
    assert NOTEBOOKS
