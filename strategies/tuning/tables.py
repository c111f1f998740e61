"""Who sits together: candidates with fixed opponents, or with each other and former champions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from strategies.model import Strategy
from strategies.tuning.plan import Plan

DRAWS = 4
"""How often opponents are drawn for a candidate and player count in each generation, if there is a choice."""

ROUNDS = 8
"""How often candidates who play each other are reseated in each generation."""

GUESTS = 0.25
"""Share of the tables in self-play at which one seat goes to an opponent or a former champion."""

FORERUNNERS = 12
"""Number of former champions who may still take a seat."""

Seat = int | Strategy
"""A candidate by number, or another strategy."""

Held = Mapping[str, Strategy]
"""The strategy of each role that is not tuned."""


@dataclass(frozen=True)
class Table:
    """Players of some deals, each of which is played once for each rotation of the seats of the role that is tuned."""

    seats: tuple[Seat, ...]  # who sits where in the first game of a deal
    first: int  # number of the first deal, from 0
    deals: int  # number of deals
    rules: int = 0  # which of the plan's rule sets is played

    @property
    def others(self) -> tuple[str, ...]:
        """Digests of the players who are not candidates, with an empty one in a candidate's place."""
        return tuple("" if isinstance(seat, int) else seat.digest for seat in self.seats)


class Field:
    """Opponents of a tuning.

    Parameters
    ----------
    plan
        The tuning.  In self-play, candidates sit with each other, and the best players so far join them as guests.

    Attributes
    ----------
    champions
        The best players so far, the latest one last; empty without self-play.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.champions: list[Strategy] = [plan.start] if plan.self_play else []

    @property
    def guests(self) -> list[Strategy]:
        """Everyone who may sit with a candidate in its role, except for candidates."""
        return [*self.plan.opponents, *self.champions[-FORERUNNERS:]]

    @property
    def ways(self) -> list[Held]:
        """Ways to fill the other roles, one strategy for each role, in which everyone who may play them does."""
        most = max((len(some) for some in self.plan.held.values()), default=1)
        return [{role: some[number % len(some)] for role, some in self.plan.held.items()} for number in range(most)]

    def rivals(self) -> list[Strategy]:
        """Players of its role that the result must be measured against: the champion, and the opponents."""
        return [*self.champions[-1:], *self.plan.opponents]

    def against(
        self,
        candidates: int,
        rivals: Sequence[Strategy],
        games: int,
        ways: Sequence[Held] | None = None,
        rules: Sequence[int] | None = None,
    ) -> list[Table]:
        """Return tables with one candidate each, all others of its role the same rival; `games` for each candidate."""
        counts, ways = self.plan.players, self.ways if ways is None else ways
        rules = self.plan.trained if rules is None else rules
        tables = []
        for players in counts:
            fellows = self.moving(players) - 1
            fields = [(rival,) * fellows for rival in rivals] if fellows else [()]
            deals = games // (len(counts) * len(fields) * len(ways) * len(rules) * self.moving(players))
            tables += [
                self.one(players, candidate, others, turn * deals, deals, held, number)
                for others in fields
                for held in ways
                for turn, number in enumerate(rules)
                for candidate in range(candidates)
            ]
        return tables

    def generation(self, number: int, candidates: int) -> list[Table]:
        """Return the tables of a generation."""
        rng = np.random.default_rng([self.plan.seed, number])
        tables = []
        for players in self.plan.players:
            games = self.plan.games // len(self.plan.players)
            if self.plan.self_play and self.moving(players) > 1:
                tables += self._together(rng, number, players, candidates, games)
            else:
                tables += self._apart(rng, number, players, candidates, games)
        return tables

    def _rules(self, generation: int, number: int) -> int:
        """Return which rule set is played in one of a generation's rounds; all of them in turn."""
        return self.plan.trained[(generation * ROUNDS + number) % len(self.plan.trained)]

    def _apart(
        self, rng: np.random.Generator, generation: int, players: int, candidates: int, games: int
    ) -> list[Table]:
        """Seat each candidate with the same opponents as every other."""
        guests, fellows = self.guests, self.moving(players) - 1
        choice = (fellows and len(guests) > 1) or len(self.ways) > 1
        draws = ROUNDS if self.plan.levers else DRAWS if choice else 1
        deals = max(1, games // (draws * self.moving(players)))
        tables = []
        for draw in range(draws):
            others = tuple(guests[int(pick)] for pick in rng.integers(len(guests), size=fellows)) if fellows else ()
            held = self._drawn(rng)
            tables += [
                self.one(players, candidate, others, draw * deals, deals, held, self._rules(generation, draw))
                for candidate in range(candidates)
            ]
        return tables

    def _together(
        self, rng: np.random.Generator, generation: int, players: int, candidates: int, games: int
    ) -> list[Table]:
        """Seat candidates with each other, again in each round; every candidate plays all deals of a round once."""
        seats = self.moving(players)
        deals = max(1, games // (ROUNDS * seats))
        guests = self.guests
        tables = []
        for number in range(ROUNDS):
            order = [int(candidate) for candidate in rng.permutation(candidates)]
            held = self._drawn(rng)
            while order:
                free = seats - int(rng.random() < GUESTS)
                own: list[Seat] = [order.pop() for _ in range(min(free, len(order)))]
                own += [guests[int(pick)] for pick in rng.integers(len(guests), size=seats - len(own))]
                together = self.seated(players, own, held)
                tables.append(Table(together, number * deals, deals, self._rules(generation, number)))
        return tables

    def _drawn(self, rng: np.random.Generator) -> Held:
        """Return who plays the other roles, drawn if there is a choice."""
        return {
            role: some[int(rng.integers(len(some)))] if len(some) > 1 else some[0]
            for role, some in self.plan.held.items()
        }

    def one(
        self,
        players: int,
        candidate: int,
        others: tuple[Strategy, ...],
        first: int,
        deals: int,
        held: Held,
        rules: int = 0,
    ) -> Table:
        """Seat one candidate with some others of its role, and the players of the other roles."""
        return Table(self.seated(players, (candidate, *others), held), first, max(2, deals), rules)

    def seated(self, players: int, own: Sequence[Seat], held: Held) -> tuple[Seat, ...]:
        """Return who sits where, given those of the role that is tuned."""
        seats: list[Seat] = []
        for role in self.plan.game.roles:
            seats += own if role is self.plan.role else [held[role.name]] * len(role.at(players))
        return tuple(seats)

    def moving(self, players: int) -> int:
        """Return the number of games of a deal: the seats of the role that is tuned."""
        return len(self.plan.role.at(players))
