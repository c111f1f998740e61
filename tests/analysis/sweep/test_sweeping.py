"""What the cells of a sweep come to: the games that they are, judged by the target, and never played twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.data import resumable
from analysis.data.store import PLAYED
from analysis.sweep import sweeping
from analysis.sweep.sweeping import Sweep, SweepPlan, cells_of, opening_notes, read_target, sweep
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.rules.levers import read_axis
from simcore.running.batch import run_chunk
from tests.specs import make_spec, settler
from tests.toy import TOY

GAMES = 1200
MILL_COINS = "effects.mill_coins"
MILL, OTHER = "effects.mill_coins=1..2", "effects.mill_coins=1..3:2"


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Keep the cells of each test apart."""
    folder = tmp_path / PLAYED.folder
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)
    yield folder


def played(*axes: str, target: str | None = None, margin: str | None = None, **options: Any) -> Sweep:
    own = {"strategies": ("greedy",), "games": GAMES, "players": (4,)} | options
    cells = cells_of(SweepPlan(own.pop("game", "middle-ages"), tuple(map(read_axis, axes)), **own))
    return sweep(cells, read_target(target, margin) if target else None)


def shares(settings: tuple[str, ...]) -> Any:
    rows = run_chunk(make_spec(strategies=["greedy"], settings=settings, games=GAMES), 0, GAMES)
    return rows["share60"].reshape(GAMES, 4) / 60


def test_a_cell_is_the_games_of_its_rules() -> None:
    found = played(MILL)
    rows = found.rows(4, 0, "seat")
    assert rows["effects.mill_coins"].to_list() == [None] * 4 + ["1"] * 4 + ["2"] * 4
    base, one = shares(()), shares(("effects.mill_coins=1",))
    assert rows["value"].to_list()[:8] == pytest.approx([*base.mean(axis=0), *one.mean(axis=0)])
    shift = one - base
    assert rows["difference"].to_list()[4:8] == pytest.approx(shift.mean(axis=0))
    assert rows["difference_se"].to_list()[4:8] == pytest.approx(shift.std(axis=0, ddof=1) / np.sqrt(GAMES))
    assert rows["difference"].to_list()[:4] == [None] * 4
    assert rows["changed"].to_list()[8:] == [0.0] * 4  # two coins are what the booklet has
    changed = (shift != 0).any(axis=1).mean()  # more than in any one seat
    assert found.cells["changed"].to_list() == pytest.approx([0, changed, 0]) and changed > found.table["changed"].max()
    apart = np.ptp(one.mean(axis=0))
    assert found.cells["distance"].to_list()[1] == pytest.approx(apart)
    alike = replace(found, cells=found.cells.with_columns(distance=pl.lit(0.1)))
    assert alike.fairest[0] == alike.cells.row(0, named=True)  # of cells that are equally fair, the first
    assert {"score", "lead_changes"} <= set(found.rows(4, 0, "course")["name"])


def test_intervals_hold_the_difference_between_tunings() -> None:
    """Tunings play all deals of a cell, which is not stopped; here they are greedy, planner and planner.

    Two tell no range; three make the part between them as wide as t(2) says, 8.860 for four seats at once.
    """
    plans = (
        SweepPlan("middle-ages", (read_axis(OTHER),), strategies=(who,), games=GAMES, players=(4,))
        for who in ("greedy", "planner")
    )
    once, again = map(cells_of, plans)
    both, three = (
        [replace(one, others=(two.spec,) * more if one.values else ()) for one, two in zip(once, again, strict=True)]
        for more in (1, 2)
    )
    target = read_target("seats", "1%")
    found, *alone = (sweep(cells, target) for cells in (both, once, again))
    assert not found.cells["stopped"].any()
    assert found.cells["games"].to_list() == [GAMES, 2 * GAMES, 2 * GAMES]
    mine, yours = (one.rows(4, 0, "seat").filter(pl.col(MILL_COINS) == "1") for one in (sweep(once), sweep(again)))
    rows = found.rows(4, 0, "seat").filter(pl.col(MILL_COINS) == "1")
    values = np.array([mine["value"], yours["value"]])
    assert rows["value"].to_list() == pytest.approx(values.mean(axis=0))
    spread = np.sqrt(values.var(axis=0, ddof=1).mean() / 2)
    assert (rows["value_se"] >= spread).all() and (rows["difference_se"] >= spread).all()
    assert rows["value_low"].null_count() == rows["difference_high"].null_count() == len(rows)
    wide = sweep(three).rows(4, 0, "seat").filter(pl.col(MILL_COINS) == "1")
    least = 8.860 * np.sqrt(values[[0, 1, 1]].var(axis=0, ddof=1).mean() / 3)
    assert ((wide["value_high"] - wide["value"]).is_between(least, 1.3 * least)).all()
    course = found.rows(4, 0, "course").filter(pl.col(MILL_COINS) == "1", name="score")
    scores = [one.rows(4, 0, "course").filter(pl.col(MILL_COINS) == "1", name="score")["value"][0] for one in alone]
    assert course["value"][0] == pytest.approx(np.mean(scores))
    assert course["value_high"][0] is None and course["value_se"][0] > np.std(scores, ddof=1) / np.sqrt(2)


