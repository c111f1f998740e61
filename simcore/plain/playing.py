"""The loop that plays games of a plain class, here or in another process, and what it refuses."""

from __future__ import annotations

import json
import pickle
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from simcore.errors import UsageError, printable
from simcore.imports import Sources, file_sources, raised, sources_with
from simcore.judged import seats_by_camp
from simcore.plain.game import PlainGame, Streams, best_move

# --- Strategies that users bring to games in plain Python: functions in files of their own ---


FIRST = 1_000_000
"""Number of the first such strategy in a line-up; smaller numbers are strategies of the game's own file."""

_KNOWN: list[UserFunction] = []


@dataclass(frozen=True)
class UserFunction:
    """A strategy of a user's own.

    It is pickled as the bytes of its file, so that other processes run the same.
    """

    name: str  # its name in messages
    function: Callable[..., Any]  # takes what a seat sees, its moves and a generator; returns one of the moves

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process finds it."""
        module, attribute = self.function.__module__, self.function.__name__
        found = getattr(sys.modules.get(module), attribute, None)
        if getattr(found, "function", found) is not self.function or module == "__main__":
            raise pickle.PicklingError(f"strategy '{self.name}' is in no file")
        return NamedFunction, (self.name, sources_with(module), module, attribute)

    @property
    def travels(self) -> bool:
        """Whether another process can play it."""
        try:
            pickle.dumps(self)
        except pickle.PicklingError:
            return False
        return True


def number_of(name: str, function: Callable[..., Any]) -> int:
    """Return the number by which a line-up names a strategy of a user's own."""
    known = UserFunction(name, function)
    if known not in _KNOWN:
        _KNOWN.append(known)
    return FIRST + _KNOWN.index(known)


def user_function(number: int) -> UserFunction | None:
    """Return the strategy that a line-up names by a number; None if it is one of the game's file."""
    return _KNOWN[number - FIRST] if number >= FIRST else None


@dataclass(frozen=True)
class NamedFunction:
    """A strategy of a user's own in another process: its file is run when a game needs it."""

    name: str
    sources: Sources | None  # what is run; None if it is installed
    module: str
    attribute: str

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function; see `UserFunction`."""
        if self.sources is not None:
            self.sources.run(f"strategy '{self.name}'", "strategies")
        found = getattr(import_module(self.module), self.attribute)
        return getattr(found, "function", found)


# --- The loop that plays games of a plain class, here or in another process, and what it refuses ---


LINEUP, DECISION = " line-up", " decision"
"""Purposes of draws that are not the game's own; a game's purposes hardly begin with a blank."""

FIXED, ROTATE, SHUFFLE = range(3)
"""Designs, numbered as in `simcore.kernel.lineup`."""

MOST_CHOICES = 100_000
"""Largest number of moves that a seat may choose from, if they are listed; a `range` may have any number."""


@dataclass(frozen=True)
class Seating:
    """Who sits where: the design, and for each seat the first and the number of the seats its player moves among."""

    design: int
    turns: int
    first: tuple[int, ...]
    among: tuple[int, ...]

    def deal_of(self, game: int) -> int:
        """Return the number of the random stream of a game."""
        return game // self.turns if self.design == ROTATE else game

    def members(self, game: int, streams: Streams) -> list[int]:
        """Return the member of the line-up in each seat."""
        turned = game % self.turns if self.design == ROTATE else 0
        found = [
            first + (seat - first + turned) % among
            for seat, (first, among) in enumerate(zip(self.first, self.among, strict=True))
        ]
        if self.design == SHUFFLE:
            draw = streams.of(LINEUP)
            for seat, (first, among) in enumerate(zip(self.first, self.among, strict=True)):
                other = draw.randrange(seat, first + among)
                found[seat], found[other] = found[other], found[seat]
        return found


@dataclass(frozen=True)
class Job:
    """Games to play."""

    rules: dict[str, Any]  # the rule values
    strategies: tuple[str, ...]  # names of the strategies by member of the line-up
    blunders: tuple[float, ...]  # by member: the chance of a random move
    opens: tuple[bool, ...]  # by member: whether its first move in a game is random
    sees: tuple[bool, ...]  # by member: whether it looks ahead at the table as it is
    seating: Seating
    watched: bool  # whether to stop if a strategy changes the game, or a game is not the same when it is played twice
    seed: int
    games: Sequence[int]
    """seed, games: Seed of the run, and the indices of the games."""
    recorded: bool = False  # whether to keep the records of a replay log; of one game only
    apart: tuple[str, ...] = ()
    afresh: int = 0
    """apart, afresh: Purposes that are sources of their own, and which sources are drawn afresh; see
    `simcore.plain.game.Streams`."""
    own: tuple[UserFunction | NamedFunction | None, ...] = ()
    """By member: the strategy of the user's own that it plays, if any."""
    camps: tuple[str, ...] = ()  # by row: the camp, if it is drawn anew in each game


