"""Who played with whom and who won: the games of one or several runs, summed over deals with equal outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from analysis.data.results import Unanswered
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, open_source
from analysis.stats.moments import Floats
from simcore.errors import UsageError
from simcore.roles import Role
from simcore.running.accumulator import Accumulator

DECISIVE = ("policy", "temperature", "blunder", "weights", "players", "search", "forbids", "source_sha256")
"""Keys of a strategy's table that determine how it plays."""


@dataclass(frozen=True)
class Member:
    """A strategy in a role."""

    role: Role
    strategy: str


def listed(runs: Data | Sequence[Data]) -> Sequence[Data]:
    """Return one or several runs as a list."""
    return runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]


def open_lineups(runs: Data | Sequence[Data], what: str) -> tuple[list[Source], tuple[Member, ...]]:
    """Return the sources of some runs and the strategies that play in them, role by role.

    Raises UsageError if there is no run, games or rules differ, one name stands for two strategies, or no role has two
        strategies.
    """
    sources = [open_source(run) for run in listed(runs)]
    if not sources:
        raise UsageError(f"{what}: no runs given")
    known: dict[str, tuple[Any, str]] = {}
    for source in sources:
        first = sources[0]
        if source.spec.game.name != first.spec.game.name or source.spec.rules.digest != first.spec.rules.digest:
            raise Unanswered(
                "runs_differ",
                "{what}: {one} and {two} differ in game or rules",
                what=what,
                one=first.label,
                two=source.label,
            )
        for name, table in zip(source.spec.strategies, source.spec.strategy_tables, strict=False):
            decisive = {key: table.get(key) for key in DECISIVE}
            if known.setdefault(name, (decisive, source.label))[0] != decisive:
                raise Unanswered(
                    "two_strategies",
                    "{what}: '{name}' is one strategy in {one} and another in {two}; rename one",
                    what=what,
                    name=name,
                    one=known[name][1],
                    two=source.label,
                )
    cast = dict.fromkeys(Member(role, name) for source in sources for role, name in source.spec.cast)
    members = tuple(member for role in first.spec.game.roles for member in cast if member.role == role)
    if len(members) == len(first.spec.game.roles):
        names = " and ".join(f"'{member.strategy}'" for member in members)
        if len(members) == 1:
            text = "{what}: {names} is the only strategy; put two or more at the table"
            raise Unanswered("one_strategy", text, what=what, names=names)
        text = "{what}: {names} are the only strategies of their roles; put two at the table"
        raise Unanswered("one_strategy_by_role", text, what=what, names=names)
    return sources, members


def numbers(source: Source, members: Sequence[Member]) -> NDArray[np.int64]:
    """Return the number of the member for each seat and code of the strategy there, shape (players, strategies)."""
    places = np.array([members.index(Member(role, name)) for role, name in source.spec.cast])
    return np.where(source.members < 0, 0, places[source.members])


class Patterns(Accumulator):
    """Number of deals for each pattern of their games: who sat where, and how the win was shared.

    source: Source of the games.
    number: Numbers of the members, as `numbers` returns them.
    strategies: Number of members.
    """

    WIDTH = 8
    """Largest number of seats that the code of a game can hold."""

    def __init__(self, source: Source, number: NDArray[np.int64], strategies: int) -> None:
        self.source, self.players, self.strategies, self.number = source, source.players, strategies, number
        self.radix = strategies ** np.arange(self.players, dtype=np.int64)
        self.small = np.uint8 if source.unit < 256 else np.uint16
        self.words = 1 + np.dtype(self.small).itemsize * self.WIDTH // 8
        self.codes: NDArray[np.int64] = np.zeros((0, source.spec.games_per_deal * self.words), np.int64)
        self.count: NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, block: Block) -> None:
        """Add a block of games."""
        seating = self.number[np.arange(self.players), block["strategy"]] @ self.radix
        shares = np.zeros((block.games, self.WIDTH), self.small)
        shares[:, : self.players] = block[self.source.share]
        codes = np.column_stack([seating, shares.view(np.int64)])
        self._take(codes.reshape(block.deals, -1), np.ones(block.deals, np.int64))

    def merge(self, other: Self) -> None:
        self._take(other.codes, other.count)

    def _take(self, codes: NDArray[np.int64], count: NDArray[np.int64]) -> None:
        every, number = np.concatenate([self.codes, codes]), np.concatenate([self.count, count])
        self.codes, place = np.unique(every, axis=0, return_inverse=True)
        self.count = np.bincount(place.ravel(), number, len(self.codes)).astype(np.int64)

    def decode(self) -> Outcomes:
        """Return the patterns as arrays."""
        per_deal = self.source.spec.games_per_deal
        codes, place = np.unique(self.codes.reshape(-1, self.words), axis=0, return_inverse=True)
        seating = codes[:, :1] // self.radix % self.strategies
        shares = np.ascontiguousarray(codes[:, 1:]).view(self.small)[:, : self.players]
        games = np.zeros((len(self.codes), len(codes)))
        np.add.at(games, (np.arange(len(self.codes))[:, None], place.reshape(len(self.codes), per_deal)), 1)
        return Outcomes(seating, shares.astype(np.float64) / self.source.unit, games, self.count, self.players)


@dataclass(frozen=True)
class Outcomes:
    """The counts of `Patterns`."""

    seating: Array  # who plays each seat in each outcome that a game may have, shape (outcomes, players)
    share: Floats  # each seat's share of the win in each outcome, shape (outcomes, players)
    games: Floats  # number of games with each outcome in a deal of each pattern, shape (patterns, outcomes)
    count: NDArray[np.int64]  # number of deals of each pattern, shape (patterns,)
    players: int  # number of players at the table

    def of(self, seats: range, first: int) -> Outcomes:
        """Return the counts for some adjacent seats only, with strategies numbered from `first` on."""
        part = slice(seats.start, seats.stop)
        return replace(self, seating=self.seating[:, part] - first, share=self.share[:, part])
