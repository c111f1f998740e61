"""Fief 2: the records of a replay log, each with the words in the trace that it is read from, and who sees them.

Hands and the deck are hidden; everything else lies open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.fief_2 import log
from simcore.games.fief_2.model import Fief2Rules
from simcore.games.fief_2.names import ASKED, BUILDINGS, BUY, DECISION_NAMES, GROUNDS, PHASES, why_name
from simcore.games.fief_2.rules import card_list
from simcore.log_reading import Words, flag, known, named, number, one_more, read_record, seat_or_none, together
from simcore.log_records import Field, RecordKind, its_seat, nobody
from simcore.log_records import Record as Read

Record = dict[str, Any]


def header(words: Sequence[int], rules: Fief2Rules, players: int) -> Record:
    """Return the game's own fields of the first line of a log.

    words: Trace words.
    rules: Resolved rules.
    players: Players at the table.
    """
    villages = [
        {"id": number, "name": village.name, "region": region.name, "bishopric": village.bishopric}
        for number, (region, village) in enumerate(
            (region, village) for region in rules.map.regions for village in region.villages
        )
    ]
    names = [village["name"] for village in villages]
    return {
        "options": {"turns": rules.turns},
        "villages": villages,
        "roads": [[names.index(start), names.index(end)] for start, end in rules.map.roads],
        "cards": [{"id": card, "kind": kind} for card, (kind, _) in enumerate(card_list(rules))],
    }


def records(words: Sequence[int], rules: Fief2Rules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    reader = Words(words, rules, players)
    while reader.at < len(words):
        code, size = reader.next(2)
        reader.end = reader.at + size
        if code == log.TURN:
            reader.current |= {"turn": reader.one(), "phase": PHASES[reader.one()]}
        else:
            yield read_record(RECORD_KINDS[code - 1], reader)
        reader.at = reader.end


# --- what a word stands for ---


def why(words: Words) -> str:
    """The name of a reason."""
    return why_name(words.one())


def zone(words: Words) -> Record:
    """A zone, and the seat of a hand."""
    name, seat = log.ZONES[words.one()], seat_or_none(words)
    return {"zone": name} if seat is None else {"zone": name, "seat": seat}


def red_card(words: Words) -> str:
    """The name of a red card: an office, or the region of a title."""
    return str([*log.RED_CARDS, *(region.name for region in words.rules.map.regions)][words.one()])


def pair(words: Words) -> list[int]:
    """A number of the attacker, and one of the defender."""
    return words.next(2)


def dice(words: Words) -> list[list[int]]:
    """The dice of both sides, each written as digits in base 7."""
    return [[die for die in (digits % 7, digits // 7 % 7, digits // 49) if die] for digits in words.next(2)]


def choice(words: Words) -> Any:
    """A move; the options follow it in the trace, and stand before it in the log."""
    return words.current["_choice"]


def options(words: Words) -> list[Any]:
    """All moves."""
    name = DECISION_NAMES[words.words[words.at - 1]]
    words.current["_choice"] = _value(name, words.one())
    return [_value(name, move) for move in rest(words)]


def rest(words: Words) -> list[int]:
    """All words that are left."""
    return words.next(words.end - words.at)


def lone_die(words: Words) -> list[int]:
    """A die that is thrown for no lord."""
    return rest(words)[1:]


def _value(name: str, move: int) -> Any:
    """Return what a log writes for a move."""
    value = ASKED[name].value
    if value == "yes":
        return move == 1
    if value == "number":
        return move
    if move == 0:
        return None
    return BUY[move - 1] if value == "buy" else move - 1


# --- who sees it ---


ABOUT_HANDS = ("discard", "play", "justice")
"""Decisions that are only asked of a family that holds certain cards."""


def its_seat_if_about_a_hand(first: Read, record: Read, seat: int) -> bool:
    """Its seat if the question shows what a hand holds; otherwise everybody."""
    return record["name"] not in ABOUT_HANDS or its_seat(first, record, seat)


def open_or_own(first: Read, record: Read, seat: int) -> bool:
    """Everybody, but a card that is drawn only the seat that draws it."""
    return bool(record["to"]["zone"] != "hand" or record["to"]["seat"] == seat)


# --- the records, in the order of their codes ---

WHEN = (Field("turn"), Field("phase"))
SEAT, WHY, VILLAGE = Field("seat", word=one_more), Field("why", word=why), Field("village", word=number)
DECK = (Field("values", "ids of cards, top first", nobody, word=rest),)
DIE = (Field("values", "the die", word=lone_die),)

RECORD_KINDS = (
    RecordKind(
        "decision",
        "a seat decides between two options or more",
        (
            *WHEN,
            SEAT,
            Field("name", "what is decided", word=named(DECISION_NAMES)),
            Field("options", "in ascending order; null for none", word=options),
            Field("choice", "one of them", word=choice),
        ),
        seen=its_seat_if_about_a_hand,
    ),
    RecordKind(
        "chance",
        "cards are shuffled, or a die is thrown",
        (*WHEN, Field("what", word=named(log.CHANCES))),
        by="what",
        variants={
            "lords": (Field("values", "the first lord of each seat", word=rest),),
            "deck": DECK,
            "reshuffle": DECK,
            "plague": (Field("values", "the lord and the die", word=rest),),
            "revolt": DIE,
            "calm": DIE,
        },
    ),
    RecordKind(
        "move",
        "a card moves",
        (
            *WHEN,
            Field("card", "id", open_or_own, word=number),
            Field("from", word=zone),
            Field("to", "each {`zone`: `deck discard hand play box`, with `seat` for a hand}", word=zone),
            WHY,
        ),
    ),
    RecordKind(
        "money",
        "a payment",
        (
            *WHEN,
            Field("from", word=one_more),
            Field("to", "each a seat, or 0 for the bank", word=one_more),
            Field("amount", word=number),
            WHY,
        ),
    ),
    RecordKind(
        "pawns",
        "pawns come or go",
        (
            *WHEN,
            Field("seat", "0 for rebels", word=one_more),
            VILLAGE,
            Field("what", "`soldiers king_guard queen_guard rebels`", word=named(log.PAWN_KINDS)),
            Field("delta", "signed", word=number),
            WHY,
        ),
    ),
    RecordKind(
        "lord",
        "a lord has another place or status",
        (
            *WHEN,
            Field("lord", word=number),
            Field("seat", "the family", word=one_more),
            Field("village", "or null", word=known),
            Field("status", "`free prisoner dead`", word=named(log.STATUSES)),
            Field("captor", "seat or null", word=seat_or_none),
            WHY,
        ),
    ),
    RecordKind(
        "card",
        "a red card has another owner",
        (
            *WHEN,
            Field("card", "`king queen prince cardinal`, or the region of a title", word=red_card),
            Field("lord", "or null", word=known),
            Field("keeper", "seat that keeps a title without a lord, or null", word=seat_or_none),
            WHY,
        ),
    ),
    RecordKind(
        "building",
        "a building is built or destroyed",
        (
            *WHEN,
            VILLAGE,
            Field("what", "`fort mill press`", word=named(BUILDINGS)),
            Field("from", word=number),
            Field("to", "0 none, 1 one; a fort is 1 as a castle, 2 as a city", word=number),
            WHY,
        ),
    ),
    RecordKind(
        "holder",
        "another family holds a village, or none does",
        (*WHEN, VILLAGE, Field("seat", "or null", word=seat_or_none)),
    ),
    RecordKind(
        "marriage",
        "a marriage begins or ends",
        (
            *WHEN,
            Field("man", word=number),
            Field("woman", "lords", word=number),
            Field("on", "whether it begins", word=flag),
        ),
    ),
    RecordKind(
        "round",
        "a round of a fight; totals include the bonus of d'Arc",
        (
            *WHEN,
            VILLAGE,
            Field("attacker", word=one_more),
            Field("defender", "each a seat, or 0 for rebels", word=one_more),
            Field("ground", "`open castle city`", word=named(GROUNDS)),
            Field("points", "before the round", word=pair),
            Field("dice", word=dice),
            Field("totals", word=pair),
            Field("losses", r"\[each of the attacker, of the defender\]", word=pair),
        ),
    ),
    RecordKind(
        "revenue",
        "what a family collects",
        (
            *WHEN,
            SEAT,
            *(Field(source, word=number) for source in ("land", "industry", "tithe", "taille", "pension")),
        ),
    ),
    RecordKind(
        "turn_end",
        "checksum of the turn",
        (
            *WHEN,
            *map(Field, ("money", "soldiers", "score")),
            Field("titles", r"\[each by seat\]"),
        ),
        written=(together("money", "soldiers", "score", "titles"),),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            *WHEN,
            Field("score", "of the whole game"),
            Field("last", "of the last scoring"),
            *map(Field, ("money", "place")),
            Field("share60", r"\[each by seat\]"),
        ),
        written=(together("score", "last", "money", "place", "share60"),),
    ),
)
