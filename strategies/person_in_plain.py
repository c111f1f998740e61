"""A person among players of a game in plain Python: what the class says that the seat may see, and its legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simcore.kernel.memory import Memory
from simcore.plain.batch import Batch
from simcore.plain.game import PlainGame
from simcore.plain.playing import move_record
from simcore.running.replay import Log, Replay, first_line, replay_of
from simcore.tabletop import Area, Thing
from strategies.person import Choice, Option, Person, Question

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
