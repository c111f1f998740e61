"""The estimated chances to win: known answers, and real games against their results."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.course import finding as module
from analysis.course.finding import GAMES, Chances, Swing, estimate_chances, swings
from simcore.doors import named
from simcore.errors import KernelFault
from simcore.kernel.compilation import COMPILED
from simcore.running.batch import Spec
from simcore.running.replay import replay
from strategies.learning.self_play import Samples, play_and_look
from tests.nim import Written, forgotten, nim  # noqa: F401
from tests.specs import make_spec

compiled = pytest.mark.skipif(not COMPILED, reason="so many games are slow in plain Python")


@pytest.fixture(scope="module")
def spec() -> Spec:
    return make_spec(3, strategies=["greedy"])


@compiled
def test_every_round_has_chances_and_the_game_ends_as_it_did(spec: Spec) -> None:
    found = estimate_chances(spec, 7)
    assert found is not None
    played = replay(spec, 7)
    assert found.games == GAMES
    assert found.value.shape == (1 + sum(one["kind"] == "round_end" for one in played.records), 3)
    assert found.value.sum(axis=1) == pytest.approx(1)
    assert found.value.min() >= 0
    assert found.value[-1].tolist() == (played.rows["share60"] / 60).tolist()


@compiled
@pytest.mark.parametrize("index", [0, 7, GAMES - 1, GAMES, 2 * GAMES])
def test_chances_are_those_of_other_games(spec: Spec, monkeypatch: pytest.MonkeyPatch, index: int) -> None:
    played: list[list[int]] = []

    def noted(spec: Spec, first: int, games: int, *how: int) -> Samples:
        played.append(list(range(first, first + games)))
        return play_and_look(spec, first, games, *how)

    monkeypatch.setattr(module, "play_and_look", noted)
    chances = estimate_chances(spec, index)
    others = [game for some in played[1:] for game in some]
    assert played[0] == [index] and index not in others
    assert chances is not None and chances.games == len(others) == len(set(others)) == GAMES


@compiled
def test_winners_are_known_better_at_the_end_than_at_the_start(spec: Spec) -> None:
    early, late = [], []
    for index in range(6):
        found = estimate_chances(spec, index)
        assert found is not None
        early.append(found.value[0] @ found.value[-1])
        late.append(found.value[-2] @ found.value[-1])
    assert np.mean(early) == pytest.approx(1 / 3, abs=0.12)
    assert np.mean(late) > 0.55


def test_a_known_chance_is_found() -> None:
    draw = np.random.default_rng(5)
    numbers = draw.integers(-20, 21, (20_000, 2)).astype(np.int32)
    chance = 1 / (1 + np.exp(-(0.1 * numbers[:, 1] - 1)))
    seat, share = np.zeros(len(numbers), np.int32), (draw.random(len(numbers)) < chance).astype(np.float32)
    fitted = module._fitted(Samples(numbers, seat, share, share))
    assert fitted(np.array([[0, -10], [0, 10], [9, 20]])) == pytest.approx([0.12, 0.5, 0.73], abs=0.03)


def test_the_largest_changes_stand_in_the_order_of_the_game() -> None:
    found = Chances(np.array([[0.5, 0.5], [0.6, 0.4], [0.1, 0.9], [0.1, 0.9], [1, 0]]), 9)
    assert swings(found, 2) == (Swing(1, 1, 0.4, 0.9), Swing(3, 0, 0.1, 1.0)), "gains first"
    assert [one.at for one in swings(found, 9)] == [0, 1, 3], "the third round changes nothing"


@pytest.mark.parametrize("index", [0, 3])
def test_games_without_what_seats_see_have_none(nim: Written, index: int) -> None:  # noqa: F811
    assert estimate_chances(make_spec(2, game=named(nim()), strategies=["perfect"]), index) is None


def test_players_who_look_ahead_and_plain_python_would_take_long(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    assert estimate_chances(make_spec(2, strategies=["thinker"]), 0) is None
    monkeypatch.setattr(module, "COMPILED", False)
    assert estimate_chances(spec, 0) is None


@compiled
def test_a_run_in_which_a_game_breaks_off_has_none(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*asked: object) -> Samples:
        raise KernelFault("a game broke an invariant")

    monkeypatch.setattr(module, "play_and_look", broken)
    assert estimate_chances(spec, 0) is None
