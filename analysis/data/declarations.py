"""What a game tells the analyses about its columns.

Every game gets the general analyses without declaring anything.  A game that declares more, as `DECLARATIONS` in
`analysis/games/<game>/` or in the module `analysis` of its own package, gets more.  The analyses outside of a game's
own rooms know these declarations and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from analysis.data.results import Unanswered
from simcore.homes import home

T = TypeVar("T")

Names = Callable[[Any], Mapping[str, Mapping[str, str]]]
"""Function of the resolved rules: titles by key, then by language ("en", "fr")."""


@dataclass(frozen=True)
class Cards:
    """Chance cards that a game exposes its players to.

    Parameters
    ----------
    noun
        What the game calls one.
    columns
        The card of each slot, all seats of a deal alike.  Empty where the table does not say which cards came up, as
        with cards that seats hold or draw in play: then every deal is played again with the card blank.
    slots
        What to call the slots; empty where there are none.
    copies
        Function of the rules: how many of each card the deck holds; drawn without replacement.
    blank
        Function of the rules and some cards: rules in which these do nothing and stay in the deck.
    titles
        Names for people.
    """

    noun: str
    columns: tuple[str, ...]
    slots: tuple[str, ...]
    copies: Callable[[Any], Mapping[str, int]]
    blank: Callable[[Any, Sequence[str]], Any]
    titles: Names


@dataclass(frozen=True)
class Money:
    """One source of a seat's score.

    Parameters
    ----------
    name, group
        Key, and the key of what it belongs to.
    column
        Column that holds it.
    sign
        1, or -1 where the column counts a loss.
    """

    name: str
    group: str
    column: str
    sign: int = 1


@dataclass(frozen=True)
class Economy:
    """Where the score comes from.

    Parameters
    ----------
    unit
        What is counted.
    sources
        All of them; with `start` they add up to the score.
    start
        Function of the rules and the number of players: score of each seat at the start.
    flows
        By seat that lost: column of what was taken from it.
    """

    unit: str
    sources: tuple[Money, ...]
    start: Callable[[Any, int], Sequence[int]]
    flows: tuple[str, ...]


@dataclass(frozen=True)
class Breakdown:
    """Rates that only this game knows to ask for, in rows and series.

    Parameters
    ----------
    name
        Key of its words: a game's own words have `NAME` (title), `NAME.caption`, and where there are several series
        `NAME.first`, the title of the first of them alone.
    topic
        Key of the question that it belongs to; each makes a section of the report, in the order of declaration.
    rows, series
        Keys of the rows, and of the columns next to each other.
    columns
        Columns that it is counted from.
    count
        Function of those columns by name, each of shape (games, players), an "Enum" as codes, and the rules: numerators
        and denominators, both of shape (games, rows, series).
    unit
        What the rates are: "share", "number" or "par" (win shares, 1 is fair).
    says
        Whether its highest and lowest row of the first series are worth a sentence.
    along
        Whether its first series is worth following along the ladder of skill.
    events
        Kinds of events that it is counted from as well.  `count` finds those of a kind under "event KIND" among the
        columns: an array as in `analysis.data.events`, one row an event in the order of the games.
    """

    name: str
    topic: str
    rows: tuple[str, ...]
    series: tuple[str, ...]
    columns: tuple[str, ...]
    count: Callable[[Mapping[str, Any], Any], tuple[Any, Any]]
    unit: str
    says: bool = False
    along: bool = False
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """Events that say how the seats stand as a game goes on; see `Game.events`.

    Parameters
    ----------
    kind
        Kind of the events: one for each seat, all of the same turn one after another.  A seat that has none at a turn
        counts as behind all others.
    rank
        Values of that kind that rank the seats, the most telling one first; more is better.  Gaps are measured in the
        first one.
    begins
        Kind of event that begins a part of the game that is told for itself, such as a deal of a match; its first
        value is the number of the part, from 0.  None: the game is told as a whole.
    shares
        With `begins`, the columns of a seat's parts of the win by part of the game, in the game's unit of shares.
    """

    kind: str
    rank: tuple[str, ...]
    begins: str | None = None
    shares: tuple[str, ...] = ()


@dataclass(frozen=True)
class Actions:
    """Events that say what seats do on their turns; see `Game.events`.

    Parameters
    ----------
    kind
        Kind of the events; its first value is the number of the action.
    names
        Keys of the actions, in the order of their numbers.
    begins
        Kind of event that begins a part of the game with turns of its own, as in `Standing`.
    """

    kind: str
    names: tuple[str, ...]
    begins: str | None = None


@dataclass(frozen=True)
class Declarations:
    """All that a game declares; a field left out is an analysis that the game does without.

    Parameters
    ----------
    turn
        Column of the mean turn position, 1 is first.
    tie_break
        Column of what decided among seats level on score; first label: none, last: nothing did.
    trajectory
        Columns of the score after each round, in a game with a fixed number of rounds.
    standing, actions
        See there; for games of any length, with or without a score.
    cards, economy, breakdowns
        See there.
    titles
        Names for people of what else the game's tables have as keys.
    ladder
        Shipped strategies of growing skill, as measured; the first two are too weak for verdicts.  In a game with roles
        by the name of the role: each level of skill seats a strategy for each role.
    length
        Column of the length of a game, where it varies.
    levers
        Whole numbers of the rules that a designer may change to mend the game, each "KEY=lo..hi" with the range that a
        rulebook could print; "{players}" in a key stands for the number of players.
    seat_coins
        Key of the coins that each seat starts with, one a seat.
    headlines
        Analyses of its own whose totals a run keeps that keeps no rows; functions of the source.
    """

    turn: str | None = None
    tie_break: str | None = None
    trajectory: tuple[str, ...] = ()
    standing: Standing | None = None
    actions: Actions | None = None
    cards: Cards | None = None
    economy: Economy | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    titles: Names | None = None
    ladder: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    length: str | None = None
    levers: tuple[str, ...] = ()
    seat_coins: str | None = None
    headlines: tuple[Callable[[Any], object], ...] = ()


def load_declarations(game: str) -> Declarations:
    """Return what a game declares; nothing if it has no module for it."""
    name = home(game).declarations
    try:
        declarations: Declarations = import_module(name).DECLARATIONS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return Declarations()
    return declarations


def declared(part: T | None, what: str, game: str) -> T:
    """Return a part of a game's declarations; raises `Unanswered` where it has none."""
    if not part:
        raise Unanswered(
            "undeclared", "{game} declares no {what}; this analysis does not apply to it", game=game, what=what
        )
    return part
