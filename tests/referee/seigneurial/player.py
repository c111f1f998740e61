"""A slow, plain player of Seigneurial that writes honest logs, so that the referee has something to be tested on."""

from collections.abc import Sequence
from typing import Any

from .header import read_setup
from .pens import Reader, Record, Writer
from .rulebook import LORD_CARDS, NUMBERS, OBJECTIVES, PAIRS, PILE, RENT, SWITCHES, TENANT_CARDS, TRACK, Card
from .walk import Walk

DEFAULT_OPTIONS: dict[str, Any] = {
    **NUMBERS,
    **{name: [*pair] for name, pair in PAIRS.items()},
    **{name: values[0] for name, values in SWITCHES.items()},
    "objective_extra": 0,
    "pile": [*PILE],
}


def as_data(cards: Sequence[Card]) -> list[Record]:
    """Return cards as the TOML and the log have them."""
    return [
        {
            "id": card.id,
            "copies": card.copies,
            "when": [*card.when],
            "seasons": [*card.seasons],
            "effects": [
                {name: value for name, value in effect._asdict().items() if value is not None}
                for effect in card.effects
            ],
        }
        for card in cards
    ]


def game_line(seed: int, strategies: Sequence[str], **changes: Any) -> Record:
    """Return the first line of a log; `changes` are options, or fields of the line itself."""
    players = len(strategies)
    line: Record = {
        "kind": "game",
        "format": "equipoise-replay/1",
        "game": "seigneurial",
        "rules_digest": "0" * 64,
        "seed": seed,
        "game_id": 0,
        "players": players,
        "strategies": [*strategies],
        "options": DEFAULT_OPTIONS.copy(),
        "track": [*TRACK[players]],
        "rent": [*RENT[players]],
        "objectives": {name: [*points] for name, points in OBJECTIVES.items()},
        "tenant_cards": as_data(TENANT_CARDS),
        "lord_cards": as_data(LORD_CARDS),
    }
    for name, value in changes.items():
        (line["options"] if name in DEFAULT_OPTIONS else line)[name] = value
    return line


def play(seed: int, strategies: Sequence[str], **changes: Any) -> list[Record]:
    """Play a game and return its records."""
    header = game_line(seed, strategies, **changes)
    reader = Reader([header])
    setup = read_setup(reader, standard=False)
    assert reader.violations == []
    pen = Writer(seed, header)
    Walk(pen, setup).run()
    return pen.log
