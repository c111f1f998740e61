"""What a game declares about its columns, for the analyses.

Every game gets the general analyses without declaring anything.  A game gets further analyses if it declares more, as
`DECLARATIONS` in `analysis/games/<game>/` or in the module `analysis` of its own package.  The general analyses depend
on these declarations only, and not on any particular game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeVar

from analysis.data.results import Unanswered
from simcore.errors import UsageError
from simcore.game import Game
from simcore.homes import home

T = TypeVar("T")

Names = Callable[[Any], Mapping[str, Mapping[str, str]]]
"""Function that takes the resolved rules and returns titles by key, then by language ("en", "fr")."""


class Moment(NamedTuple):
    """Something that happens to a card and a seat in a recorded game."""

    what: Literal["start", "drawn", "played", "offered", "taken", "struck"]
    """The seat holds it from the start, comes to hold it later, plays it, may choose it, chooses it and so holds it, or
    is hit when another seat plays it."""
    card: str
    seat: int  # counted from 1, in the log


Life = Callable[[Any, Mapping[str, Any], Sequence[Mapping[str, Any]]], Iterator[Moment]]
"""Function that takes the rules, the first line of a replay log and its records, and yields what happens to cards."""


def moves_of_cards(
    names: Callable[[Any], Mapping[Any, str]], played: Sequence[str], struck: Life | None = None
) -> Life:
    """Return the life of cards in a log whose records `move` take them to and from hands.

    names: Takes the rules; returns the names of cards by the `card` of a record. The others are not declared.
    played: Values of `why` with which a card leaves a hand because its owner uses it.
    struck: Yields whom cards hit, in a game whose players aim them.
    """

    def life(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
        if struck is not None:
            yield from struck(rules, first, records)
        named = names(rules)
        for record in records:
            if record["kind"] != "move" or "hand" not in (record["from"]["zone"], record["to"]["zone"]):
                continue
            card = named.get(record["card"])
            if card is None:
                continue
            if record["from"]["zone"] == "hand" and record["why"] in played:
                yield Moment("played", card, record["from"]["seat"])
            if record["to"]["zone"] == "hand":
                yield Moment("drawn" if record["turn"] else "start", card, record["to"]["seat"])

    return life


@dataclass(frozen=True)
class Cards:
    """Cards or other things of one kind that affect the players of a game."""

    noun: str  # the game's word for a card, such as "event"
    copies: Callable[[Any], Mapping[str, int]]
    """Function that takes the rules and returns the number of copies of each card in the deck.  Cards are drawn without
    replacement."""
    blank: Callable[[Any, Sequence[str]], Any] | None
    """Function that takes the rules and some cards, and returns rules in which these cards do nothing but stay in the
    deck.  If None, nothing can take their place."""
    columns: tuple[str, ...] = ()
    """Columns of the card in each slot, the same for all seats of a deal.  Empty if the table does not say which cards
    came up, for example because seats hold or draw them in play; then every deal is played again with the card blank.
    """
    slots: tuple[str, ...] = ()  # names of the slots
    titles: Names = lambda rules: {}  # display names, beside those in the game's words
    life: Life | None = None  # who holds and plays them; None if they strike all seats alike
    key: str = ""  # key of the rules with the number of copies of "{card}", if a designer may change it
    proviso: str = ""  # note, in the game's words, on what a blank one still does, or why there is none

    def present(self, rules: Any) -> list[str]:
        """Return the names of the cards in the deck."""
        return [name for name, copies in self.copies(rules).items() if copies > 0]


@dataclass(frozen=True)
class Money:
    """One source of a seat's score."""

    name: str
    group: str
    """name, group: Key of the source, and key of the group that it belongs to."""
    column: str  # column that holds its amount
    sign: int = 1  # 1, or -1 where the column counts a loss


@dataclass(frozen=True)
class Economy:
    """Where the score comes from.

    Parameters
    ----------
    unit
        Unit of the amounts.
    sources
        All sources; together with `start` they add up to the score.
    start
        Function that takes the rules and the number of players, and returns the score of each seat at the start.
    flows
        Columns of the amounts taken from each seat, by the seat that lost them.
    """

    unit: str
    sources: tuple[Money, ...]
    start: Callable[[Any, int], Sequence[int]]
    flows: tuple[str, ...]


