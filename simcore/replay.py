"""One game again, with the machine code of the batch, as a replay log or as text.

The log's format is described in docs/replay.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.memory import Memory

if TYPE_CHECKING:
    from simcore.batch import Spec

FORMAT = "equipoise-replay/1"

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True)
class Replay:
    """A game that was recorded while it was played.

    Parameters
    ----------
    spec
        The run that the game belongs to.
    header
        First line of the replay log.
    records
        The other lines, in order.
    rows
        What the game left behind, one row a seat, as in `run_chunk`.
    fault
        The invariant that the game broke, "" as a rule; the rows of such a game are not filled.
    """

    spec: Spec
    header: dict[str, Any]
    records: tuple[dict[str, Any], ...]
    rows: np.ndarray[Any, Any]
    fault: str

    def jsonl(self) -> str:
        """Return the replay log: JSON Lines, each with its line end."""
        return "".join([f"{_ENCODE(self.header)}\n", *[f"{_ENCODE(record)}\n" for record in self.records]])

    def text(self) -> str:
        """Return the game as readable text, free of control characters, with its last line end."""
        lines = [printable(line) for line in self.spec.game.narrate(self.header, self.records)]
        if self.fault:
            lines += ["", f"Fault: {self.fault}"]
        return "".join(f"{line}\n" for line in lines)


def replay(spec: Spec, index: int) -> Replay:
    """Play one game of a run and record it.

    Parameters
    ----------
    spec
        The run.
    index
        The game, from 0; it may lie beyond the run's last.

    Raises
    ------
    RuntimeError
        If the game writes more than the trace can hold.
    """
    return next(replays(spec, index, 1))


def replays(spec: Spec, first: int, games: int) -> Iterator[Replay]:
    """Play consecutive games of a run, one after another, and record each; see `replay`."""
    game = spec.game
    memory = Memory(game)
    state, trace = memory.state, memory.trace
    for index in range(first, first + games):
        lineup = memory.seated(spec.lineup_record)
        rows = np.zeros(spec.players, game.row_dtype)
        trace["on"], trace["full"], trace["used"] = 1, 0, 0
        played = game.play_batch(
            spec.rules_record, lineup, state, rows, trace, np.uint64(spec.seed), np.array([index])
        )  # fmt: skip
        if trace["full"]:
            raise RuntimeError(f"game {index} of seed {spec.seed} is too long for a replay")
        words: list[int] = trace["words"][: int(trace["used"])].tolist()
        header = _header(spec, index, lineup["entry"][: spec.players].tolist(), words)
        records = tuple(game.records(words, spec.rules.values, spec.players))
        code = int(state["fault"])
        fault = "" if played else game.faults.get(code, f"fault {code}")
        if played and any(records[-1][field] != rows[field].tolist() for field in ("place", "share60")):
            raise RuntimeError(f"the log of game {index} of seed {spec.seed} ends otherwise than the game did")
        yield Replay(spec, header, records, rows, fault)


def _header(spec: Spec, index: int, entries: Sequence[int], words: Sequence[int]) -> dict[str, Any]:
    own = spec.game.header(words, spec.rules.values, spec.players)
    return {
        "kind": "game",
        "format": FORMAT,
        "game": spec.game.name,
        "rules_digest": spec.rules.digest,
        "seed": spec.seed,
        "game_id": index,
        "players": spec.players,
        "strategies": [spec.strategies[entry] for entry in entries],
        **own,
        "options": spec.rules.switches | own["options"],
    }


def printable(text: str) -> str:
    """Return text without control characters, line ends and other things that a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(character for character in text if character.isprintable())
