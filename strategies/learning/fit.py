"""Self-play: what every seat saw at safe points of many games, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.errors import KernelFault
from simcore.game import Game
from simcore.judged import Role
from simcore.kernel.compilation import cached_kernel, inlined, instantiate
from simcore.kernel.decisions import ENDLESS, look_of
from simcore.kernel.driver import keep, own_memory
from simcore.kernel.intrinsics import copy_record, record_at
from simcore.kernel.lineup import SEATS, seat_lineup
from simcore.kernel.streams import NOISE, bounded
from simcore.running.batch import Spec, fault_of
from simcore.running.executors import find_workers
from strategies.kit import load_kit
from strategies.learning.plan import Court, Foresights, Trial
from strategies.searching import Foresight
from strategies.tuning.journal import Journal
from strategies.value import Parts, Value

STRETCH = 240
"""Games that one thread plays at a stretch."""

FIRST_DRAWN = np.int64(1 << 15)
"""Slot of the random number of drawn steps, beyond those of all decisions' noise."""

# Names that `instantiate` fills in for a game.
start: Any = None
step: Any = None
clock: Any = None
ended: Any = None
judge: Any = None
look: Any = None
sandbox_at: Any = None
NUMBERS = 0
MOST_STEPS = 0


class Seen(NamedTuple):
    """Rows of what seats saw, and what came of it.

    numbers: What a seat saw, int16 or int32, shape (rows, numbers).
    seat: The seat, from 0, shape (rows,).
    share, lead: Its share of the win at the end, 0 to 1, and its lead in points, shape (rows,).
    """

    numbers: NDArray[np.integer[Any]]
    seat: NDArray[np.int32]
    share: NDArray[np.float32]
    lead: NDArray[np.float32]

    @classmethod
    def joined(cls, some: Sequence[Seen]) -> Seen:
        """Return the rows of several, one after the other."""
        numbers, seat, share, lead = (np.concatenate(parts) for parts in zip(*some, strict=True))
        return cls(numbers, seat, share, lead)

    def of(self, seats: Sequence[int]) -> Seen:
        """Return the rows of some seats."""
        chosen = np.isin(self.seat, list(seats))
        if chosen.all():
            return self
        return Seen(self.numbers[chosen], self.seat[chosen], self.share[chosen], self.lead[chosen])


def gather(rules, lineup, state, trace, seed, games, every, opening, drawn, policies, numbers, facts):
    """Play games, and write what every seat saw at every n-th tick of the clock; return the number of rows.

    Up to `opening` steps of a game are played by the policy at the address `drawn`; `facts` gets, by row, the seat,
    its parts of the win and its lead.  A fault ends the games; so does a lack of room.
    """
    sandbox = sandbox_at(lineup.sandbox)
    rows = np.int64(0)
    for number in range(games.shape[0]):
        state.fault = 0
        lineup.left = MOST_STEPS + 1
        seat_lineup(lineup, rules.players, seed, games[number], state.rng)
        strange = np.int64(0)
        if opening > 0:
            strange = max(bounded(state.rng, NOISE, FIRST_DRAWN, np.int64(0), 2 * opening) - opening, np.int64(0))
        first = rows
        for entry in range(SEATS):
            lineup.members[entry].policy = drawn if strange > 0 else policies[entry]
        if lineup.noting:
            keep(sandbox, lineup, state, 1)
        start(rules, lineup, state, trace)
        goes_on = True
        steps = np.int64(0)
        ticks = np.int64(0)
        time = np.int64(-1)
        while goes_on:
            now = clock(state)
            ticked = now != time
            time = now
            ticks += np.int64(ticked)
            if steps == strange:
                for entry in range(SEATS):
                    lineup.members[entry].policy = policies[entry]
            if ticked and (ticks + games[number]) % every == 0 and steps >= strange:
                for seat in range(rules.players):
                    look(rules, state, np.int64(seat), sandbox.looked)
                    for place in range(NUMBERS):
                        numbers[rows, place] = sandbox.looked[place]
                    facts[rows, 0] = seat
                    rows += 1
            if lineup.noting:
                keep(sandbox, lineup, state, 0)
            goes_on = step(rules, lineup, state, trace)
            steps += 1
            if steps == MOST_STEPS and goes_on:
                state.fault = ENDLESS
            if state.fault:
                return first
            if not goes_on or ended(state):
                for seat in range(rules.players):
                    copy_record(sandbox.trial, state)
                    share, lead = judge(rules, lineup, sandbox.trial, np.int64(seat), trace)
                    for row in range(first, rows):
                        if facts[row, 0] == seat:
                            facts[row, 1] = share
                            facts[row, 2] = lead
                first = rows
            if rows + rules.players > facts.shape[0]:
                return first
    return rows


