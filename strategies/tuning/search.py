"""The tuning itself: generations of candidates, a league that follows them, and who is best in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from strategies.model import Strategy
from strategies.tuning.arena import Arena, Array, Company, Share
from strategies.tuning.field import Field, table
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Budget, Plan, clipped
from strategies.tuning.steps import measure_steps

SEASON = 20
"""Generations between two challenges for the champion's place."""

TRIAL_GAMES, FINAL_GAMES, SCORE_GAMES = 9_600, 30_000, 60_000
"""Games of a challenge, of each finalist, and of each held-out score."""

MEMORY = 0.97
"""What the running average of the means keeps from one generation to the next."""

STEPS, GENERATION, TRIAL, FINAL, SCORE = range(5)
"""Purposes of deals; those of one purpose are never dealt for another."""


@dataclass(frozen=True)
class Status:
    """Where a tuning stands.

    Parameters
    ----------
    generation
        Generations done.
    seconds
        Playing time so far, earlier sessions counted in.
    of_par
        What the last generation won on average, 1 a fair share.
    champions
        Members of the league.
    """

    generation: int
    seconds: float
    of_par: float
    champions: int


@dataclass(frozen=True)
class Tuned:
    """What came of a tuning.

    Parameters
    ----------
    strategy
        The best player, without name, texts and provenance.
    generations, games
        How many; games of this session only.
    features
        Weights that matter and were moved.
    crowned
        Champions that followed the start in self-play.
    finalist
        Which of the last candidates it is.
    scores
        Held-out score against each opponent at each player count, in pairs with the opponent.
    seconds, cpu_seconds
        Time, earlier sessions counted in.
    """

    strategy: Strategy
    generations: int
    games: int
    features: int
    crowned: int
    finalist: str
    scores: tuple[tuple[Strategy, Share], ...]
    seconds: float
    cpu_seconds: float


def tune(
    plan: Plan,
    budget: Budget,
    threads: int,
    journal: Journal,
    tick: Callable[[Status], None] = lambda status: None,
    yardsticks: Sequence[Strategy] = (),
) -> Tuned:
    """Find weights that win.

    Parameters
    ----------
    plan
        What is asked for.
    budget
        When to stop.
    threads
        How many threads play; no outcome depends on it.
    journal
        Where outcomes are kept; a tuning with the same plan goes on from there.
    tick
        Called after every generation.
    yardsticks
        Further strategies to take the final score against.

    Returns
    -------
    Tuned
        The same for the same plan and number of generations.
    """
    with Arena(plan, threads) as arena:
        return _Search(plan, journal, arena).run(budget, tick, yardsticks)


