"""Files of a run that are small, and that describe far more than the memory can hold."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis.runs import totals_file
from analysis.runs.manifest import Manifest
from simcore.errors import Damaged, UsageError
from simcore.running.batch import Spec
from tests.analysis.runs.conftest import write_run
from tests.manifests import edit, manifest_of

MANY = 60_000_000


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A Parquet file of some kilobytes with a great many equal rows."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.parquet"
    one = pl.LazyFrame({"game_id": [0]}, schema={"game_id": pl.UInt32})
    rows = one.select(pl.col("game_id").repeat_by(1_000_000).explode())
    pl.concat([rows] * (MANY // 1_000_000)).sink_parquet(path, row_group_size=10_000_000)
    assert path.stat().st_size < 200_000
    return path.read_bytes()


def lay(folder: Path, data: bytes, **change: Any) -> Path:
    """Replace the first file of a run's table, and sign the manifest anew."""
    parts = manifest_of(folder)["parts"]
    path = folder / str(parts[0]["file"])
    path.write_bytes(data)
    parts[0] |= {"sha256": hashlib.sha256(data).hexdigest(), **change}
    edit(folder, parts=parts)
    return path


def never(*args: Any, **options: Any) -> Any:
    raise AssertionError("the rows were read")


def test_rows_are_counted_before_they_are_read(
    tmp_path: Path, spec: Spec, bomb: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "run", spec, "minimal")
    monkeypatch.setattr(pl, "read_parquet", never)
    path = lay(tmp_path / "run", bomb)
    with pytest.raises(Damaged, match=re.escape(f"{path}: contains {MANY:,} rows, more than its games can have")):
        eq.load(tmp_path / "run")
    with pytest.raises(Damaged, match="the columns of the parts do not match"):
        eq.load(tmp_path / "run", verify=False).polars()


def test_a_part_has_no_more_games_than_memory_holds(
    tmp_path: Path, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if its file has all of their rows."""
    write_run(tmp_path / "run", spec, "minimal")
    monkeypatch.setattr(pl, "read_parquet", never)
    monkeypatch.setattr(import_module("analysis.runs.load"), "MOST_GAMES", 7_000)
    with pytest.raises(Damaged, match=r"7,680 games are too many for one file; the run was changed"):
        eq.load(tmp_path / "run")


def test_types_are_compared_before_the_rows_are_read(
    tmp_path: Path, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few distinct texts can take little room in a file and much in memory."""
    write_run(tmp_path / "run", spec, "minimal")
    frame = pl.read_parquet(tmp_path / "run/games/part-000000.parquet")
    monkeypatch.setattr(pl, "read_parquet", never)
    for name in ("game_id", "seat"):
        made = io.BytesIO()
        frame.with_columns(pl.col(name).cast(pl.String)).write_parquet(made)
        path = lay(tmp_path / "run", made.getvalue())
        with pytest.raises(Damaged, match=re.escape(f"{path}: column '{name}' is of type String; the run was changed")):
            eq.load(tmp_path / "run", verify=name == "game_id").polars()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return made.getvalue()


def array(shape: tuple[int, ...], data: bytes = b"") -> bytes:
    """Return an array's file whose header promises a shape."""
    made = io.BytesIO()
    np.lib.format.write_array_header_1_0(made, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return made.getvalue() + data


def plain() -> bytes:
    made = io.BytesIO()
    np.save(made, np.zeros(3))
    return made.getvalue()


ARCHIVES: dict[str, tuple[Callable[[], bytes], str]] = {
    "a header that promises more than there is": (lambda: zipped({"a.npy": array((10**11,))}), ""),
    "a shape beyond all numbers": (lambda: zipped({"a.npy": array((10**30,))}), ""),
    "a negative shape": (lambda: zipped({"a.npy": array((-(10**11),))}), ""),
    "too much": (lambda: zipped({"a.npy": array((40_000,), bytes(320_000))}), "more than 300,000; run the"),
    "too much together": (
        lambda: zipped({f"{number}.npy": array((20_000,), bytes(160_000)) for number in range(2)}),
        "more than 300,000; run the",
    ),
    "something else": (lambda: zipped({"a.txt": b"text"}), "contains something else than arrays"),
    "no archive": (plain, ""),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_totals_that_are_too_large_or_no_totals(
    kind: str, tmp_path: Path, spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals_file, "MOST_BYTES", 300_000)
    make, says = ARCHIVES[kind]
    data, name = make(), "totals/part-000001.npz"
    (tmp_path / "totals").mkdir()
    (tmp_path / name).write_bytes(data)
    part = {"file": name, "first": 0, "games": 1, "sha256": hashlib.sha256(data).hexdigest()}
    begun = Manifest.begin(spec, "summary", "none", ["simulate"]).model_dump()
    manifest = Manifest.model_validate(begun | {"parts": [part], "games_written": 1})
    with pytest.raises(UsageError, match=f"part-000001.npz: damaged: .*{says}") as raised:
        totals_file.read_totals(tmp_path, manifest)
    assert "\n" not in str(raised.value)
