"""Run folders: what a manifest says, how a table is written and read back."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import altair
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import equipoise as eq
from analysis.data.pandas_frames import to_pandas
from analysis.runs import Manifest, folders, load_spec
from analysis.runs.export import write_table
from analysis.runs.folders import claim, free_folder
from analysis.runs.writer import RunWriter
from simcore.running.accumulator import Digest
from simcore.running.batch import Spec, run_chunk
from simcore.running.columns import columns
from simcore.running.executors import execute
from tests.analysis.runs.conftest import GAMES, write_run
from tests.specs import make_spec


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, spec: Spec) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    write_run(folder, spec, form="both")
    return folder


# --- the manifest ---


def test_manifest_says_what_was_played(made: Path, spec: Spec) -> None:
    table = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    digest = Digest()
    digest.add(run_chunk(spec, 0, GAMES), 0)
    expected = {
        "format": "equipoise-run/2",
        "status": "complete",
        "game": "middle-ages",
        "players": 3,
        "strategies": ["greedy", "random", "random"],
        "design": "rotate",
        "seed": 2**64 - 1,
        "games": GAMES,
        "games_written": GAMES,
        "rows": 3 * GAMES,
        "digest": digest.hexdigest(),
        "detail": "full",
        "table_format": "both",
        "rules_digest": spec.rules.digest,
        "settings": ["shortfall=debt", "events.alliance.copies=2"],
        "command": ["simulate", "--games", str(GAMES)],
    }
    assert {key: table[key] for key in expected} == expected
    assert table["rules"]["shortfall"] == "debt"
    assert [table["policy"] for table in table["strategy_tables"]] == ["greedy", "random", "random"]
    assert {"equipoise", "python", "numba", "numpy", "polars"} <= set(table["versions"])
    files = {f"games/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in (made / "games").iterdir()}
    assert {part["file"]: part["sha256"] for part in table["parts"]} == files
    assert [(part["first"], part["games"]) for part in table["parts"][::2]] == [(0, 7_680), (7_680, 320)]
    assert table["started"].endswith("+00:00")


def test_a_run_can_be_played_again_from_its_manifest(made: Path, spec: Spec) -> None:
    again = load_spec(made)
    assert execute(again, 1).digest == eq.load(made).manifest.digest
    assert (again.strategies, again.design, again.rules.digest) == (spec.strategies, spec.design, spec.rules.digest)


# --- the table ---


def test_table_holds_the_rows(made: Path, spec: Spec) -> None:
    run = eq.load(made)
    frame = run.polars()
    assert isinstance(frame, pl.LazyFrame)
    read = frame.collect()
    assert read.schema == run.schema
    assert dict(read.schema) == {name: read[name].dtype for name in run.schema}
    rows = run_chunk(spec, 0, GAMES)
    for column in columns(spec.game, "full")[3:]:
        values = rows[column.field] if column.index is None else rows[column.field][:, column.index]
        found = read[column.name]
        if column.type == "Enum":
            found = found.to_physical()
        if column.divisor > 1:
            values = (values / column.divisor).astype("float32")
        if column.name == "strategy":  # seats 2 and 3 of the line-up play the same strategy
            values = values.clip(max=1)
        assert (found.to_numpy() == values).all(), column.name
    assert read["game_id"].is_sorted()
    assert read["strategy"].unique().sort().to_list() == ["greedy", "random"]
    assert read["event_1"].dtype == pl.Enum(list(spec.rules.values.model_dump()["events"]))


def test_parts_are_compressed_and_any_reader_of_parquet_sees_the_same(made: Path) -> None:
    run = eq.load(made)
    parts = [made / part.file for part in run.table]
    for part in parts:
        file = pq.ParquetFile(part)
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        assert {group.column(at).compression for group in groups for at in range(group.num_columns)} == {"ZSTD"}
    mine, theirs = run.polars().collect(), pl.from_arrow(pa.concat_tables(map(pq.read_table, parts)))
    assert isinstance(theirs, pl.DataFrame)
    assert theirs.cast(dict(run.schema)).equals(mine)


def test_pandas_gives_the_same(made: Path) -> None:
    run = eq.load(made)
    frame = run.pandas()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 3 * GAMES
    kinds = {
        name: str(frame[name].dtype) for name in ("game_id", "seat", "coins", "strategy", "turn_mean", "extra_mill")
    }
    assert kinds == {
        "game_id": "uint32",
        "seat": "uint8",
        "coins": "int32",
        "strategy": "category",
        "turn_mean": "float32",
        "extra_mill": "bool",
    }
    some = run.pandas(["seat", "coins"])
    assert list(some) == ["seat", "coins"]
    assert (some["coins"] == frame["coins"]).all()


def test_pandas_frames_are_those_of_polars() -> None:
    """Polars makes them through pyarrow, which an installation need not have."""
    frame = pl.DataFrame(
        {
            "whole": [1, 2, None],
            "small": pl.Series([1, 2, 3], dtype=pl.UInt8),
            "part": pl.Series([1.5, None, 2.5], dtype=pl.Float32),
            "text": ["a", None, "b"],
            "truth": [True, False, None],
            "sure": [True, False, True],
            "name": pl.Series(["x", None, "y"], dtype=pl.Enum(["y", "x"])),
            "many": [[1, 2], [], None],
        }
    )
    found = to_pandas(frame)
    pd.testing.assert_frame_equal(found.drop(columns="many"), frame.drop("many").to_pandas())
    assert found["many"].tolist() == [[1, 2], [], None]


def test_other_libraries_take_a_run_and_a_result_as_they_are(made: Path) -> None:
    """Arrow's PyCapsule interface."""
    run = eq.load(made)
    assert pl.DataFrame(run).equals(run.polars().collect())
    assert pa.table(run).num_rows == run.manifest.rows
    expected = run.polars().group_by("seat").agg(pl.col("coins").mean()).sort("seat").collect()
    assert duckdb.sql("select seat, avg(coins) from run group by seat order by seat").fetchall() == expected.rows()
    seats = eq.seat_advantage(run)
    assert pl.DataFrame(seats).equals(seats.table)
    if hasattr(pd.DataFrame, "from_arrow"):  # pandas 3
        assert pd.DataFrame.from_arrow(seats).shape == seats.table.shape
    drawn = altair.Chart(pl.DataFrame(seats)).mark_bar().encode(x="seat:O", y="share:Q").to_dict()
    (rows,) = drawn["datasets"].values()
    assert [row["share"] for row in rows] == seats.table["share"].to_list()


