"""The shipped strategies of Médiévallons are recognisably themselves, and the best is strong."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from simcore.games.medievallons.state import (
    ACTIONS,
    ASSASSIN,
    BEGGAR,
    KNIGHT,
    MAGICIAN,
    MONK,
    NOBLE,
    PRIEST,
    REINFORCE,
    ROGUE,
    STAR,
)
from simcore.running.batch import run_chunk
from tests.specs import make_spec

STYLES = ("rusher", "hoarder", "thief", "wrecker", "reinforcer")
GAMES = 4000


@cache
def seats_of(
    name: str, opponent: str = "collector", players: int = 4, games: int = GAMES, seed: int = 404
) -> np.ndarray:
    """Rows of one such player among opponents, seats rotated, in the order of the games."""
    line = [name] + [opponent] * (players - 1)
    spec = make_spec(players, line, game="medievallons", design="rotate", seed=seed, games=games)
    rows = run_chunk(spec, 0, games)
    return rows[rows["strategy"] == 0]


def share(rows: np.ndarray, players: int) -> tuple[float, float]:
    """Win share and its standard error, from deal means."""
    deals = rows["share60"].reshape(-1, players).mean(1) / 60
    return float(deals.mean()), float(deals.std(ddof=1) / math.sqrt(len(deals)))


def actions(rows: np.ndarray) -> np.ndarray:
    """Actions by game, phase and kind."""
    return rows["actions"].reshape(len(rows), -1, ACTIONS)


def mean_hand(rows: np.ndarray) -> float:
    return float(rows["hands"].sum() / rows["actions"].sum())


def rate(rows: np.ndarray, kind: int) -> float:
    found = actions(rows).sum(axis=(0, 1))
    return float(found[kind] / found.sum())


def drawn(rows: np.ndarray) -> float:
    """Cards that powers which draw brought to hand, an own turn."""
    return float(rows["gained"][:, [MAGICIAN, MONK, NOBLE, STAR]].sum() / rows["actions"].sum())


def plays(rows: np.ndarray, *kinds: int) -> float:
    """Part of the cards played that are of some types."""
    return float(rows["played"][:, list(kinds)].sum() / rows["played"].sum())


def exposed(rows: np.ndarray) -> float:
    """Part of the own turns begun with guilds on the table."""
    return float(rows["exposed"].sum() / rows["actions"].sum())


TRAITS: list[tuple[str, str, Callable[[np.ndarray], float]]] = [
    ("rusher", "shortest deals", lambda rows: -float(rows["turns"].mean())),
    ("rusher", "cards drawn", drawn),
    ("hoarder", "cards in hand", mean_hand),
    ("hoarder", "fewest turns with guilds on the table", lambda rows: -exposed(rows)),
    ("thief", "cards played to take others' cards", lambda rows: plays(rows, KNIGHT, PRIEST, BEGGAR)),
    ("wrecker", "Assassins and Rogues played", lambda rows: plays(rows, ASSASSIN, ROGUE)),
    ("reinforcer", "guilds reinforced", lambda rows: rate(rows, REINFORCE)),
]


@pytest.mark.parametrize(("name", "trait", "measure"), TRAITS, ids=[f"{name}-{trait}" for name, trait, _ in TRAITS])
def test_a_strategy_is_recognisably_itself(name: str, trait: str, measure: Callable[[np.ndarray], float]) -> None:
    found = {other: measure(seats_of(other)) for other in STYLES}
    assert max(found, key=found.__getitem__) == name, f"{trait}: {found}"


@pytest.mark.parametrize("name", [*STYLES, "regent", "champion", "collector"])
def test_every_strategy_beats_random(name: str) -> None:
    won, error = share(seats_of(name, "random"), 4)
    assert won - 3 * error > 0.25


def test_the_champion_wins_far_more_than_its_share_among_collectors() -> None:
    """1.5 times par are asked for; no tuning has seen this seed."""
    won, error = share(seats_of("champion", games=20_000, seed=987_654_321), 4)
    assert won - 3 * error > 1.5 * 0.25


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_champion_beats_the_regent(players: int) -> None:
    """At four and five they are close."""
    won, error = share(seats_of("champion", "regent", players=players, games=600 * players), players)
    assert won - 3 * error > 1 / players


@pytest.mark.parametrize("name", [*STYLES, "regent", "collector"])
def test_no_other_shipped_strategy_gets_past_the_champion(name: str) -> None:
    won, error = share(seats_of(name, "champion", games=12_000), 4)
    assert won + 2 * error < 0.25
