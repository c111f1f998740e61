"""What the options of a decision are worth, from the imagined tables of `strategies.weighing`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.game import Game
from simcore.kernel.outside import prepared
from strategies.weighing import weighing

LEAST = 40
"""Number of tables below which nothing is said."""


def legal_moves(state: Any) -> list[int]:
    """Return the legal moves of the decision at hand, in order."""
    found = np.atleast_1d(np.asarray(state["legal"], np.uint64))
    return [64 * number + bit for number, word in enumerate(found.tolist()) for bit in range(64) if word >> bit & 1]


class Weighed:
    """What the options of one decision are worth, better and better known.

    game: The game.
    moves: The legal moves.

    tables : int: Number of imagined tables so far.
    """

    def __init__(self, game: Game, moves: list[int]) -> None:
        self.game, self.moves, self.tables = game, moves, 0
        self._shares: list[NDArray[np.int64]] = []
        self._weigh: Callable[..., int] | None = None

    def more(self, rules: Any, lineup: Any, state: Any, seat: int) -> bool:
        """Try every move at one more table, with the same records each time; return whether that is possible."""
        if self.game.search is None:
            return False
        if self._weigh is None:
            self._weigh = prepared(weighing(self.game).address, rules, lineup, state)
        found = np.array([self._weigh(seat, move, self.tables) for move in self.moves])
        if found.min() < 0:
            return False
        self._shares.append(found)
        self.tables += 1
        return True

    @property
    def best(self) -> int:
        """The move that did best on all tables so far; of several, the first."""
        return self.moves[int(np.array(self._shares).sum(axis=0).argmax())]

    def loss(self, move: int) -> tuple[float, float] | None:
        """Return what a move loses against the best one, as a share of the win, and the standard error of that.

        The best one is chosen on the even tables and measured on the odd ones, and the other way round, so that luck
        at a few tables does not make a move look bad.  None if fewer than `LEAST` tables were played.
        """
        if self.tables < LEAST:
            return None
        shares = np.array(self._shares) / self.game.share_unit
        own = self.moves.index(move)
        gaps = np.empty(len(shares))
        for half in range(2):
            best = int(shares[half::2].mean(axis=0).argmax())
            gaps[1 - half :: 2] = shares[1 - half :: 2, best] - shares[1 - half :: 2, own]
        return float(gaps.mean()), float(gaps.std(ddof=1) / len(gaps) ** 0.5)
