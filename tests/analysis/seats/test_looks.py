"""Games of players who look ahead end at the look at which they answer a verdict; their ranges hold at all looks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.data.results import Verdict
from analysis.runs.manifest import looks_in
from analysis.runs.writer import resume
from analysis.seats.advantage import looked as looked_games
from analysis.seats.advantage import seat_advantage
from analysis.seats.looks import Looks, goal_of, looks_up_to, play_to
from analysis.stats.intervals import each_look, max_t
from equipoise.api.simulation import RunInProgress, writer_of
from simcore.running.batch import Spec
from tests.analysis.levels import all_judged, looked, one_off, sure, two_off
from tests.specs import make_spec


def test_looks_double_up_to_the_largest_number() -> None:
    assert looks_up_to(3_200) == (50, 100, 200, 400, 800, 1_600, 3_200)
    assert looks_up_to(300) == (50, 100, 200, 300)
    assert looks_up_to(40) == (40,)
    assert looks_in(Looks.up_to(300).text) == (50, 100, 200, 300)
    assert looks_in("0.5pp") == looks_in(None) == ()


def test_ranges_are_hardly_wider_than_exact_ones() -> None:
    """Pocock's constants for equally spaced looks: 2.178 for 2 and 2.413 for 5 (Jennison and Turnbull 2000, table 2.1).

    For 4 seats and 7 looks that double, 3.10 was found by simulation.
    """
    assert each_look(0.95, 1) == 0.95
    assert 2.178 < max_t(2, each_look(0.95, 2)) < 1.04 * 2.178
    assert 2.413 < max_t(2, each_look(0.95, 5)) < 1.07 * 2.413
    assert 3.10 < max_t(4, each_look(0.95, 7)) < 1.01 * 3.10


def test_a_fair_seat_is_called_tilted_at_any_look_no_more_often_than_at_one() -> None:
    """Seats that lie on the edge of the margin, the worst that is fair: 5 % at most, and what chance adds."""
    truth, rng, looks = np.array(one_off(4, 1.12)) / 4, np.random.default_rng(5), looks_up_to(1_600)
    wins, called, games = np.zeros((2_000, 4), np.int64), np.zeros(2_000, bool), 0
    for look in looks:
        wins, games = wins + rng.multinomial(look - games, truth, size=2_000), look
        judged = all_judged(wins / look, look, level=each_look(0.95, len(looks)))
        called |= [one.status == "tilted" for one in judged]
    assert 0 < called.mean() < 0.05


@pytest.mark.parametrize("most", [400, 3_200])
def test_answers_err_no_more_often_than_those_of_one_look(most: int) -> None:
    fair, _ = looked(sure(one_off(4, 1.6)), one_off(4, 1.1), most, 300, 1)
    assert fair.get("same", 0) + fair.get("several", 0) <= 2.5
    even, _ = looked(sure(one_off(4, 1.35)), one_off(4, 1.35), most, 300, 2)
    assert sum(even.get(name, 0) for name in ("other", "opposite", "refuted", "fair")) <= 1
    assert looked(sure(one_off(4, 1.6)), two_off(4), most, 300, 3)[0].get("same", 0) <= 6


def test_large_tilts_are_found_early_and_smaller_ones_in_the_end() -> None:
    clear, games = looked(sure(one_off(4, 1.6)), one_off(4, 1.9), 3_200, 300, 4)
    assert clear["same"] > 99 and games < 120
    small, games = looked(sure(one_off(4, 1.6)), one_off(4, 1.35), 3_200, 300, 4)
    assert small["same"] > 98 and 700 < games < 1_200


TILTED = make_spec(4, ["champion"] * 4)
"""The first player wins nearly half of the games."""


def goal(most: int, given: Verdict | None = None) -> Looks:
    return Looks.up_to(most, given)


def test_a_tilt_ends_the_games_and_threads_change_nothing() -> None:
    both = [play_to(replace(TILTED, games=1), goal(12_800), threads) for threads in (1, 3)]
    one, three = both
    assert one.games in looks_up_to(12_800)[:-1]
    assert (one.games, one.seat_sum.tolist()) == (three.games, three.seat_sum.tolist())
    (verdict,) = goal(12_800).judge(TILTED, one)
    assert verdict.status == "tilted"
    assert play_to(TILTED, goal(800, Verdict("seats_unclear", "unclear"))).games == 800, "there is nothing to answer"


def test_games_that_are_looked_at_are_those_that_are_counted() -> None:
    looks = goal(12_800)
    seen, tally = seat_advantage(looked_games(TILTED, looks)), play_to(TILTED, looks)
    (verdict,) = looks.judge(TILTED, tally)
    assert seen.inputs[0].games == tally.games
    assert seen.verdict.lines is not None and verdict.lines is not None
    assert np.allclose(seen.verdict.lines.low, verdict.lines.low), "both have the ranges of all looks"


def run(folder: Path, spec: Spec, wanted: Looks) -> Path:
    """Play a run to its goal, and return its folder."""
    writer = writer_of(replace(spec, games=wanted.at[0]), folder, False, "standard", "parquet", (), wanted)
    RunInProgress(replace(spec, games=wanted.at[0]), 2, writer, (), wanted).play(None)
    return writer.folder


def test_a_run_says_how_often_it_was_looked_at_and_its_ranges_allow_for_that(tmp_path: Path) -> None:
    looks = goal(12_800)
    seen = seat_advantage(run(tmp_path / "looked", TILTED, looks))
    games = play_to(TILTED, looks).games
    assert seen.inputs[0].games == games < 12_800
    plain = seat_advantage(replace(TILTED, games=games), level=each_look(0.95, len(looks.at)))
    assert seen.table.equals(plain.table)
    assert seen.level == 0.95


def test_a_run_that_is_taken_up_again_goes_on_to_the_same_end(tmp_path: Path) -> None:
    looks = goal(12_800)
    folder = run(tmp_path / "looked", TILTED, looks)
    again = resume(folder, lambda spec, asked: None)
    assert again.goal == goal_of(looks.text) and again.manifest.status == "complete" and not again.todo
    again.writer.place.release()