class _Search:
    """One tuning under way."""

    def __init__(self, plan: Plan, journal: Journal, arena: Arena) -> None:
        from cma import CMAEvolutionStrategy

        self.plan, self.journal, self.arena = plan, journal, arena
        self.field = Field(plan)
        steps = journal.recall(lambda: measure_steps(arena, self.field.homogeneous(), self.deals(STEPS)))
        self.moving = np.flatnonzero(steps)
        self.steps = steps[self.moving]
        draws = np.random.default_rng([plan.seed, GENERATION])
        self.optimiser = CMAEvolutionStrategy(
            np.zeros(len(self.moving)),
            plan.sigma,
            {
                "popsize": plan.population,
                "randn": lambda *shape: draws.standard_normal(shape),
                "seed": np.nan,
                "verbose": -9,
            },
        )
        self.average: Array = np.zeros(len(self.moving))
        self.best: Array = self.average
        self.generations = 0

    def deals(self, purpose: int, number: int = 0) -> int:
        """Return the seed of the deals for one purpose."""
        return int(np.random.SeedSequence([self.plan.seed, purpose, number]).generate_state(1, np.uint64)[0])

    def weights(self, points: Array) -> Array:
        """Return the weights that points of the optimiser stand for."""
        points = np.atleast_2d(points)
        weights = np.tile(self.plan.weights, (len(points), 1))
        weights[:, self.moving] += points * self.steps
        return clipped(weights)

    def run(self, budget: Budget, tick: Callable[[Status], None], yardsticks: Sequence[Strategy]) -> Tuned:
        """Go through generations until the budget is spent, then choose and score."""
        for number in count():
            if budget.spent(number, self.journal.seconds):
                break
            scores = self.generation(number)
            if self.plan.self_play and (number + 1) % SEASON == 0:
                self.challenge(number)
            tick(Status(number + 1, self.journal.seconds, float(scores.mean()), len(self.field.champions)))
        return self.finish(yardsticks)

    def generation(self, number: int) -> Array:
        """Play one generation, all candidates on the same deals at the same tables, and learn from it."""
        points = np.array(self.optimiser.ask())
        tables = self.field.drawn(number)
        scores = self.journal.recall(
            lambda: self.arena.means(self.weights(points), tables, self.deals(GENERATION, number), self.plan.games)
        )
        self.optimiser.tell(list(points), list(-scores))
        self.best = points[int(scores.argmax())]
        keep = min(MEMORY, number / (number + 1))
        self.average = keep * self.average + (1 - keep) * self.optimiser.mean
        self.generations = number + 1
        return scores

    def challenge(self, number: int) -> None:
        """Crown the running average if it wins more than its share at the champion's tables."""
        challenger = self.plan.strategy("", self.weights(self.average)[0])
        tables = [table(self.field.champions[-1], players) for players in self.plan.players]
        won = self.journal.recall(
            lambda: self.arena.means(
                weights_of(self.plan, challenger)[None], tables, self.deals(TRIAL, number), TRIAL_GAMES
            )
        )
        if won[0] > 1.0:
            self.field.crown(challenger)

    def finish(self, yardsticks: Sequence[Strategy]) -> Tuned:
        """Choose among the last candidates on fresh deals, and score the choice on deals that nobody has seen."""
        finalists = {
            "start": self.plan.start,
            "running average of the means": self.named(self.average),
            "last mean": self.named(self.optimiser.mean),
            "best of the last generation": self.named(self.best),
        }
        if self.plan.self_play:
            finalists["last champion"] = self.field.champions[-1]
        weights = np.array([weights_of(self.plan, finalist) for finalist in finalists.values()])
        tables = [*self.field.homogeneous(), *self.field.drawn(self.generations)]
        scores = self.journal.recall(lambda: self.arena.means(weights, tables, self.deals(FINAL), FINAL_GAMES))
        name, chosen = list(finalists.items())[int(scores.argmax())]
        against = {other.digest: other for other in (*self.plan.opponents, self.plan.start, *yardsticks)}
        shares = tuple(
            (other, self.score(chosen, table(other, players)))
            for players in self.plan.players
            for other in against.values()
            if other.digest != chosen.digest
        )
        return Tuned(
            chosen, self.generations, self.arena.games, len(self.moving), len(self.field.champions) - 1, name, shares,
            self.journal.seconds, self.journal.cpu_seconds,
        )  # fmt: skip

    def named(self, point: Array) -> Strategy:
        """Return the player that a point of the optimiser stands for."""
        return self.plan.strategy("", self.weights(point)[0])

    def score(self, chosen: Strategy, company: Company) -> Share:
        """Score a player on held-out deals."""
        weights = weights_of(self.plan, chosen)

        def measure() -> list[float]:
            share = self.arena.share(weights, company, self.deals(SCORE), SCORE_GAMES)
            return [share.mean, share.half_width, share.deals]

        mean, half_width, deals = self.journal.recall(measure)
        return Share(company.players, float(mean), float(half_width), int(deals))


def weights_of(plan: Plan, strategy: Strategy) -> Array:
    """Return a strategy's weights by feature."""
    return np.array([strategy.weights.get(name, 0.0) for name in plan.features])


def recipe(strategy: Strategy, **table: Any) -> Strategy:
    """Return the strategy with this provenance."""
    from dataclasses import replace

    return replace(strategy, provenance=table)
