"""The memory that one thread plays games in, and the bench on which its strategies try out what may come."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import Game
from simcore.lineup import LINEUP
from simcore.records import blank, layout
from simcore.trace import TRACE

MOVES = 64


def bench_of(state: np.dtype[Any]) -> np.dtype[Any]:
    """Return the record in which strategies of a game with this state record look ahead."""
    return layout(
        ("lineup", LINEUP),  # who plays what is imagined
        ("scores", np.int64, MOVES),  # by move: what came of it in this world
        ("gains", np.int64, MOVES),  # by move: the sum of that, less what came of the usual move
        ("squares", np.float64, MOVES),  # by move: the sum of the squares of these differences
        ("world", state),  # the table as it stands, with what the seat cannot know drawn anew
        ("trial", state),  # the same, played on
        ("trace", TRACE),  # never on
    )


class Memory:
    """What one thread plays games in; no two threads may share it.

    Parameters
    ----------
    game
        The game.
    """

    def __init__(self, game: Game) -> None:
        self.state, self.trace = blank(game.state_dtype), blank(TRACE)
        self._bench = np.zeros(1, bench_of(game.state_dtype)) if game.search else None
        self._address = 0 if self._bench is None else self._bench.ctypes.data
        self._lineup = np.zeros(1, LINEUP)

    def seated(self, lineup: np.record) -> np.record:
        """Return a copy of a line-up, the only one at a time, whose members find the bench of this memory."""
        self._lineup[0] = lineup
        self._lineup["bench"] = self._address
        return self._lineup[0]  # type: ignore[no-any-return]