@cache
def gathering(game: Game) -> Callable[..., int]:
    """Return the compiled function that plays games and looks."""
    assert game.search is not None and game.search.look is not None
    names: dict[str, Any] = {
        "start": game.start,
        "step": inlined(getattr(game.step, "py_func", game.step)),
        "ended": game.search.ended,
        "clock": game.search.clock,
        "judge": game.search.judge,
        "look": look_of(game),
        "sandbox_at": record_at(game.sandbox_dtype),
        "NUMBERS": len(game.search.look.names),
        "MOST_STEPS": game.most_steps,
    }
    return cached_kernel(instantiate(gather, game.step, **names))


def play_and_look(spec: Spec, first: int, games: int, every: int, opening: int, room: int) -> Seen:
    """Play some consecutive games of a run and return what the seats saw.

    spec: The run.
    first, games: The games.
    every: At every how many ticks of the clock the seats look.
    opening: Half of the games begin with up to so many steps of random moves.
    room: Largest number of rows.
    Raises KernelFault if a game breaks an invariant.
    """
    game, memory = spec.game, own_memory(spec.game)
    lineup = memory.seated(spec.lineup_record, spec.players)
    policies = lineup["members"]["policy"].copy()
    drawn = np.uint64(load_kit(game.name).policies["random"].address)
    assert game.search is not None and game.search.look is not None
    numbers = np.zeros((room, len(game.search.look.names)), np.int32)
    facts = np.zeros((room, 3), np.int64)
    index = np.arange(first, first + games)
    rows = gathering(game)(
        spec.rules_record,
        lineup,
        memory.state,
        memory.trace,
        np.uint64(spec.seed),
        index,
        every,
        opening,
        drawn,
        policies,
        numbers,
        facts,
    )
    if memory.state["fault"]:
        raise KernelFault(fault_of(spec, memory, first))
    facts, share = facts[:rows], facts[:rows, 1] / np.float32(game.share_unit)
    return Seen(
        narrowed(numbers[:rows]), facts[:, 0].astype(np.int32), share.astype(np.float32), facts[:, 2].astype(np.float32)
    )


def narrowed(numbers: NDArray[np.int32]) -> NDArray[np.integer[Any]]:
    """Return a copy that takes half the memory if the numbers are small enough."""
    limit = np.iinfo(np.int16)
    small = not numbers.size or bool(limit.min <= numbers.min() and numbers.max() <= limit.max)
    return numbers.astype(np.int16 if small else np.int32)


def self_play(specs: Sequence[Spec], games: int, every: int, opening: int, threads: int) -> Seen:
    """Play as many games of each of some runs, and return what the seats saw; no outcome depends on threads."""
    room = STRETCH * 400
    with find_workers(threads) as workers:
        parts = [
            workers.submit(play_and_look, spec, done, min(STRETCH, games - done), every, opening, room)
            for spec in specs
            for done in range(0, games, STRETCH)
        ]
        return Seen.joined([part.result() for part in parts])


# Fit a value to what came of many tables: a weighted sum by ridge regression, and hidden units by gradient descent.