@dataclass
class Played:
    """What came of a job."""

    words: array[int] = field(default_factory=partial(array, "i"))
    """For each game and seat: member of the line-up, place (0 if nobody won), payoff, seat at the table and the class's
    own columns (as far as the game has them), and number of moves."""
    games: int = 0  # number of games without a fault
    fault: str = ""  # what was wrong with the next game; empty if nothing was
    seated: tuple[int, ...] = ()  # the member of the line-up in each row of the last game
    log: list[dict[str, Any]] = field(default_factory=list)  # records of its replay log
    purposes: tuple[str, ...] = ()  # what the game drew random numbers for, in any of the games
    choices: bool = False  # whether anybody had several moves to choose from, in any of the games


LARGEST = 2**31 - 1
"""Largest payoff that can be kept."""


class Fault(Exception):
    """Raised if a game or a strategy does what it must not; the message says what."""


def scored(kind: type[PlainGame]) -> bool:
    """Return whether a game has payoffs."""
    return kind.payoffs is not PlainGame.payoffs or kind.decimals is not None


def drawn(kind: type[PlainGame]) -> bool:
    """Return whether who wins together is drawn anew in each game."""
    return kind.camp is not PlainGame.camp


def drawn_camps(kind: type[PlainGame], seats: int) -> list[str]:
    """Return the camp of each seat in a game of the base rules."""
    streams = Streams()
    streams.begin(0, 0)
    return camps_of(started(kind, {}, seats, streams))


def started(kind: type[PlainGame], rules: Mapping[str, Any], seats: int, streams: Streams) -> PlainGame:
    """Return a game that has just begun."""
    game = kind()
    game.rules, game.seats, game.turn, game._streams = kind.Rules(**rules), seats, 0, streams
    game.start()
    return game


def camps_of(game: PlainGame) -> list[str]:
    """Return the camp of each seat of a game that has begun."""
    drawn = [game.camp(seat) for seat in range(game.seats)]
    if not all(isinstance(name, str) and name.strip() for name in drawn) or len(set(drawn)) < 2:
        raise Fault(f"camp says {short(drawn)}; return the names of two camps or more")
    return drawn


def play(kind: type[PlainGame], job: Job) -> Played:
    """Play games one after the other, up to the first with a fault."""
    streams, done = Streams(job.apart, job.afresh), Played()
    strategies = [kind.strategies.get(name) for name in job.strategies]
    file = str(sys.modules[kind.__module__].__file__)
    try:
        for member, own in enumerate(job.own):
            strategies[member] = own.function if own else strategies[member]
        table = (kind.table or Table)(kind, job, strategies, done)
    except Fault as fault:
        done.fault = str(fault)
        return done
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a game may derive classes from it
        done.fault = raised(error, [file])
        return done
    for index in job.games:
        streams.begin(job.seed, job.seating.deal_of(index))
        done.seated, done.log = tuple(job.seating.members(index, streams)), []
        try:
            words = table.play(streams)
            if job.watched and words != table.play(_again(job, index)):
                advice = "draw from self.chance only" if kind.table is None else "its seed does not decide everything"
                raise Fault(f"the same game took another course when it was played twice; {advice}")
        except Fault as fault:
            done.fault = str(fault)
            return done
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            done.fault = raised(error, [file])
            return done
        done.words.extend(words)
        done.games += 1
    done.purposes = tuple(sorted(streams.purposes - {LINEUP, DECISION}))
    return done


def _again(job: Job, index: int) -> Streams:
    fresh = Streams(job.apart, job.afresh)
    fresh.begin(job.seed, job.seating.deal_of(index))
    return fresh


