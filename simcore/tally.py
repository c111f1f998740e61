"""Exact running totals of a run: who won how much, by seat and by strategy.

Everything is a sum of integers over whole deals, so that totals do not depend on the order in which games were
computed.  The deal is the unit: games that share a chance stream are summed before they are squared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.batch import Spec

SHARE = 60
"""Sixtieths that one game hands out."""


class Tally:
    """Sums over whole deals.

    Attributes
    ----------
    games : int
        Games seen.
    deals : int
        Whole deals seen; games of a deal that was cut short count nowhere below.
    seat_sum, seat_square : numpy.ndarray
        Sixtieths that each seat won in a deal, summed, and squared and summed; shape (players,).
    score_sum, score_square : numpy.ndarray
        The same for the score.
    strategy_sum, strategy_square : numpy.ndarray
        Sixtieths by strategy, in the order of `strategies`.
    outright : numpy.ndarray
        Games won alone, by seat.
    """

    def __init__(self, spec: Spec) -> None:
        self.players = spec.players
        self.per_deal = spec.games_per_deal
        self.strategies = tuple(dict.fromkeys(spec.strategies))
        self._of_entry = np.array([self.strategies.index(name) for name in spec.strategies])
        self._score = next(column.field for column in spec.game.columns if column.name == spec.game.score)
        self.games = self.deals = 0
        self.seat_sum, self.seat_square, self.score_sum, self.score_square, self.outright = (
            np.zeros(self.players, np.int64) for _ in range(5)
        )
        self.strategy_sum, self.strategy_square = (np.zeros(len(self.strategies), np.int64) for _ in range(2))

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Take in the rows of consecutive games that begin with a deal's first."""
        shape = (-1, self.players)
        self.games += len(rows) // self.players
        deals = len(rows) // (self.players * self.per_deal)
        self.deals += deals
        whole = rows[: deals * self.per_deal * self.players]
        share = whole["share60"].reshape(shape)
        by_deal = (deals, self.per_deal, self.players)
        seats = share.reshape(by_deal).sum(axis=1, dtype=np.int64)
        score = whole[self._score].reshape(by_deal).sum(axis=1, dtype=np.int64)
        self.seat_sum += seats.sum(axis=0)
        self.seat_square += (seats * seats).sum(axis=0)
        self.score_sum += score.sum(axis=0)
        self.score_square += (score * score).sum(axis=0)
        self.outright += (share == SHARE).sum(axis=0)
        if len(self.strategies) > 1:
            player = self._of_entry[whole["strategy"].reshape(shape)]
            for number in range(len(self.strategies)):
                won = np.where(player == number, share, 0).reshape(by_deal).sum(axis=(1, 2), dtype=np.int64)
                self.strategy_sum[number] += won.sum()
                self.strategy_square[number] += (won * won).sum()
        else:
            self.strategy_sum[0] += SHARE * self.per_deal * deals
            self.strategy_square[0] += (SHARE * self.per_deal) ** 2 * deals

    def merge(self, other: Tally) -> None:
        """Take in all that another tally of the same run holds."""
        for name in ("games", "deals"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in (
            "seat_sum", "seat_square", "score_sum", "score_square", "outright", "strategy_sum", "strategy_square",
        ):  # fmt: skip
            getattr(self, name)[:] += getattr(other, name)
