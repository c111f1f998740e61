"""Runs, baselines, strategies, rules and experiments of older versions still open, and give the same games."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from simcore.kernel.streams import STREAM_VERSION
from tests.equipoise.conftest import Cli

OLDER = Path(__file__).resolve().parents[1] / "older"
"""A folder for each version; the files in it were written by that version and are never written again."""

RUNS = sorted(path.parent for path in OLDER.glob("*/runs/*/manifest.json"))
COMPLETE = [run for run in RUNS if run.name != "interrupted"]
WHOLE_DIGEST = "bebc08415190f6b80ce87a6f48aa58c3c5caac85ae4dcba7339ccf1867020b79"
"""Digest of the interrupted run's 100,000 games when the older version played them without an interruption."""


@pytest.fixture(params=sorted(path.name for path in OLDER.iterdir()))
def older(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files of an older version, copied into a folder in which the test works."""
    shutil.copytree(OLDER / request.param, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    yield tmp_path / "project"


@pytest.mark.parametrize("run", COMPLETE, ids=lambda run: run.name)
def test_an_older_run_opens_and_its_games_play_again_as_stored(run: Path) -> None:
    opened = eq.load(run)
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    assert opened.manifest.games_written == manifest["games"] > 0
    if manifest["detail"] != "summary":
        assert eq.verify(opened).difference is None


def test_older_totals_still_say_who_wins() -> None:
    totals = next(run for run in COMPLETE if run.name.endswith("totals"))
    shares = eq.seat_advantage(totals).table.filter(pl.col("seat").is_not_null())["share"]
    assert shares.sum() == pytest.approx(1)


def test_an_interrupted_older_run_goes_on(cli: Cli, older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the code that began it; any other is refused in one line."""
    refused = cli("simulate", "--resume", "runs/interrupted", "--quiet")
    assert refused.code == 2 and "the run was begun by different code (Equipoise 0.1.0)" in refused.err
    code = json.loads((older / "runs/interrupted/manifest.json").read_text(encoding="utf-8"))["code"]
    monkeypatch.setattr("analysis.runs.writer.code_of_game", lambda game: code)
    assert cli("simulate", "--resume", "runs/interrupted", "--quiet").code == 0
    assert json.loads((older / "runs/interrupted/manifest.json").read_text(encoding="utf-8"))["digest"] == WHOLE_DIGEST


def test_an_older_baseline_is_judged(cli: Cli, older: Path) -> None:
    judged = cli("check", "baseline.toml", "--json")
    assert judged.code == 0, judged


def test_older_rules_and_strategies_play(cli: Cli, older: Path) -> None:
    line = ("--players", 2, "--strategies", "strategies/tuned.toml", "--rules", "rules.toml", "--games", 100)
    assert cli("simulate", *line, "--out", "runs/new", "--quiet").code == 0
    assert cli("simulate", *line[:2], "--rules", "mend/mended-1.toml", "--games", 100, "--format", "none").code == 0


def test_an_older_experiment_gives_the_same_table(cli: Cli, older: Path) -> None:
    assert cli("sweep", "experiment.toml", "--out", "again", "--format", "parquet", "--quiet").code == 0
    before, after = (
        pl.read_parquet(folder / "sweep.parquet").filter(kind="seat").select("effects.mill_coins", "name", "value")
        for folder in (older / "sweep", older / "again")
    )
    assert len(before) == 6
    assert after.equals(before)


def test_a_log_lists_all_that_an_older_version_wrote(cli: Cli, older: Path) -> None:
    listed = cli("log", ".", "--json")
    assert listed.code == 0, listed
    for name in ("runs/medievallons", "runs/seigneurial", "runs/fief-2-events", "sweep", "compare", "mend"):
        assert name in listed.out, name


def test_an_older_run_is_exported_whole(cli: Cli, older: Path) -> None:
    assert cli("export", "runs/middle-ages-rotated", "--out", "rows.csv").code == 0
    assert len(pl.read_csv(older / "rows.csv")) == 60 * 4


def test_an_older_version_can_read_a_new_run(cli: Cli, older: Path) -> None:
    """It refuses a manifest with a key that it does not know; the version of the streams is among the versions."""
    assert cli("simulate", "--game", "medievallons", "--games", 60, "--out", "runs/new", "--quiet").code == 0
    before, after = (
        json.loads((older / "runs" / run / "manifest.json").read_text(encoding="utf-8"))
        for run in ("medievallons", "new")
    )
    assert after.keys() <= before.keys() and after["format"] == before["format"]
    assert "stream_version" not in before["versions"] and after["versions"]["stream_version"] == str(STREAM_VERSION)
    assert all(isinstance(value, str) for value in after["versions"].values())
