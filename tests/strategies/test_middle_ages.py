"""The shipped strategies of Middle-Ages are recognisably themselves, and the champion is strong."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from simcore.game import load_game
from simcore.games.middle_ages.state import BARRACKS, FIELD, MARKET, MILL
from simcore.running.batch import run_chunk
from strategies.library import quick_strategies
from tests.specs import make_spec

GAMES = 3000
NAMES = quick_strategies(load_game("middle-ages"))


@cache
def seats_of(name: str, opponent: str = "greedy", players: int = 4, games: int = GAMES, seed: int = 404) -> np.ndarray:
    """Rows of one such player among opponents, seats rotated, in the order of the games."""
    spec = make_spec(players, [name] + [opponent] * (players - 1), design="rotate", seed=seed, games=games)
    rows = run_chunk(spec, 0, games)
    return rows[rows["strategy"] == 0]


def share(rows: np.ndarray, players: int) -> tuple[float, float]:
    """Win share and its standard error, from deal means."""
    deals = rows["share60"].reshape(-1, players).mean(1) / 60
    return float(deals.mean()), float(deals.std(ddof=1) / math.sqrt(len(deals)))


def tokens(rows: np.ndarray) -> np.ndarray:
    return rows["extra_tokens"] + rows["plot_tokens"]


TRAITS: list[tuple[str, str, Callable[[np.ndarray], np.ndarray]]] = [
    ("miller", "Mills", lambda rows: rows["tiles"][:, MILL]),
    ("miller", "coins taken by Mills", lambda rows: rows["mill_robbed"]),
    ("warlord", "Barracks", lambda rows: rows["tiles"][:, BARRACKS]),
    ("warlord", "coins taken by Barracks", lambda rows: rows["barracks_robbed"]),
    ("churchman", "tokens", tokens),
    ("diversifier", "fewest empty Domains", lambda rows: -rows["penalty"]),
    ("scout", "Scouts sent", lambda rows: rows["scouts"]),
    ("scout", "Scouts honoured", lambda rows: rows["scouts_honoured"]),
    ("farmer", "Fields", lambda rows: rows["tiles"][:, FIELD]),
    ("farmer", "coins from peasants", lambda rows: rows["field_coins"]),
    ("merchant", "Markets", lambda rows: rows["tiles"][:, MARKET]),
    ("merchant", "coins from chests", lambda rows: rows["market_coins"]),
]


@pytest.mark.parametrize(("name", "trait", "measure"), TRAITS, ids=[f"{name}-{trait}" for name, trait, _ in TRAITS])
def test_a_strategy_is_recognisably_itself(name: str, trait: str, measure: Callable[[np.ndarray], np.ndarray]) -> None:
    means = {other: float(measure(seats_of(other)).mean()) for other in NAMES}
    assert max(means, key=means.__getitem__) == name, f"{trait}: {means}"


def test_the_engine_builder_lives_on_income_more_than_the_other_hand_made_styles_without_scouts() -> None:
    def late_growth(name: str) -> float:
        coins = seats_of(name)["after_round"].astype(float)
        return float(((coins[:, 15] - coins[:, 11]) / (coins[:, 3] + 20)).mean())

    plain = set(NAMES) - {"champion", "planner", "scout", "engine_builder", "churchman"}
    assert all(late_growth("engine_builder") > late_growth(name) for name in plain)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"random"}))
def test_every_strategy_beats_random(name: str) -> None:
    won, error = share(seats_of(name, "random"), 4)
    assert won - 3 * error > 0.25


def test_the_champion_beats_three_greedy_players_in_most_games() -> None:
    """At least 93 % are asked for; no tuning has seen this seed."""
    won, error = share(seats_of("champion", games=24_000, seed=987_654_321), 4)
    assert won - 3 * error > 0.93


@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (3, 0.8), (5, 0.85)])
def test_the_champion_is_strong_at_every_table(players: int, least: float) -> None:
    won, error = share(seats_of("champion", players=players, seed=987_654_321), players)
    assert won - 3 * error > least


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"champion"}))
def test_no_other_shipped_strategy_gets_past_the_champion(name: str) -> None:
    won, error = share(seats_of(name, "champion"), 4)
    assert won + 3 * error < 0.25
