"""A person in one seat of a game among players: what is asked, what is chosen, and what that has cost.

The game is played in a thread of its own.  The person's seat has a policy that shows the open decision and waits for an
answer; `strategies.person` and `strategies.person` say how it gets there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.game import Game
from simcore.kernel.driver import Memory
from simcore.kernel.pointers import Outsider
from simcore.plain.batch import Batch
from simcore.plain.game import PlainGame
from simcore.plain.playing import move_record
from simcore.running.batch import Spec
from simcore.running.replay import Log, Replay, first_line, replay_of
from simcore.tabletop import Area, Moment, Thing
from strategies.weighing import LEAST, Weighed, legal_moves, let_weigh, veiled

YOU = "you"
"""Name of the person among the strategies of a log."""


@dataclass(frozen=True)
class Option:
    """A legal move."""

    move: int  # its number, or its place in the list of a game in plain Python
    text: str  # what it does


@dataclass(frozen=True)
class Question:
    """A decision that is open."""

    number: int  # how many decisions were made before it
    text: str  # what is asked
    options: tuple[Option, ...]  # the legal moves
    areas: tuple[Area, ...]  # the table, as the seat sees it
    replay: Replay  # the game so far, with everything; who shows it has to leave out what the seat does not see
    seat: int  # the seat that is asked, counted from 0


@dataclass(frozen=True)
class Choice:
    """A decision that was made."""

    question: str
    answer: str
    """question, answer: The question and the text of the option."""
    loss: float | None = None
    error: float | None = None
    """loss, error: What the option loses against the best one, as a share of the win, and its standard error; None if
    unknown."""
    best: str = ""  # the option that did best
    tables: int = 0  # number of imagined tables


class Person:
    """A game in which a person has a seat; see `strategies.person.take_seat`.

    spec: Who plays, with a shipped player in the person's seat.
    seat: The person's seat, counted from 0.
    index: Index of the game.
    told: Called, in the thread of the game, when something is new.

    question : Question or None: The open decision; None while others play, and after the end.
    choices : list of Choice: What was chosen so far.
    ended : Replay or None: The game, once it is over or was left.
    fault : str: What went wrong, normally "".
    left : bool: Whether the person has left.
    Raises UsageError if there is no such seat.
    """

    def __init__(self, spec: Spec, seat: int, index: int, told: Callable[[], None] = lambda: None) -> None:
        if not 0 <= seat < spec.players:
            raise UsageError(f"there is no seat {seat + 1} at a table of {spec.players}", "seat")
        self.spec, self.seat, self.index, self.told = _with_person(spec, seat), seat, index, told
        self.question: Question | None = None
        self.choices: list[Choice] = []
        self.ended: Replay | None = None
        self.fault = ""
        self.left = False
        self._answer: int | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def begin(self) -> None:
        """Start the game."""
        self._thread.start()

    def answer(self, number: int, move: int) -> None:
        """Make a move, if the decision is still the one with that number, and the move is legal."""
        with self._changed:
            asked = self.question
            if asked is not None and asked.number == number and any(move == one.move for one in asked.options):
                self._answer = move
                self._changed.notify_all()

    def leave(self) -> None:
        """End the game; what was played is kept."""
        with self._changed:
            self.left = True
            self._changed.notify_all()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the end of the game; return whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def course(self, question: Question) -> list[str]:
        """Return the game up to a question as text, as far as the seat sees it; empty if the game does not say that."""
        return question.replay.seen_by(self.seat + 1).text().splitlines() if self.spec.game.record_kinds else []

    # --- in the thread of the game ---

    def _play_game(self) -> Replay | None:
        """Play the game; return it, or None if it was left."""
        raise NotImplementedError

    def _play(self) -> None:
        try:
            ended = self._play_game()
            self.ended = self.ended if self.left else ended
        except Exception as error:
            self.fault = str(error) or type(error).__name__
        self.question = None
        self.told()

    def _ask(self, asked: Question, ponder: Callable[[], bool] = lambda: False) -> int | None:
        """Show a decision and return the answer; None if the person leaves.

        Meanwhile `ponder` is called again and again, as long as it returns True.
        """
        self._answer = None
        self.question = asked
        self.told()
        while self._answer is None and not self.left:
            if not ponder():
                with self._changed:
                    self._changed.wait_for(lambda: self._answer is not None or self.left)
        self.question = None
        if self.left:
            self.ended = asked.replay
            return None
        return self._answer

    def _chosen(self, choice: Choice) -> None:
        self.choices.append(choice)
        self.told()


def _with_person(spec: Spec, seat: int) -> Spec:
    """Return a run in which the seats stay, and the strategy of one has the name of a person."""
    record = spec.lineup_record.copy()
    record["design"] = 0
    names = tuple(YOU if entry == seat else name for entry, name in enumerate(spec.strategies))
    return replace(spec, strategies=names, design="fixed", lineup_record=record)


# --- A person among players of a game that kernels play ---
#
# The person's seat has a policy in plain Python, which kernels call through its address like any other.  What is shown
# comes from a copy of the table in which everything was drawn again that the seat cannot know, so that nothing hidden
# can be seen.  While the person thinks, the options are tried on imagined tables.


MOST_TABLES = 400
"""Number of imagined tables after which the options of a decision are known well enough."""

ILLEGAL = -1


class AmongKernels(Person):
    """See `strategies.person.Person`."""

    def _play_game(self) -> Replay | None:
        spec, game = self.spec, self.spec.game
        self._outsider = Outsider(self._choose, game.policy_records)
        self._memory = memory = Memory(game)
        record = spec.lineup_record.copy()
        if game.search is not None:
            let_weigh(game, record, self.seat)
        for name in ("inner", "watched", "avoids", "draws"):
            record["members"][name][self.seat] = 0
        record["members"]["policy"][self.seat] = self._outsider.address
        self._lineup = memory.seated(record, spec.players)
        trace = memory.trace
        trace["on"], trace["full"], trace["used"] = 1, 0, 0
        rows, facts = np.zeros(spec.players, game.row_dtype), np.zeros(1, game.facts_dtype or np.int32)
        played = game.play_batch(
            spec.rules_record,
            self._lineup,
            memory.state,
            rows,
            facts,
            trace,
            np.uint64(spec.seed),
            np.array([self.index]),
        )
        if self._outsider.raised is not None:
            raise self._outsider.raised
        if self.left:
            return None
        fault = "" if played else game.meaning_of(int(memory.state["fault"]))
        return replay_of(spec, self.index, self._lineup, trace, rows, fault)

    def _choose(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Show the decision, and wait for the answer."""
        if self.left:
            return self._give_up(lineup)
        game, moves = self.spec.game, legal_moves(state)
        asked = question(self, rules, veiled(game, rules, lineup, state, seat), seat, moves, self._so_far())
        weighed = Weighed(game, moves)
        weigh = partial(weighed.more, rules, lineup, state, seat)
        move = self._ask(asked, lambda: weighed.tables < MOST_TABLES and weigh())
        if move is None:
            return self._give_up(lineup)
        while weighed.tables < LEAST and weigh():
            pass
        self._chosen(_choice(asked, move, weighed))
        return move

    def _so_far(self) -> Replay:
        """Return the game as far as it was played."""
        rows = np.zeros(self.spec.players, self.spec.game.row_dtype)
        return replay_of(self.spec, self.index, self._lineup, self._memory.trace, rows, "", is_whole=False)

    def _give_up(self, lineup: Any) -> int:
        """Make no legal move, nor let anybody else think, so that the kernel comes to its end at once."""
        lineup["members"]["policy"][:] = self._outsider.address
        return ILLEGAL