def test_a_change_that_comes_from_another_opening_is_named(tmp_path: Path) -> None:
    """A rule that hardly matters, and champions of Fief 2 who settle elsewhere under it."""
    plan = SweepPlan("fief-2", (read_axis("prices.calm=600"),), strategies=(("champion",),), games=400, players=(4,))
    base, cell = cells_of(plan)
    assert list(opening_notes([base, cell], sweep([base, cell]))) == []
    _, other = cells_of(replace(plan, strategies=((settler(tmp_path),),)))
    cells = [base, replace(cell, spec=other.spec)]
    (note,) = opening_notes(cells, sweep(cells))
    assert note.code == "sweep_opening" and note.values["count"] >= 3
    assert abs(note.values["difference"]) > 0.2 and note.values["low"] < note.values["drawn"] < note.values["high"]
    assert max(abs(note.values["low"]), abs(note.values["high"])) < 0.1
    assert "So the players' openings may be the cause, and not the rules." in ENGLISH.note(note)


def test_no_cell_is_played_twice(monkeypatch: pytest.MonkeyPatch, own_folder: Path) -> None:
    """Not even after an interruption; a larger grid plays only what is new."""
    first = played(MILL)
    count = len(list(own_folder.iterdir()))
    real, specs = sweeping._play, []

    def counted(spec: Any, *more: Any) -> Any:
        specs.append(spec)
        return real(spec, *more)

    monkeypatch.setattr(sweeping, "_play", counted)
    again = played(MILL)
    assert not specs and len(list(own_folder.iterdir())) == count
    assert again.table.equals(first.table)
    assert (again.kept, again.saved) == (3 * GAMES, 0)
    assert first.cells["again"].to_list() == [False, False, True]  # two coins are what the booklet has
    larger = played("effects.mill_coins=1..3")
    assert [spec.rules.settings for spec in specs] == [("effects.mill_coins=3",)]
    assert larger.kept == 3 * GAMES
    assert [note.code for note in larger.notes][:1] == ["sweep_kept"]


def test_a_cell_that_was_interrupted_in_the_middle_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes to the same, and is stopped where it would have been."""
    monkeypatch.setattr("analysis.data.sources.SLICE", 600)
    cells = cells_of(SweepPlan("middle-ages", (read_axis(OTHER),), strategies=("greedy",), games=6_000, players=(4,)))
    target = read_target("seats", "4%")
    with monkeypatch.context() as nothing_kept:
        nothing_kept.setattr(sweeping, "keep", lambda *cell: None)
        nothing_kept.setattr(resumable, "keep", lambda *part: None)
        whole = sweep(cells, target, threads=1)
    assert whole.cells["stopped"].any()
    monkeypatch.setattr(resumable, "EVERY", 0.0)
    monkeypatch.setattr(resumable, "MOST_OF_TIME", 0)

    def interrupt(done: int, total: int) -> None:
        if done >= 3_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(cells, target, threads=1, tick=interrupt)
    told: list[int] = []
    again = sweep(cells, target, threads=1, tick=lambda done, total: told.append(done))
    assert told[0] == 3_000  # the games before are there
    assert again.table.equals(whole.table)
    assert again.cells["stopped"].equals(whole.cells["stopped"])


@pytest.mark.parametrize("damage", [b"", b"PK no more", None])
def test_a_damaged_file_of_a_cell_is_played_again(own_folder: Path, damage: bytes | None) -> None:
    first = played(MILL)
    files = sorted(own_folder.iterdir())
    stored = [path.read_bytes() for path in files]
    for path, other in zip(files, [*stored[1:], stored[0]], strict=True):
        path.write_bytes(other if damage is None else damage)
    again = played(MILL)
    assert again.kept == GAMES  # the rules as they are, which are one of the values
    assert again.table.equals(first.table)


def test_cells_are_judged_by_the_target() -> None:
    assert set(played(MILL, target="seat-1=0.1").cells["target"]) == {"misses"}
    wide = played(MILL, target="seats", margin="60pp")
    assert set(wide.cells["target"]) == {"meets"}
    assert wide.verdict.code == "sweep_meets"
    assert wide.verdict.values["count"] == 2
    share = wide.rows(4, 0, "seat")["value"][0]
    near = played(MILL, target=f"seat-1={share + 0.03:.4f}", margin="3pp")
    assert near.cells["target"][0] == "open"  # its edge lies on what was seen


def test_a_hopeless_cell_is_stopped_and_kept_for_this_target_only() -> None:
    """It is looked at after a sixteenth of its deals, however many games are usually played in one go."""
    found = played(OTHER, target="seats", games=24_000)
    rows = found.cells.filter(pl.col("effects.mill_coins").is_not_null())
    assert rows["stopped"].all() and set(rows["target"]) == {"misses"}
    assert rows["games"].max() <= 24_000 / 4
    assert not found.cells["stopped"][0]  # the rules as they are are what all are compared with
    assert found.saved == 2 * 24_000 - rows["games"].sum() > 24_000
    assert "sweep_saved" in [note.code for note in found.notes]
    assert played(OTHER, target="seats", games=24_000).kept == found.games
    assert not played(OTHER, games=24_000).cells["stopped"].any()
    assert not played(OTHER, target="seats", games=24_000).cells["stopped"].any()  # all its games are there now


def test_a_cell_that_meets_the_target_is_seldom_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares on the edge of the band: any stop is an error, and one deals' seed in twenty may make one."""
    spec = make_spec(strategies=["random"], games=4000)
    stop = sweeping._Stop(read_target("seat-1=0.25", "2pp"), 0.05)
    rng, errors = np.random.default_rng(1), 0
    for _ in range(200):
        wins = rng.random(4000) < 0.27
        won = np.where(wins[:, None], [60, 0, 0, 0], [0, 20, 20, 20]).astype(np.int32)
        looks = [250, 375, 562, 843, 1265, 1898, 2847]
        errors += any(stop.hopeless(spec, won[:look]) for look in looks)
    assert errors <= 18  # 5 % of 200, and three standard errors


