"""The class from which a game in plain Python is made."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from struct import Struct
from typing import Any, ClassVar, Self, TypeVar

# --- Random numbers for games in plain Python: one generator for each seed, deal, purpose and slot ---


_BLOCK = Struct("<8Q")
_WORD = 64


class Stream(random.Random):
    """A generator with all methods of `random.Random`, whose words are the BLAKE2b hashes of an address.

    The words do not depend on Python's version or machine, nor on what other streams have drawn.
    """

    def begin(self, address: str) -> None:
        """Point the generator at the first word of an address."""
        self._address, self._number, self.gauss_next = address, 0, None
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            self._words += _BLOCK.unpack(blake2b(f"{self._number}|{self._address}".encode()).digest())
            self._number += 1
        return self._words.pop()

    def getrandbits(self, k: int) -> int:
        """Return a whole number of k random bits."""
        if k <= 0:
            return super().getrandbits(k)  # raises what Python raises
        found = 0
        for _ in range(-(-k // _WORD)):
            found = found << _WORD | self._word()
        return found >> -k % _WORD

    def random(self) -> float:
        """Return a number from 0 to below 1."""
        return float((self._word() >> 11) * 2.0**-53)

    def seed(self, *_: Any, **__: Any) -> None:
        """Do nothing: the seed of the run, the deal and the purpose decide."""


def _numbers(address: str) -> Iterator[float]:
    for number in count():
        for word in reversed(_BLOCK.unpack(blake2b(f"{number}|{address}".encode()).digest())):
            yield (word >> 11) * 2.0**-53


class Streams:
    """The generators of one game; they are kept, and begin anew with each deal.

    apart: Purposes that are sources of their own, numbered from 1; all others are source 0.
    afresh: Bit k is set if source k draws other numbers than the deal's.
    """

    def __init__(self, apart: Sequence[str] = (), afresh: int = 0) -> None:
        self._afresh = {purpose: bool(afresh >> number & 1) for number, purpose in enumerate(apart, 1)}
        self._others = bool(afresh & 1)
        self._known: dict[tuple[str, int], Stream] = {}
        self._begun: set[Stream] = set()
        self._numbered: set[str] = set()
        self._deal = ""

    def begin(self, seed: int, deal: int) -> None:
        """Point all generators at a deal of a run."""
        self._deal = f"{seed}|{deal}"
        self._begun.clear()

    def of(self, purpose: str, slot: int = 0) -> Stream:
        """Return the generator for a purpose and a slot."""
        stream = self._known.get((purpose, slot))
        if stream is None:
            stream = self._known[purpose, slot] = Stream()
        if stream not in self._begun:
            stream.begin(self._address(purpose, slot))
            self._begun.add(stream)
        return stream

    def numbers(self, purpose: str, slot: int = 0) -> Callable[[], float]:
        """Return a function that gives what `random` of this generator gives from its first word on, in less time."""
        self._numbered.add(purpose)
        return _numbers(self._address(purpose, slot)).__next__

    def _address(self, purpose: str, slot: int) -> str:
        deal = f"afresh|{self._deal}" if self._afresh.get(purpose, self._others) else self._deal
        return f"{deal}|{slot}|{purpose}"

    @property
    def purposes(self) -> set[str]:
        """All purposes that any game has drawn for."""
        return self._numbered | {purpose for purpose, _ in self._known}


# --- The player of games in plain Python who looks ahead: every move is tried in imagined games ---


G = TypeVar("G", bound="PlainGame")
SHARED = ("rules", "_streams")
"""Attributes of a game that a copy does not copy."""


def copy_of(game: G, rng: random.Random) -> G:
    """Return a copy of a game, whose further chance is not that of the game."""
    made = object.__new__(type(game))
    vars(made).update(deepcopy({name: value for name, value in vars(game).items() if name not in SHARED}))
    made.rules, made._streams = game.rules, Streams()
    made._streams.begin(rng.getrandbits(60), 0)
    return made


def best_move(game: PlainGame, moves: Sequence[Any], rng: random.Random, sees_everything: bool = False) -> Any:
    """Return the move that wins most often in imagined games, in which all play at random after it.

    sees_everything: Whether it knows what is hidden; otherwise it is drawn again.
    """
    seat, won = game.turn, [0.0] * len(moves)
    for _ in range(max(game.imagined // len(moves), 1)):
        imagined = copy_of(game, rng) if sees_everything else game.imagine(seat, rng)
        for number, move in enumerate(moves):
            won[number] += _part(_played_on(copy_of(imagined, rng), move, rng), seat)
    return moves[max(range(len(moves)), key=won.__getitem__)]


def _played_on(game: G, move: Any, rng: random.Random) -> G:
    game.apply(move)
    for _ in range(game.most_moves):
        if game.over():
            return game
        legal = game.legal()
        game.apply(legal[int(rng.random() * len(legal))])
    raise RuntimeError(f"an imagined game did not end within {game.most_moves:,} moves")


def _part(game: PlainGame, seat: int) -> float:
    """Return a seat's part of the win at the end of a game."""
    try:
        places = game.places()
    except NotImplementedError:
        places = [payoff if game.lowest_wins else -payoff for payoff in game.payoffs()]
    if places is None:
        return 0.0
    ranks = list(places)
    best = min(ranks)
    return (ranks[seat] == best) / ranks.count(best)


