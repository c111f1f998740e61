"""Self-play: what every seat sees at safe points of many games, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcore.errors import KernelFault
from simcore.game import Game
from simcore.kernel.compilation import cached_kernel, inlined, instantiate
from simcore.kernel.decisions import ENDLESS, look_of
from simcore.kernel.driver import keep, own_memory
from simcore.kernel.intrinsics import copy_record, record_at
from simcore.kernel.lineup import SEATS, seat_lineup
from simcore.kernel.streams import NOISE, bounded
from simcore.running.batch import Spec, fault_of
from simcore.running.executors import find_workers
from strategies.kit import load_kit

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


class Samples(NamedTuple):
    """What seats saw, and what came of it, a row each."""

    numbers: NDArray[np.integer[Any]]  # what a seat saw, int16 or int32, shape (rows, numbers)
    seat: NDArray[np.int32]  # the seat, from 0
    share: NDArray[np.float32]  # its share of the win at the end, 0 to 1
    lead: NDArray[np.float32]  # its lead at the end, in points

    @classmethod
    def joined(cls, some: Sequence[Samples]) -> Samples:
        """Return the rows of several, one after the other."""
        numbers, seat, share, lead = (np.concatenate(parts) for parts in zip(*some, strict=True))
        return cls(numbers, seat, share, lead)

    def of(self, seats: Sequence[int]) -> Samples:
        """Return the rows of some seats."""
        chosen = np.isin(self.seat, list(seats))
        if chosen.all():
            return self
        return Samples(self.numbers[chosen], self.seat[chosen], self.share[chosen], self.lead[chosen])


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


def play_and_look(spec: Spec, first: int, games: int, every: int, opening: int, room: int) -> Samples:
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
    numbers, (seat, parts, lead), limit = numbers[:rows], facts[:rows].T, np.iinfo(np.int16)
    small = not rows or bool(limit.min <= numbers.min() and numbers.max() <= limit.max)
    return Samples(
        numbers.astype(np.int16 if small else np.int32),  # a copy, of half the size if the numbers allow it
        seat.astype(np.int32),
        (parts / np.float32(game.share_unit)).astype(np.float32),
        lead.astype(np.float32),
    )


def self_play(specs: Sequence[Spec], games: int, every: int, opening: int, threads: int) -> Samples:
    """Play as many games of each of some runs, and return what the seats saw; no outcome depends on threads."""
    room = STRETCH * 400
    with find_workers(threads) as workers:
        parts = [
            workers.submit(play_and_look, spec, done, min(STRETCH, games - done), every, opening, room)
            for spec in specs
            for done in range(0, games, STRETCH)
        ]
        return Samples.joined([part.result() for part in parts])
