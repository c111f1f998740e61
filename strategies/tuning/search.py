"""The tuning itself: generations of candidates, a league of champions, and the choice of the best in the end."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from statistics import fmean
from types import TracebackType
from typing import Any, Self

import numpy as np

from simcore.errors import UsageError
from simcore.judged import Role
from simcore.kernel.lineup import UNIT
from simcore.kernel.records import words
from simcore.running.batch import Spec, rows_of
from simcore.running.executors import find_workers
from strategies.model import Strategy
from strategies.restrictions import obey
from strategies.spec import assemble_spec
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Budget, Plan, clipped, moves

# --- Who sits together: candidates with fixed opponents, or with each other and former champions ---


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


def deals_of(games: int, tables: int) -> int:
    """Return the deals of each of some tables that share games; two at least, as one says nothing about its error."""
    return max(2, games // tables)


class Field:
    """Opponents of a tuning; in self-play, candidates sit with each other, and the best players so far are guests."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.champions: list[Strategy] = [plan.start] if plan.self_play else []
        """The best players so far, the latest one last; empty without self-play."""

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
            deals = deals_of(games, len(counts) * len(fields) * len(ways) * len(rules) * self.moving(players))
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
        deals = deals_of(games, draws * self.moving(players))
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
        deals = deals_of(games, ROUNDS * seats)
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
        return Table(self.seated(players, (candidate, *others), held), first, deals, rules)

    def seated(self, players: int, own: Sequence[Seat], held: Held) -> tuple[Seat, ...]:
        """Return who sits where, given those of the role that is tuned."""
        seats: list[Seat] = []
        for role in self.plan.game.roles:
            seats += own if role is self.plan.role else [held[role.name]] * len(role.at(players))
        return tuple(seats)

    def moving(self, players: int) -> int:
        """Return the number of games of a deal: the seats of the role that is tuned."""
        return len(self.plan.role.at(players))


# --- Where candidates play: many sets of weights at many tables, several at a time ---


CHUNK = 960
"""Largest number of games that one thread plays at a stretch."""

Z95 = 1.959964

Array = np.ndarray[Any, Any]
Measure = Callable[[Spec, Array], Array]
"""Turns the rows of whole deals into one value for each deal and entry of the line-up, shape (deals, entries)."""


@dataclass(frozen=True)
class Share:
    """The share of games that a player wins at some table, or of another whole that is judged."""

    players: int  # players at the table
    mean: float
    half_width: float
    """mean, half_width: Win share, and half the width of its 95 % interval, from the means of deals."""
    deals: int  # number of deals
    par: float  # the share that such a player is meant to have

    @property
    def of_par(self) -> float:
        """Win share divided by par."""
        return self.mean * (1 / self.par)

    @property
    def interval(self) -> list[float]:
        """Share and the lower and upper end of its interval."""
        return [self.mean, self.mean - self.half_width, self.mean + self.half_width]


def by_entry(spec: Spec, rows: Array, values: Array) -> Array:
    """Return the mean of a seat's values over a deal's games, by deal and entry of the line-up."""
    shape = (-1, spec.players)
    sorted_values = np.empty(values.reshape(shape).shape)
    np.put_along_axis(sorted_values, rows["strategy"].reshape(shape), values.reshape(shape), axis=1)
    return np.asarray(sorted_values.reshape(-1, spec.games_per_deal, spec.players).mean(axis=1))


def won(spec: Spec, rows: Array) -> Array:
    """Return what each entry won in each deal, divided by the par of its role."""
    judged = spec.judged
    par = [fmean(judged.par[other] for other in role.at(spec.players)) for role in spec.roles]
    scale = np.array([1 / share / judged.parts for share in par])
    return by_entry(spec, rows, (judged.of_rows(rows).reshape(-1, spec.players) * scale).reshape(-1))


def margins(spec: Spec, rows: Array) -> Array:
    """Return by how much each seat's score is better than that of the best other seat, shape (games * players,).

    In a game with roles, that of the best seat of the other camps: players who win together do not compete.
    """
    field = next(column.field for column in spec.game.columns if column.name == spec.game.score)
    score = rows[field].reshape(-1, spec.players).astype(float) * (-1 if spec.game.lowest_wins else 1)
    if spec.game.asymmetric:
        best = np.empty_like(score)
        for seats in spec.camps.values():
            others = [seat for seat in range(spec.players) if seat not in seats]
            best[:, list(seats)] = score[:, others].max(axis=1, keepdims=True)
        return np.asarray((score - best).reshape(-1))
    ranked = np.sort(score, axis=1)
    best, second = ranked[:, -1:], ranked[:, -2:-1]
    return np.asarray((score - np.where(score == best, second, best)).reshape(-1))


