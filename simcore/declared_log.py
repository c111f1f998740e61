"""Replay logs of games whose code is not part of an installed package: records, who sees them, and text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simcore.log_records import Field, Record, RecordKind, nobody


def _sees_the_move(first: Record, record: Record, seat: int) -> bool:
    """Its seat, and the others unless the game hides it from them."""
    return seat not in record.get("hidden_from", ())


def _all_open(first: Record, record: Record, seat: int) -> bool:
    """Everybody, but of what is secret each seat its own."""
    return "secret" not in record


def _own_numbers(first: Record, record: Record, seat: int) -> dict[str, list[float | None]]:
    """Return what the seats hold, with only the own number of what is secret."""
    return {
        name: [
            value if name not in record["secret"] or owner == seat else None for owner, value in enumerate(values, 1)
        ]
        for name, values in record["held"].items()
    }


RECORD_KINDS = (
    RecordKind(
        "move",
        "a seat moves",
        (
            Field("seat"),
            Field("move", seen=_sees_the_move),
            Field("says", "the move in words", seen=_sees_the_move),
            Field("held", "what each seat has then, by name", seen=_all_open, instead=_own_numbers),
            Field("hidden_from", "seats that do not see the move", seen=nobody),
            Field("secret", "names in `held` of which a seat sees only its own number", seen=nobody),
        ),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (Field("place"), Field("payoffs"), Field("returns"), Field("share60"), Field("share840")),
    ),
)
"""What `simcore.plain` records."""


def records(words: Sequence[int], rules: Any, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a replay log, which the trace holds as JSON."""
    yield from json.loads(np.array(words, np.int32).tobytes())


def narrate(title: str, header: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one line for the game, each move and the result."""
    seats = ", ".join(f"seat {seat}: {name}" for seat, name in enumerate(header["strategies"], 1))
    yield f"{title}, seed {header['seed']}, game {header['game_id']}; {seats}"
    for record in told:
        if record["kind"] == "move":
            yield f"Seat {record['seat']}: {record.get('says', 'a hidden move')}"
        else:
            scores = record.get("payoffs", record.get("returns"))
            ends = zip(record["place"], scores or record["place"], strict=True)
            yield "End: " + ", ".join(
                f"seat {seat} place {place}" + (f" with {score:g}" if scores else "")
                for seat, (place, score) in enumerate(ends, 1)
            )
