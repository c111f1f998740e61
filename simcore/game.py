"""What a game gives to the toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError
from simcore.homes import GAMES, home
from simcore.roles import ALIKE, MOST_PLAYERS, Role, check_roles, equal_par, first_share

if TYPE_CHECKING:
    import numpy as np
    from pydantic import BaseModel

__all__ = ["DETAILS", "GAMES", "Column", "Game", "Role", "Search", "load_game"]

DETAILS = ("minimal", "standard", "full")
SHARE_UNITS = {6: 60, 8: 840}
"""By the most players that a game may have: the least number that all smaller numbers of players divide."""


@dataclass(frozen=True)
class Column:
    """One column of a run's table, taken from the row that each seat leaves behind.

    Parameters
    ----------
    name
        Name in the table.
    type
        Polars type by name: "Int32", "UInt32", "UInt8", "Boolean", "Float32" or "Enum".
    meaning
        One line for the schema page, with the unit.
    field
        Field of the game's row dtype.
    index
        Position inside an array field.
    detail
        Lowest level of detail that includes the column.
    divisor
        The integer of the kernel is divided by this.
    labels
        For "Enum": function of the resolved rules that returns the category of each code.
    role
        Name of the one role that can have a value; the column is null in the rows of all others.
    """

    name: str
    type: str
    meaning: str
    field: str
    index: int | None = None
    detail: str = "standard"
    divisor: int = 1
    labels: Callable[[Any], Sequence[str]] | None = None
    role: str = ""


def one_log(words: Sequence[int], players: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Take a game's trace words as those of one log, whose seats are the rows."""
    yield words, range(players)


