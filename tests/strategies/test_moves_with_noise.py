"""Temperature and blunders: how often what is played, and that draws belong to decisions and not to history."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from simcore.game import load_game
from simcore.kernel.compilation import kernel
from simcore.kernel.lineup import UNIT
from simcore.kernel.records import blank
from simcore.kernel.streams import begin
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.moves import GUMBEL, NO_NOISE, gumbel, heated, heated_in_turn, noise_of
from strategies.spec import lineup
from tests.specs import make_spec

GAME = load_game("middle-ages")
GAMES = 4000


def play(strategy: Strategy, games: int = GAMES, players: int = 3, seed: int = 11) -> np.ndarray:
    spec = make_spec(players, ["random"], seed=seed, games=games)
    spec = replace(spec, lineup_record=lineup(GAME, [strategy], players, "fixed"))
    return run_chunk(spec, 0, games).reshape(games, players)


def test_the_table_is_the_gumbel_distributions_quantiles() -> None:
    # The standard Gumbel distribution has mean 0.57722 (Euler's constant) and variance pi^2 / 6; its median is
    # -ln(ln 2) = 0.36651.
    values = GUMBEL / UNIT
    assert values.mean() == pytest.approx(0.57722, abs=2e-3)
    assert values.var() == pytest.approx(math.pi**2 / 6, rel=5e-3)
    assert np.median(values) == pytest.approx(0.36651, abs=1e-3)
    assert (np.diff(GUMBEL) >= 0).all()


def test_no_quantile_lies_so_near_a_rounding_boundary_that_machines_could_differ() -> None:
    exact = np.array([-math.log(-math.log((i + 0.5) / len(GUMBEL))) * UNIT for i in range(len(GUMBEL))])
    assert np.abs(np.abs(exact - np.floor(exact)) - 0.5).min() > 1e-5


def test_noise_is_uniform_over_the_table_and_apart_for_seats_decisions_and_moves() -> None:
    state = blank(GAME.state_dtype)
    drawn = set()
    for game in range(5):
        begin(state.rng, np.uint64(3), np.int64(game))
        for state.slot in range(12):
            for state.lane in range(8):
                for seat in range(5):
                    drawn.add(tuple(gumbel(noise_of(state, seat, move), move) for move in range(0, 64, 9)))
    assert len(drawn) == 5 * 12 * 8 * 5
    # 19,200 values: the mean's standard error is 1.2825 / sqrt(19200) = 0.0093.
    assert np.mean(list(drawn)) / UNIT == pytest.approx(0.57722, abs=4 * 0.0093)


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_a_noisy_twin_without_noise_plays_the_same_games(name: str) -> None:
    plain = load_strategy(GAME, name)
    still = replace(plain, temperature=1e-9)  # rounds to 0 in the kernel, but takes the noisy path
    assert (play(plain) == play(still)).all()


def test_blundering_always_is_playing_at_random_whatever_the_policy() -> None:
    always = [play(replace(load_strategy(GAME, name), blunder=1.0)) for name in ("greedy", "planner")]
    assert (always[0] == always[1]).all()
    # Coins of a `random` player differ from game to game by about 25; 12,000 seats give an error of 0.25 each.
    gap = always[0]["coins"].mean() - play(load_strategy(GAME, "random"))["coins"].mean()
    assert abs(gap) < 1.5


def test_play_worsens_steadily_with_temperature_and_with_blunders() -> None:
    for changes in ([{"temperature": heat} for heat in (0.0, 15.0, 100.0)], [{"blunder": p} for p in (0.0, 0.3, 1.0)]):
        coins = [play(replace(load_strategy(GAME, "planner"), **change))["coins"].mean() for change in changes]
        assert coins[0] > coins[1] + 2 > coins[2] + 4


def test_a_hot_player_chooses_with_softmax_odds() -> None:
    """A player for whom only the column counts chooses the first Lord's tile with odds exp(weight * column)."""
    heat, slope, games = 2.0, 1.0, 20000
    strategy = Strategy("middle-ages", "drifter", "linear", temperature=heat, weights={"column": slope})
    first = play(strategy, games)[:, 0]["column"][:, 0]
    odds = np.exp(slope * np.arange(4) / heat)
    expected = odds / odds.sum()
    seen = np.bincount(first, minlength=4) / games
    assert np.abs(seen - expected).max() < 5 * math.sqrt(0.25 / games)


def test_a_change_of_one_seats_noise_leaves_the_draws_of_the_others_alone() -> None:
    """Seat 1 blunders or not; seat 2's first choice, where both leave it the same options, stays the same."""
    heated = Strategy("middle-ages", "drifter", "linear", temperature=1.0, weights={"column": 0.1})
    changed = replace(heated, name="other", blunder=0.5)
    spec = make_spec(3, ["random"], seed=5, games=GAMES)
    one, two = (
        run_chunk(replace(spec, lineup_record=lineup(GAME, seats, 3, "fixed")), 0, GAMES).reshape(GAMES, 3)
        for seats in ([heated] * 3, [changed, heated, heated])
    )
    same = one[:, 0]["column"][:, 0] == two[:, 0]["column"][:, 0]
    assert 0.3 < same.mean() < 1
    assert (one[same, 1]["column"][:, 0] == two[same, 1]["column"][:, 0]).all()


def test_the_plain_policies_are_the_ones_used_without_noise() -> None:
    kit = load_kit("middle-ages")
    greedy = load_strategy(GAME, "greedy")
    assert greedy.address == kit.policies["greedy"].address
    assert replace(greedy, blunder=0.1).address == kit.noisy["greedy"].address != greedy.address


@kernel
def in_turn(lineup, state, moves, scores):  # type: ignore[no-untyped-def]
    known = NO_NOISE
    for place in range(len(moves)):
        scores[place], known = heated_in_turn(lineup, state, np.int64(0), moves[place], np.int64(9), known)


def test_noise_in_turn_is_that_of_each_move_alone() -> None:
    """One block serves eight moves, in whatever order these come."""
    players, state = blank(GAME.lineup_dtype), blank(GAME.state_dtype)
    players.members[0].temperature = 700
    begin(state.rng, np.uint64(3), np.int64(4))
    moves = np.random.default_rng(5).permutation(256)
    scores = np.zeros(256, np.int64)
    in_turn(players, state, moves, scores)
    alone = [heated(players, state, np.int64(0), move, np.int64(9)) for move in moves]
    assert scores.tolist() == alone
    assert alone == [9 + ((700 * gumbel(noise_of(state, 0, move), move)) >> 10) for move in moves]
    assert len(set(alone)) > 200
