"""Playing of complete games, for any game: seat the line-up, set up, take steps to the end, settle, and store results.

Before the set-up and before every step there is a *safe point*: nothing is in progress, so that a strategy that looks
ahead can take the state at that point, repeat the same answers up to the present decision, and play on.  The driver,
which does so, is compiled once for a game; batches and strategies that look ahead call it through its address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.chance import Chance, fresh
from simcore.errors import KernelFault
from simcore.kernel.compilation import cached_kernel, compiling, inlined, instantiate, kernel
from simcore.kernel.decisions import ENDLESS, LOOKED, MOST_OPTIONS, TOO_MANY_NOTES
from simcore.kernel.intrinsics import copy_record, record_at
from simcore.kernel.lineup import missing_address, seat_lineup
from simcore.kernel.pointers import Pointer, call_driver
from simcore.kernel.records import blank, layout

if TYPE_CHECKING:
    from simcore.game import Game

TO_THE_END = np.int64(-1)
"""Value that the driver gets instead of a time at which to stop."""

# Names that `instantiate` fills in for a game.
start: Any = None
step: Any = None
settle: Any = None
clock: Any = None
ended: Any = None
sandbox_at: Any = None
HAS_FACTS = False
MOST_NOTES = 0
MOST_STEPS = np.int64(0)


@kernel
def keep(sandbox, lineup, state, starting):
    """Store the state at a safe point, for strategies that look ahead from there."""
    sandbox.starting = starting
    copy_record(sandbox.safe, state)
    for seat in range(lineup.seated.shape[0]):
        sandbox.seated[seat] = lineup.seated[seat]
    lineup.asked = 0


@kernel
def no_clock(state):
    """Return no time, for a game that strategies cannot look ahead in."""
    return 0


@kernel
def one_tick(rules):
    """Return that the clock of a game counts rounds."""
    return 1


@kernel
def never_ended(state):
    """Return that nothing is decided, for a game that strategies cannot look ahead in."""
    return False


def play_on(rules, lineup, state, trace, starting, last):
    """Play from a safe point to the end, or in imagination until the outcome is known or the clock shows `last`.

    Return 1 if the clock stopped an undecided game, otherwise 0.
    """
    steps = MOST_STEPS
    lineup.left = MOST_STEPS + 1
    if starting:
        if lineup.noting:
            keep(sandbox_at(lineup.sandbox), lineup, state, 1)
        start(rules, lineup, state, trace)
        if last >= 0 and clock(state) >= last:
            return 1
    goes_on = True
    while goes_on:
        if lineup.noting:
            keep(sandbox_at(lineup.sandbox), lineup, state, 0)
        goes_on = step(rules, lineup, state, trace)
        steps -= 1
        if steps == 0 and goes_on:
            state.fault = ENDLESS
            goes_on = False
        if last >= 0 and goes_on:
            goes_on = not ended(state)
            if goes_on and clock(state) >= last:
                return 1
    return 0


def play_batch(rules, lineup, state, rows, facts, trace, seed, games):
    """Play the games with some indices into `rows`; return how many ended without a fault.

    Stops early, without a fault, if there might be no room for the notes of the next game.
    """
    players = rules.players
    for i in range(games.shape[0]):
        if trace.noting and trace.noted + MOST_NOTES > trace.notes.shape[0]:
            return i
        first_note = trace.noted
        trace.game = i
        state.fault = 0
        seat_lineup(lineup, players, seed, games[i], state.rng)
        call_driver(lineup.driver, rules, lineup, state, trace, 1, TO_THE_END)
        settle(rules, lineup, state, trace)
        if trace.noted - first_note > MOST_NOTES:
            state.fault = TOO_MANY_NOTES
        if state.fault:
            return i
        for seat in range(players):
            state.rows[seat].strategy = lineup.seated[seat]
            rows[i * players + seat] = state.rows[seat]
        if HAS_FACTS:
            facts[i] = state.facts
    return games.shape[0]


def driver_of(game: Game) -> Pointer:
    """Return the function that plays a game on from a safe point."""
    step = inlined(getattr(game.step, "py_func", game.step))  # a call each turn would show
    names = {"start": game.start, "step": step, "sandbox_at": record_at(game.sandbox_dtype)}
    names["MOST_STEPS"] = np.int64(game.most_steps)
    names |= {
        "clock": game.search.clock if game.search else no_clock,
        "ended": game.search.ended if game.search else never_ended,
    }
    records = (*game.policy_records, game.trace_dtype)
    return Pointer(instantiate(play_on, game.step, **names), records, numbers=2, cached=True)


def batch_of(game: Game) -> Callable[..., int]:
    """Return the compiled function that plays batches of a game."""
    facts = game.facts_dtype is not None
    names = {"settle": game.settle, "HAS_FACTS": facts, "MOST_NOTES": game.most_notes}
    return cached_kernel(instantiate(play_batch, game.step, **names))


# --- The memory in which one thread plays games, and the sandbox in which its strategies look ahead ---


Layout = np.dtype[Any]
MOST_TABLES = 64
"""Largest number of imagined tables whose scores are kept move by move."""


@cache
def sandbox_of(rules: Layout, lineup: Layout, state: Layout, trace: Layout) -> Layout:
    """Return the record in which strategies of a game with these records look ahead and are watched."""
    return layout(
        ("lineup", lineup),  # who plays what is imagined
        ("starting", np.int64),  # 1 if the safe point lies before the set-up, 0 if before a step
        ("safe", state),  # the table as it stood at the last safe point
        ("trial", state),  # the same, played on
        ("seated", np.int32, lineup["seated"].shape[0]),  # who sat where at the safe point
        ("tried", np.uint64, MOST_OPTIONS // 64),  # moves that are still tried
        ("scores", np.int64, MOST_OPTIONS),  # by move: what came of it in this world
        ("gains", np.int64, MOST_OPTIONS),  # by move: the sum of that, less what came of the usual move
        ("squares", np.float64, MOST_OPTIONS),  # by move: the sum of the squares of these differences
        ("history", np.int64, (MOST_TABLES, MOST_OPTIONS)),  # by world and move: the same scores, for a thinker
        ("looked", np.int32, LOOKED),  # what a seat sees at the end of what is imagined
        ("seen", state),  # the table as a watched policy was shown it
        ("elsewhere", state),  # the same, with what its seat cannot know drawn anew
        ("trace", trace),  # never on
        ("rules", rules),  # as they were before a watched policy was asked
    )


class Memory:
    """The memory in which one thread plays games; no two threads may share it.

    game: The game.
    """

    def __init__(self, game: Game) -> None:
        self.state, self.trace = blank(game.state_dtype), blank(game.trace_dtype)
        self._sandbox = np.zeros(1, game.sandbox_dtype)
        self._lineup = np.zeros(1, game.lineup_dtype)
        with compiling(game.name):
            self._driver = game.driver.address

    @contextmanager
    def drawing_afresh(self, sources: Sequence[Chance], afresh: int) -> Iterator[None]:
        """Draw some sources of chance afresh in the games that are played meanwhile; see `simcore.chance.fresh`."""
        record = fresh(sources, afresh)
        self.state["rng"]["fresh"] = record.ctypes.data
        try:
            yield
        finally:
            self.state["rng"]["fresh"] = 0

    @property
    def culprit(self) -> int:
        """The member of the line-up whose policy broke the last rule."""
        return int(self._lineup["culprit"][0])

    def seated(self, lineup: np.record, players: int) -> np.record:
        """Return a copy of a line-up, only one at a time, whose members use the sandbox of this memory.

        Raises KernelFault if the line-up lacks an address that a kernel would call.
        """
        self._lineup[0] = lineup
        self._lineup["sandbox"], self._lineup["driver"] = self._sandbox.ctypes.data, self._driver
        if missing := missing_address(self._lineup, players):
            raise KernelFault(f"the line-up has no address in the field '{missing}', so that it cannot be played")
        return self._lineup[0]


_OWN = threading.local()


def own_memory(game: Game) -> Memory:
    """Return the memory of the calling thread, which is kept until the thread plays another game."""
    if getattr(_OWN, "game", None) is not game:
        _OWN.game, _OWN.memory = game, Memory(game)
    return _OWN.memory
