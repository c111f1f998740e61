"""The tuning itself: generations of candidates, a league of champions, and the choice of the best in the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from simcore.errors import UsageError
from simcore.roles import Role
from strategies.model import Strategy
from strategies.tuning.arena import Arena, Array, Measure, Share, nearly_won, won
from strategies.tuning.budget import Budget
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Plan, clipped
from strategies.tuning.steps import measure_steps, measure_width
from strategies.tuning.tables import Field, Seat, Table

SEASON = 20
"""Generations between two trials of the running average; in self-play, a trial may make it champion."""

TRIAL_GAMES, FINAL_GAMES, SCORE_GAMES = 9_600, 30_000, 60_000
"""Number of games of a trial, of each finalist, and of each held-out score."""

MEMORY = 0.97
"""Weight that the running average of the means keeps from one generation to the next."""

STEPS, GENERATION, TRIAL, FINAL, SCORE = range(5)
"""Purposes of deals; a deal of one purpose is never used for another."""


@dataclass(frozen=True)
class Status:
    """The status of a tuning."""

    generation: int  # number of finished generations
    seconds: float  # playing time so far, including earlier sessions
    of_par: float | None
    """What the running average won in the last trial (1 is a fair share), against its opponents or against the champion
    of that time; None before the first."""
    champions: int  # number of members of the league


@dataclass(frozen=True)
class Tuned:
    """The result of a tuning."""

    strategy: Strategy  # the best player, without a name, texts and provenance
    generations: int  # number of generations
    features: int  # number of weights that matter and were tuned
    crowned: int  # number of champions after the start in self-play; 0 without self-play
    finalist: str  # which of the last candidates the strategy is
    scores: tuple[tuple[Strategy, Share], ...]
    """Pairs of an opponent and the held-out score against it, for each player count."""
    halfway: tuple[tuple[Strategy, Share], ...]
    """The same on the same deals for the running average after half of the generations, if it was asked for."""
    seconds: float
    cpu_seconds: float
    """seconds, cpu_seconds: Time, including earlier sessions."""


def tune(
    plan: Plan,
    budget: Budget,
    threads: int,
    journal: Journal,
    tick: Callable[[Status], None] = lambda status: None,
    yardsticks: Sequence[Strategy] = (),
    halfway: bool = False,
) -> Tuned:
    """Find weights that win.

    Parameters
    ----------
    plan
        What is to be tuned.
    budget
        When to stop.
    threads
        Number of threads that play; no outcome depends on it.
    journal
        Where outcomes are stored; a tuning with the same plan resumes from there.
    tick
        Called after every generation.
    yardsticks
        Further strategies against which the final score is measured.
    halfway
        Whether to score the running average after half of the generations as well.

    Returns
    -------
    Tuned
        The result, which is the same for the same plan and number of generations.
    """
    with Arena(plan, threads) as arena:
        return _Search(plan, journal, arena).run(budget, tick, yardsticks, halfway)


class _Search:
    """One tuning in progress."""

    def __init__(self, plan: Plan, journal: Journal, arena: Arena) -> None:
        from cma import CMAEvolutionStrategy

        self.plan, self.journal, self.arena = plan, journal, arena
        self.field = Field(plan)
        seed = self.deals(STEPS)
        steps = journal.recall("steps", len(plan.features), lambda: measure_steps(arena, self.field, seed))
        if not steps.any():
            journal.close()
            told = f"no weight that may move changes a game of '{plan.start.name}'; name another"
            raise UsageError(told, "only" if plan.only else "start_from")
        steps = np.tile(steps, 1 + len(plan.levers))  # at the end of its range, a lever moves a weight by one step
        self.wish: Measure = won
        if plan.game.score is not None and plan.game.payoff is None:
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
        self.averages: list[Array] = [self.average]
        self.played, self.playing = 0, 0.0
        self.of_par: float | None = None

    def deals(self, purpose: int, number: int = 0) -> int:
        """Return the seed of the deals for one purpose."""
        return int(np.random.SeedSequence([self.plan.seed, purpose, number]).generate_state(1, np.uint64)[0])

    def weights(self, points: Array) -> Array:
        """Return the weights that points of the optimiser represent."""
        points = np.atleast_2d(points)
        weights = np.tile(self.plan.weights, (len(points), 1))
        weights[:, self.moving] += points * self.steps
        return clipped(weights)

    def run(
        self, budget: Budget, tick: Callable[[Status], None], yardsticks: Sequence[Strategy], halfway: bool
    ) -> Tuned:
        """Play generations until the budget is spent, then choose and score."""
        ending = self.ending(yardsticks, halfway)
        for number in count():
            left_for_the_end = ending * self.playing / self.played if self.played else 0.0
            if budget.spent(number, self.journal.seconds + left_for_the_end):
                break
            self.generation(number)
            if (number + 1) % SEASON == 0:
                self.trial(number)
            tick(Status(number + 1, self.journal.seconds, self.of_par, len(self.field.champions)))
        return self.finish(yardsticks, halfway)

    def generation(self, number: int) -> None:
        """Play one generation, all candidates on the same deals, and update the optimiser."""
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
        self.averages.append(self.average)

    def trial(self, number: int) -> None:
        """Measure what the running average wins; in self-play, crown it if that is more than the champion wins there.

        If all seats are equal, the champion wins par at its own table.  Against players of other roles it may not, so
        it plays the same deals in the challenger's place.
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

    def ending(self, yardsticks: Sequence[Strategy], halfway: bool) -> int:
        """Return about how many games `finish` plays; a budget of time must leave room for them."""
        scores = sum(
            len(self.met(role, players, yardsticks)) for players in self.plan.players for role in self.plan.game.roles
        )
        return (4 + self.plan.self_play) * FINAL_GAMES + (1 + halfway) * scores * SCORE_GAMES

    def finish(self, yardsticks: Sequence[Strategy], halfway: bool) -> Tuned:
        """Choose among the last candidates on fresh deals, and score the choice on deals that were never used."""
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
        shares = self.scores(chosen, yardsticks)
        before: tuple[tuple[Strategy, Share], ...] = ()
        if halfway:
            before = self.scores(self.named(self.averages[self.generations // 2]), yardsticks, "halfway ")
        return Tuned(
            chosen,
            self.generations,
            len(self.moving),
            max(len(self.field.champions) - 1, 0),
            name,
            shares,
            before,
            self.journal.seconds,
            self.journal.cpu_seconds,
        )

    def scores(
        self, chosen: Strategy, yardsticks: Sequence[Strategy], which: str = ""
    ) -> tuple[tuple[Strategy, Share], ...]:
        """Return the held-out scores of a player against all whom it meets."""
        return tuple(
            (other, self.score(chosen, other, role, players, which))
            for players in self.plan.players
            for role in self.plan.game.roles
            for other in self.met(role, players, yardsticks)
            if role is not self.plan.role or other.digest != chosen.digest
        )

    def named(self, point: Array) -> Strategy:
        """Return the player that a point of the optimiser represents."""
        return self.plan.strategy("", self.weights(point)[0])

    def met(self, role: Role, players: int, yardsticks: Sequence[Strategy]) -> Collection[Strategy]:
        """Return the players of a role against whom the choice is scored."""
        if role is self.plan.role:
            named = (*self.plan.opponents, self.plan.start) if self.field.moving(players) > 1 else ()
        else:
            named = self.plan.held[role.name]
        fit = (other for other in yardsticks if other.role in ("", role.name)) if named else ()
        marked = (replace(other, role=role.name) if self.plan.held else other for other in (*named, *fit))
        return {other.digest: other for other in marked}.values()

    def score(self, chosen: Strategy, other: Strategy, role: Role, players: int, which: str = "") -> Share:
        """Score a player among others who are all the same, on held-out deals.

        chosen: The player that is scored.
        other: The player of the other seats of its role; or of another role, and then it plays all seats of its own
            role.
        role: The role of the other.
        players: Number of players at the table.
        which: Which player of this tuning it is, for the journal; by default the choice.
        """
        weights = self.plan.weights_of(chosen)
        held, seats = self.field.ways[0], self.field.moving(players)
        own: list[Seat] = [0, *[other] * (seats - 1)]
        if role is not self.plan.role:
            own, held = [0] * seats, {**held, role.name: other}
        seated, deals = self.field.seated(players, own, held), max(2, SCORE_GAMES // seats // len(self.plan.fresh))
        tables = [Table(seated, turn * deals, deals, rules) for turn, rules in enumerate(self.plan.fresh)]

        def measure() -> list[float]:
            share = self.arena.share(weights, tables, self.deals(SCORE))
            return [share.mean, share.half_width, share.deals]

        place = f"{players} {role.name}" if self.plan.held else str(players)
        mean, half_width, played = self.journal.recall(f"{which}score {place} {other.digest}", 3, measure)
        return Share(players, float(mean), float(half_width), int(played), self.plan.par(players))
