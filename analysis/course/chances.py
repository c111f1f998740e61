"""The chance to win of every seat in the course of one game, estimated from what the seats see."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import KernelFault
from simcore.kernel.compilation import COMPILED, is_cold
from simcore.running.batch import Spec
from strategies.learning.fit import scale_of
from strategies.learning.gather import Seen, gathering, play_and_look

LOG = logging.getLogger("equipoise.kernels")

GAMES = 500
"""Number of games from which the chances are estimated: the first of the run."""

ROWS = 32_000
"""About so many times a seat looks in these games; in long games, not in every round."""

STEPS = 6
RIDGE = 1e-3
"""Steps of the fit, and how strongly it prefers small weights."""

Floats = NDArray[np.float64]
Judge = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Chances:
    """Estimated chances to win."""

    value: Floats
    """Chance of each seat before each round and, as the last row, its share of the win; shape (rounds + 1, seats)."""
    games: int  # number of games from which they are estimated


@dataclass(frozen=True)
class Swing:
    """A round that changed the chances."""

    at: int  # the round, from 0
    seat: int  # the seat, from 0, whose chance changed most
    before: float
    after: float
    """before, after: Its chance before the round and after it."""


def estimate_chances(spec: Spec, index: int) -> Chances | None:
    """Estimate every seat's chance to win in the course of one game.

    A logistic regression says how often a seat wins that sees such numbers, in other games of the same players.

    spec: The run.
    index: Index of the game, which is played again.
    Returns Chances or None: None if the game does not say what a seat sees, is not played for wins or breaks off, or if
        so many games would take long: of players who look ahead, or without a compiler.
    """
    game, seats = spec.game, spec.players
    if game.search is None or game.search.look is None or game.payoff or spec.searches or not COMPILED:
        return None
    if is_cold(gathering(game)):
        LOG.info("Compiling what the seats of %s see; this happens once ...", game.title)
    try:
        own = play_and_look(spec, index, 1, 1, 0, ROWS)
        every = max(len(own.seat) * GAMES // ROWS, 1)
        seen = play_and_look(spec, 0, GAMES, every, 0, 2 * ROWS)
    except KernelFault:
        return None
    value = np.zeros(len(own.seat))
    for role in game.roles:
        of_role = role.at(seats)
        value[np.isin(own.seat, of_role)] = _fitted(seen.of(of_role))(own.of(of_role).numbers)
    shared = value.reshape(-1, seats)
    return Chances(np.vstack([shared / shared.sum(axis=1, keepdims=True), own.share[:seats]]), GAMES)


def _fitted(seen: Seen) -> Judge:
    """Return the function that says from what seats see how likely each of them wins."""
    scaled = scale_of(seen)

    def widened(numbers: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([scaled.inputs(numbers), np.ones(len(numbers), np.float32)])

    inputs = widened(seen.numbers)
    weights, ridge = np.zeros(inputs.shape[1], np.float32), RIDGE * len(inputs)
    for _ in range(STEPS):
        chance = _logistic(inputs @ weights)
        slope = inputs.T @ (seen.share - chance) - ridge * weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs
        weights = weights + np.linalg.solve(bend + ridge * np.eye(len(weights), dtype=np.float32), slope)
    return lambda numbers: _logistic(widened(numbers) @ weights)


def _logistic(level: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(1 / (1 + np.exp(-level.clip(-15, 15))))


def swings(chances: Chances, most: int) -> tuple[Swing, ...]:
    """Return the rounds that changed the chance of a seat most, in the order of the game."""
    change = np.diff(chances.value, axis=0)
    size = np.abs(change).max(axis=1)
    largest: Sequence[int] = sorted(np.argsort(-size, kind="stable")[:most])
    return tuple(_swing(chances.value, change, int(at)) for at in largest if size[at] > 0)


def _swing(value: Floats, change: Floats, at: int) -> Swing:
    seat = int(np.lexsort((change[at] <= 0, -np.abs(change[at]).round(9)))[0])
    return Swing(at, seat, float(value[at, seat]), float(value[at + 1, seat]))
