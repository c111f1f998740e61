"""Which tables a tournament plays: who sits with whom, and in which order round the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import gcd

import numpy as np

from simcore.errors import UsageError, nearest

DESIGNS = ("auto", "all", "one-vs-rest")
LEAST_DEALS = 250
"""Deals that every table must get for `auto` to play all tables."""

MAX_ORDERS = 50_000
"""Most seating orders of a tournament, rotations apart."""

Company = tuple[int, ...]
"""Numbers of strategies, in the order of the seats or ascending."""


@dataclass(frozen=True)
class Plan:
    """The tables of a tournament at one number of players.

    Parameters
    ----------
    strategies, players
        How many there are.
    design
        "all": every company with two strategies or more; "one-vs-rest": every strategy alone at a table of every other.
    deals
        Deals that every table plays, in all its seatings.
    """

    strategies: int
    players: int
    design: str
    deals: int

    @cached_property
    def tables(self) -> tuple[Company, ...]:
        """Who sits together, ascending; a table of one strategy is no contest, and its outcome is known."""
        return tuple(companies(self.strategies, self.players, self.design))

    @cached_property
    def orders(self) -> tuple[tuple[int, Company, float], ...]:
        """Table, order round it, and weight among the table's orders: every seating of a table weighs alike."""
        found = []
        for number, table in enumerate(self.tables):
            rings = necklaces(table)
            total = sum(rings.values())
            found += [(number, ring, size / total) for ring, size in rings.items()]
        return tuple(found)

    @property
    def games(self) -> int:
        """Games of the whole tournament: every deal once per order and rotation."""
        return self.deals * len(self.orders) * self.players


def companies(strategies: int, players: int, design: str) -> Iterator[Company]:
    """Yield who sits together, ascending."""
    if design == "all":
        for company in combinations_with_replacement(range(strategies), players):
            if company[0] != company[-1]:
                yield company
        return
    for one, other in permutations(range(strategies), 2):
        if players > 2 or one < other:
            yield tuple(sorted((one, *[other] * (players - 1))))


def necklaces(company: Company) -> dict[Company, int]:
    """Return the orders of a company round the table, rotations apart, and how many seatings each one stands for."""
    found: dict[Company, int] = {}
    for order in sorted(set(permutations(company))):
        ring = min(order[turn:] + order[:turn] for turn in range(len(order)))
        found[ring] = found.get(ring, 0) + 1
    return found


def count_orders(strategies: int, players: int, design: str) -> int:
    """Return how many orders there are, rotations apart (Burnside), without making them."""
    if design == "one-vs-rest":
        return strategies * (strategies - 1) // (2 if players == 2 else 1)
    turns = sum(strategies ** gcd(turn, players) for turn in range(players))
    return int(turns // players - strategies)


def make_plan(strategies: int, players: int, games: int, design: str = "auto") -> Plan:
    """Return the plan that a number of games allows.

    Parameters
    ----------
    strategies, players
        How many.
    games
        Of the whole tournament, about; every table plays the same number of whole deals.
    design
        "auto" takes "all" where every table then gets 250 deals.

    Raises
    ------
    UsageError
        If there is no such design, there are too many tables, or too few games for a deal at every table.
    """
    if design not in DESIGNS:
        raise UsageError(f"--tables: no design '{design}'{nearest(design, DESIGNS)}")
    if design == "auto":
        each = games / players / count_orders(strategies, players, "all")
        design = "all" if players == 2 or each >= LEAST_DEALS else "one-vs-rest"
    orders = count_orders(strategies, players, design)
    if orders > MAX_ORDERS:
        raise UsageError(
            f"--tables: {strategies} strategies make {orders:,} tables and orders of {players} players; "
            f"{MAX_ORDERS:,} is the most" + ("; take one-vs-rest" if design == "all" else "")
        )
    deals = games // (orders * players)
    if deals < 1:
        raise UsageError(
            f"--games: {games:,} are too few; {orders:,} tables and orders of {players} players take "
            f"{orders * players:,} games a deal" + ("; give more, or --tables one-vs-rest" if design == "all" else "")
        )
    return Plan(strategies, players, design, deals)


def blocks_of(plan: Plan, memory: int = 4_000_000, most: int = 500) -> int:
    """Return in how many blocks of deals the outcomes are summed, the units of resampling."""
    cells = len(plan.orders) * plan.players**2
    return int(np.clip(memory // cells, min(50, plan.deals), min(most, plan.deals)))
