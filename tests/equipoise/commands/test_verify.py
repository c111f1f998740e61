"""`equipoise verify`: what only playing the games again can find."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.data.verifying import verify_run
from analysis.runs.folders import claim
from analysis.runs.writer import RunWriter
from equipoise.cli import app, run
from simcore.running.executors import execute
from tests.equipoise.conftest import Cli
from tests.manifests import edit, manifest_of
from tests.specs import make_spec
from tests.toy import TOY

GAMES = 7_900


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("whole") / "run", 1, "parquet")


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def written(place: Path, seed: int, form: str) -> Path:
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate", seed=seed, games=GAMES)
    claim(place)
    writer = RunWriter(place, spec, "standard", form, [])
    writer.close(execute(spec, 2, "standard", writer.write, writer.finished))
    return place


def resigned(folder: Path, file: str) -> None:
    """Give a changed file the checksum that fits."""
    sha256 = hashlib.sha256((folder / file).read_bytes()).hexdigest()

    def fit(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [part | {"sha256": sha256} if part["file"] == file else part for part in parts]

    made = manifest_of(folder)
    edit(folder, parts=fit(made["parts"]), tables={name: fit(parts) for name, parts in made["tables"].items()})


@pytest.mark.parametrize("form", ["parquet", "csv", "both"])
def test_a_true_run_is_true(cli: Cli, tmp_path: Path, form: str) -> None:
    folder = written(tmp_path / "run", 1, form)
    said = cli("verify", folder)
    assert (said.code, said.err) == (0, "")
    told = "all 7,900 games were played again; the table and the digest of outcomes are the same"
    assert said.out == f"{folder}: {told}\n"
    said = cli("verify", folder, folder, "--sample", 50)
    told = "50 of 7,900 games were played again; the table is the same; the digest of outcomes was not checked"
    assert (said.code, said.out) == (0, f"{folder}: {told}\n" * 2)


def test_a_part_of_another_seed_is_found(cli: Cli, folder: Path, tmp_path: Path) -> None:
    """With checksums that fit, so that no reader notices."""
    other = written(tmp_path / "other", 2, "parquet")
    file = "games/part-000001.parquet"
    (folder / file).write_bytes((other / file).read_bytes())
    resigned(folder, file)
    assert eq.load(folder).polars().collect().height == 3 * GAMES
    said = cli("verify", folder)
    assert said.code == 1
    assert f"{folder}: false; {folder / file}: column '" in said.out
    found = [verify_run(eq.load(folder), sample=200).difference for _ in range(3)]
    assert any(found)  # 220 of 7,900 games are false: three samples of 200 miss all with a chance of 4e-8


def test_one_changed_value_is_found(cli: Cli, folder: Path) -> None:
    file = "games/part-000000.parquet"
    frame = pl.read_parquet(folder / file)
    changed = frame.with_columns(
        pl.when((pl.col("game_id") == 1234) & (pl.col("seat") == 2))
        .then(pl.col("coins") + 1)
        .otherwise("coins")
        .alias("coins")
        .cast(frame["coins"].dtype)
    )
    changed.write_parquet(folder / file)
    resigned(folder, file)
    said = cli("verify", folder)
    assert said.code == 1
    assert "column 'coins' of game 1234, seat 2 has another value when the game is played again" in said.out


def test_another_digest_is_found(cli: Cli, folder: Path) -> None:
    edit(folder, digest="0" * 64)
    said = cli("verify", folder)
    assert said.code == 1
    assert f"the manifest says {'0' * 64}" in said.out


@pytest.mark.parametrize("change", [{"seed": 2}, {"design": "fixed"}])
def test_a_manifest_that_names_other_games_is_found(cli: Cli, folder: Path, change: dict[str, object]) -> None:
    edit(folder, **change)
    assert cli("verify", folder).code == 1


def test_damage_and_runs_that_ended_early(cli: Cli, folder: Path) -> None:
    edit(folder, status="interrupted", digest=None)
    assert "--partial" in cli("verify", folder).err
    assert cli("compare", folder, "base").err.endswith("; run it again\n")
    said = cli("verify", folder, "--partial")
    assert said.out.endswith("the table is the same; the digest of outcomes was not checked\n")
    (folder / "games/part-000001.parquet").write_bytes(b"PAR1xxxxPAR1")
    said = cli("verify", folder, "--partial")
    assert (said.code, said.out) == (2, "")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_run_of_a_game_with_roles_is_true(cli: Cli, tmp_path: Path, form: str) -> None:
    """Its table has columns of roles and camps, and values that only one role has."""
    folder = tmp_path / "run"
    assert cli("simulate", "-q", "--game", TOY, "--games", 60, "--format", form, "--out", folder).code == 0
    said = cli("verify", folder)
    assert (said.code, said.err) == (0, "")
    assert "all 60 games were played again; the table and the digest of outcomes are the same" in said.out


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logged") / "run"
    line = ("--game", "medievallons", "--strategies", "regent,random,random,random", "--games", "40")
    assert run(app, ["simulate", "-q", *line, "--tables", "events", "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def with_events(logged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(logged, tmp_path / "run"))


@pytest.mark.parametrize("sample", [(), ("--sample", 30)])
def test_a_changed_table_of_events_is_found(cli: Cli, with_events: Path, sample: tuple[object, ...]) -> None:
    assert cli("verify", with_events, *sample).code == 0
    file = "tables/events-000000.parquet"
    frame = pl.read_parquet(with_events / file)
    frame.with_columns(pl.col("turn") + 1).write_parquet(with_events / file)
    resigned(with_events, file)
    said = cli("verify", with_events, *sample)
    assert said.code == 1
    assert f"{with_events / file}: other rows result when the games are played again" in said.out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (pl.col("coins").cast(pl.Int64), "column 'coins' is of type Int64"),
        (pl.col("strategy").cast(pl.String).cast(pl.Enum(["random", "greedy"])), "column 'strategy' is of type Enum"),
        (pl.when(pl.col("game_id") != 7).then("coins").alias("coins"), "column 'coins' lacks values"),
    ],
)
def test_columns_of_another_type_and_missing_values_are_found_by_readers(
    cli: Cli, folder: Path, change: pl.Expr, told: str
) -> None:
    """With checksums that fit: 'greedy' would be called 'random', and coins that are missing would count as 0."""
    file = "games/part-000000.parquet"
    frame = pl.read_parquet(folder / file)
    frame.with_columns(change).write_parquet(folder / file)
    resigned(folder, file)
    for said in (cli("verify", folder), cli("report", folder, "--no-open", "--deals", 10, "--out", folder.parent)):
        assert said.code == 2
        assert told in said.err
        assert "Traceback" not in said.err


def test_tables_of_other_games_than_the_parts_are_refused(cli: Cli, with_events: Path) -> None:
    tables = manifest_of(with_events)["tables"]
    for change in ({"first": 1}, {"games": 39}, {"file": "tables/games-000000.parquet"}):
        edit(with_events, tables={"events": [tables["events"][0] | change]})
        said = cli("report", with_events, "--no-open")
        assert (said.code, said.out) == (2, "")
        assert "tables: events: its files are not of the same games as the parts" in said.err


@pytest.mark.parametrize("change", [pl.col("seat") + 7, pl.col("game_id") + 1, pl.col("game_id").reverse()])
def test_events_of_other_games_and_seats_are_refused(cli: Cli, with_events: Path, change: pl.Expr) -> None:
    file = "tables/events-000000.parquet"
    frame = pl.read_parquet(with_events / file)
    frame.with_columns(change).write_parquet(with_events / file)
    resigned(with_events, file)
    said = cli("report", with_events, "--no-open", "--deals", 10)
    assert (said.code, said.out) == (2, "")
    assert "its events do not match the part's games and seats" in said.err


def test_a_value_that_no_game_leaves_is_one_line(cli: Cli, tmp_path: Path) -> None:
    """The checksums fit, and an analysis of the tiles that were taken cannot count a tile of that number."""
    run, file = tmp_path / "run", "games/part-000000.parquet"
    line = ("--games", 60, "--strategies", "greedy,random,random,random", "--detail", "full")
    assert cli("simulate", "-q", *line, "--out", run).code == 0
    frame = pl.read_parquet(run / file)
    frame.with_columns(pl.lit(255, pl.UInt8).alias("column_r7")).write_parquet(run / file)
    resigned(run, file)
    said = cli("report", run, "--no-open", "--deals", 10)
    assert (said.code, said.out) == (2, "")
    assert "error: " in said.err
    assert (
        f"an analysis found a value that no game produces (invalid entry in coordinates array); find it with: "
        f"equipoise verify {run}" in said.err
    )
    assert cli("verify", run).code == 1