@dataclass(frozen=True, eq=False)
class Search:
    """What a game gives to strategies that try out what may come of a move (`strategies/search.py`).

    All are kernels, and work on a copy of the state record that a policy was asked with.

    Parameters
    ----------
    resumable
        `(state) -> bool`: whether `resume` can play on from the decision that is asked for; where it cannot, the base
        policy decides.  The decisions that matter most should be.
    redraw
        `(rules, state, seat)`: draw anew, from the streams of `state.rng`, everything that the seat does not know:
        the order of stacks, other hands.  `state.rng` is already a stream of the search's own, so that later chance
        needs no care.  The outcome must not depend on how the hidden things lay: bring them into one order (by
        number, say) before they are shuffled.
    resume
        `(rules, lineup, state, seat, move, rounds, trace)`: play on from the decision at which the policy of `seat`
        was asked, with `move` as its answer: the rest of the turn and of the round, then up to `rounds` rounds more,
        and rank the seats as if the game ended there.  `lineup` seats the policies that play on, `trace` is off.
        What `redraw` wrote is not asked for again; all that is needed must be found in the state record.
    judge
        `(rules, state, seat) -> (share60, lead)` after `resume`: the seat's win share in sixtieths, and the points by
        which it leads the best of the others (negative: trails).
    """

    resumable: Callable[..., bool]
    redraw: Callable[..., None]
    resume: Callable[..., None]
    judge: Callable[..., tuple[int, int]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """A game, as the rest of the toolkit sees it.

    Parameters
    ----------
    name, title
        Registry name and display name.
    players
        Legal player counts, 2 to 8.
    default_players
        Where the user names none.
    roles
        Who plays what; one role for all where the seats are alike.  Strategies change places within a role only.
    par
        Function of the resolved rules and the number of players: the share of the wins by seat that the game is meant
        to give.  The shares are positive and sum to 1.
    sharing
        Function of the resolved rules, the final rows (of shape (games, players)) and the parts of a win: how many
        parts each seat should have.  Conformance compares it with what the kernel wrote.  The default lets the seats
        that are placed first share equally.
    rules
        The pydantic model of a resolved rule file.
    pack
        Turns resolved rules and a player count into the rules record; raises `UsageError` if unplayable.
    rules_dtype, state_dtype, row_dtype
        Records; the row is made of 32-bit integers only and has `strategy`, `place` and the field that `share` names.
    play_batch
        The compiled entry, `(rules, lineup, state, rows, trace, seed, games) -> games without a fault`;
        `games` holds the index of each game to play, as 64-bit integers.
    faults
        Meaning of the fault codes.
    columns
        The table's columns beside the general ones.
    score
        Name of the column that ranks the seats first; None for a game without a score.
    header
        Game-specific fields of a replay log's first line, from (trace words, rules, players); its `options` complete
        the switches of the rules.
    records
        Turns a recorded game (trace words, rules, players) into the records of its replay log.
    narrate
        Turns a replay log (first line, records) into lines of readable text.
    search
        What strategies need to look ahead; None where the game has no such strategies.
    logs
        Where one game leaves several logs (the deals of a match): cuts its trace words, given those and the players,
        into the words of each log and the row of each of its seats.  `header`, `records` and `narrate` see one log.
    """

    name: str
    title: str
    players: range
    default_players: int
    rules: type[BaseModel]
    pack: Callable[[Any, int], np.record]
    rules_dtype: np.dtype[Any]
    state_dtype: np.dtype[Any]
    row_dtype: np.dtype[Any]
    play_batch: Callable[..., int]
    faults: dict[int, str]
    columns: tuple[Column, ...]
    header: Callable[[Sequence[int], Any, int], dict[str, Any]]
    records: Callable[[Sequence[int], Any, int], Iterator[dict[str, Any]]]
    narrate: Callable[[dict[str, Any], Sequence[dict[str, Any]]], Iterator[str]]
    roles: tuple[Role, ...] = ALIKE
    par: Callable[[Any, int], Sequence[float]] = equal_par
    sharing: Callable[[Any, np.ndarray[Any, Any], int], np.ndarray[Any, Any]] = first_share
    score: str | None = None
    search: Search | None = None
    logs: Callable[[Sequence[int], int], Iterator[tuple[Sequence[int], Sequence[int]]]] = one_log

    def __post_init__(self) -> None:
        if not 2 <= self.players[0] <= self.players[-1] <= MOST_PLAYERS:
            raise UsageError(
                f"game '{self.name}': players: {self.players[0]} to {self.players[-1]}; a game may have 2 to "
                f"{MOST_PLAYERS} players"
            )
        check_roles(self.name, self.roles, self.players)
        for column in self.columns:
            if column.role and column.role not in self.role_names:
                raise UsageError(f"game '{self.name}': column '{column.name}': no role '{column.role}'")
        if self.score is not None and self.score not in {column.name for column in self.columns}:
            raise UsageError(f"game '{self.name}': score: there is no column '{self.score}'")
        if self.share not in (self.row_dtype.names or ()):
            raise UsageError(f"game '{self.name}': row_dtype: needs the field '{self.share}', the seat's win share")

    @property
    def asymmetric(self) -> bool:
        """Whether there is more than one role."""
        return len(self.roles) > 1

    @property
    def role_names(self) -> tuple[str, ...]:
        """Names of the roles, in the order of their seats."""
        return tuple(role.name for role in self.roles)

    @property
    def camp_titles(self) -> dict[str, str]:
        """Display name of each camp: its name, or the title of the role that is a camp of its own."""
        return {role.side: role.camp or role.title for role in self.roles}

    def role_at(self, seat: int, players: int) -> Role:
        """Return the role of a seat, counted from 0, at a table of some players."""
        return next(role for role in self.roles if seat in role.at(players))

    @property
    def share_unit(self) -> int:
        """Parts into which a win is cut, so that equal shares are whole: 60, or 840 where 7 or 8 may play."""
        return next(unit for most, unit in SHARE_UNITS.items() if self.players[-1] <= most)

    @property
    def share(self) -> str:
        """Row field and column that hold a seat's share of the win: "share60" or "share840"."""
        return f"share{self.share_unit}"


@cache
def load_game(name: str) -> Game:
    """Return a game's descriptor.

    Raises
    ------
    UsageError
        If no such game is known, or an installed one cannot be loaded.
    """
    module = home(name).descriptor
    game = getattr(import_module(module), "GAME", None)
    if not isinstance(game, Game) or game.name != name:
        raise UsageError(f"--game: {name}: {module}.GAME is no game of that name")
    return game
