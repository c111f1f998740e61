"""The tables next to the one by seat: asked for, written with the parts, checked, and read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.runs import load
from analysis.runs.folders import claim
from analysis.runs.writer import RunWriter
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.kernel.driver import Memory
from simcore.running.batch import play_into, run_chunk
from simcore.running.columns import check_tables
from simcore.running.executors import execute
from simcore.running.replay import replays
from tests.specs import make_spec

GAMES = 90
SPEC = make_spec(3, ["regent", "random", "collector"], game="medievallons", design="rotate", seed=4, games=GAMES)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    claim(folder)
    writer = RunWriter(folder, SPEC, "full", "parquet", ())
    writer.close(execute(SPEC, 2, "full", writer.write, writer.finished, tables=("events",)))
    return folder


def test_events_are_those_of_the_games(run: Path) -> None:
    """The actions noted are those that the rows count, and the last standing is no older than the game's last round."""
    events = load(run).events().collect()
    assert events["game_id"].to_list() == sorted(events["game_id"].to_list())
    assert events.filter(pl.col("kind") == "deal")["seat"].null_count() == GAMES
    acted = events.filter(pl.col("kind") == "action").group_by("game_id", "seat").len().sort("game_id", "seat")
    rows = run_chunk(SPEC, 0, GAMES)
    counted = rows["actions"].sum(axis=1)
    assert acted["len"].to_list() == counted[counted > 0].tolist()


def test_a_standing_is_what_the_log_says(run: Path) -> None:
    events = load(run).events().filter(pl.col("kind") == "standing", pl.col("game_id") == 5).collect()
    turns = {record["turn"]: record for record in next(replays(SPEC, 5, 1)).records if record["kind"] == "turn_end"}
    assert len(events) > 0
    last = len(turns) + 1  # the turn that ends a deal has no such record
    assert set(events["turn"].unique().to_list()) <= set(range(1, last + 1))
    assert events["turn"].max() == last


def test_the_last_standing_is_the_result(run: Path) -> None:
    events = load(run).events().filter(pl.col("kind") == "standing").collect()
    last = events.group_by("game_id", "seat").last().sort("game_id", "seat")
    rows = run_chunk(SPEC, 0, GAMES)
    for column, field in (("a", "guilds"), ("b", "members"), ("c", "hand")):
        assert last[column].to_list() == rows[field].tolist()


def test_events_of_a_match_name_the_players_that_the_rows_name() -> None:
    """In its second deal the two players sit the other way round; events still name them by their rows."""
    spec = make_spec(2, ["regent"], game="medievallons", design="fixed", seed=4, games=40)
    rows, notes = run_chunk(spec, 0, 40), list[np.ndarray]()
    play_into(spec, np.arange(40), np.zeros_like(rows), Memory(spec.game), notes=notes)
    found = np.concatenate(notes)
    acted = found[found[:, 3] == 1]
    actions = rows["actions"].reshape(40, 2, -1, 5).sum(axis=2)
    counted = np.zeros_like(actions)
    np.add.at(counted, (acted[:, 0], acted[:, 2], acted[:, 4]), 1)
    assert rows["deals"].max() == 3
    assert np.array_equal(counted, actions)


def test_what_a_kind_does_not_have_is_null(run: Path) -> None:
    events = load(run).events().collect()
    assert events.filter(pl.col("kind") == "action")["b"].null_count() == len(events.filter(pl.col("kind") == "action"))
    assert events.filter(pl.col("kind") == "standing").select("a", "b", "c").null_count().sum_horizontal().item() == 0


def test_threads_and_small_buffers_change_nothing(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr("simcore.running.executors.FIRST_CHUNK", 3)
    found: list[np.ndarray] = []
    execute(SPEC, 1, "minimal", lambda number, buffer: found.append(buffer.extra.notes()), tables=("events",))
    events = load(run).events().collect()
    assert sum(len(part) for part in found) == len(events)
    assert np.concatenate(found)[:, 1].tolist() == events["turn"].to_list()


def test_damage_is_found(run: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    part = next((copy / "tables").iterdir())
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with pytest.raises(UsageError, match="SHA-256"):
        load(copy)


def test_tables_that_a_game_does_not_fill_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Middle-Ages does not fill the table 'events'"):
        check_tables(load_game("middle-ages"), ["events"])
    with pytest.raises(UsageError, match="no table 'event'; did you mean 'events'"):
        check_tables(load_game("medievallons"), ["event"])
    assert not tmp_path.joinpath("x").exists()


def test_a_run_without_the_table_says_how_to_make_it(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    claim(folder)
    writer = RunWriter(folder, SPEC, "minimal", "parquet", ())
    writer.close(execute(SPEC, 1, "minimal", writer.write, writer.finished))
    with pytest.raises(UsageError, match="has no table of events; run the simulation again with the table 'events'"):
        load(folder).events()
