"""The descriptor of a game: everything that the toolkit needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from simcore.chance import Chance
from simcore.errors import UsageError
from simcore.homes import GAMES, home
from simcore.judged import ALIKE, MOST_PLAYERS, Payoff, Role, check_roles, equal_par, first_share
from simcore.kernel.decisions import FAULTS, MOST_OPTIONS, Decision, Look
from simcore.kernel.driver import batch_of, driver_of, one_tick, sandbox_of
from simcore.kernel.lineup import WEIGHTS, lineup_of
from simcore.kernel.pointers import Pointer
from simcore.kernel.ranking import settle_by
from simcore.kernel.records import pack_numbers, words
from simcore.kernel.trace import CAPACITY, EventKind, trace_of
from simcore.log_records import RecordKind, plain_header
from simcore.running.accumulator import MOST_WORDS
from simcore.tabletop import Tabletop

if TYPE_CHECKING:
    import numpy as np
    from pydantic import BaseModel

__all__ = [
    "DETAILS",
    "GAMES",
    "Chance",
    "Column",
    "Decision",
    "EventKind",
    "Game",
    "Look",
    "Payoff",
    "Role",
    "Search",
    "load_game",
]

DETAILS = ("minimal", "standard", "full")
NOTES = 1 << 18
"""Number of events that a thread can hold before they are collected, or those of one game if these are more."""

MOST_STEPS = 1_000_000
"""Number of steps, and of decisions, after which a game that declares nothing else counts as endless."""

SHARE_UNITS = {6: 60, 8: 840}
"""Number of parts of a win, by the largest number of players: the least common multiple of all smaller numbers."""


@dataclass(frozen=True)
class Column:
    """One column of a run's table, taken from the row of results of each seat.

    Parameters
    ----------
    name
        Name of the column.
    type
        Name of the polars type: "Int32", "UInt32", "UInt8", "Boolean", "Float32", "Float64" or "Enum".
    meaning
        One line for the schema page, with the unit.
    field
        Field of the game's row dtype.  By default, the field with the same name.
    index
        Position inside an array field.
    detail
        Lowest level of detail that includes the column.
    divisor
        Number by which the kernel's integer is divided.
    labels
        For "Enum": function that takes the resolved rules and returns the category of each code.
    role
        Name of the only role that can have a value; the column is null in the rows of all other roles.
    """

    name: str
    type: str
    meaning: str
    field: str = ""
    index: int | None = None
    detail: str = "standard"
    divisor: int = 1
    labels: Callable[[Any], Sequence[str]] | None = None
    role: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", self.field or self.name)


def one_log(words: Sequence[int], players: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Treat a game's trace words as those of a single log, in which each seat has its own row."""
    yield words, range(players)


