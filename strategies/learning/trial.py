"""Trials: what a thinker wins at a table, and whether that is more than another wins on the same deals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strategies.learning.plan import Plan
from simcore.roles import Role
from simcore.running.batch import Spec
from simcore.running.workers import find_workers
from strategies.foresight import Foresight
from strategies.model import Strategy
from strategies.searching import Searching
from strategies.spec import assemble_spec
from strategies.tuning.arena import Z95, play_stretch, won
from strategies.tuning.journal import Journal

STRETCH = 60
"""Games that one thread plays at a stretch."""

Foresights = Mapping[str, Foresight]
"""How a thinker looks ahead at tables of one size, by role."""


@dataclass(frozen=True)
class Trial:
    """What one player won, as multiples of par."""

    deals: NDArray[np.float64]  # by deal, on average over its seats, shape (deals,)

    @property
    def mean(self) -> float:
        """The mean over the deals."""
        return float(self.deals.mean())

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        return float(self.deals.std(ddof=1)) / math.sqrt(len(self.deals))

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the 95 % interval."""
        return self.mean - Z95 * self.se, self.mean + Z95 * self.se

    def lead(self, other: Trial) -> tuple[float, float]:
        """Return by how much it won more than another player on the same deals, and the standard error of that."""
        ahead = Trial(self.deals - other.deals)
        return ahead.mean, ahead.se

    def times(self, other: Trial) -> Trial:
        """Return how many times as much it won as another player on the same deals, with the error of both."""
        par = max(other.mean, 1e-9)
        return Trial(self.mean / par + (self.deals - self.mean - self.mean / par * (other.deals - other.mean)) / par)

    def beats(self, other: Trial) -> bool:
        """Return whether it won more than another player, by more than one standard error."""
        ahead, error = self.lead(other)
        return ahead > error


class Court:
    """Holds trials for a learning at one number of players.

    plan: The learning.
    players: Players at the table.
    journal: Where outcomes are stored.
    threads: Number of threads; no outcome depends on it.
    """

    def __init__(self, plan: Plan, players: int, journal: Journal, threads: int) -> None:
        self.plan, self.players, self.journal, self.threads = plan, players, journal, threads

    def thinker(self, foresights: Foresights, name: str = "thinker") -> Strategy:
        """Return a thinker for tables of this size."""
        plan = self.plan
        held = {(self.players, role): foresight for role, foresight in foresights.items()}
        search = Searching(plan.base, foresights=held)
        role = plan.base.role
        return Strategy(plan.game.name, name, "thinker", search=search, role=role)

    def seated(self, strategies: list[Strategy], seed: int, games: int) -> Spec:
        """Return a run with a strategy for each seat; strategies with one name are the same."""
        return assemble_spec(self.plan.game, self.players, strategies, self.plan.rules, seed, "rotate", games)

    def line_up(self, role: Role, one: Strategy | None, others: Foresights | None) -> list[Strategy]:
        """Return a line-up: one player in the first seat of a role, and thinkers or bases in all other seats."""
        line: list[Strategy] = [
            replace(self.plan.base, name="base") if others is None else self.thinker(others, "others")
        ] * self.players
        if one is not None:
            line[role.at(self.players)[0]] = replace(one, name="one")
        return line

    def hold(self, label: str, role: Role, one: Strategy, others: Foresights | None, seed: int, games: int) -> Trial:
        """Let one player of a role play among others, thinkers or bases; the deals depend on the seed alone."""
        seats = role.at(self.players)
        games = -(-games // len(seats)) * len(seats)

        def measure() -> NDArray[Any]:
            spec = self.seated(self.line_up(role, one, others), seed, games)
            step = STRETCH // spec.games_per_deal * spec.games_per_deal
            with find_workers(self.threads) as workers:
                parts = [
                    workers.submit(play_stretch, spec, first, min(step, games - first), won)
                    for first in range(0, games, step)
                ]
                played = np.concatenate([part.result() for part in parts])
            return np.asarray(played[:, seats[0]])

        return Trial(self.journal.recall(f"{self.players} {role.name} {label}", games // len(seats), measure))