def nearly_won(width: float) -> Measure:
    """Return the measure that the optimiser follows: a smooth win, for which a near miss counts almost as much.

    A win share does not show how close a game was.  The logistic of the margin over `width` does, and needs about
    half as many games to distinguish two players.
    """
    return partial(_nearly_won, width)


def _nearly_won(width: float, spec: Spec, rows: Array) -> Array:
    return by_entry(spec, rows, 1 / (1 + np.exp(np.clip(-margins(spec, rows) / width, -500, 500))))


def fates(spec: Spec, rows: Array) -> Array:
    """Return a number for each deal, the same for all entries, that differs if the deal's games go differently."""
    cells = np.ascontiguousarray(rows).view(np.int32).reshape(-1, spec.players * words(spec.game.row_dtype))
    keys = cells @ np.random.default_rng(7).random(cells.shape[1])
    return np.repeat(keys.reshape(-1, spec.games_per_deal).sum(axis=1)[:, None], spec.players, axis=1)


def play_stretch(spec: Spec, first: int, games: int, measure: Measure) -> Array:
    """Play some consecutive games of a table, and return the measure of them."""
    return measure(spec, rows_of(spec, range(first, first + games)))


class Arena:
    """Plays candidates, several tables at a time.

    plan: The tuning.
    threads: Number of threads; no outcome depends on it.
    """

    def __init__(self, plan: Plan, threads: int) -> None:
        self.plan = plan
        self._candidate = plan.strategy("", plan.weights)
        self._workers = find_workers(threads)
        self._specs: dict[tuple[int, tuple[str, ...]], Spec] = {}

    def __enter__(self) -> Self:
        self._workers.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.__exit__(kind, error, trace)

    def play(self, candidates: Array, tables: Sequence[Table], seed: int, measure: Measure = won) -> list[Array]:
        """Play tables, and return for each what `measure` returned, shape (deals, seats).

        candidates: Weights, one row for each candidate.
        tables: Who sits where; deals with the same number are the same deals.
        seed: Random seed of the deals.
        """
        sets = {table.rules for table in tables}
        scaled = {which: np.rint(self.plan.under(candidates, which) * UNIT).astype(np.int64) for which in sets}
        parts = []
        for table in tables:
            spec = self._seated(table, scaled[table.rules], seed)
            first, games = table.first * spec.games_per_deal, table.deals * spec.games_per_deal
            step = CHUNK // spec.games_per_deal * spec.games_per_deal
            parts.append(
                [
                    self._workers.submit(play_stretch, spec, first + done, min(step, games - done), measure)
                    for done in range(0, games, step)
                ]
            )
        return [np.concatenate([part.result() for part in some]) for some in parts]

    def means(self, candidates: Array, tables: Sequence[Table], seed: int, measure: Measure = won) -> Array:
        """Return each candidate's mean of a measure: the mean over its deals, averaged over player counts."""
        counts = sorted({len(table.seats) for table in tables})
        total, deals = np.zeros((2, len(counts), len(candidates)))
        for table, played in zip(tables, self.play(candidates, tables, seed, measure), strict=True):
            count = counts.index(len(table.seats))
            for entry, seat in enumerate(table.seats):
                if isinstance(seat, int):
                    total[count, seat] += played[:, entry].sum()
                    deals[count, seat] += len(played)
        return np.asarray((total / deals).mean(axis=0))

    def share(self, weights: Array, tables: Sequence[Table], seed: int) -> Share:
        """Return what a candidate wins at some tables, with its interval; the mean over its seats if it has several."""
        seats = tables[0].seats
        own = [entry for entry, seat in enumerate(seats) if isinstance(seat, int)]
        par = self.plan.par(len(seats))
        deals = np.concatenate(self.play(weights[None], tables, seed))[:, own].mean(axis=1) / (1 / par)
        error = float(deals.std(ddof=1)) / math.sqrt(len(deals))
        return Share(len(seats), float(deals.mean()), Z95 * error, len(deals), par)

    def _seated(self, table: Table, scaled: Array, seed: int) -> Spec:
        """Return the run of a table."""
        key = (table.rules, table.others)
        candidate, rules = self._candidate, self.plan.rule_sets[table.rules]
        if key not in self._specs:
            own = self.plan.role.at(len(table.seats))
            seats = [
                replace(
                    candidate if isinstance(seat, int) else seat,
                    name=str(entry) if entry in own else self.plan.game.role_at(entry, len(table.seats)).name,
                )
                for entry, seat in enumerate(table.seats)
            ]
            self._specs[key] = assemble_spec(self.plan.game, len(seats), seats, rules, 0, "rotate", 1)
        spec = self._specs[key]
        lineup = spec.lineup_record.copy()
        for entry, seat in enumerate(table.seats):
            if isinstance(seat, int):
                lineup["members"][entry]["weights"][: scaled.shape[1]] = scaled[seat]
                obey(lineup, entry, candidate, rules.values)
        return replace(spec, lineup_record=lineup, seed=seed)