# --- The class from which a game in plain Python is made ---


Strategy = Callable[[Any, Sequence[Any], random.Random], Any]
"""Function of what the seat sees, its legal moves and a generator of its own; returns one of the moves."""


class PlainGame:
    """A game in plain Python; a class derived from it in a file of yours is a game that every command can play.

    A game defines `start`, `legal`, `apply`, `over`, and `places` or `payoffs`.  `view` says what a seat may see,
    `sees` whether it sees a move, `narrate` how a replay tells a move, and `held` what it shows after each; `imagine`
    is for players who look ahead, and `camp` for secret roles.

    Attributes
    ----------
    name, title : str
        Name in commands and tables, and display name.  If empty, made from the name of the file and of the class.
    players : range or int
        Numbers of players, 2 to 8.
    default_players : int or None
        Number of players if the user gives none.  If None, the smallest.
    Rules : type
        A dataclass or pydantic model with a default for every rule value; `--set` and rule files change them.
    strategies : mapping
        Functions `(view, moves, rng)` by name; each returns one of the moves.  "random" is always there;
        `PlainGame.rollout` looks ahead.
    default : str
        The strategy that plays if the user names none.  If empty, the first of `strategies`.
    most_moves : int
        Number of moves after which a game counts as endless.
    imagined : int
        Number of games that `rollout` imagines for a move.
    lowest_wins : bool
        Whether the lowest payoff wins.
    teams : str
        Seats that win together, such as "13/24" for partners who sit opposite; then there is one number of players.
    camps : mapping
        What each camp that `camp` names is meant to win, such as `{"wolves": 0.4, "villagers": 0.6}`.  If empty, all
        the same.
    played_for : mapping or None
        What the payoffs stand for, if they matter and not the wins, such as
        `{"unit": "chips", "least": -2, "most": 2, "stake": 1}`: what they count, the smallest and the largest payoff of
        a seat, and what is at stake in a game.  The payoffs of a game add up to 0, or to its "total".
    secret : collection of str
        Names in what `held` returns of which a seat sees only its own number.
    columns : mapping
        What `held` returns that the table of a run keeps, as it is at the end of a game: the meaning by name, such as
        `{"cards": "cards that the seat has left"}`.
    rules
        During a game: an instance of `Rules`.
    seats : int
        During a game: the number of players.
    turn : int
        During a game: the seat that chooses next, counted from 0; the game changes it.

    Examples
    --------
    >>> class Race(PlainGame):
    ...     def start(self):
    ...         self.steps = [0] * self.seats
    ...     def legal(self):
    ...         return [1, 2]
    ...     def apply(self, move):
    ...         self.steps[self.turn] += self.chance("die").randint(1, 6) // move
    ...         self.turn = (self.turn + 1) % self.seats
    ...     def over(self):
    ...         return max(self.steps) >= 10
    ...     def payoffs(self):
    ...         return self.steps
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    players: ClassVar[range | int] = 2
    default_players: ClassVar[int | None] = None
    strategies: ClassVar[Mapping[str, Strategy]] = {}
    default: ClassVar[str] = ""
    most_moves: ClassVar[int] = 10_000
    imagined: ClassVar[int] = 100
    lowest_wins: ClassVar[bool] = False
    teams: ClassVar[str] = ""
    camps: ClassVar[Mapping[str, float]] = {}
    played_for: ClassVar[Mapping[str, Any] | None] = None
    secret: ClassVar[Collection[str]] = ()
    columns: ClassVar[Mapping[str, str]] = {}
    table: ClassVar[Any] = None  # a door's own loop in place of `simcore.plain.playing.Table`
    decimals: ClassVar[int | None] = None  # of a door's score; None if it has none

    @dataclass
    class Rules:
        """No rule values."""

    rules: Any
    seats: int
    turn: int
    _streams: Streams

    def start(self) -> None:
        """Set up the game for `self.seats` players under `self.rules`."""
        raise NotImplementedError

    def legal(self) -> Sequence[Any]:
        """Return the moves of the seat `self.turn`, at least one."""
        raise NotImplementedError

    def apply(self, move: Any) -> None:
        """Carry out a move of the seat `self.turn`, and say in `self.turn` who chooses next."""
        raise NotImplementedError

    def over(self) -> bool:
        """Return whether the game has ended."""
        raise NotImplementedError

    def places(self) -> Sequence[int] | None:
        """Return the place of each seat at the end: 1 is best, equal when tied; None if nobody won.

        By default, the payoffs decide.
        """
        raise NotImplementedError

    def payoffs(self) -> Sequence[int]:
        """Return the score of each seat at the end, in whole numbers.  Without it, the game has no score."""
        raise NotImplementedError

    def camp(self, seat: int) -> str:
        """Return the camp of a seat, counted from 0, as `start` has drawn it; who is in a camp wins together.

        The seats of a run are then those of the camps, one camp after the other: seat 1 is the first of the first camp,
        wherever it sits, and `chair` in the table says where.  Each camp is a role, which `--strategies` takes.  For
        each number of players, a camp has the same number of seats in every game.
        """
        raise NotImplementedError

    def view(self, seat: int) -> Any:
        """Return what a seat, counted from 0, may see.  By default, the whole game: nothing is hidden."""
        return self

    def sees(self, seat: int, move: Any) -> bool:
        """Return whether a seat, counted from 0, sees a move of the seat `self.turn`, before it is carried out.

        `replay --as seat-3` leaves out the others.  A seat always sees its own moves.  By default, everybody sees all.
        """
        return True

    def imagine(self, seat: int, rng: random.Random) -> Self:
        """Return a copy of the game, in which what a seat cannot know is drawn again.

        By default, a plain copy, which is right if nothing is hidden.  A class with a `view` calls this one with
        `super().imagine(seat, rng)`, and deals the hidden cards of the copy again.

        seat: The seat that looks ahead, counted from 0.
        """
        return copy_of(self, rng)

    def rollout(self, moves: Sequence[Any], rng: random.Random) -> Any:
        """Return the move that wins most often in imagined games, in which all play at random after it.

        It is a strategy: `strategies = {"rollout": PlainGame.rollout}`.
        """
        return best_move(self, moves, rng)

    def narrate(self, move: Any) -> str:
        """Return the words in which a replay tells a move of the seat `self.turn`, before it is carried out."""
        return str(move)

    def held(self) -> Mapping[str, Sequence[float]]:
        """Return what each seat has now, as a replay shows it: by name, one number for each seat.

        The page of a game draws the first of them.  By default, there is nothing to show.
        """
        return {}

    def chance(self, purpose: str, slot: int = 0) -> random.Random:
        """Return the generator of random numbers for one purpose, such as "deck" or "die".

        Each purpose has numbers of its own in each deal.  What one purpose draws does not change what another one
        draws, so that the same deck is dealt whatever the players do and, as far as possible, under changed rules.

        purpose: A word for what is drawn.
        slot: A number for what is drawn anew, such as the round or the seat.
        """
        return self._streams.of(purpose, slot)
