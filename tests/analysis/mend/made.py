"""A made game: the seat with the largest strength and luck wins, and levers add to the strengths."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from analysis.mend.targets import BLOCKS, Line, Seen, Who
from simcore.rules.levers import Lever, Point

SEATS = 4
START = np.array([0.7, 0.0, -0.4, -0.7])
"""Strengths by seat: with Gumbel luck, seat shares are their softmax: 48, 24, 16 and 12 %."""

LINES = [Line(f"seat-{seat}", "seat", (), True, 1 / SEATS, 0.01) for seat in range(1, SEATS + 1)]
COINS = [Lever(f"coins.{seat}", 0, 0, 60) for seat in range(1, SEATS + 1)]


def coins(point: Point, who: Who) -> np.ndarray:
    """Each coin adds a fortieth to the strength of its seat; players who know the coins make a little more of them."""
    return START + np.array(point) / (40 - 4 * bool(who))


@dataclass
class MadeTrials:
    """Plays the made game; luck depends on the series of deals alone."""

    strengths: Callable[[Point, Who], np.ndarray] = coins
    knowing: bool = True
    played: int = 0
    known: dict[tuple[Point, int], int] = field(default_factory=dict)
    series: set[int] = field(default_factory=set)

    def see(self, point: Point, deals: int, games: int, who: Who, variant: str = "") -> Seen:
        games = -(-games // BLOCKS) * BLOCKS
        luck = np.random.default_rng(deals).gumbel(size=(games, SEATS))
        winner = (luck + self.strengths(point, who)).argmax(axis=1)
        won = np.eye(SEATS)[winner]
        self.played += games
        self.series.add(deals)
        fate = hashlib.sha256(winner.tobytes()).hexdigest()
        return Seen(point, won.reshape(BLOCKS, -1, SEATS).mean(axis=1), games, fate)

    def learn(self, point: Point, number: int = 0, variant: str = "") -> int:
        return self.known.setdefault((point, number), len(self.known) + 1) if self.knowing else 0


def shares(trials: MadeTrials, point: Point, who: Who = (1,)) -> np.ndarray:
    """The true shares."""
    strength = np.exp(trials.strengths(point, who))
    return strength / strength.sum()