def test_camps_and_roles_may_be_the_target() -> None:
    key = "walls=3|4"
    found = played(key, game=TOY, strategies=((),), target="camps", margin="99%", games=600)
    assert set(found.table["kind"]) >= {"seat", "camp"}
    assert set(found.cells["target"]) == {"meets"}
    assert found.verdicts[-1].code in ("sweep_camp", "sweep_still", "sweep_dead")
    with pytest.raises(UsageError, match="has no 'warlrd'; did you mean 'warlord'"):
        played(key, game=TOY, strategies=((),), target="warlrd=0.5", games=600)


@pytest.mark.parametrize("text", ["", "seat", "seat-1=", "=0.5", "seat-1=x"])
def test_what_is_no_target(text: str) -> None:
    with pytest.raises(UsageError, match="is not a target; write seats, camps"):
        read_target(text)


@pytest.mark.parametrize("text", ["seat-1=0", "seat-1=1.5", "seat-1=101%", "runaway=2"])
def test_a_share_that_is_impossible(text: str) -> None:
    with pytest.raises(UsageError, match="write a share between 0 and 1"):
        played(OTHER, target=text, games=600)


def test_a_measure_may_be_the_target() -> None:
    """The score of one cell is the target: that cell meets it, and a cell with other scores misses it."""
    free = played("starting_coins.1=0|60", games=2400)
    scores = free.table.filter(name="score")["value"].to_list()
    assert scores[2] > 1.02 * scores[1]
    found = played("starting_coins.1=0|60", target=f"score={scores[1]:.4f}", margin="1%", games=2400)
    assert found.cells["target"].to_list()[1:] == ["meets", "misses"]
    assert not found.cells["stopped"].any()
    assert found.table.filter(name="score")["value"].to_list() == scores
    column = played("starting_coins.1=0", target="coins=1000", margin="5%", games=2400)
    assert column.cells["target"].to_list()[1] == "misses"
    assert "coins" in set(column.table["name"]) - set(free.table["name"])


def test_values_that_change_nothing_are_named_dead() -> None:
    found = played("effects.mill_coins=2")
    assert found.verdict.code == "sweep_dead"


def test_a_key_that_is_called_as_a_column_has_its_own_name_in_the_tables() -> None:
    """Some games have a rule `par` or `players`."""
    cells = cells_of(SweepPlan("seigneurial", (read_axis("par=camp|player"),), games=600))
    assert [dict(cell.values) for cell in cells] == [{}, {"rules.par": "camp"}, {"rules.par": "player"}]
    assert cells[2].spec.rules.values.model_dump()["par"] == "player"


def test_a_cell_is_not_hopeless_because_a_seat_has_not_won_yet() -> None:
    """A seat that wins one game in ten wins none of 30 with a probability of 4 %."""
    spec, target = make_spec(4, ["greedy"], games=1000), read_target("seat-1=0.1", "20%")
    won = np.tile(np.array([0, 60, 0, 0], np.int32), (30, 1))
    assert not sweeping._Stop(target, 0.05).hopeless(spec, won)
    assert sweeping._Stop(target, 0.05).hopeless(spec, np.tile(won, (30, 1)))


def test_camps_of_a_game_without_camps_are_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sweeping, "_results")
    with pytest.raises(UsageError, match="Middle-Ages has no camps; write seats"):
        played(MILL, target="camps")
