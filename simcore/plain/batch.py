"""The entry point that plays batches of games in plain Python, for everything that plays games."""

from __future__ import annotations

import atexit
import json
import pickle
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from ctypes import string_at
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from simcore.child_processes import environment, python
from simcore.declared import LOG_WORDS, Declaration
from simcore.errors import UsageError
from simcore.game import SHARE_UNITS
from simcore.imports import given
from simcore.judged import first_share
from simcore.kernel.records import words
from simcore.kernel.streams import FRESH
from simcore.plain.game import PlainGame, Strategy
from simcore.plain.playing import Job, Played, Seating, UserFunction, encoded, play, user_function

# --- Processes that play games in plain Python beside this one; they run `simcore.doors.worker` ---


class Worker:
    """A process that plays the games of one file; it gets the bytes that this process has run, and reads none."""

    def __init__(self, path: str, declaration: Declaration) -> None:
        self._process = subprocess.Popen(
            python("simcore.doors.worker", path, declaration.sha256),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        assert self._process.stdin
        with suppress(OSError):  # `play` says that it has ended
            pickle.dump((declaration.modules, given()), self._process.stdin)

    def play(self, job: Job) -> Played:
        """Play some games, while other threads of this process run."""
        assert self._process.stdin and self._process.stdout
        try:
            pickle.dump(job, self._process.stdin)
            self._process.stdin.flush()
            found: Played = pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            code = self._process.wait()
            return Played(
                fault=f"the process that played the games ended (code {code}); play with one thread to see why"
            )
        return found

    @property
    def runs(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()


class Workers:
    """The processes that are free, for one file."""

    def __init__(self, path: str, declaration: Declaration) -> None:
        self._named = path, declaration
        self._free: list[Worker] = []
        self._all: list[Worker] = []
        atexit.register(self._end)

    def play(self, job: Job) -> Played:
        """Let a free process, or a new one, play some games."""
        try:
            worker = self._free.pop()
        except IndexError:
            worker = Worker(*self._named)
            self._all.append(worker)
        found = worker.play(job)
        if worker.runs:
            self._free.append(worker)
        else:
            self._drop_ended()
        return found

    def _drop_ended(self) -> None:
        """Forget all processes that have ended, of which another thread may have taken some meanwhile."""
        for worker in [one for one in self._all if not one.runs]:
            for some in (self._free, self._all):
                with suppress(ValueError):
                    some.remove(worker)

    def _end(self) -> None:
        for worker in self._all:
            with suppress(OSError):
                worker.end()


# --- The entry point that plays batches of games in plain Python, for everything that plays games ---


FEW = 5_000
"""Number of games that this process plays before it starts others, which takes them a while."""

PERSON = " person"
"""Name of the strategy of a person."""

OWN_FAULT = 1_000
"""Number of the first fault; each has a text of its own."""


class Batch:
    """Plays games of a class, here or, if other threads play here already, in another process.

    Its parameters when called are those of `simcore.game.Game.play_batch`.

    kind: The class.
    declaration: What it declares.
    path: Path of its file.
    """

    elsewhere = False
    """Whether to play in another process in any case, to see that it plays the same games."""

    def __init__(self, kind: type[PlainGame], declaration: Declaration, path: str) -> None:
        self._kind, self._declaration = kind, declaration
        self._workers = Workers(path, declaration)
        self._unit = SHARE_UNITS[6 if declaration.players[1] <= 6 else 8]
        self._share = f"share{self._unit}"
        self._lock, self._threads, self._played = threading.Lock(), 0, 0
        self._told: list[str] = []
        self._person: int | None = None

    @property
    def kind(self) -> type[PlainGame]:
        """The class."""
        return self._kind

    @property
    def hides(self) -> bool:
        """Whether a seat that looks ahead draws anything again."""
        return self._kind.imagine is not PlainGame.imagine

    def rolls_out(self, name: str) -> bool:
        """Return whether a strategy of the game looks ahead."""
        return self._kind.strategies.get(name) is PlainGame.rollout

    @property
    def has_own_loop(self) -> bool:
        """Whether the game is played by the loop of `simcore.plain.playing`, and not by that of a library."""
        return self._kind.table is None

    def with_person(
        self, choose: Strategy, begun: Callable[[PlainGame], None], moved: Callable[[Any], None], member: int
    ) -> Batch:
        """Return the same for games in which a person plays for a member of the line-up, in this process.

        choose: Makes the person's moves.
        begun, moved: Called with the game before it starts, and with every move before it is carried out.
        member: Index of the person's member of the line-up.
        """
        found = copy(self)
        found._kind, found._person = shared(self._kind, choose, begun, moved), member
        return found

    def __call__(
        self, rules: Any, lineup: Any, state: Any, rows: Any, facts: Any, trace: Any, seed: Any, games: Any
    ) -> int:
        """Play games, and fill their rows; return how many have no fault."""
        if not len(games):
            return 0
        job = self.job(rules, lineup, trace, int(seed), games.tolist(), len(rows) // len(games))
        job = replace(job, **_sources(int(state["rng"]["fresh"])))
        if self._person is not None:
            names = [PERSON if member == self._person else name for member, name in enumerate(job.strategies)]
            found = play(self._kind, replace(job, strategies=tuple(names)))
        else:
            with self._counted(len(games)) as here:
                here = here or not all(mine.travels for mine in job.own if isinstance(mine, UserFunction))
                found = play(self._kind, job) if here else self._workers.play(job)
        lineup["seated"][: len(found.seated)] = found.seated
        state["fault"] = self._code(found.fault) if found.fault else 0
        self._fill(rows, found)
        if trace["on"]:
            if found.games:
                by_seat = rows[np.argsort(rows["chair"])] if self._declaration.camps else rows
                found.log[-1][self._share] = by_seat[self._share].tolist()
            data = np.frombuffer(encoded(found.log), np.int32)[:LOG_WORDS]
            trace["words"][: len(data)], trace["used"] = data, len(data)
        return found.games

    def purposes(self, rules: Any, lineup: Any, trace: Any, seed: int, games: int, players: int) -> tuple[str, ...]:
        """Return what the first games of a run draw random numbers for, in alphabetical order."""
        return play(self._kind, self.job(rules, lineup, trace, seed, list(range(games)), players)).purposes

    def nobody_chooses(self, rules: Any, lineup: Any, trace: Any, games: int, players: int) -> bool:
        """Return whether no seat has several moves to choose from in some games of random players."""
        job = replace(self.job(rules, lineup, trace, 1, [], players), strategies=("random",) * players, own=())
        tried = (play(self._kind, replace(job, games=[index])) for index in range(games))
        return not any(one.fault or one.choices for one in tried)

    def meaning_of(self, fault: int) -> str:
        """Return what was wrong in a game."""
        return self._told[fault - OWN_FAULT]

    def job(self, rules: Any, lineup: Any, trace: Any, seed: int, games: list[int], players: int) -> Job:
        """Return games of a run as `simcore.plain.playing.play` takes them."""
        members = lineup["members"][:players]
        own = tuple(map(user_function, members["policy"].tolist()))
        if members["temperature"].any():
            raise UsageError("a game in plain Python knows no temperature; take it out of the strategy", "strategies")
        seating = Seating(
            int(lineup["design"]),
            int(lineup["turns"]),
            tuple(lineup["first"][:players].tolist()),
            tuple(lineup["among"][:players].tolist()),
        )
        return Job(
            rules=json.loads(bytes(rules["values"])),
            strategies=tuple(
                mine.name if mine else self._declaration.strategies[number - 1]
                for mine, number in zip(own, members["policy"].tolist(), strict=True)
            ),
            own=own if any(own) else (),
            blunders=tuple((members["blunder"] / 2**32).tolist()),
            opens=tuple(map(bool, members["draws"].tolist())),
            sees=tuple(map(bool, members["sees"].tolist())),
            seating=seating,
            watched=bool(members["watched"].any()),
            seed=seed,
            games=games,
            recorded=bool(trace["on"]),
            camps=self._declaration.camps_at(players),
        )

    @contextmanager
    def _counted(self, games: int) -> Iterator[bool]:
        """Count the threads that play, and yield whether this one plays in this process."""
        with self._lock:
            here = not self.elsewhere and (self._played < FEW or not self._threads)
            self._threads += 1
        try:
            yield here
        finally:
            with self._lock:
                self._threads -= 1
                self._played += games

    def _code(self, text: str) -> int:
        with self._lock:
            self._told.append(text)
            return OWN_FAULT + len(self._told) - 1

    def _fill(self, rows: np.ndarray[Any, Any], found: Played) -> None:
        """Write what came of a job into rows: member, place and share of the win, then the game's own columns."""
        if not found.games:
            return
        players = len(found.seated)
        width = len(found.words) // (found.games * players)
        given = np.frombuffer(found.words, np.int32).reshape(-1, width)
        table = rows.view(np.int32).reshape(len(rows), words(rows.dtype))[: len(given)]
        table[:, :2], table[:, 3 : width + 1] = given[:, :2], given[:, 2:]
        table[:, 2] = first_share(None, rows[: len(given)].reshape(-1, players), self._unit).ravel()


def shared(
    kind: type[PlainGame], choose: Strategy, begun: Callable[[PlainGame], None], moved: Callable[[Any], None]
) -> type[PlainGame]:
    """Return a class of the same game with one more strategy, for a person, which tells what goes on."""

    class Shared(kind):  # type: ignore[misc,valid-type]
        strategies: ClassVar = {**kind.strategies, PERSON: choose}

        def start(self) -> None:
            begun(self)
            super().start()

        def apply(self, move: Any) -> None:
            moved(move)
            super().apply(move)

    Shared.__module__, Shared.__name__ = kind.__module__, kind.__name__
    return Shared


def _sources(address: int) -> dict[str, Any]:
    """Return the sources of chance in the record at an address, and which of them are drawn afresh."""
    if not address:
        return {}
    record = np.frombuffer(string_at(address, FRESH.itemsize), FRESH)[0]
    names = json.loads(bytes(record["names"]).rstrip(b"\0"))
    return {"apart": tuple(names), "afresh": int(record["sources"])}
