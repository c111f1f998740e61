"""The game in which somebody plays a seat: one at a time in a lab, whose log is kept in a folder."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from equipoise.lab.jobs import RUNS
from equipoise.lab.session import Session
from simcore.atomic import write
from simcore.running.replay import Replay
from strategies.person import Choice, Person, can_take_seat, take_seat

INDICES = 2**31
"""Numbers among which that of a new game is drawn."""

PATIENCE = 10.0
"""Seconds that a game gets to end with the lab."""

LOG, TEXT = "game.jsonl", "game.txt"


class PersonsGame:
    """The game that is played, or was played last.

    session: The rules in force, and who plays.

    person : Person or None: The game; None before the first.
    news : int: Grows whenever there is something new.
    kept : Path or None: The folder of the game, once it has ended or was left.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.person: Person | None = None
        self.news = 0
        self.kept: Path | None = None

    @property
    def possible(self) -> bool:
        """Whether a person can play this game."""
        return can_take_seat(self.session.game)

    @property
    def goes_on(self) -> bool:
        """Whether a game is played."""
        person = self.person
        return person is not None and person.ended is None and not person.fault

    def begin(self, seat: int, index: int | None = None) -> None:
        """Begin a game by the rules in force, in a seat counted from 0; leave the one before.

        Raises UsageError if the seat or the game cannot be played.
        """
        self.leave()
        spec = self.session.spec
        number = secrets.randbelow(INDICES) if index is None else index
        person = take_seat(spec, seat, number, lambda: self._tell(person))
        self.person, self.kept = person, None
        self._new()
        person.begin()

    def leave(self) -> None:
        """End the game; its log is kept."""
        if self.person is not None and self.goes_on:
            self.person.leave()
            self._new()

    def close(self) -> None:
        """End the game, and wait until its log is kept."""
        self.leave()
        if self.person is not None:
            self.person.join(PATIENCE)

    def _new(self) -> None:
        self.news += 1

    def _tell(self, person: Person) -> None:
        """Keep a game that has ended, and say that there is something new; called in the thread of the game."""
        if person.ended is not None and person is self.person and self.kept is None:
            try:
                self.kept = keep(person.ended)
            except OSError as error:
                person.fault = str(error)
        self._new()


def keep(played: Replay, folder: Path | None = None) -> Path:
    """Write the log and the text of a game into a new folder, and return it."""
    found = folder or RUNS / f"lab-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}-play"
    found.mkdir(parents=True)
    for name, text in ((LOG, played.jsonl()), (TEXT, played.text())):
        write(found / name, text)
    return found


def lost(choices: Sequence[Choice]) -> float | None:
    """Return what some choices have lost together, as a share of the win; None if nothing is known of any."""
    known = [choice.loss for choice in choices if choice.loss is not None]
    return sum(known) if known else None
