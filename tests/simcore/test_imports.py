"""Imports run one way: simcore <- strategies <- analysis <- reports <- equipoise; and `import equipoise` is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("simcore", "strategies", "analysis", "reports", "equipoise")
HEAVY = {"polars", "pandas", "pyarrow", "matplotlib", "typer", "rich", "scipy"}


def imported(source: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports, wherever in it, also by a name given to import_module."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: write the whole name"
            yield str(node.module).split(".")[0]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            yield from (
                str(part.value).split(".")[0]
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_nothing_from_rooms_above(room: str) -> None:
    above = set(ROOMS[ROOMS.index(room) + 1 :]) | {"tests"}
    sources = sorted((ROOT / room).rglob("*.py"))
    assert sources
    found = {(str(source.relative_to(ROOT)), name) for source in sources for name in imported(source) if name in above}
    assert found == set()


def test_simcore_does_without_tables_figures_and_terminals() -> None:
    for source in (ROOT / "simcore").rglob("*.py"):
        assert not HEAVY & set(imported(source)), source


def loaded(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


def test_import_equipoise_is_light() -> None:
    assert not (HEAVY | {"numba", "numpy", "pydantic"}) & loaded("import equipoise")


def test_help_is_light() -> None:
    """What a command line needs before it knows what to play."""
    assert not (HEAVY - {"typer", "rich"} | {"numba"}) & loaded("import equipoise.cli")


def test_public_names_are_what_they_say() -> None:
    import equipoise

    assert dir(equipoise) == sorted([*equipoise.__all__, "__version__"])
    for name in equipoise.__all__:
        assert getattr(equipoise, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        equipoise.laod  # noqa: B018
