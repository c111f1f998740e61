"""What a game gives to the toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError
from simcore.homes import GAMES, home

if TYPE_CHECKING:
    import numpy as np
    from pydantic import BaseModel

__all__ = ["DETAILS", "GAMES", "Column", "Game", "Search", "load_game"]

DETAILS = ("minimal", "standard", "full")


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
    """

    name: str
    type: str
    meaning: str
    field: str
    index: int | None = None
    detail: str = "standard"
    divisor: int = 1
    labels: Callable[[Any], Sequence[str]] | None = None


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


@dataclass(frozen=True, eq=False)
class Game:
    """A game, as the rest of the toolkit sees it.

    Parameters
    ----------
    name, title
        Registry name and display name.
    players
        Legal player counts.
    default_players
        Where the user names none.
    held_seats
        First seats that no design moves (asymmetric roles); 0 where all seats are alike.
    rules
        The pydantic model of a resolved rule file.
    pack
        Turns resolved rules and a player count into the rules record; raises `UsageError` if unplayable.
    rules_dtype, state_dtype, row_dtype
        Records; the row is made of 32-bit integers only and has `strategy`, `place` and `share60`.
    play_batch
        The compiled entry, `(rules, lineup, state, rows, trace, seed, games) -> games without a fault`;
        `games` holds the index of each game to play, as 64-bit integers.
    faults
        Meaning of the fault codes.
    columns
        The table's columns beside the general ones.
    score
        Name of the column that ranks the seats first.
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
    held_seats: int
    rules: type[BaseModel]
    pack: Callable[[Any, int], np.record]
    rules_dtype: np.dtype[Any]
    state_dtype: np.dtype[Any]
    row_dtype: np.dtype[Any]
    play_batch: Callable[..., int]
    faults: dict[int, str]
    columns: tuple[Column, ...]
    score: str
    header: Callable[[Sequence[int], Any, int], dict[str, Any]]
    records: Callable[[Sequence[int], Any, int], Iterator[dict[str, Any]]]
    narrate: Callable[[dict[str, Any], Sequence[dict[str, Any]]], Iterator[str]]
    search: Search | None = None
    logs: Callable[[Sequence[int], int], Iterator[tuple[Sequence[int], Sequence[int]]]] = one_log


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
