"""Who sat with whom and who won: games of one or several runs, summed over deals that went alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.sources import Array, Block, Data, Source, open_source
from analysis.stats.moments import Floats
from simcore.errors import UsageError

DECISIVE = ("policy", "temperature", "blunder", "weights", "players", "search", "forbids", "source_sha256")
"""Keys of a strategy's table that decide how it plays."""


def open_company(runs: Data | Sequence[Data], what: str) -> tuple[list[Source], tuple[str, ...]]:
    """Return the sources of some runs and their strategies, all told apart by name.

    Raises
    ------
    UsageError
        If there is no run, games or rules differ, one name stands for two strategies, or there is but one strategy.
    """
    given = runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]
    sources = [open_source(run) for run in given]
    if not sources:
        raise UsageError(f"{what}: no runs given")
    known: dict[str, tuple[Any, str]] = {}
    for source in sources:
        first = sources[0]
        if source.spec.game.name != first.spec.game.name or source.spec.rules.digest != first.spec.rules.digest:
            raise UsageError(f"{what}: {first.label} and {source.label} differ in game or rules")
        for name, table in zip(source.spec.strategies, source.spec.strategy_tables, strict=False):
            decisive = {key: table.get(key) for key in DECISIVE}
            if known.setdefault(name, (decisive, source.label))[0] != decisive:
                raise UsageError(
                    f"{what}: '{name}' is one strategy in {known[name][1]} and another in {source.label}; rename one"
                )
    names = tuple(dict.fromkeys(name for source in sources for name in source.strategies))
    if len(names) < 2:
        raise UsageError(f"{what}: '{names[0]}' is the only strategy; put two or more at the table, or give more runs")
    return sources, names


class Patterns:
    """Number of deals by what happened in their games: who sat where, and who won.

    Parameters
    ----------
    players
        Players at the table.
    per_deal
        Games a deal.
    number
        By code of the source's strategies: number among all strategies.
    strategies
        How many strategies there are.
    """

    def __init__(self, players: int, per_deal: int, number: Sequence[int], strategies: int) -> None:
        self.players, self.strategies = players, strategies
        self.number = np.array(number, np.int64)
        self.radix = strategies ** np.arange(players, dtype=np.int64)
        self.bits = 1 << np.arange(players, dtype=np.int64)
        self.codes: NDArray[np.int64] = np.zeros((0, per_deal), np.int64)
        self.count: NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, block: Block) -> None:
        """Take in a block."""
        seating = self.number[block["strategy"]] @ self.radix
        winners = (block["share60"] > 0) @ self.bits
        codes = (seating << self.players | winners).reshape(block.deals, block.per_deal)
        self._take(codes, np.ones(block.deals, np.int64))

    def merge(self, other: Patterns) -> None:
        """Take in all that another holds."""
        self._take(other.codes, other.count)

    def _take(self, codes: NDArray[np.int64], count: NDArray[np.int64]) -> None:
        every, number = np.concatenate([self.codes, codes]), np.concatenate([self.count, count])
        self.codes, place = np.unique(every, axis=0, return_inverse=True)
        self.count = np.bincount(place.ravel(), number, len(self.codes)).astype(np.int64)

    def decode(self) -> Outcomes:
        """Return the patterns in full."""
        codes, place = np.unique(self.codes, return_inverse=True)
        seating = (codes[:, None] >> self.players) // self.radix % self.strategies
        won = (codes[:, None] & self.bits) > 0
        games = np.zeros((len(self.codes), len(codes)))
        np.add.at(games, (np.arange(len(self.codes))[:, None], place.reshape(self.codes.shape)), 1)
        return Outcomes(seating, won / won.sum(axis=1, keepdims=True), games, self.count)


@dataclass(frozen=True)
class Outcomes:
    """What `Patterns` counted.

    Parameters
    ----------
    seating
        Shape (outcomes, players): strategy in each seat, of every outcome a game may have.
    share
        Shape (outcomes, players): each seat's share of the win.
    games
        Shape (patterns, outcomes): how many games of a deal of that pattern ended so.
    count
        Shape (patterns,): deals of that pattern.
    """

    seating: Array
    share: Floats
    games: Floats
    count: NDArray[np.int64]