# --- The optimiser's units: how far a weight must move to matter, and how wide margins are ---


EXPONENTS = (-8, 8)
"""Smallest and largest step, as powers of two of a coin or point."""

GAMES = 240


def measure_steps(arena: Arena, field: Field, seed: int) -> Array:
    """Return how far each weight must move to change half of the deals that it can change; 0 if it changes none.

    Weights that may not move count as such.

    arena: The arena in which games are played.
    field: Opponents.
    seed: Random seed of the deals.
    Returns numpy.ndarray: Shape (features,); powers of two, or zero.
    """
    start, names = arena.plan.weights, arena.plan.features
    free = np.flatnonzero([moves(name, arena.plan.only) for name in names])
    least, most = (np.full(len(free), exponent) for exponent in EXPONENTS)
    before = _courses(arena, field, start[None], seed)

    def moved(exponents: Array) -> Array:
        """Return the share of deals that change, by feature, when its weight goes up and when it goes down."""
        jumps = np.eye(len(start))[free] * 2.0 ** exponents[:, None]
        changed = _courses(arena, field, clipped(np.concatenate([start + jumps, start - jumps])), seed) != before
        return np.asarray(changed.mean(axis=1).reshape(2, -1).mean(axis=0))

    reach = moved(most)
    while (least < most).any():
        middle = (least + most + 1) // 2
        small = moved(middle) <= reach / 2
        least, most = np.where(small, middle, least), np.where(small, most, middle - 1)
    steps = np.zeros(len(names))
    steps[free] = np.where(reach == 0, 0.0, 2.0**least)
    return steps


def _courses(arena: Arena, field: Field, candidates: Array, seed: int) -> Array:
    """Return numbers that differ if the same deals go differently, shape (candidates, deals)."""
    tables = field.against(len(candidates), field.rivals()[:1], GAMES, field.ways[:1], range(1))
    courses: list[list[Array]] = [[] for _ in candidates]
    for table, played in zip(tables, arena.play(candidates, tables, seed, fates), strict=True):
        candidate = next(seat for seat in table.seats if isinstance(seat, int))
        courses[candidate].append(played[:, 0])
    return np.array([np.concatenate(some) for some in courses])


def measure_width(arena: Arena, field: Field, seed: int) -> float:
    """Return a quarter of the usual margin between the start and its first opponents; see `arena.nearly_won`."""

    def squares(spec: Spec, rows: Array) -> Array:
        return by_entry(spec, rows, margins(spec, rows) ** 2)

    tables = field.against(1, field.rivals()[:1], GAMES, field.ways[:1], range(1))
    mean = float(arena.means(arena.plan.weights[None], tables, seed, squares)[0])
    return math.sqrt(mean) / 4 or 1.0


# --- The tuning itself: generations of candidates, a league of champions, and the choice of the best in the end ---


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
    """Find weights that win; the result is the same for the same plan and number of generations.

    threads: Number of threads that play; no outcome depends on it.
    journal: Where outcomes are stored; a tuning with the same plan resumes from there.
    tick: Called after every generation.
    yardsticks: Further strategies against which the final score is measured.
    halfway: Whether to score the running average after half of the generations as well.
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
