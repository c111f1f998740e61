"""Replay of one game, with the machine code of the batch, as a replay log or as text.

The log's format is described in docs/reference/replay.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import UsageError, printable
from simcore.game import Game
from simcore.kernel.driver import own_memory
from simcore.log_records import Tape, plain_text, shown

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.running.batch import Spec

FORMAT = "equipoise-replay/1"

_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True)
class Log:
    """A replay log: of a game, or of one deal of a match."""

    header: dict[str, Any]  # its first line
    records: tuple[dict[str, Any], ...]  # the other lines, in order
    rows: tuple[int, ...]  # the row of the game behind each seat
    words: Sequence[int] = field(default=(), compare=False, repr=False)  # those that the records were read from

    def seen_by(self, game: Game, seat: int) -> Log:
        """Return the log as a player sees it who has a seat, counted from 1, in the rows of the game."""
        here = self.rows.index(seat - 1) + 1
        records = tuple(shown(game.record_kinds, self.header, self.records, here))
        return Log({**self.header, "as": f"seat-{here}"}, records, self.rows)


@dataclass(frozen=True)
class Replay:
    """A game that was recorded while it was played."""

    spec: Spec  # the run that the game belongs to
    logs: tuple[Log, ...]  # its replay logs: one, or one for each deal
    rows: np.ndarray[Any, Any]  # the rows of the game, one for each seat, as in `run_chunk`
    fault: str  # the invariant that the game broke, normally ""; the rows of a game with a fault are not filled

    def __repr__(self) -> str:
        return f"<Replay of game {self.header['game_id']} of {self.spec}; see text() and jsonl()>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"

    @property
    def header(self) -> dict[str, Any]:
        """The first line of the first log."""
        return self.logs[0].header

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The other lines of all logs, in order."""
        return tuple(record for log in self.logs for record in log.records)

    def seen_by(self, seat: int) -> Replay:
        """Return the game as one seat sees it: the records of which it learns, with the fields that it sees.

        seat: The seat, counted from 1; in a match, the one in which its player sits in the first deal.
        Raises UsageError if the game does not declare who sees what of its log, or has no such seat.
        """
        game = self.spec.game
        if not 1 <= seat <= self.spec.players:
            raise UsageError(f"there is no seat-{seat}; the game has seats 1 to {self.spec.players}", "as")
        if not game.record_kinds:
            raise UsageError(f"{game.name} does not declare who sees what of its log (record_kinds)", "as")
        return replace(self, logs=tuple(log.seen_by(game, seat) for log in self.logs))

    def jsonl(self) -> str:
        """Return the replay logs as JSON Lines; each line ends with a line feed."""
        return "".join([f"{_ENCODE(line)}\n" for log in self.logs for line in (log.header, *log.records)])

    def text(self) -> str:
        """Return the game as readable text without control characters; it ends with a line feed."""
        narrate = narrator(self.spec.game)
        lines: list[str] = []
        for log in self.logs:
            lines += ["", ""] if lines else []
            lines += [printable(line) for line in narrate(log.header, log.records)]
        if self.fault:
            lines += ["", f"Fault: {self.fault}"]
        return "".join(f"{line}\n" for line in lines)


def narrator(game: Game) -> Callable[[dict[str, Any], Sequence[dict[str, Any]]], Iterator[str]]:
    """Return the function that turns a replay log into lines of text; a game may have words of its own."""
    return game.narrate or partial(plain_text, game.title)


def replay(spec: Spec, index: int, most: int | None = None) -> Replay:
    """Play one game of a run and record it.

    Parameters
    ----------
    spec
        The run.
    index
        Index of the game, from 0; it may be beyond the last game of the run.
    most
        Number of records after which each log ends; with None, it is whole.

    Raises
    ------
    UsageError
        If the recording of the game does not fit into its trace.
    """
    return replay_of(spec, *next(_recorded(spec, index, 1)), most=most)


def replays(spec: Spec, first: int, games: int) -> Iterator[Replay]:
    """Play consecutive games of a run and record each; see `replay`."""
    for played in _recorded(spec, first, games):
        yield replay_of(spec, *played)


def written(spec: Spec, index: int) -> list[Sequence[int]]:
    """Play one game of a run, and return the trace words of each of its logs; see `replay`."""
    _, _, trace, _, fault = next(_recorded(spec, index, 1))
    return [own for own, _ in spec.game.logs(_words(spec, index, trace, fault), spec.players)]