CHUNK = 8192
RIDGE = 1e-4
PASSES, LEAST_STEPS = 6, 1200
BATCH = 1024
FASTEST = 2e-3
HELD_OUT = 10
"""One row in so many is not fitted."""

WINS_ALONE, ENOUGH = 10.0, 2_000.0
"""Times the usual points for a win with which the lead hardly counts, and points that are enough in any game."""

Array = NDArray[Any]


class Fit(NamedTuple):
    """A fitted value.

    parts: Its numbers.
    fitted: Held-out R2: the part of the variance of outcomes that it foresees, on rows that were not fitted.
    """

    parts: Parts
    fitted: float


class Scaled(NamedTuple):
    """What turns the numbers that a seat sees, and their products with the time left, into inputs of mean 0, sd 1."""

    mean: Array
    sd: Array

    def inputs(self, numbers: Array) -> Array:
        """Return the inputs of some rows."""
        return (widened(numbers) - self.mean) / self.sd

    def unscaled(self, base: Array, weights: Array, out: Array) -> Parts:
        """Return the numbers of a value of raw numbers, given those for inputs."""
        raw = weights / self.sd
        return Parts(base - raw @ self.mean, raw, out)


def widened(numbers: Array) -> Array:
    """Return the numbers and their products with the first one, the time left."""
    found = numbers.astype(np.float32)
    return np.concatenate([found, found * found[:, :1]], axis=1)


def scale_of(seen: Seen) -> Scaled:
    """Return the means and standard deviations of the inputs."""
    count, total, squares = 0, 0.0, 0.0
    for first in range(0, len(seen.lead), CHUNK):
        wide = widened(seen.numbers[first : first + CHUNK]).astype(np.float64)
        count, total, squares = count + len(wide), total + wide.sum(0), squares + (wide**2).sum(0)
    mean = np.asarray(total) / count
    sd = np.sqrt(np.maximum(np.asarray(squares) / count - mean**2, 0))
    return Scaled(mean.astype(np.float32), np.where(sd > 1e-6, sd, np.inf).astype(np.float32))


def wins_alone(win: float) -> float:
    """Return so many points for a win that the lead hardly counts."""
    return max(win, min(win * WINS_ALONE, ENOUGH))


def fitted_value(journal: Journal, label: str, inputs: int, hidden: int, fit: Callable[[], Fit]) -> tuple[Value, float]:
    """Return a fitted value and its held-out R2, from a journal or else from `fit`, whose outcome is then stored."""
    rows = 1 + hidden

    def measure() -> Array:
        found = fit()
        value = Value.of(found.parts).parts
        return np.concatenate([[found.fitted], value.base, value.weights.ravel(), value.out])

    numbers = journal.recall(label, 1 + rows + rows * 2 * inputs + hidden, measure)
    base, weights, out = np.split(numbers[1:], [rows, rows + rows * 2 * inputs])
    return Value.packed(Parts(base, weights.reshape(rows, -1), out)), float(numbers[0])


def target_of(seen: Seen, win: float) -> Array:
    """Return the lead plus what the win is worth."""
    return np.asarray(seen.lead + win * seen.share, np.float32)


