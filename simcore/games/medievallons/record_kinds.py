"""Médiévallons: the records of a replay log, and who sees them."""

from __future__ import annotations

from typing import Any

from simcore.log_records import Field, Record, RecordKind, its_seat, nobody

HAND = "hand"
OPEN_MOVES = ("discard", "guild", "play")
"""Zones in which a card lies open: who sees it there also sees it come or go."""


def both_hands(first: Record, record: Record, seat: int) -> bool:
    """Everybody if it lies open before or after; otherwise the seats whose hands it leaves and joins."""
    ends = record["from"], record["to"]
    return any(end["zone"] in OPEN_MOVES or end.get("seat") == seat for end in ends)


def any_of_type(first: Record, value: Any) -> Any:
    """Nobody can tell cards of a type from each other: name the first of them."""
    if isinstance(value, list):
        return [any_of_type(first, card) for card in value]
    types = {card["id"]: card["type"] for card in first["cards"]}
    return (
        next((card["id"] for card in first["cards"] if card["type"] == types[value]), None) if value in types else None
    )


CARD = Field("card", told=any_of_type)
COUNTS = (Field("guilds"), Field("members"), Field("hands", r"\[by seat\]"))
TARGET = Field("target")
ATTACK = (Field("target"), Field("guild"), Field("card", "all null: no rival guild, a card is drawn", told=any_of_type))

RECORD_KINDS = (
    RecordKind(
        "shuffle",
        "turn 0: all cards; later the discard pile without its top card, which get no `move`",
        (Field("turn"), Field("end_card", "side now up"), Field("cards", "top first", seen=nobody)),
    ),
    RecordKind(
        "move",
        "one card",
        (Field("turn"), Field("card", seen=both_hands, told=any_of_type), Field("from"), Field("to"), Field("why")),
    ),
    RecordKind(
        "action",
        "`play lay reinforce use pass`; the type of the card, or of the guild afterwards",
        (
            Field("turn"),
            Field("seat"),
            Field("action"),
            Field("type"),
            Field("guild"),
            Field("cards", told=any_of_type),
        ),
    ),
    RecordKind(
        "power",
        "a power begins",
        (Field("turn"), Field("seat"), Field("power")),
        by="power",
        variants={
            "assassin": ATTACK,
            "rogue": ATTACK,
            "knight": (TARGET, Field("type")),
            "merchant": (TARGET,),
            "priest": (TARGET,),
            "beggar": (Field("target", "null: one's own hand is the largest"),),
            "witch": (Field("guild", "null: none to copy; the copied power has a record of its own"),),
        },
    ),
    RecordKind(
        "choice",
        "a decision inside a power",
        (
            Field("turn"),
            Field("seat", "choosing"),
            Field("choice", "`keep take give`"),
            Field("cards", seen=its_seat, told=any_of_type),
        ),
    ),
    RecordKind("turn_end", "checksum", (Field("turn"), Field("seat"), Field("deck"), Field("discard"), *COUNTS)),
    RecordKind(
        "end",
        "the end of the deal",
        (
            Field("turn"),
            Field("reason", "`guilds deck turn_limit`"),
            *COUNTS,
            Field("place"),
            Field("share60", r"\[by seat\]"),
        ),
    ),
)
