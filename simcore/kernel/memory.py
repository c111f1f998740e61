"""The memory in which one thread plays games, and the sandbox in which its strategies look ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.chance import Chance, fresh
from simcore.errors import KernelFault
from simcore.kernel.compile_errors import compiling
from simcore.kernel.decisions import MOST_OPTIONS
from simcore.kernel.lineup import missing_address
from simcore.kernel.looking import LOOKED
from simcore.kernel.records import blank, layout

if TYPE_CHECKING:
    from simcore.game import Game

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