def parted(seen: Seen) -> tuple[Seen, Seen]:
    """Return the rows to fit and those that are held out, in blocks of neighbours, which come from the same games."""
    size = max(1, min(2000, len(seen.lead) // HELD_OUT))
    block = (np.arange(len(seen.lead)) // size) % HELD_OUT == 0
    return Seen(*(part[~block] for part in seen)), Seen(*(part[block] for part in seen))


def predicted(parts: Parts, numbers: Array) -> Array:
    """Return the value of some rows."""
    found = []
    for first in range(0, len(numbers), CHUNK):
        wide = widened(numbers[first : first + CHUNK]).astype(np.float64)
        sums = wide @ parts.weights.T + parts.base
        found.append(sums[:, 0] + np.maximum(sums[:, 1:], 0) @ parts.out)
    return np.concatenate(found)


def explained(parts: Parts, seen: Seen, win: float) -> float:
    """Return the part of the variance of outcomes that a value foresees."""
    target = target_of(seen, win)
    return float(1 - np.var(target - predicted(parts, seen.numbers)) / np.var(target))


def fit_sum(seen: Seen, win: float) -> Fit:
    """Fit a weighted sum by ridge regression."""
    fitted, held = parted(seen)
    scaled, target = scale_of(fitted), target_of(fitted, win)
    width = len(scaled.mean)
    gram, moment, mean = np.zeros((width, width)), np.zeros(width), float(target.mean())
    for first in range(0, len(target), CHUNK):
        inputs = scaled.inputs(fitted.numbers[first : first + CHUNK])
        gram += inputs.T @ inputs
        moment += inputs.T @ (target[first : first + CHUNK] - mean)
    weights = np.linalg.solve(gram + RIDGE * len(target) * np.eye(width), moment)
    parts = scaled.unscaled(np.array([mean]), weights[None], np.zeros(0))
    return Fit(parts, explained(parts, held, win))


def fit_net(seen: Seen, win: float, hidden: int, seed: int, start: Parts) -> Fit:
    """Fit hidden units beside the sum, which begins as it was fitted alone; Adam with a rate that falls to nothing."""
    fitted, held = parted(seen)
    scaled, target = scale_of(fitted), target_of(fitted, win)
    unit = float(target.std())
    draw = np.random.default_rng(seed)
    inputs = len(scaled.mean)
    safe = np.where(np.isfinite(scaled.sd), scaled.sd, 0).astype(np.float32)
    weights = np.concatenate(
        [
            start.weights.astype(np.float32) * safe / unit,
            draw.normal(0, np.sqrt(2 / inputs), (hidden, inputs)).astype(np.float32) * (safe > 0),
        ]
    ).T.copy()
    base = np.zeros(1 + hidden, np.float32)
    base[0] = (start.base[0] + start.weights[0] @ scaled.mean - 0.0) / unit
    out = np.zeros(hidden, np.float32)
    params = [weights, base, out]
    first, second = [np.zeros_like(part) for part in params], [np.zeros_like(part) for part in params]
    batches = max(len(target) // BATCH, 1)
    passes = max(PASSES, -(-LEAST_STEPS // batches))
    total, done = passes * batches, 0
    for _ in range(passes):
        order = draw.permutation(len(target))
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[begin : begin + BATCH]
            x = scaled.inputs(fitted.numbers[chosen])
            sums = x @ weights + base
            active = np.maximum(sums[:, 1:], 0)
            error = (sums[:, 0] + active @ out - target[chosen] / unit) / BATCH
            back = np.concatenate([error[:, None], (error[:, None] * out) * (sums[:, 1:] > 0)], axis=1)
            slopes = [x.T @ back, back.sum(0), active.T @ error]
            done += 1
            rate = FASTEST * 0.5 * (1 + np.cos(np.pi * done / total))
            for part, slope, one, two in zip(params, slopes, first, second, strict=True):
                one += 0.1 * (slope - one)
                two += 0.001 * (slope**2 - two)
                part -= rate * (one / (1 - 0.9**done)) / (np.sqrt(two / (1 - 0.999**done)) + 1e-8)
    wide, levels = weights.T.astype(np.float64), base.astype(np.float64)
    wide[0], levels[0] = wide[0] * unit, levels[0] * unit
    parts = scaled.unscaled(levels, wide, out.astype(np.float64) * unit)
    return Fit(parts, explained(parts, held, win))


# --- Checks of a thinker that its own value cannot pass by flattering itself ---
#
# * A round robin: the best of its stages is chosen by its worst result against any other, not by a chain of duels.
# * An attacker with another value, which was fitted to other games and to wins alone.
# * The errors of its value by the time that is left, for those ahead and behind: it may be optimistic in one phase
# only..


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
