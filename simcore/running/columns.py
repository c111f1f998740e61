"""From the rows of a kernel to the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from simcore.errors import UsageError, nearest
from simcore.game import DETAILS, Column, Game
from simcore.kernel.compilation import cached_kernel
from simcore.kernel.records import word, words
from simcore.kernel.trace import NOTE
from simcore.running.batch import Spec

# --- The optional tables in addition to the table of seats: one row for each game, and one row for each event ---


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


# --- From the rows of a kernel to the columns of a run's table ---


STORED = {
    "Int32": np.int32,
    "UInt16": np.int32,
    "UInt8": np.uint8,
    "Boolean": np.uint8,
    "Enum": np.uint8,
    "Float32": np.int32,
    "Float64": np.int32,
}
"""The types in which the integers of each type of column are stored until they are written."""

BEYOND = {np.int32: np.int32(0), np.uint8: np.int32(~0xFF)}
"""For each storage type, the bits that show that a value does not fit."""

COMPUTED = (
    Column("game_id", "UInt32", "index of the game in the run, from 0", ""),
    Column("deal_id", "UInt32", "index of the chance stream; games that share it are one deal, from 0", ""),
    Column("seat", "UInt8", "seat, from 1", ""),
)
"""Columns that are computed from the index of a game and the seat."""

_ROLE = Column("role", "Enum", "role of the seat", "", detail="minimal")
_CAMP = Column("camp", "Enum", "camp that the seat wins with", "", detail="minimal")
_STRATEGY = Column("strategy", "Enum", "strategy that played the seat", "strategy", detail="minimal")
_PLACE = Column(
    "place", "UInt8", "rank at the end, 1 is best, equal when tied; 0 for all if nobody won", "place", detail="minimal"
)
_SHARE60 = Column("share60", "UInt8", "win share in sixtieths", "share60", detail="minimal")
_SHARE840 = Column("share840", "UInt16", "win share in 840ths", "share840", detail="minimal")


def computed(game: Game) -> tuple[Column, ...]:
    """Return the columns that are computed from the index of a game and the seat."""
    return (*COMPUTED, _ROLE, _CAMP) if game.asymmetric else COMPUTED


def computed_values(spec: Spec, games: np.ndarray[Any, Any]) -> Iterator[tuple[Column, np.ndarray[Any, Any]]]:
    """Yield the columns of `computed` and their values for the rows of some games, given by their index in the run."""
    yield COMPUTED[0], np.repeat(games, spec.players)
    yield COMPUTED[1], np.repeat(games // np.uint32(spec.games_per_deal), spec.players)
    yield COMPUTED[2], np.tile(np.arange(1, spec.players + 1, dtype=np.uint8), len(games))
    if not spec.game.asymmetric:
        return
    for column, names in ((_ROLE, [role.name for role in spec.roles]), (_CAMP, [role.side for role in spec.roles])):
        known = labels(column, spec)
        yield column, np.tile(np.array([known.index(name) for name in names], np.uint8), len(games))


@lru_cache
def columns(game: Game, detail: str) -> tuple[Column, ...]:
    """Return the columns of a run's table at a level of detail, in order."""
    level = DETAILS.index(detail)
    own = [column for column in game.columns if DETAILS.index(column.detail) <= level]
    score = [column for column in own if column.name == game.score]
    rest = [column for column in own if column not in score]
    return (*computed(game), _STRATEGY, *score, _PLACE, _SHARE60 if game.share_unit == 60 else _SHARE840, *rest)


def labels(column: Column, spec: Spec) -> tuple[str, ...]:
    """Return the category of each code of an "Enum" column."""
    if column is _ROLE:
        return spec.game.role_names
    if column is _CAMP:
        return tuple(dict.fromkeys(role.side for role in spec.game.roles))
    if column.labels is None:
        return tuple(spec.strategies)
    return tuple(column.labels(spec.rules.values))


@cached_kernel
def _gather(rows, fields, columns, beyond):
    """Turn some words of (rows, words) into columns, a few rows at a time so that they stay in the cache.

    Unsigned indices are a third faster, because there are no negative ones to handle.
    """
    step = 32
    lost = np.int32(0)
    for first in range(0, rows.shape[0], step):
        begin, end = np.uint64(first), np.uint64(min(first + step, rows.shape[0]))
        for number in range(fields.shape[0]):
            column = columns[number]
            field = fields[number]
            for row in range(begin, end):
                column[row] = rows[row, field]
                lost |= rows[row, field] & beyond
    return lost


def compile_gather(game: Game) -> None:
    """Compile or load the function that fills columns from a game's rows."""
    table = np.zeros((0, words(game.row_dtype)), np.int32)
    for kind in (np.int32, np.uint8):
        _gather(table, np.zeros(0, np.uint64), np.zeros((2, 2), kind)[:, :1], BEYOND[kind])


class ColumnBuffer:
    """A buffer for the columns of some consecutive games.

    spec: The run.
    detail: Level of detail.
    games: Largest number of games that it can hold.
    extra: Buffer for the rows of the same games in other tables.
    """

    def __init__(self, spec: Spec, detail: str, games: int, extra: ExtraBuffer | None = None) -> None:
        self.spec = spec
        self.extra = extra or ExtraBuffer(spec, ())
        self.first = 0
        self.rows = 0
        self._groups = []
        taken = columns(spec.game, detail)[len(computed(spec.game)) :]
        for kind in (np.int32, np.uint8):
            members = [column for column in taken if STORED[column.type] is kind]
            fields = np.array(
                [word(spec.game.row_dtype, column.field, column.index) for column in members], dtype=np.uint64
            )
            # One place to spare: a slice of it is never contiguous, so that Numba sees one type.
            room = np.empty((len(members), games * spec.players + 1), dtype=kind)
            self._groups.append((members, fields, room))
        self._order = {column.name: number for number, column in enumerate(taken)}

    def begin(self, first: int) -> None:
        """Empty the buffer; the next rows are those of game `first`."""
        self.first, self.rows = first, 0
        self.extra.begin(first)

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Add the rows of the next games."""
        table = rows.view(np.int32).reshape(len(rows), words(rows.dtype))
        last = self.rows + len(rows)
        for members, fields, room in self._groups:
            if _gather(table, fields, room[:, self.rows : last], BEYOND[room.dtype.type]):
                self._refuse(members, table[:, fields])
        self.rows = last

    def _refuse(self, members: Sequence[Column], values: np.ndarray[Any, Any]) -> NoReturn:
        """Raise an error that names the column with a value that does not fit its type."""
        row, number = np.argwhere(values & BEYOND[np.uint8])[0]
        column = members[number]
        raise UsageError(
            f"{self.spec.game.name}: column '{column.name}' has the value {values[row, number]}, for which "
            f"{column.type} has no room; the game has to declare it as Int32"
        )

    @property
    def games(self) -> np.ndarray[Any, Any]:
        """The indices in the run of the games that it holds."""
        return np.arange(self.first, self.first + self.rows // self.spec.players, dtype=np.uint32)

    def filled(self) -> Iterator[tuple[Column, np.ndarray[Any, Any]]]:
        """Yield every column and its values, in the table's order."""
        yield from computed_values(self.spec, self.games)
        found = [
            (column, room[number, : self.rows])
            for members, _, room in self._groups
            for number, column in enumerate(members)
        ]
        yield from sorted(found, key=lambda pair: self._order[pair[0].name])
