"""Who sits on the other seats: a fixed field, or a league that grows as the player gets better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from strategies.model import Strategy
from strategies.tuning.arena import Company
from strategies.tuning.plan import Plan

DRAWN = 4
"""Tables a player count in each generation, where there is a choice of opponents."""

FORERUNNERS = 12
"""How many former champions stay in the league."""


class Field:
    """Opponents of a tuning.

    Parameters
    ----------
    plan
        The tuning.  In self-play the champion is its start at first, and half of the tables are all champions.

    Attributes
    ----------
    champions
        Best players so far, the latest last; empty without self-play.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.champions: list[Strategy] = [plan.start] if plan.self_play else []

    def crown(self, champion: Strategy) -> None:
        """Let a new champion in."""
        self.champions.append(champion)

    def homogeneous(self) -> list[Company]:
        """Return tables at which all others are one and the same: the champion, or each of the opponents."""
        members = [*self.champions[-1:], *self.plan.opponents]
        return [table(member, players) for players in self.plan.players for member in members]

    def drawn(self, generation: int) -> list[Company]:
        """Return the tables of a generation."""
        return [
            company for players in self.plan.players for company in self._tables(players, (generation, players))
        ]  # fmt: skip

    def _tables(self, players: int, address: Sequence[int]) -> list[Company]:
        members = self._members()
        if len(members) == 1:
            return [table(members[0], players)]
        rng = np.random.default_rng([self.plan.seed, *address])
        champion = self.champions[-1:]
        sure = [table(champion[0], players)] * (DRAWN // 2) if champion else []
        mixed = [
            Company(tuple(self._draw(rng, members) for _ in range(players - 1))) for _ in range(DRAWN - len(sure))
        ]
        return [*sure, *mixed]

    def _members(self) -> list[Strategy]:
        return [*self.plan.opponents, *self.champions[-FORERUNNERS:]]

    def _draw(self, rng: np.random.Generator, members: Sequence[Strategy]) -> Strategy:
        """Draw the champion half of the time, and otherwise anybody."""
        if self.champions and rng.random() < 0.5:
            return self.champions[-1]
        return members[int(rng.integers(len(members)))]


def table(member: Strategy, players: int) -> Company:
    """Return the table at which all others are the same."""
    return Company((member,) * (players - 1))