class Table:
    """Where the games of a job are played, one after the other."""

    game: PlainGame
    streams: Streams

    def __init__(
        self, kind: type[PlainGame], job: Job, strategies: Sequence[Callable[..., Any] | None], done: Played
    ) -> None:
        self.kind, self.job, self.strategies, self.done = kind, job, strategies, done
        self.begun: set[int] = set()
        self.chairs: Sequence[int] = range(len(job.strategies))

    def play(self, streams: Streams) -> list[int]:
        """Play a game, and return its words: see `Played`."""
        kind, moves, self.streams = self.kind, 0, streams
        self.begun.clear()
        self.game = game = started(kind, self.job.rules, len(self.job.strategies), streams)
        camps = self._seat_camps() if drawn(kind) else []
        while (over := game.over()) is not True:
            if over is not False and _ended(over):
                break
            if moves == self.kind.most_moves:
                raise Fault(f"the game did not end within {moves:,} moves; most_moves sets the limit")
            move = self._chosen()
            if isinstance(move, float) and not isfinite(move):
                raise Fault(f"legal contains {move}, which is no number that a log can hold; name the move by a text")
            if self.job.recorded:
                self.done.log.append(move_record(game, move))
            game.apply(move)
            if self.job.recorded and self.kind.held is not PlainGame.held:
                self.done.log[-1]["held"] = holdings(self.game)
                if secret := [name for name in self.done.log[-1]["held"] if name in self.kind.secret]:
                    self.done.log[-1]["secret"] = secret
            moves += 1
        if camps and camps_of(game) != camps:
            raise Fault(
                f"camp says {short(camps_of(game))} at the end and {short(camps)} after start; draw it in start"
            )
        return self._result(moves)

    def _seat_camps(self) -> list[str]:
        """Seat the camps one after the other, as the table of a run has them, and return the camp of each seat."""
        camps, wanted = camps_of(self.game), self.job.camps
        if sorted(camps) != sorted(wanted):
            raise Fault(
                f"camp says {short(camps)}, and under the base rules {short(list(wanted))} in some order; a camp has "
                "the same number of seats in every game"
            )
        self.chairs = seats_by_camp(camps, wanted)
        if self.job.recorded:
            self.done.log.append({"kind": "camps", "camp": camps})
        return camps

    def _chosen(self) -> Any:
        game = self.game
        if isinstance(game.turn, bool) or not isinstance(game.turn, Integral) or not 0 <= game.turn < game.seats:
            raise Fault(f"turn is {short(game.turn)}, which is no seat; seats are counted from 0 to {game.seats - 1}")
        seat, moves = game.turn, game.legal()
        if not isinstance(moves, list | tuple | range) or not moves:
            raise Fault(f"legal returned {short(moves)} for seat {seat + 1}; return a list with at least one move")
        if len(moves) > MOST_CHOICES and not isinstance(moves, range):
            raise Fault(f"legal returned {len(moves):,} moves for seat {seat + 1}; list at most {MOST_CHOICES:,}")
        self.done.choices |= len(moves) > 1
        member = self.done.seated[self.chairs.index(seat)]
        name, choose = self.job.strategies[member], self.strategies[member]
        draw, blunder = self.streams.of(DECISION, seat), self.job.blunders[member]
        opening = self.job.opens[member] and seat not in self.begun
        self.begun.add(seat)
        if choose is None or opening or (blunder and draw.random() < blunder):
            return draw.choice(moves)
        before = _contents(game) if self.job.watched else b""
        seen = game if choose is PlainGame.rollout else game.view(seat)  # it deals again what the seat cannot know
        move = best_move(game, moves, draw, True) if self.job.sees[member] else choose(seen, moves, draw)
        if self.job.watched and _contents(game) != before:
            raise Fault(f"strategy '{name}' changed the game; give it a copy in view, or let it only read")
        if move not in moves:
            raise Fault(f"strategy '{name}' chose {short(move)} in seat {seat + 1}, which is not legal")
        return move

    def _result(self, moves: int) -> list[int]:
        scores, ranked = ended(self.game)
        if self.job.recorded:
            payoffs = {"payoffs": scores} if scores else {}
            self.done.log.append({"kind": "end", "place": ranked, **payoffs})
        own = self._own_columns()
        words: list[int] = []
        for row, seat in enumerate(self.chairs):
            chair = [seat + 1] if drawn(self.kind) else []
            columns = [values[seat] for values in own]
            words += [self.done.seated[row], ranked[seat], *scores[seat : seat + 1], *chair, *columns, moves]
        return words

    def _own_columns(self) -> list[list[int]]:
        """Return the numbers of the columns that the class declares, one for each seat."""
        held = holdings(self.game) if self.kind.columns else {}
        columns = []
        for name in self.kind.columns:
            if name not in held:
                raise Fault(f"held returned no '{name}', which columns names")
            if wrong := [value for value in held[name] if value != int(value) or abs(value) > LARGEST]:
                raise Fault(f"held returned {short(wrong[0])} for '{name}' at the end; a column takes whole numbers")
            columns.append(list(map(int, held[name])))
        return columns


def holdings(game: PlainGame) -> dict[str, list[float]]:
    """Return the numbers that each seat holds, by name."""
    found = game.held()
    if not isinstance(found, Mapping):
        raise Fault(f"held returned {short(found)}; return a mapping of names to numbers, one for each seat")
    return {str(name): [_number(value) for value in _by_seat(game, "held", values)] for name, values in found.items()}