def question(person: Person, rules: Any, seen: Any, seat: int, moves: list[int], replay: Replay) -> Question:
    """Return what a decision asks a seat, from the table as the seat sees it."""
    game = person.spec.game
    assert game.tabletop is not None
    moment = Moment(person.spec.rules.values, rules, seen, seat)
    return Question(
        len(person.choices),
        game.tabletop.question(game.decisions[int(seen["decision"])].name, moment),
        tuple(Option(move, game.tabletop.option(moment, move)) for move in moves),
        tuple(game.tabletop.areas(moment)),
        replay,
        seat,
    )


def _choice(asked: Question, move: int, weighed: Weighed) -> Choice:
    texts = {option.move: option.text for option in asked.options}
    known = weighed.loss(move)
    if known is None:
        return Choice(asked.text, texts[move])
    return Choice(asked.text, texts[move], *known, texts[weighed.best], weighed.tables)


# A person among players of a game in plain Python: what the class says that the seat may see, and its legal moves.


LONGEST = 500
"""Number of characters of a value that are shown."""


class Left(Exception):
    """Raised in the person's seat to end the game."""


class AmongPlain(Person):
    """See `strategies.person.Person`."""

    def _play_game(self) -> Replay | None:
        spec, game = self.spec, self.spec.game
        batch = game.play_batch
        assert isinstance(batch, Batch)
        self._moves: list[dict[str, Any]] = []
        self._kind = batch.kind
        batch = batch.with_person(self._choose, self._begun, self._moved, self.seat)
        memory = Memory(game)
        lineup, trace = memory.seated(spec.lineup_record, spec.players), memory.trace
        trace["on"], trace["full"], trace["used"] = 1, 0, 0
        rows = np.zeros(spec.players, game.row_dtype)
        played = batch(
            spec.rules_record, lineup, memory.state, rows, None, trace, np.uint64(spec.seed), np.array([self.index])
        )
        if self.left:
            return None
        fault = "" if played else batch.meaning_of(int(memory.state["fault"]))
        return replay_of(spec, self.index, lineup, trace, rows, fault)

    def _begun(self, table: PlainGame) -> None:
        self._table = table

    def _moved(self, move: Any) -> None:
        """Keep a move that is about to be carried out."""
        self._moves.append(move_record(self._table, move))

    def _choose(self, view: Any, moves: Sequence[Any], draw: Any) -> Any:
        """Show the decision, and wait for the answer."""
        table = self._table
        options = tuple(Option(number, str(table.narrate(move))) for number, move in enumerate(moves))
        areas = (Area("", tuple(things(view))),)
        found = self._ask(Question(len(self.choices), "", options, areas, self._so_far(), int(table.turn)))
        if found is None:
            raise Left
        self._chosen(Choice("", options[found].text))
        return moves[found]

    def _so_far(self) -> Replay:
        """Return the game as far as it was played."""
        seats = range(self.spec.players)
        log = Log(first_line(self.spec, self.index, seats, []), tuple(self._moves), tuple(seats))
        return Replay(self.spec, (log,), np.zeros(self.spec.players, self.spec.game.row_dtype), "")


