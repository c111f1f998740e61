"""A recorded game divided into its rounds: the text of each, and what the seats then hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from simcore.errors import printable
from simcore.game import Game
from simcore.running.replay import Log, Replay, narrator

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
    """Divide a recorded game into rounds.

    played: The game.
    """
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