@dataclass(frozen=True)
class Breakdown:
    """Rates that are specific to a game, in rows and series."""

    name: str
    """Key of its words.  The game's own words contain `NAME` (the title), `NAME.caption` and, if there are several
    series, `NAME.first` (the title of the first series alone)."""
    topic: str
    """Key of the question that it belongs to.  Each topic makes a section of the report, in the order of declaration.
    """
    rows: tuple[str, ...]
    series: tuple[str, ...]
    """rows, series: Keys of the rows, and of the series, which are shown side by side."""
    columns: tuple[str, ...]  # columns that it is counted from
    count: Callable[[Mapping[str, Any], Any], tuple[Any, Any]]
    """Function that takes the columns by name, each of shape (games, players) and an "Enum" as codes, and the rules. It
    returns numerators and denominators, both of shape (games, rows, series) or, in that order, (games, cells)."""
    unit: str  # unit of the rates: "share", "number" or "par" (win shares, where 1 is fair)
    says: bool = False  # whether a sentence names the highest and lowest rows of the first series
    along: bool = False  # whether the first series is shown for each level of the ladder of skill
    events: tuple[str, ...] = ()
    """Kinds of events that it is also counted from.  `count` finds the events of a kind under "event KIND" among the
    columns: an array as in `analysis.data.events`, with one row for each event in the order of the games."""


@dataclass(frozen=True)
class Standing:
    """Events that record the standing of the seats in the course of a game; see `Game.events`."""

    kind: str
    """Kind of the events.  There is one event for each seat, and those of the same turn follow each other.  A seat
    without an event at a turn counts as behind all others."""
    rank: tuple[str, ...]
    """Values of that kind that rank the seats, the most important one first; more is better.  Gaps are measured in the
    first one."""
    begins: str | None = None
    """Kind of event that begins a part of the game that is analysed separately, such as a deal of a match; its first
    value is the number of the part, from 0.  If None, the game is analysed as a whole."""
    shares: tuple[str, ...] = ()
    """With `begins`: the columns of a seat's part of the win in each part of the game, in the game's unit of shares."""


@dataclass(frozen=True)
class Actions:
    """Events that record what seats do on their turns; see `Game.events`."""

    kind: str  # kind of the events; its first value is the number of the action
    names: tuple[str, ...]  # keys of the actions, in the order of their numbers
    begins: str | None = None
    """Kind of event that begins a part of the game whose turns are counted separately, as in `Standing`."""


@dataclass(frozen=True)
class Declarations:
    """Everything that a game declares; an analysis whose field is left out is not made.

    Parameters
    ----------
    turn
        Column of the mean turn position, where 1 is first.
    tie_break
        Column of what decided between seats with tied scores.  Its first label means that there was no tie, and its
        last that nothing decided.
    trajectory
        Columns of the score after each round, in a game with a fixed number of rounds.
    standing, actions
        See `Standing` and `Actions`; for games of any length, with or without a score.
    things
        Further things with a row in the table of cards, beside `cards`, which checks and limits are about.
    cards, economy, breakdowns
        See `Cards`, `Economy` and `Breakdown`.
    titles
        Display names of the other keys in the game's tables.
    length
        Column of the length of a game, if the length varies.
    levers
        Whole numbers in the rules that a designer may change to mend the game, each as "KEY=lo..hi" with a range that a
        rulebook could print; "{players}" in a key stands for the number of players.
    seat_coins
        Key of the coins that each seat starts with: a list with one value for each seat.
    material
        Patterns of the keys of the rules that are printed on what is in the box, or that say how much of it there is.
        Any other change needs only another text.
    needs
        What a player of each role is forbidden in the report, one thing at a time, by the name of the role ("player" if
        all are alike); names of restrictions, such as `equipoise restrict` takes.
    uses
        Columns that count how often a card or an action is used; patterns such as "played_*".  A change of the rules
        after which players use them far more or less makes another game.
    headlines
        The game's own analyses whose totals are kept by a run that keeps no rows; functions of the source.
    """

    turn: str | None = None
    tie_break: str | None = None
    trajectory: tuple[str, ...] = ()
    standing: Standing | None = None
    actions: Actions | None = None
    cards: Cards | None = None
    things: tuple[Cards, ...] = ()
    economy: Economy | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    titles: Names | None = None
    length: str | None = None
    levers: tuple[str, ...] = ()
    seat_coins: str | None = None
    material: tuple[str, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    uses: tuple[str, ...] = ()
    headlines: tuple[Callable[[Any], object], ...] = ()


def load_declarations(game: str) -> Declarations:
    """Return a game's declarations, which are empty if the game has no module for them.

    References
    ----------
    * docs/reference/add-a-game.md

    Examples
    --------
    >>> import equipoise as eq
    >>> declared = eq.load_declarations(eq.games()["name"][0])
    >>> type(declared).__name__
    'Declarations'
    """
    name = home(game).declarations
    try:
        declarations: Declarations = import_module(name).DECLARATIONS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return Declarations()
    return declarations


def require_wins(game: Game, what: str) -> None:
    """Raise `UsageError` for a game that is played for something else than wins, which `what` measures."""
    if game.payoff is not None:
        raise UsageError(f"{what} measures wins, and {game.title} is played for {game.payoff.unit}", "game")


def declared(part: T | None, what: str, game: str) -> T:
    """Return one part of a game's declarations; raise `Unanswered` if the game does not declare it."""
    if not part:
        raise Unanswered(
            "undeclared", "{game} declares no {what}; this analysis does not apply to it", game=game, what=what
        )
    return part
