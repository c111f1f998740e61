"""A slow, plain player of Fief 2 that writes honest logs, so that the referee has something to be tested on."""

from collections.abc import Sequence
from typing import Any

from .header import TABLES, Setup, read_setup
from .pens import Reader, Record, Writer
from .rulebook import SWITCHES
from .walk import Walk


def game_line(seed: int, strategies: Sequence[str], **options: Any) -> Record:
    """Return the first line of a log; `options` are switches and the number of turns."""
    defaults: dict[str, Any] = {name: values[0] for name, values in SWITCHES.items()}
    return {
        "kind": "game",
        "format": "equipoise-replay/1",
        "game": "fief-2",
        "rules_digest": "0" * 64,
        "seed": seed,
        "game_id": 0,
        "players": len(strategies),
        "strategies": [*strategies],
        "options": defaults | {"turns": 15} | options,
        **TABLES,
    }


def begin(seed: int, strategies: Sequence[str], **options: Any) -> tuple[Writer, Setup]:
    """Return a pen and the setup of a game."""
    header = game_line(seed, strategies, **options)
    reader = Reader([header])
    setup = read_setup(reader)
    assert reader.violations == []
    return Writer(seed, header), setup


def play(seed: int, strategies: Sequence[str], **options: Any) -> list[Record]:
    """Play a game and return its records."""
    pen, setup = begin(seed, strategies, **options)
    Walk(pen, setup).run()
    return pen.log