def ended(game: PlainGame) -> tuple[list[int], list[int]]:
    """Return the payoffs of a game that is over, if it has any, and the place of each seat: 0 if nobody won."""
    kind, scores = type(game), []
    if scored(kind):
        scores = [_payoff(payoff) for payoff in _by_seat(game, "payoffs", game.payoffs())]
    if kind.places is not PlainGame.places:
        said = game.places()
        places = [] if said is None else [_place(place, game.seats) for place in _by_seat(game, "places", said)]
        if places and min(places) != 1:
            raise Fault(
                f"places returned {short(places)}; somebody has to be first, in place 1; return None if nobody won"
            )
    else:
        places = [score if kind.lowest_wins else -score for score in scores]
    return scores, [1 + sum(other < place for other in places) for place in places] or [0] * game.seats


def _by_seat(game: PlainGame, method: str, found: Any) -> list[Any]:
    if not isinstance(found, list | tuple) or len(found) != game.seats:
        raise Fault(
            f"{method} returned {short(found)}; return a list with one number for each of the {game.seats} seats"
        )
    return list(found)


def move_record(game: PlainGame, move: Any) -> dict[str, Any]:
    """Return the record of a move that is about to be carried out."""
    record = {"kind": "move", "seat": game.turn + 1, "move": jsonable(move), "says": str(game.narrate(move))}
    hidden = [seat + 1 for seat in range(game.seats) if seat != game.turn and not game.sees(seat, move)]
    return record | ({"hidden_from": hidden} if hidden else {})


def _ended(over: Any) -> bool:
    """Return what `over` says, also in NumPy's words."""
    if isinstance(over, np.bool_):
        return bool(over)
    raise Fault(f"over returned {short(over)}; return True or False")


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise Fault(f"held contains {short(value)}; give a number for each seat")
    return int(value) if isinstance(value, Integral) else float(value)


def _payoff(payoff: Any) -> int:
    if isinstance(payoff, bool) or not isinstance(payoff, Integral) or abs(int(payoff)) > LARGEST:
        raise Fault(f"payoffs contains {short(payoff)}; give whole numbers, in the smallest unit of the score")
    return int(payoff)


def _place(place: Any, seats: int) -> int:
    if isinstance(place, bool) or not isinstance(place, Integral) or not 1 <= int(place) <= seats:
        alone = "; return None by itself if nobody won" if place is None else ""
        raise Fault(f"places contains {short(place)}; give whole numbers from 1, which is best, to {seats}{alone}")
    return int(place)


def _contents(game: PlainGame) -> bytes:
    """Return everything that a game holds except for its generators; what cannot be pickled is left out."""
    found = {name: value for name, value in vars(game).items() if name != "_streams"}
    try:
        return pickle.dumps(found)
    except Exception:
        return repr(sorted(found.items(), key=str)).encode()


def jsonable(value: Any) -> Any:
    """Return a move as JSON can write it."""
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    return str(value)


def short(value: Any) -> str:
    """Return a value as text of at most 80 characters."""
    try:
        text = repr(value)
    except Exception:
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def encoded(log: list[dict[str, Any]]) -> bytes:
    """Return the records of a log as bytes, in whole words of 32 bits."""
    data = json.dumps(log).encode()
    return data + b" " * (-len(data) % 4)


# --- Run a Python file and find the game that it defines ---


@dataclass(frozen=True)
class Opened:
    """A game behind a door."""

    kind: type[PlainGame]
    sha256: str  # digest of its code
    modules: Mapping[str, str]  # see `simcore.imports.Sources.modules`


def opened(path: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Run a Python file, once for each process, and return the game that it defines.

    sha256, modules: The digest that it must have, and its modules; empty and None if it may be any.
    Raises UsageError if the file cannot be read or run, is not the file that is wanted, or does not define one game.
    """
    label = printable(str(path))
    sources = file_sources(path, label, "game")
    if modules is not None:
        sources = sources.with_modules(modules, label, "game")
    if sha256 not in ("", sources.sha256):
        raise UsageError(
            f"{label}: is not the file that the games were played with (its SHA-256 differs), so it was not run", "game"
        )
    found = [
        value
        for value in vars(sources.run(label, "game")).values()
        if isinstance(value, type) and issubclass(value, PlainGame) and value.__module__ == sources.name
    ]
    if len(found) != 1:
        many = "no class" if not found else f"{len(found)} classes"
        raise UsageError(f"{label}: has {many} derived from equipoise.PlainGame; a file holds one game", "game")
    return Opened(found[0], sources.sha256, sources.modules)
