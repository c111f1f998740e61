"""The tuning itself: generations of candidates, a league that follows them, and who is best in the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from simcore.roles import Role
from strategies.model import Strategy
from strategies.tuning.arena import Arena, Array, Measure, Share, nearly_won, won
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Budget, Plan, clipped
from strategies.tuning.steps import measure_steps, measure_width
from strategies.tuning.tables import Field, Seat, Table

SEASON = 20
"""Generations between two trials of the running average, which in self-play may make it champion."""

TRIAL_GAMES, FINAL_GAMES, SCORE_GAMES = 9_600, 30_000, 60_000
"""Games of a trial, of each finalist, and of each held-out score."""

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
        What the running average won in the last trial, 1 a fair share: against its opponents, or against the champion
        of that time; None before the first.
    champions
        Members of the league.
    """

    generation: int
    seconds: float
    of_par: float | None
    champions: int


@dataclass(frozen=True)
class Tuned:
    """What came of a tuning.

    Parameters
    ----------
    strategy
        The best player, without name, texts and provenance.
    generations
        How many.
    features
        Weights that matter and were moved.
    crowned
        Champions that followed the start in self-play; 0 without it.
    finalist
        Which of the last candidates it is.
    scores
        Held-out score against each opponent at each player count, in pairs with the opponent.
    seconds, cpu_seconds
        Time, earlier sessions counted in.
    """

    strategy: Strategy
    generations: int
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
        seed = self.deals(STEPS)
        steps = journal.recall("steps", len(plan.features), lambda: measure_steps(arena, self.field, seed))
        self.wish: Measure = won
        if plan.game.score is not None:
            width = float(journal.recall("width", 1, lambda: [measure_width(arena, self.field, seed)])[0])
            self.wish = nearly_won(width)
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
        self.played, self.playing = 0, 0.0
        self.of_par: float | None = None

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
        ending = self.ending(yardsticks)
        for number in count():
            left_for_the_end = ending * self.playing / self.played if self.played else 0.0
            if budget.spent(number, self.journal.seconds + left_for_the_end):
                break
            self.generation(number)
            if (number + 1) % SEASON == 0:
                self.trial(number)
            tick(Status(number + 1, self.journal.seconds, self.of_par, len(self.field.champions)))
        return self.finish(yardsticks)

    def generation(self, number: int) -> None:
        """Play one generation, all candidates on the same deals, and learn from it."""
        points = np.array(self.optimiser.ask())
        tables = self.field.generation(number, len(points))
        seed, before = self.deals(GENERATION, number), self.journal.seconds
        scores = self.journal.recall(
            f"generation {number}", len(points), lambda: self.arena.means(self.weights(points), tables, seed, self.wish)
        )
        self.played += sum(table.deals * self.field.moving(len(table.seats)) for table in tables)
        self.playing += self.journal.seconds - before
        self.optimiser.tell(list(points), list(-scores))
        self.best = points[int(scores.argmax())]
        keep = min(MEMORY, number / (number + 1))
        self.average = keep * self.average + (1 - keep) * self.optimiser.mean
        self.generations = number + 1

    def trial(self, number: int) -> None:
        """See what the running average wins; in self-play, crown it if that is more than the champion has there.

        Where all seats are alike the champion has par at its own table.  Against players of other roles it need not,
        so that it plays the same deals in the challenger's place.
        """
        challenger, champions = self.named(self.average), self.field.champions[-1:]
        both = [challenger, *champions] if self.plan.held else [challenger]
        weights = np.array([self.plan.weights_of(player) for player in both])
        tables = self.field.against(len(both), champions or self.plan.opponents, TRIAL_GAMES)
        seed = self.deals(TRIAL, number)
        found = self.journal.recall(f"trial {number}", len(both), lambda: self.arena.means(weights, tables, seed))
        self.of_par = float(found[0])
        if self.plan.self_play and self.of_par > (found[1] if len(both) > 1 else 1.0):
            self.field.champions.append(challenger)

    def ending(self, yardsticks: Sequence[Strategy]) -> int:
        """Return about how many games `finish` plays, for which a budget of time has to leave room."""
        scores = sum(
            len(self.met(role, players, yardsticks)) for players in self.plan.players for role in self.plan.game.roles
        )
        return (4 + self.plan.self_play) * FINAL_GAMES + scores * SCORE_GAMES

    def finish(self, yardsticks: Sequence[Strategy]) -> Tuned:
        """Choose among the last candidates on fresh deals, and score the choice on deals that nobody has seen."""
        finalists = {
            "start": self.named(np.zeros(len(self.moving))),
            "running average of the means": self.named(self.average),
            "last mean": self.named(self.optimiser.mean),
            "best of the last generation": self.named(self.best),
        }
        if self.plan.self_play:
            finalists["last champion"] = self.field.champions[-1]
        weights = np.array([self.plan.weights_of(finalist) for finalist in finalists.values()])
        tables = self.field.against(len(weights), self.field.guests, FINAL_GAMES)
        scores = self.journal.recall(
            "final", len(weights), lambda: self.arena.means(weights, tables, self.deals(FINAL))
        )
        name, chosen = list(finalists.items())[int(scores.argmax())]
        shares = tuple(
            (other, self.score(chosen, other, role, players))
            for players in self.plan.players
            for role in self.plan.game.roles
            for other in self.met(role, players, yardsticks)
            if role is not self.plan.role or other.digest != chosen.digest
        )
        return Tuned(
            chosen, self.generations, len(self.moving), max(len(self.field.champions) - 1, 0), name, shares,
            self.journal.seconds, self.journal.cpu_seconds,
        )  # fmt: skip

    def named(self, point: Array) -> Strategy:
        """Return the player that a point of the optimiser stands for."""
        return self.plan.strategy("", self.weights(point)[0])

    def met(self, role: Role, players: int, yardsticks: Sequence[Strategy]) -> Collection[Strategy]:
        """Return those of a role against whom the choice is scored."""
        if role is self.plan.role:
            named = (*self.plan.opponents, self.plan.start) if self.field.moving(players) > 1 else ()
        else:
            named = self.plan.held[role.name]
        fit = (other for other in yardsticks if other.role in ("", role.name)) if named else ()
        marked = (replace(other, role=role.name) if self.plan.held else other for other in (*named, *fit))
        return {other.digest: other for other in marked}.values()

    def score(self, chosen: Strategy, other: Strategy, role: Role, players: int) -> Share:
        """Score a player among others who are all the same, on held-out deals.

        Parameters
        ----------
        chosen
            Who is scored.
        other
            Who plays the other seats of its role; or another role, and then all seats of its own are played by it.
        role
            What the other plays.
        players
            Players at the table.
        """
        weights = self.plan.weights_of(chosen)
        held, seats = self.field.ways[0], self.field.moving(players)
        own: list[Seat] = [0, *[other] * (seats - 1)]
        if role is not self.plan.role:
            own, held = [0] * seats, {**held, role.name: other}
        table = Table(self.field.seated(players, own, held), 0, max(2, SCORE_GAMES // seats))

        def measure() -> list[float]:
            share = self.arena.share(weights, table, self.deals(SCORE))
            return [share.mean, share.half_width, share.deals]

        place = f"{players} {role.name}" if self.plan.held else str(players)
        mean, half_width, deals = self.journal.recall(f"score {place} {other.digest}", 3, measure)
        return Share(players, float(mean), float(half_width), int(deals), self.plan.par(players))
