"""Where games come from: run folders and specifications, and what cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.data import sources
from analysis.data.accumulate import whole_columns
from analysis.data.source import Block
from analysis.data.sources import RunSource, SpecSource, open_source
from analysis.runs import Run, load
from analysis.runs.folders import claim
from analysis.runs.writer import RunWriter
from analysis.seats.advantage import seat_advantage
from reports.words import ENGLISH
from simcore.errors import Interrupted, UsageError
from simcore.running.batch import Spec, play_into, run_chunk
from simcore.running.columns import columns
from simcore.running.executors import PlayedPart, execute
from tests.analysis.made import Made, finals
from tests.manifests import edit
from tests.specs import make_spec

GAMES = 8_001  # two parts, the last deal not whole


def write_run(folder: Path, spec: Spec, detail: str = "full", form: str = "parquet") -> Run:
    claim(folder)
    writer = RunWriter(folder, spec, detail, form, ["simulate"])
    writer.close(execute(spec, 2, detail, writer.write, writer.finished))
    return load(folder)


@pytest.fixture(scope="module")
def spec() -> Spec:
    return make_spec(3, ["greedy", "random", "random"], design="rotate", seed=11, games=GAMES)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, spec: Spec) -> Run:
    return write_run(tmp_path_factory.mktemp("runs") / "run", spec)


def test_a_run_and_its_specification_hold_the_same_games(run: Run, spec: Spec) -> None:
    names = [column.name for column in columns(spec.game, "full")[3:]]
    (read, told), (made, also) = (whole_columns(open_source(data), names) for data in (run, spec))
    for name in names:
        np.testing.assert_allclose(read[name], made[name], atol=1e-6, err_msg=name)
    assert (told.games, told.deals, told.excluded) == (also.games, also.deals, also.excluded) == (8_001, 2_667, 0)


def test_columns_are_those_of_the_kernels_rows(spec: Spec) -> None:
    source = SpecSource(spec, 30)
    found, _ = whole_columns(source, ["coins", "turn_mean", "strategy", "tile_r3"])
    rows = run_chunk(spec, 0, 30)
    assert np.array_equal(found["coins"].ravel(), rows["coins"])
    assert np.array_equal(found["turn_mean"].ravel(), rows["turn_sum"] / 16)
    assert np.array_equal(found["tile_r3"].ravel(), rows["taken"][:, 2])
    assert found["strategy"].tolist()[:3] == [[0, 1, 1], [1, 1, 0], [1, 0, 1]]  # codes of distinct names


def test_threads_change_nothing(run: Run) -> None:
    one, two = (whole_columns(open_source(run), ["coins"], threads=threads)[0]["coins"] for threads in (1, 2))
    assert np.array_equal(one, two)


def test_deals_that_are_not_whole_are_left_out_and_counted(spec: Spec) -> None:
    found, told = whole_columns(SpecSource(spec, 32), ["coins"])
    assert (told.games, told.deals, told.excluded) == (30, 10, 2)
    assert len(found["coins"]) == 30
    assert ENGLISH.denominator(told) == "10 deals (30 games), 2 games of incomplete deals left out"


def test_a_stretch_that_starts_inside_a_deal_loses_that_deal(run: Run) -> None:
    class Late(RunSource):
        def read(self, stretch, names):
            for first, found in super().read(stretch, names):
                yield first + 1, {name: values[1:] for name, values in found.items()}

    _, told = whole_columns(Late(run), ["coins"])
    assert told.excluded == 2 + 2  # two parts, and what is left of the first deal of each
    assert told.games == GAMES - 3 - 3


def test_totals_add_the_games_of_each_deal() -> None:
    block = Block(2, {"x": np.arange(8).reshape(4, 2)})
    assert block.totals(block["x"]).tolist() == [[0 + 2, 1 + 3], [4 + 6, 5 + 7]]
    assert (block.games, block.deals) == (4, 2)


def test_csv_reads_as_parquet_does(tmp_path: Path, spec: Spec, run: Run) -> None:
    other = write_run(tmp_path / "csv", spec, "standard", "csv")
    assert seat_advantage(other).table.equals(seat_advantage(run).table)


def test_a_folder_may_be_named(run: Run) -> None:
    assert seat_advantage(str(run.folder)).table.equals(seat_advantage(run).table)


def test_most_stops_after_enough(spec: Spec) -> None:
    source = SpecSource(spec, 60_000)
    _, told = whole_columns(source, ["coins"], most=100)
    assert 100 <= told.games < 60_000
    assert told.whole


def test_missing_columns_name_the_detail_that_has_them(tmp_path: Path, spec: Spec) -> None:
    from analysis.api import drama, economy
    from analysis.games.middle_ages.api import holdings, token_values

    minimal = write_run(tmp_path / "minimal", spec, "minimal")
    for analysis, level in ((economy, "standard"), (holdings, "standard"), (drama, "full"), (token_values, "full")):
        with pytest.raises(UsageError, match=f"detail 'minimal' left out; .* the level of detail '{level}'$"):
            analysis(minimal)
    assert "turn" not in seat_advantage(minimal).table.columns  # what is there is told


def test_a_column_of_no_game_is_told(spec: Spec) -> None:
    with pytest.raises(UsageError, match="has no column 'meeples', which this needs"):
        SpecSource(spec).require(["meeples"], "this")


def test_a_run_cut_short_is_refused_unless_asked_for(tmp_path: Path, spec: Spec) -> None:
    claim(tmp_path / "cut")
    writer = RunWriter(tmp_path / "cut", spec, "minimal", "parquet", ["simulate"])

    def stop(part: PlayedPart) -> None:
        writer.finished(part)
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        execute(spec, 1, "minimal", writer.write, stop)
    writer.abandon("interrupted")
    with pytest.raises(UsageError, match="partial"):
        seat_advantage(tmp_path / "cut")
    found = seat_advantage(load(tmp_path / "cut", partial=True))
    assert found.games == 7_680
    (short,) = [note.values for note in found.notes if note.code == "cut_short"]
    assert (short["games"], short["planned"]) == (7_680, 8_001)
    assert "cut short; it has 7,680 of 8,001 games" in ENGLISH.describe(found)


def test_an_empty_run_is_told(tmp_path: Path, spec: Spec) -> None:
    for status, stays in (("failed", False), ("interrupted", True)):
        claim(tmp_path / status)
        writer = RunWriter(tmp_path / status, spec, "minimal", "parquet", ["simulate"])
        assert (tmp_path / status).exists()
        assert writer.abandon(status) is stays
        assert (tmp_path / status).exists() is stays, "only what --resume can continue stays without one whole part"
    with pytest.raises(UsageError, match="no rows"):
        seat_advantage(load(tmp_path / "interrupted", partial=True))
    cut = write_run(tmp_path / "cut", spec, "minimal")
    edit(cut.folder, status="interrupted", games_written=0, rows=0, parts=[])
    with pytest.raises(UsageError, match="no rows"):
        seat_advantage(load(cut.folder, partial=True))


def test_a_damaged_part_is_told(tmp_path: Path, spec: Spec) -> None:
    run = write_run(tmp_path / "run", spec, "minimal")
    part = run.folder / run.manifest.parts[-1].file
    content = bytearray(part.read_bytes())
    content[100:400] = bytes(300)
    part.write_bytes(bytes(content))
    with pytest.raises(UsageError, match=r"damaged|changed"):
        seat_advantage(run)


def test_rows_out_of_order_are_told(tmp_path: Path, spec: Spec) -> None:
    run = write_run(tmp_path / "run", spec, "minimal")
    part = run.folder / run.manifest.parts[0].file
    pl.read_parquet(part).sort("seat").write_parquet(part)
    with pytest.raises(UsageError, match="one a game and seat, in order"):
        seat_advantage(run)


def test_not_one_whole_deal_is_told(spec: Spec) -> None:
    with pytest.raises(UsageError, match="2 games are fewer than one complete deal of 3"):
        seat_advantage(SpecSource(spec, 2))


@pytest.mark.parametrize("level", [0, 1, 95])
def test_levels_lie_between_0_and_1(level: float) -> None:
    with pytest.raises(UsageError, match="not a confidence level"):
        seat_advantage(Made(finals([[1, 2]])), level)


def test_a_source_that_keeps_its_games_plays_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, plays = make_spec(4, ["champion"], game="fief-2", games=50), []

    def play(*given: Any, **named: Any) -> None:
        plays.append(len(given[1]))
        play_into(*given, **named)

    def read(source: SpecSource, noting: bool) -> list[np.ndarray]:
        reader = source.read_with_events if noting else lambda *asked: ((*both, None) for both in source.read(*asked))
        parts = [part for stretch in source.stretches() for part in reader(stretch, ["score"])]
        return [part[1]["score"] for part in parts] + [part[2] for part in parts if noting]

    monkeypatch.setattr(sources, "play_into", play)
    keeping, forgetting = SpecSource(spec, keeps=True), SpecSource(spec)
    for noting in (False, True):
        own = read(forgetting, noting)
        plays.clear()
        for _ in range(3):
            found = read(keeping, noting)
            assert all(map(np.array_equal, found, own))
            assert not any(part.flags.writeable for part in found)
        assert sum(plays) == 50
    plays.clear()
    read(keeping, False)
    monkeypatch.setattr(sources, "KEPT", 1_000)
    little = SpecSource(spec, keeps=True)
    assert all(map(np.array_equal, read(little, True), read(little, True)))
    assert sum(plays) == 100