def _recorded(spec: Spec, first: int, games: int) -> Iterator[tuple[int, Any, Any, np.ndarray[Any, Any], str]]:
    """Play consecutive games, and yield what `replay_of` takes of each before the next is played."""
    game = spec.game
    memory = own_memory(game)
    state, trace = memory.state, memory.trace
    for index in range(first, first + games):
        lineup = memory.seated(spec.lineup_record, spec.players)
        rows = np.zeros(spec.players, game.row_dtype)
        trace["on"], trace["noting"], trace["full"], trace["used"] = 1, 0, 0, 0
        facts = np.zeros(1, game.facts_dtype or np.int32)
        try:
            played = game.play_batch(
                spec.rules_record, lineup, state, rows, facts, trace, np.uint64(spec.seed), np.array([index])
            )
        finally:
            trace["on"] = 0  # the memory plays other games as well, which are not recorded
        fault = "" if played else game.meaning_of(int(state["fault"]))
        yield index, lineup, trace, rows, fault


def _words(spec: Spec, index: int, trace: Any, fault: str) -> list[int]:
    """Return the words of a trace; a game with a fault may have filled it."""
    game = spec.game
    if (trace["full"] or trace["used"] == game.trace_words) and not fault:
        raise UsageError(
            f"{game.name}: game {index} of seed {spec.seed} is too long for a replay of {game.trace_words:,} "
            "words; the game's author can raise Game.trace_words"
        )
    words: list[int] = trace["words"][: int(trace["used"])].tolist()
    return words


def replay_of(
    spec: Spec,
    index: int,
    lineup: Any,
    trace: Any,
    rows: np.ndarray[Any, Any],
    fault: str,
    is_whole: bool = True,
    most: int | None = None,
) -> Replay:
    """Return a game that was recorded, from the records in which it was played.

    lineup, trace: The line-up as it sat, and what was recorded.
    fault: The invariant that it broke, normally "".
    is_whole: Whether it was played to the end.
    most: Number of records after which each log ends; with None, it is whole.
    Raises UsageError if the recording does not fit into the trace.
    """
    words = _words(spec, index, trace, fault)
    entries = lineup["seated"][: spec.players].tolist()
    logs = tuple(_logs(spec, index, entries, words, broken=bool(fault) or not is_whole, most=most))
    whole = is_whole and not fault and most is None and len(logs) == 1
    if whole and _differ(logs[0].records[-1], rows[list(logs[0].rows)], spec.game.share):
        raise RuntimeError(f"the log of game {index} of seed {spec.seed} does not end as the game did")
    return Replay(spec, logs, rows, fault)


def _logs(
    spec: Spec, index: int, entries: Sequence[int], words: Sequence[int], broken: bool, most: int | None
) -> Iterator[Log]:
    """Yield the logs of a game, given the member of the line-up behind each of its rows.

    Of a game that broke off, they contain the records up to the first that lacks its words.
    """
    for own, rows in spec.game.logs(words, spec.players):
        header, tape = first_line(spec, index, [entries[row] for row in rows], own), Tape(own)
        records = islice(spec.game.records(tape, spec.rules.values, spec.players), most)
        yield Log(header, tuple(_until_error(records) if broken else records), tuple(rows), tape)


