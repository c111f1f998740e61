"""`equipoise verify`: what only playing the games again can find."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from analysis.data.verifying import verify_run
from analysis.runs.writer import RunWriter, claim
from simcore.running.executors import execute
from tests.equipoise.conftest import Cli
from tests.manifests import edit, manifest_of
from tests.specs import make_spec

GAMES = 7_900


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "run", 1, "parquet")


def written(place: Path, seed: int, form: str) -> Path:
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate", seed=seed, games=GAMES)
    claim(place)
    writer = RunWriter(place, spec, "standard", form, [])
    writer.close(execute(spec, 2, "standard", writer.write, writer.finished))
    return place


def resigned(folder: Path, file: str) -> None:
    """Give a changed file the checksum that fits."""
    sha256 = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    parts = [part | {"sha256": sha256} if part["file"] == file else part for part in manifest_of(folder)["parts"]]
    edit(folder, parts=parts)


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
        pl.when((pl.col("game_id") == 1234) & (pl.col("seat") == 2)).then(pl.col("coins") + 1).otherwise("coins")
        .alias("coins").cast(frame["coins"].dtype)
    )  # fmt: skip
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
    said = cli("verify", folder, "--partial")
    assert said.out.endswith("the table is the same; the digest of outcomes was not checked\n")
    (folder / "games/part-000001.parquet").write_bytes(b"PAR1xxxxPAR1")
    said = cli("verify", folder, "--partial")
    assert (said.code, said.out) == (2, "")