def test_other_libraries_take_results_without_a_copy(made: Path) -> None:
    def address(frame: object) -> int:
        return int(pa.table(frame)["share"].chunk(0).buffers()[1].address)

    seats = eq.seat_advantage(eq.load(made))
    assert address(seats) == address(seats.table) == address(pl.DataFrame(seats))
    copied = seats.table.with_columns(pl.col("share") * 2)
    assert address(copied) != address(seats)


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_export_is_the_table(made: Path, tmp_path: Path, form: str) -> None:
    run = eq.load(made)
    path = tmp_path / f"table.{form}"
    assert write_table(run, path, form) == 3 * GAMES
    whole = run.polars().collect()
    back = pl.read_parquet(path) if form == "parquet" else pl.read_csv(path, schema=run.schema)
    assert back.schema == whole.schema
    assert back.drop("turn_mean").equals(whole.drop("turn_mean"))
    write_table(run, path, form, ["coins", "seat"])
    back = pl.read_parquet(path) if form == "parquet" else pl.read_csv(path)
    assert back.columns == ["coins", "seat"]
    assert back["coins"].to_list() == whole["coins"].to_list()


# --- writing ---


def test_free_folder_is_the_first_that_is_free(tmp_path: Path) -> None:
    assert free_folder(tmp_path, "x") == tmp_path / "x-1"
    for number in (1, 2, 4):
        (tmp_path / f"x-{number}").mkdir()
    assert free_folder(tmp_path, "x") == tmp_path / "x-3"


def test_a_folder_that_another_process_takes_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def overtaken(base: Path, stem: str) -> Path:
        found.append(free_folder(base, stem))
        if len(found) < 3:
            claim(found[-1])
            (found[-1] / "manifest.json").touch()
        return found[-1]

    monkeypatch.setattr(folders, "free_folder", overtaken)
    assert folders.claim_free(tmp_path, "x") == tmp_path / "x-3"
    assert (tmp_path / "x-3/games").is_dir()


def test_manifest_is_kept_true_while_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(2, games=8_000)
    claim(tmp_path / "run")
    writer = RunWriter(tmp_path / "run", spec, "minimal", "parquet", [])
    begun = Manifest.read(tmp_path / "run")
    assert (begun.status, begun.parts, begun.digest, begun.games_written) == ("running", [], None, 0)
    execute(spec, 1, "minimal", writer.write, writer.finished)
    writer.abandon("interrupted")
    ended = Manifest.read(tmp_path / "run")
    assert (ended.status, ended.games_written, len(ended.parts), ended.digest) == ("interrupted", 8_000, 2, None)


def test_reading_needs_no_compiler(made: Path) -> None:
    code = f"import sys, equipoise as eq; print(eq.load({str(made)!r}).manifest.games, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split()[0] == str(GAMES)


@pytest.mark.parametrize("detail", ["standard", "summary"])
def test_a_notebook_shows_a_run_with_rows_or_without(tmp_path: Path, detail: str) -> None:
    page = eq.simulate(players=2, strategies="random", games=40, detail=detail, out=tmp_path / "run").run._repr_html_()
    assert "40 games" in page and ("<table" in page) == (detail == "standard")
