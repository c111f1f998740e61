"""A person in one seat of a game among players: what is asked, what is chosen, and what that has cost.

The game is played in a thread of its own.  The person's seat has a policy that shows the open decision and waits for an
answer; `strategies.person_in_kernels` and `strategies.person_in_plain` say how it gets there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from simcore.errors import UsageError
from simcore.running.batch import Spec
from simcore.running.replay import Replay
from simcore.tabletop import Area

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
    """A game in which a person has a seat; see `strategies.at_the_table.take_seat`.

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