@dataclass(frozen=True, eq=False)
class Search:
    """What a game provides for strategies that look ahead (`strategies/rollout.py`, `strategies/thinker.py`).

    These strategies take the state at the last safe point, repeat the answers given since then, try a move, and play on
    with `Game.step`; the game has to provide nothing else.  All functions are kernels.
    """

    clock: Callable[..., int]
    """`(state) -> int`: time at a safe point between steps, in ticks of equal length; it limits a short look ahead. A
    game whose steps are turns counts turns, so that every seat looks equally far."""
    ended: Callable[..., bool]
    """`(state) -> bool`: whether the imagined game ends here, asked after a step; the deal of a match may end before
    the match."""
    judge: Callable[..., tuple[int, int]]
    """`(rules, lineup, state, seat, trace) -> (share, lead)`: rank the seats as if the game ended now, and return the
    seat's share of the win, in parts of `Game.share_unit`, and its lead over the best opponent in points (negative if
    it trails); 0 in a game without points."""
    ticks: Callable[..., int] = one_tick  # `(rules) -> int`: ticks of the clock in one round
    look: Look | None = None
    """What a seat sees, for players who judge a table by a learned value; None if the game has none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """A game, as the rest of the toolkit sees it.

    Parameters
    ----------
    name, title
        Registry name and display name.
    players
        Allowed numbers of players, 2 to 8.
    default_players
        Number of players if the user gives none.
    roles
        The roles; a single one if all seats are symmetric.  Strategies change seats only within a role.
    par
        Function that takes the resolved rules and the number of players, and returns the share of the wins that the
        game is meant to give to each seat.  The shares are positive and sum to 1.
    sharing
        Function that takes the resolved rules, the final rows (of shape (games, players)) and the number of parts of a
        win, and returns the parts of each seat.  The conformance checks compare them with those of the kernel.  By
        default, the seats in first place share equally.
    rules
        The pydantic model of a resolved rule file.
    pack
        Function that turns resolved rules and a number of players into the rules record; raises `UsageError` if they
        cannot be played.  By default, values with the names of the record's fields are copied
        (`simcore.kernel.records.pack_numbers`).
    rules_dtype, state_dtype, row_dtype
        Records; the row consists of 32-bit integers and has `strategy`, `place` and the field that `share` names.
    start, step, settle
        Kernels of `(rules, lineup, state, trace)`: set up a game from the streams that `state.rng` points at; play on
        to the next safe point (after a turn or a round) and return whether the game continues; rank the seats and write
        `place` and the share of each row of `state.rows`.  Without `settle`, the score ranks them.
    faults
        Meaning of the game's own fault codes, above 1.
    columns
        The table's columns in addition to the general ones.
    score
        Name of the column that ranks the seats first; None for a game without a score.
    lowest_wins
        Whether the lowest score wins, as in Hearts or golf.
    payoff
        What the seats gain or lose, if the game is played for that; None if it is played for wins.
    header
        Function of (trace words, rules, players) that returns the game's own fields of a replay log's first line; its
        `options` complete the switches of the rules.  By default, every value of the rules is written.
    records
        Function that turns a recorded game (trace words, rules, players) into the records of its replay log.
    record_kinds
        The kinds of records of its replay log, with their fields and who sees them; `replay --as seat-3` needs them.
    narrate
        Function that turns a replay log (first line, records) into lines of readable text.  If None, each record makes
        one line.
    decisions
        The kinds of decisions, in the order of their numbers.
    redraw
        Kernel of `(rules, state, seat)` that draws again, from the streams of `state.rng`, everything that the seat
        does not know, such as the order of stacks and other hands.  The outcome must not depend on the hidden
        information: sort hidden things before they are shuffled.  This is the only definition of what a seat may know.
        If None, nothing is hidden; a game that shuffles and yet hides nothing says `redraw=nothing_hidden`.
    search
        What strategies need in order to look ahead; None if the game has no such strategies.
    tabletop
        How the tables of the game look to people, and what its decisions ask; None if it does not say.
    chance
        Where the game's chance comes from: a deck, the dice of fights.  If empty, its shuffles and its dice.  What the
        players draw to decide is never a part of it.
    weights
        Number of weights that a member of a line-up can have: the largest number of features of the game's policies.
    trace_words
        Number of words that the trace of one game may take.
    most_steps
        Largest number of steps, and of decisions, of a game.  A game that takes more has a fault, and takes no further
        step; a loop inside a step that asks for decisions has to end once `state.fault` is set.
    events, most_notes
        Kinds of events for the table of events, in the order of their numbers, and the largest number in one game.
    facts_dtype, game_columns
        Record `state.facts` with one value for each game and field, and the columns of the table of games made from it.
    play_batch
        The compiled entry point, `(rules, lineup, state, rows, facts, trace, seed, games) -> games without a fault`;
        `games` contains the index of each game to play, as 64-bit integers.  Made from `start`, `step` and `settle`.
    logs
        If a game leaves several logs (the deals of a match): function that takes its trace words and the number of
        players, and divides them into the words of each log and the row of each of its seats.  `header`, `records` and
        `narrate` see one log.
    """

    name: str
    title: str
    players: range
    default_players: int
    rules: type[BaseModel]
    rules_dtype: np.dtype[Any]
    state_dtype: np.dtype[Any]
    row_dtype: np.dtype[Any]
    start: Callable[..., None]
    step: Callable[..., bool]
    columns: tuple[Column, ...]
    records: Callable[[Sequence[int], Any, int], Iterator[dict[str, Any]]]
    settle: Callable[..., None] = None  # type: ignore[assignment]
    pack: Callable[[Any, int], np.record] = None  # type: ignore[assignment]
    header: Callable[[Sequence[int], Any, int], dict[str, Any]] = plain_header
    record_kinds: tuple[RecordKind, ...] = ()
    narrate: Callable[[dict[str, Any], Sequence[dict[str, Any]]], Iterator[str]] | None = None
    roles: tuple[Role, ...] = ALIKE
    par: Callable[[Any, int], Sequence[float]] = equal_par
    sharing: Callable[[Any, np.ndarray[Any, Any], int], np.ndarray[Any, Any]] = first_share
    score: str | None = None
    lowest_wins: bool = False
    payoff: Payoff | None = None
    faults: Mapping[int, str] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    redraw: Callable[..., None] | None = None
    search: Search | None = None
    tabletop: Tabletop | None = None
    chance: tuple[Chance, ...] = ()
    weights: int = WEIGHTS
    trace_words: int = CAPACITY
    most_steps: int = MOST_STEPS
    events: tuple[EventKind, ...] = ()
    most_notes: int = 0
    facts_dtype: np.dtype[Any] | None = None
    game_columns: tuple[Column, ...] = ()
    play_batch: Callable[..., int] = None  # type: ignore[assignment]
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
        if not 1 <= self.most_steps <= 10**9:
            raise UsageError(f"game '{self.name}': most_steps: {self.most_steps}; give 1 to 1,000,000,000")
        if self.lowest_wins and self.score is None:
            raise UsageError(f"game '{self.name}': lowest_wins: the game has no score; name the column of the score")
        if self.score is not None and self.score not in {column.name for column in self.columns}:
            raise UsageError(f"game '{self.name}': score: there is no column '{self.score}'")
        if self.payoff is not None:
            self.payoff.check(self)
        if self.share not in (self.row_dtype.names or ()):
            raise UsageError(f"game '{self.name}': row_dtype: needs the field '{self.share}', the seat's win share")
        if words(self.row_dtype) % 2 or words(self.row_dtype) > MOST_WORDS:
            raise UsageError(
                f"game '{self.name}': row_dtype: {words(self.row_dtype)} words; a row needs an even number of 32-bit "
                f"words, at most {MOST_WORDS}"
            )
        room = min(64 * max(self.state_dtype["legal"].itemsize // 8, 1), MOST_OPTIONS)
        for decision in self.decisions:
            if decision.moves and len(decision.moves) != decision.options:
                raise UsageError(
                    f"game '{self.name}': decision '{decision.name}': {len(decision.moves)} moves have names; name all "
                    f"{decision.options} or none"
                )
            if decision.options > room:
                raise UsageError(
                    f"game '{self.name}': decision '{decision.name}': {decision.options} options, but the state has "
                    f"room for {room}; lay it out with asking({decision.options})"
                )
        if self.settle is None:
            found = [column.field for column in self.columns if column.name == self.score]
            if not found:
                raise UsageError(f"game '{self.name}': settle: a game without a score has to say who wins")
            object.__setattr__(self, "settle", settle_by(found[0], self.step, self.lowest_wins))
        if self.pack is None:
            object.__setattr__(self, "pack", partial(pack_numbers, self.rules_dtype))
        if self.play_batch is None:
            object.__setattr__(self, "play_batch", batch_of(self))

    @cached_property
    def driver(self) -> Pointer:
        """The compiled function that plays on from a safe point."""
        return driver_of(self)

    @cached_property
    def lineup_dtype(self) -> np.dtype[Any]:
        """The record of a line-up."""
        return lineup_of(self.weights)

    @cached_property
    def trace_dtype(self) -> np.dtype[Any]:
        """The record of a trace."""
        return trace_of(self.trace_words, max(NOTES, self.most_notes) if self.events else 0)

    @cached_property
    def sandbox_dtype(self) -> np.dtype[Any]:
        """The record of the memory in which strategies look ahead and are watched."""
        return sandbox_of(self.rules_dtype, self.lineup_dtype, self.state_dtype, self.trace_dtype)

    @property
    def compiled(self) -> bool:
        """Whether kernels play it; if not, policies have numbers instead of addresses."""
        return True

    @property
    def reference(self) -> str:
        """How a user names it on a command line."""
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Travel by name: what a game is made of is compiled in each process."""
        return load_game, (self.name,)

    @property
    def policy_records(self) -> tuple[np.dtype[Any], ...]:
        """The records that every policy takes: rules, line-up, state."""
        return self.rules_dtype, self.lineup_dtype, self.state_dtype

    @property
    def span(self) -> str:
        """The possible numbers of players, for messages: "2 to 5 players"."""
        least, most = self.players[0], self.players[-1]
        return f"{least} to {most} players" if least < most else f"{most} players"

    @property
    def asymmetric(self) -> bool:
        """Whether there is more than one role."""
        return len(self.roles) > 1

    @property
    def role_names(self) -> tuple[str, ...]:
        """The names of the roles, in the order of their seats."""
        return tuple(role.name for role in self.roles)

    @property
    def camp_titles(self) -> dict[str, str]:
        """The display name of each camp: its name, or the title of the role that is a camp of its own."""
        return {role.side: role.camp or role.title for role in self.roles}

    def meaning_of(self, fault: int) -> str:
        """Return what a fault code means."""
        text = {**self.faults, **FAULTS}.get(fault, f"fault {fault}")
        return text.replace("{most_steps}", f"{self.most_steps:,}")

    def role_at(self, seat: int, players: int) -> Role:
        """Return the role of a seat, counted from 0, at a table of some players."""
        return next(role for role in self.roles if seat in role.at(players))

    @property
    def share_unit(self) -> int:
        """Number of parts of a win, so that equal shares are whole: 60, or 840 in a game for 7 or 8 players."""
        return next(unit for most, unit in SHARE_UNITS.items() if self.players[-1] <= most)

    @property
    def share(self) -> str:
        """The row field and column with a seat's share of the win: "share60" or "share840"."""
        return f"share{self.share_unit}"


@cache
def load_game(name: str) -> Game:
    """Return a game's descriptor.

    Raises UsageError if the game is unknown, or an installed game cannot be loaded.
    """
    game = home(name).load()
    if not isinstance(game, Game) or game.name != name:
        raise UsageError(f"{name}: {home(name).package}.GAME is not a game of that name", "game")
    return game
