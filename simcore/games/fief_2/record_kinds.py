"""Fief 2: the records of a replay log, and who sees them.  Hands and the deck are hidden; everything else lies open."""

from __future__ import annotations

from simcore.log_records import Field, Record, RecordKind, its_seat, nobody

ABOUT_HANDS = ("discard", "play", "justice")
"""Decisions that are only asked of a family that holds certain cards."""


def its_seat_if_about_a_hand(first: Record, record: Record, seat: int) -> bool:
    """Its seat if the question shows what a hand holds; otherwise everybody."""
    return record["name"] not in ABOUT_HANDS or its_seat(first, record, seat)


def open_or_own(first: Record, record: Record, seat: int) -> bool:
    """Everybody, but a card that is drawn only the seat that draws it."""
    return bool(record["to"]["zone"] != "hand" or record["to"]["seat"] == seat)


WHEN = (Field("turn"), Field("phase"))
WHY = Field("why")
VILLAGE = Field("village")
DIE = (Field("values", "the die"),)

RECORD_KINDS = (
    RecordKind(
        "decision",
        "a seat decides between two options or more",
        (
            *WHEN,
            Field("seat"),
            Field("name", "what is decided"),
            Field("options", "in ascending order; null for none"),
            Field("choice", "one of them"),
        ),
        seen=its_seat_if_about_a_hand,
    ),
    RecordKind(
        "chance",
        "cards are shuffled, or a die is thrown",
        (*WHEN, Field("what")),
        by="what",
        variants={
            "lords": (Field("values", "the first lord of each seat"),),
            "deck": (Field("values", "ids of cards, top first", seen=nobody),),
            "reshuffle": (Field("values", "ids of cards, top first", seen=nobody),),
            "plague": (Field("values", "the lord and the die"),),
            "revolt": DIE,
            "calm": DIE,
        },
    ),
    RecordKind(
        "move",
        "a card moves",
        (
            *WHEN,
            Field("card", "id", seen=open_or_own),
            Field("from"),
            Field("to", "each {`zone`: `deck discard hand play box`, with `seat` for a hand}"),
            WHY,
        ),
    ),
    RecordKind(
        "money",
        "a payment",
        (*WHEN, Field("from"), Field("to", "each a seat, or 0 for the bank"), Field("amount"), WHY),
    ),
    RecordKind(
        "pawns",
        "pawns come or go",
        (
            *WHEN,
            Field("seat", "0 for rebels"),
            VILLAGE,
            Field("what", "`soldiers king_guard queen_guard rebels`"),
            Field("delta", "signed"),
            WHY,
        ),
    ),
    RecordKind(
        "lord",
        "a lord has another place or status",
        (
            *WHEN,
            Field("lord"),
            Field("seat", "the family"),
            Field("village", "or null"),
            Field("status", "`free prisoner dead`"),
            Field("captor", "seat or null"),
            WHY,
        ),
    ),
    RecordKind(
        "card",
        "a red card has another owner",
        (
            *WHEN,
            Field("card", "`king queen prince cardinal`, or the region of a title"),
            Field("lord", "or null"),
            Field("keeper", "seat that keeps a title without a lord, or null"),
            WHY,
        ),
    ),
    RecordKind(
        "building",
        "a building is built or destroyed",
        (
            *WHEN,
            VILLAGE,
            Field("what", "`fort mill press`"),
            Field("from"),
            Field("to", "0 none, 1 one; a fort is 1 as a castle, 2 as a city"),
            WHY,
        ),
    ),
    RecordKind("holder", "another family holds a village, or none does", (*WHEN, VILLAGE, Field("seat", "or null"))),
    RecordKind(
        "marriage",
        "a marriage begins or ends",
        (*WHEN, Field("man"), Field("woman", "lords"), Field("on", "whether it begins")),
    ),
    RecordKind(
        "round",
        "a round of a fight; totals include the bonus of d'Arc",
        (
            *WHEN,
            VILLAGE,
            Field("attacker"),
            Field("defender", "each a seat, or 0 for rebels"),
            Field("ground", "`open castle city`"),
            Field("points", "before the round"),
            Field("dice"),
            Field("totals"),
            Field("losses", r"\[each of the attacker, of the defender\]"),
        ),
    ),
    RecordKind(
        "revenue",
        "what a family collects",
        (*WHEN, Field("seat"), Field("land"), Field("industry"), Field("tithe"), Field("taille"), Field("pension")),
    ),
    RecordKind(
        "turn_end",
        "checksum of the turn",
        (*WHEN, Field("money"), Field("soldiers"), Field("score"), Field("titles", r"\[each by seat\]")),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            *WHEN,
            Field("score", "of the whole game"),
            Field("last", "of the last scoring"),
            Field("money"),
            Field("place"),
            Field("share60", r"\[each by seat\]"),
        ),
    ),
)