def things(view: Any) -> Iterator[Thing]:
    """Yield what a view shows: the entries of a mapping, the public attributes of an object, or its text."""
    own = {"rules", "seats", "turn"} if isinstance(view, PlainGame) else set()
    held = view if isinstance(view, Mapping) else getattr(view, "__dict__", None)
    if held is None:
        yield Thing(str(view)[:LONGEST])
        return
    for name, value in held.items():
        if not str(name).startswith("_") and name not in own:
            yield Thing(str(name).replace("_", " ").capitalize(), (str(value)[:LONGEST],))


# --- Which games a person can play a seat of, and how to begin one ---


def can_take_seat(game: Game) -> bool:
    """Return whether a person can play a game: kernels that say how their tables look, or a class in plain Python."""
    return game.tabletop is not None or (isinstance(game.play_batch, Batch) and game.play_batch.has_own_loop)


def take_seat(spec: Spec, seat: int, index: int, told: Callable[[], None] = lambda: None) -> Person:
    """Return a game in which a person has a seat, ready to `begin`; parameters as for `Person`.

    Raises UsageError if the game cannot be played by a person, or there is no such seat.
    """
    if not can_take_seat(spec.game):
        raise UsageError(f"{spec.game.title} does not say what its decisions ask; see Game.tabletop", "game")
    among = AmongKernels if spec.game.compiled else AmongPlain
    return among(spec, seat, index, told)
