"""Checks of a thinker that its own value cannot pass by flattering itself.

* A round robin: the best of its stages is chosen by its worst result against any other, not by a chain of duels.
* An attacker with another value, which was fitted to other games and to wins alone.
* The errors of its value by the time that is left, for those ahead and behind: it may be optimistic in one phase only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simcore.roles import Role
from strategies.foresight import Foresight
from strategies.learning.fit import fit_sum, fitted_value, predicted, target_of, wins_alone
from strategies.learning.gather import Seen
from strategies.learning.trial import Court, Foresights, Trial

FINALISTS = 4
"""Stages in a round robin, the latest ones."""

PHASES, BLOCKS, LEAST_BLOCKS = 8, 24, 12
"""Phases of the game with errors of their own; blocks of neighbouring rows, which come from the same games, in all and
with rows of a phase."""

Z16 = 2.95
"""Standard errors to the end of each of sixteen intervals that hold together with 95 %."""

Tell = Callable[[str], None]


class Error(NamedTuple):
    """By how much a value is wrong on average where it is wrong most certainly, as parts of a win.

    mean: Positive if the value is optimistic.
    low, high: Ends of the 95 % interval, which allows for the choice among all phases.
    """

    mean: float
    low: float
    high: float

    @property
    def certain(self) -> float:
        """The least size of the error in its interval, 0 if the interval contains 0."""
        return max(self.low, -self.high, 0.0)


UNKNOWN = Error(0.0, -1.0, 1.0)
"""Too few games to say anything."""


class Examiner:
    """Examines thinkers at one number of players.

    court: Holds the trials.
    seed: Seed of the deals of a purpose.
    games: Games of each trial.
    tell: Called with a short description of each step before it is taken.
    """

    def __init__(self, court: Court, seed: Callable[[str], int], games: int, tell: Tell) -> None:
        self._court, self._seed, self._games, self._tell = court, seed, games, tell

    def best(self, stages: Sequence[Foresights]) -> int:
        """Return the number of the stage whose worst result is best: one player of a stage among those of any other.

        Of two stages, the later one has beaten the other already.
        """
        entered, roles = range(max(len(stages) - FINALISTS, 0), len(stages)), self._court.plan.roles
        if len(entered) < 3:
            return entered[-1]
        self._tell("round robin")
        usual = {(number, role.name): self._usual(role, stages[number], number) for number in entered for role in roles}

        def ahead(one: int, other: int) -> float:
            label = f"stage {one + 1} among stage {other + 1}"
            wins = {role.name: self._hold(label, role, stages[one], stages[other]).mean for role in roles}
            return min(won - usual[other, name] for name, won in wins.items())

        worst = {one: min(ahead(one, other) for other in entered if other != one) for one in entered}
        return max(entered, key=lambda number: (worst[number], number))

    def _usual(self, role: Role, table: Foresights, number: int) -> float:
        """Return what a thinker of a stage wins among its like: par, unless roles are unequal."""
        if not self._court.plan.game.asymmetric:
            return 1.0
        return self._hold(f"stage {number + 1} among itself", role, table, table).mean

    def _hold(self, label: str, role: Role, one: Foresights, others: Foresights, purpose: str = "robin") -> Trial:
        player = self._court.thinker({role.name: one[role.name]})
        return self._court.hold(label, role, player, others, self._seed(purpose), self._games)

    def outsider(self, role: Role, found: Foresights, rows: Callable[[], Seen], win: float) -> Trial:
        """Return what one thinker with another value wins among the finished ones, in times of what one of them wins.

        role: Its role.
        found: The finished thinkers.
        rows: What the seats saw in games of the finished thinkers that no value was fitted to.
        win: Points that a win is worth in their values.
        """
        known, points, players = found[role.name], wins_alone(win), self._court.players
        value, _ = fitted_value(
            self._court.journal,
            f"{players} {role.name} fit of another value",
            known.value.inputs,
            0,
            lambda: fit_sum(rows().of(role.at(players)), points),
        )
        self._tell("another value")
        one = {role.name: replace(known, value=value, win=points)}
        other = self._hold("another value", role, one, found, "another value")
        if not self._court.plan.game.asymmetric:
            return other
        return other.times(self._hold("the same value", role, found, found, "another value"))

    def error(self, role: Role, foresight: Foresight, rows: Callable[[], Seen]) -> Error:
        """Return the error of a value in the phase where it is most certainly wrong, on games of no fit."""

        def measure() -> list[float]:
            return list(worst_phase(foresight, rows().of(role.at(self._court.players))))

        label = f"{self._court.players} {role.name} error of the value"
        return Error(*map(float, self._court.journal.recall(label, 3, measure)))


def worst_phase(foresight: Foresight, seen: Seen) -> Error:
    """Return the error of a value that is farthest from 0 for certain, by phase.

    Seats that it thinks ahead and behind count apart: together they would hide an error, as what one is promised too
    much, another is promised too little.
    """
    left = seen.numbers[:, 0]
    if not len(left):
        return UNKNOWN
    value = predicted(foresight.value.floats, seen.numbers)
    wrong = (value - target_of(seen, foresight.win)) / foresight.win
    edges = np.unique(np.quantile(left, np.linspace(0, 1, PHASES + 1)[1:-1]))
    phase = np.searchsorted(edges, left, side="left")
    block = np.arange(len(left)) * BLOCKS // len(left)
    found = []
    for number in np.unique(phase):
        ahead = value > np.median(value[phase == number])
        for inside in ((phase == number) & ahead, (phase == number) & ~ahead):
            means = np.array([wrong[inside & (block == one)].mean() for one in np.unique(block[inside])])
            if len(means) >= LEAST_BLOCKS:
                mean, reach = float(wrong[inside].mean()), Z16 * float(means.std(ddof=1)) / len(means) ** 0.5
                found.append(Error(mean, mean - reach, mean + reach))
    return max(found, key=lambda one: (one.certain, abs(one.mean)), default=UNKNOWN)
