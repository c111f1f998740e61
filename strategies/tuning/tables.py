"""Who sits together: candidates with a fixed field, or with each other and those who were best before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strategies.model import Strategy
from strategies.tuning.plan import Plan

COMPANIES = 4
"""Tables of a candidate and player count in each generation, where there is a choice of opponents."""

ROUNDS = 8
"""How often candidates who play each other are seated anew in each generation."""

GUESTS = 0.25
"""Share of the tables of self-play at which one seat goes to an opponent or a former champion."""

FORERUNNERS = 12
"""Former champions who may still sit down."""

Seat = int | Strategy
"""A candidate by number, or somebody else."""


@dataclass(frozen=True)
class Table:
    """Players of some deals, each of which is played once per rotation of the seats.

    Parameters
    ----------
    seats
        Who sits in the first game of a deal, held seats first.
    first
        Number of the first deal, from 0.
    deals
        How many.
    """

    seats: tuple[Seat, ...]
    first: int
    deals: int

    @property
    def others(self) -> tuple[str, ...]:
        """Digests of those who are no candidates, with an empty one in a candidate's place."""
        return tuple("" if isinstance(seat, int) else seat.digest for seat in self.seats)


class Field:
    """Opponents of a tuning.

    Parameters
    ----------
    plan
        The tuning.  In self-play candidates sit with each other, and the best players so far look in as guests.

    Attributes
    ----------
    champions
        Best players so far, the latest last; empty without self-play.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.champions: list[Strategy] = [plan.start] if plan.self_play else []

    @property
    def guests(self) -> list[Strategy]:
        """Everybody who may sit with a candidate, candidates apart."""
        return [*self.plan.opponents, *self.champions[-FORERUNNERS:]]

    def rivals(self) -> list[Strategy]:
        """Those whom the result has to stand up to: the champion, and the opponents."""
        return [*self.champions[-1:], *self.plan.opponents]

    def against(self, candidates: int, rivals: Sequence[Strategy], games: int) -> list[Table]:
        """Return tables of one candidate each, all others one and the same rival; so many games for each candidate."""
        counts = self.plan.players
        return [
            self.one(
                candidate, (rival,) * (players - 1), 0, games // (len(counts) * len(rivals) * self.moving(players))
            )
            for players in counts
            for rival in rivals
            for candidate in range(candidates)
        ]

    def generation(self, number: int, candidates: int) -> list[Table]:
        """Return the tables of a generation."""
        rng = np.random.default_rng([self.plan.seed, number])
        tables = []
        for players in self.plan.players:
            games = self.plan.games // len(self.plan.players)
            if self.plan.self_play:
                tables += self._together(rng, players, candidates, games)
            else:
                tables += self._apart(rng, players, candidates, games)
        return tables

    def _apart(self, rng: np.random.Generator, players: int, candidates: int, games: int) -> list[Table]:
        """Seat each candidate with the same opponents as every other."""
        guests = self.guests
        companies = 1 if len(guests) == 1 else COMPANIES
        deals = max(1, games // (companies * self.moving(players)))
        tables = []
        for company in range(companies):
            others = tuple(guests[int(pick)] for pick in rng.integers(len(guests), size=players - 1))
            tables += [self.one(candidate, others, company * deals, deals) for candidate in range(candidates)]
        return tables

    def _together(self, rng: np.random.Generator, players: int, candidates: int, games: int) -> list[Table]:
        """Seat candidates with each other, anew each round; every candidate plays all deals of a round once."""
        deals = max(1, games // (ROUNDS * self.moving(players)))
        guests = self.guests
        tables = []
        for number in range(ROUNDS):
            order = [int(candidate) for candidate in rng.permutation(candidates)]
            while order:
                free = players - int(rng.random() < GUESTS)
                seats: list[Seat] = [order.pop() for _ in range(min(free, len(order)))]
                seats += [guests[int(pick)] for pick in rng.integers(len(guests), size=players - len(seats))]
                tables.append(Table(tuple(seats), number * deals, deals))
        return tables

    def one(self, candidate: int, others: tuple[Strategy, ...], first: int, deals: int) -> Table:
        """Seat one candidate with some others."""
        return Table((candidate, *others), first, max(2, deals))

    def moving(self, players: int) -> int:
        """Games of a deal."""
        return players
