"""Trials on the same deals: of how a thinker looks ahead, of the stages of a learning, and of the finished one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.judged import Role
from simcore.running.batch import Spec
from simcore.running.executors import find_workers
from strategies.learning.fit import fit_sum, fitted_value, predict, targets, wins_alone
from strategies.learning.plan import Plan
from strategies.learning.self_play import Samples
from strategies.model import Strategy
from strategies.searching import HOTTEST, Foresight, Searching
from strategies.spec import assemble_spec
from strategies.tuning.journal import Journal
from strategies.tuning.search import Z95, play_stretch, won
from strategies.value import Value

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

    def beats(self, other: Trial, times: float = 1.0) -> bool:
        """Return whether it won more than another player by over one standard error, and so many times as much."""
        ahead, error = self.lead(other)
        return ahead > error and self.mean >= times * other.mean


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


# --- How far a thinker should look, at how many tables, at which decisions, and with which value ---
#
# Everything is compared on the same deals, one thinker among bases. A choice is given up for one that wins more by over
# one standard error of the difference, and a cheaper one only for one that wins a twentieth more.


DEPTHS = (0, 1, 2, 4)
"""Rounds that are tried, until one wins less than the best so far."""

FEW, MANY = 8, 24
CANDIDATES = (4, 8, 0)
HALVING, PATIENCE = 2, 3
"""Tables, and moves that are tried, 0 for all; after how many tables each time the worse half of the moves is dropped,
and one may be dropped as not worth more."""

WORTH = 1.05
"""How many times as much a choice that takes more time wins, at least."""

CAUTIONS = (0.5, 1.5)
TRIAL_GAMES, KIND_GAMES, WARM_GAMES = 960, 240, 2400
COOLEST, TEMPERATURES = 0.25, 3
NOTICED = 0.95
"""Part of its wins that a base keeps at the lowest temperature that is tried for imagined players, at most."""

NEEDED = -0.5
"""Standard errors of the lead over the base, below which a kind of decision that is searched alone is harmful."""


@dataclass(frozen=True)
class Screened:
    """A choice and the trial in which it was made."""

    foresight: Foresight
    trial: Trial


class Screen:
    """Finds out with what a thinker of one role looks ahead.

    court: Holds the trials.
    role: The role.
    seed: Seed of the deals, which are the same in all trials of a screening.
    tell: Called with a short description of each trial before it is held.
    """

    def __init__(self, court: Court, role: Role, seed: int, tell: Callable[[str], None]) -> None:
        self._court, self._role, self._seed, self._tell = court, role, seed, tell

    def settings(self, value: Value, win: float, given: Foresight | None = None) -> Screened:
        """Find how many rounds, tables and moves, how cautious, and which decisions, unless given."""
        if given:
            return self._try("as known", replace(given, value=value, win=win))
        first = Foresight(DEPTHS[0], FEW, HALVING, value, win, CAUTIONS[0], candidates=CANDIDATES[0], patience=PATIENCE)
        best = self._try(f"{DEPTHS[0]} rounds", first)
        for rounds in DEPTHS[1:]:
            tried = self._try(f"{rounds} rounds", replace(best.foresight, rounds=rounds))
            if best.trial.beats(tried.trial):
                break
            best = tried if tried.trial.beats(best.trial, WORTH) else best
        best = self.better(best, f"{MANY} tables", replace(best.foresight, tables=MANY), WORTH)
        for moves in CANDIDATES[1:]:
            best = self.better(best, f"{moves or 'all'} moves", replace(best.foresight, candidates=moves), WORTH)
        best = self.better(best, f"caution {CAUTIONS[1]}", replace(best.foresight, caution=CAUTIONS[1]))
        kinds = tuple(self._useful(best.foresight))
        if 0 < len(kinds) < len(self._court.plan.game.decisions):
            some = self._try("some decisions", replace(best.foresight, decisions=kinds))
            best = some if some.trial.mean >= best.trial.mean else best
        return best

    def better(self, best: Screened, label: str, foresight: Foresight, times: float = 1.0) -> Screened:
        """Return the better of a choice and another one, which has to win so many times as much."""
        tried = self._try(label, foresight)
        return tried if tried.trial.beats(best.trial, times) else best

    def temperatures(self) -> Iterator[float]:
        """Yield temperatures that may suit imagined players, each twice the one before.

        The first is the lowest at which a base with this noise wins clearly less among bases than one without.
        """
        base = self._court.plan.base
        if base.custom is not None:
            return
        cold = self._court.hold("cold", self._role, base, None, self._seed, WARM_GAMES)
        temperature = COOLEST
        while temperature <= HOTTEST:
            self._tell(f"a base at temperature {temperature:g}")
            warm = replace(base, temperature=base.temperature + temperature)
            hot = self._court.hold(f"base {temperature:g}", self._role, warm, None, self._seed, WARM_GAMES)
            if hot.mean <= NOTICED * cold.mean:
                hotter = (temperature * 2**step for step in range(TEMPERATURES))
                yield from (one for one in hotter if one <= HOTTEST)
                return
            temperature *= 2

    def _useful(self, foresight: Foresight) -> Iterator[tuple[int, str]]:
        """Yield the kinds of decisions that do no harm if they alone are searched."""
        base = self._court.hold("base", self._role, self._court.plan.base, None, self._seed, KIND_GAMES)
        for number, decision in enumerate(self._court.plan.game.decisions):
            alone = replace(foresight, decisions=((number, decision.name),))
            ahead, error = self._try(f"{decision.name} alone", alone, KIND_GAMES).trial.lead(base)
            if ahead >= NEEDED * error:
                yield number, decision.name

    def _try(self, label: str, foresight: Foresight, games: int = 0) -> Screened:
        self._tell(label)
        player = self._court.thinker({self._role.name: foresight}, "one")
        return Screened(foresight, self._court.hold(label, self._role, player, None, self._seed, games or TRIAL_GAMES))


# --- Checks of a thinker that its own value cannot pass by flattering itself ---
#
# * A round robin: the best of its stages is chosen by its worst result against any other, not by a chain of duels.
# * An attacker with another value, which was fitted to other games and to wins alone.
# * The errors of its value by the time that is left, for those ahead and behind: it may flatter one phase only.


FINALISTS = 4
"""Stages in a round robin, the latest ones."""

PHASES, BLOCKS, LEAST_BLOCKS = 8, 24, 12
"""Phases of the game with errors of their own; blocks of neighbouring rows, which come from the same games, in all and
with rows of a phase."""

Z16 = 2.95
"""Standard errors to the end of each of sixteen intervals that hold together with 95 %."""


class Bias(NamedTuple):
    """By how much a value is wrong on average where it is wrong most certainly, as parts of a win."""

    mean: float  # positive if the value is optimistic
    low: float
    high: float  # the ends of the 95 % interval, which allows for the choice among all phases

    @property
    def certain(self) -> float:
        """The least size of the error in its interval, 0 if the interval contains 0."""
        return max(self.low, -self.high, 0.0)


UNKNOWN = Bias(0.0, -1.0, 1.0)
"""Too few games to say anything."""


class Examiner:
    """Examines thinkers at one number of players.

    seed: Seed of the deals of a purpose.
    games: Games of each trial.
    tell: Called with a short description of each step before it is taken.
    """

    def __init__(self, court: Court, seed: Callable[[str], int], games: int, tell: Callable[[str], None]) -> None:
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

    def outsider(self, role: Role, thinkers: Foresights, samples: Callable[[], Samples], win: float) -> Trial:
        """Return what one thinker with another value wins among the finished ones, in times of what one of them wins.

        role: Its role.
        thinkers: The finished thinkers.
        samples: What the seats saw in games of the finished thinkers that no value was fitted to.
        win: Points that a win is worth in their values.
        """
        thinker, points, players = thinkers[role.name], wins_alone(win), self._court.players
        value, _ = fitted_value(
            self._court.journal,
            f"{players} {role.name} fit of another value",
            thinker.value.inputs,
            0,
            lambda: fit_sum(samples().of(role.at(players)), points),
        )
        self._tell("another value")
        one = {role.name: replace(thinker, value=value, win=points)}
        other = self._hold("another value", role, one, thinkers, "another value")
        if not self._court.plan.game.asymmetric:
            return other
        return other.times(self._hold("the same value", role, thinkers, thinkers, "another value"))

    def bias(self, role: Role, foresight: Foresight, samples: Callable[[], Samples]) -> Bias:
        """Return the error of a value in the phase where it is most certainly wrong, on games of no fit."""

        def measure() -> list[float]:
            return list(largest_bias(foresight, samples().of(role.at(self._court.players))))

        label = f"{self._court.players} {role.name} error of the value"
        return Bias(*map(float, self._court.journal.recall(label, 3, measure)))


def largest_bias(foresight: Foresight, samples: Samples) -> Bias:
    """Return the error of a value that is farthest from 0 for certain, by phase.

    Seats that it thinks ahead and behind count apart: together they would hide an error, as what one is promised too
    much, another is promised too little.
    """
    left = samples.numbers[:, 0]
    if not len(left):
        return UNKNOWN
    value = predict(foresight.value.floats, samples.numbers)
    wrong = (value - targets(samples, foresight.win)) / foresight.win
    edges = np.unique(np.quantile(left, np.linspace(0, 1, PHASES + 1)[1:-1]))
    phase = np.searchsorted(edges, left, side="left")
    block = np.arange(len(left)) * BLOCKS // len(left)
    biases = []
    for number in np.unique(phase):
        ahead = value > np.median(value[phase == number])
        for inside in ((phase == number) & ahead, (phase == number) & ~ahead):
            means = np.array([wrong[inside & (block == one)].mean() for one in np.unique(block[inside])])
            if len(means) >= LEAST_BLOCKS:
                mean, reach = float(wrong[inside].mean()), Z16 * float(means.std(ddof=1)) / len(means) ** 0.5
                biases.append(Bias(mean, mean - reach, mean + reach))
    return max(biases, key=lambda one: (one.certain, abs(one.mean)), default=UNKNOWN)
