"""The optional tables in addition to the table of seats: one row for each game, and one row for each event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simcore.errors import UsageError, nearest
from simcore.game import Game
from simcore.kernel.trace import NOTE
from simcore.running.batch import Spec

GAMES_TABLE: Final = "games"
EVENTS_TABLE: Final = "events"
TABLES = (GAMES_TABLE, EVENTS_TABLE)


def check_tables(game: Game, tables: Sequence[str]) -> None:
    """Raise `UsageError` unless a game fills all of some tables."""
    filled = {GAMES_TABLE: game.facts_dtype is not None, EVENTS_TABLE: bool(game.events)}
    for name in tables:
        if name not in TABLES:
            raise UsageError(f"no table '{name}'{nearest(name, TABLES)}", "tables")
        if not filled[name]:
            raise UsageError(f"{game.title} does not fill the table '{name}'; leave it out", "tables")


class ExtraBuffer:
    """The rows of these tables from the games of one part.

    spec: The run.
    tables: Names of the requested tables.

    first : int: First game of the part.
    """

    def __init__(self, spec: Spec, tables: Sequence[str]) -> None:
        self.spec = spec
        self.tables = tuple(tables)
        self.first = 0
        self._facts: list[NDArray[Any]] = []
        self._notes: list[NDArray[np.int32]] = []

    def begin(self, first: int) -> None:
        """Empty the buffer; the next games begin with number `first`."""
        self.first = first
        self._facts.clear()
        self._notes.clear()

    def room(self, games: int) -> tuple[NDArray[Any] | None, list[NDArray[np.int32]] | None]:
        """Return the arrays that `play_into` fills for the next games."""
        facts = np.zeros(games, self.spec.game.facts_dtype) if GAMES_TABLE in self.tables else None
        return facts, [] if EVENTS_TABLE in self.tables else None

    def add(self, first: int, facts: NDArray[Any] | None, notes: list[NDArray[np.int32]] | None) -> None:
        """Add the facts and notes of games from number `first` on."""
        if facts is not None:
            self._facts.append(facts)
        for found in notes or ():
            found[:, 0] += first - self.first
            self._notes.append(found)

    def facts(self) -> NDArray[Any]:
        """Return one record of the game's `facts_dtype` for each game, in order."""
        return np.concatenate(self._facts)

    def notes(self) -> NDArray[np.int32]:
        """Return the notes in order, shape (events, `NOTE`); games are counted from the first of the part."""
        return np.concatenate(self._notes) if self._notes else np.zeros((0, NOTE), np.int32)