def _until_error(records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield records up to the first that cannot be made."""
    with suppress(Exception):
        yield from records


def _differ(end: dict[str, Any], rows: np.ndarray[Any, Any], share: str) -> bool:
    """Return whether the result in a log's last line differs from the rows."""
    return any(end[name] != rows[name].tolist() for name in ("place", share) if name in end)


def first_line(spec: Spec, index: int, entries: Sequence[int], words: Sequence[int]) -> dict[str, Any]:
    """Return the first line of a log, given the member of the line-up in each seat and the words of the log."""
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


# --- A recorded game divided into its rounds: the text of each, and what the seats then hold ---


CLOCKS = ("round", "turn")
"""Fields of records that count the rounds of a log, the first that a log has; 0 is the set-up."""

END = "end"
"""Kind of the last record of a log; other records that close a round have a kind that ends in `_end`."""

HELD = "held"
"""Field of a record, of whatever kind, that says what the seats hold after it."""

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Round:
    """A round of a recorded game: what happens until the next begins."""

    log: int  # index of the log: of the deal, if the game has several
    clock: str
    number: int
    """clock, number: What counts the rounds, one of `CLOCKS`, "end" for the last record, or "" for a single record of a
    log without a clock; and its value."""
    lines: tuple[str, ...]  # lines of text, without control characters
    held: Mapping[str, tuple[float | None, ...]]
    """What the seats hold at its end: for each field of the record that closes the round a value by seat, None for a
    seat without one."""


def heading(played: Replay, log: int) -> tuple[str, ...]:
    """Return the lines that introduce a log of a recorded game."""
    return _printable(_opening(_told(played, played.logs[log], 0)))


def rounds(played: Replay) -> tuple[Round, ...]:
    """Divide a recorded game into rounds."""
    return tuple(one for log in range(len(played.logs)) for one in _of_log(played, log))


def _of_log(played: Replay, number: int) -> Iterator[Round]:
    log, players = played.logs[number], len(played.logs[number].header["strategies"])
    whole = _told(played, log, len(log.records))
    clock = next((name for name in CLOCKS if any(_is_count(one.get(name)) for one in log.records)), "")
    stretches = list(_stretches(log.records, clock))
    told = len(_opening(_told(played, log, 0)))
    for (kind, count, start, stop), end in zip(stretches, _ends(played, log, whole, stretches), strict=True):
        held = _held(played.spec.game, log.records[start:stop], players)
        yield Round(number, kind, count, _printable(whole[told:end]), held)
        told = max(told, end)


def _stretches(records: Sequence[Record], clock: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield the kind and the number of each round, and its first record and the one after its last."""
    begun, known = 0, (clock, 0 if clock else 1)
    for at, record in enumerate(records):
        here = (clock, record[clock]) if clock and _is_count(record.get(clock)) else known
        if record["kind"] == END:
            here = (END, 0)
        elif not clock:
            here = (clock, at + 1)
        if here != known and at > begun:
            yield *known, begun, at
            begun = at
        known = here
    if records:
        yield *known, begun, len(records)


def _ends(
    played: Replay, log: Log, whole: Sequence[str], stretches: Sequence[tuple[str, int, int, int]]
) -> Iterator[int]:
    """Yield the number of lines up to the end of each round."""
    each = len(whole) == len(_told(played, log, 0)) + len(log.records)  # a line for every record
    for *_, stop in stretches:
        if stop == len(log.records):
            yield len(whole)
        elif each:
            yield len(whole) - len(log.records) + stop
        else:
            part = _told(played, log, stop)
            yield len(part) if whole[: len(part)] == part else 0


def _told(played: Replay, log: Log, records: int) -> list[str]:
    """Return the text of the first records of a log; a game's own words may need all records, and then have none."""
    narrate: Callable[..., Iterator[str]] = narrator(played.spec.game)
    lines: list[str] = []
    with suppress(Exception):
        lines.extend(narrate(log.header, log.records[:records]))
    return lines


def _opening(lines: Sequence[str]) -> list[str]:
    """Return the lines up to the first blank one."""
    return list(lines[: lines.index("")] if "" in lines else lines)


def _printable(lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines as they are shown, without blank ones at the ends."""
    text = "\n".join(map(printable, lines)).strip("\n")
    return tuple(text.split("\n")) if text else ()


def _held(game: Game, records: Sequence[Record], players: int) -> dict[str, tuple[float | None, ...]]:
    """Return what the record that closes a round says of every seat: all of it, or what a move names as held."""
    closing = [found for record in records if (found := _closing(record))]
    found = {}
    for name, values in (closing[-1] if closing else {}).items():
        seats = _seats(game, values, players)
        if seats is not None:
            by_seat = dict(zip(seats, values, strict=True))
            found[name] = tuple(by_seat.get(seat) for seat in range(players))
    return found


def _closing(record: Record) -> Record:
    """Return the part of a record that closes a round; nothing if it does not close one."""
    if record["kind"] == END or record["kind"].endswith(f"_{END}"):
        return record
    held = record.get(HELD)
    return held if isinstance(held, Mapping) else {}


def _seats(game: Game, values: Any, players: int) -> range | None:
    """Return the seats that a list of numbers is about: all, or those of the only role with so many."""
    if not isinstance(values, list | tuple) or not all(_is_number(value) for value in values):
        return None
    if len(values) == players:
        return range(players)
    of_roles = [seats for role in game.roles if len(seats := role.at(players)) == len(values)]
    return of_roles[0] if len(of_roles) == 1 else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
