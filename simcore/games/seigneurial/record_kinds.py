"""Seigneurial: the records of a replay log, and who sees them."""

from __future__ import annotations

from typing import Any

from simcore.games.seigneurial.vocabulary import TYPE_NAMES
from simcore.log_records import Field, Record, RecordKind, everybody, its_seat, nobody

OPEN_ZONES = ("front", "table")
"""Zones in which a card lies open: who sees it there also sees it come or go."""


def is_secret(first: Record, record: Record) -> bool:
    """Whether a card is laid face down for the rent."""
    laid = record.get("why", record.get("action")) == "lay"
    return bool(laid and first["options"]["payment"] == "secret")


def open_or_own(first: Record, record: Record, seat: int) -> bool:
    """Everybody if it lies open before or after; otherwise the seats whose hands it leaves and joins."""
    if in_hand(record, seat):
        return bool(back(first, record, seat) != "objective")
    return not is_secret(first, record) and any(end["zone"] in OPEN_ZONES for end in ends(record))


def in_passing(first: Record, record: Record, seat: int) -> bool:
    """Who looks at it at the Church or draws an Objective, and everybody if it is discarded."""
    if any(end["zone"] == "seen" and end["seat"] == seat for end in ends(record)) or in_hand(record, seat):
        return True
    return not is_secret(first, record) and any(end["zone"] == "discard" for end in ends(record))


def in_hand(record: Record, seat: int) -> bool:
    """Return whether a card leaves or joins the hand of a seat."""
    return any(end.get("seat") == seat and end["zone"] != "seen" for end in ends(record))


def ends(record: Record) -> tuple[Record, Record]:
    """Return where a card comes from, and where it goes."""
    return record["from"], record["to"]


def back(first: Record, record: Record, seat: int) -> Any:
    """Return the back of a card, which shows the type of a resource card; null if even that is hidden."""
    face, from_deck = str(record["card"]), record["from"]["zone"] == "deck"
    if face[:-1] in TYPE_NAMES:
        return face[:-1] if from_deck else None
    kinds = {"tenant_cards": "tenant", "lord_cards": "lord"}
    return next(
        (kind for table, kind in kinds.items() if any(card["id"] == face for card in first[table])), "objective"
    )


def own_if_passed(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody learns which cards are played, and who pays the due of winter."""
    if its_seat(first, record, seat):
        return True
    if record["action"] == "play":
        return record["card"] is not None
    return record["action"] != "winter" or bool(record["pay"])


def if_open(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody if cards are laid in the open."""
    return its_seat(first, record, seat) or not is_secret(first, record)


def if_kept(first: Record, record: Record, seat: int) -> bool:
    """Its seat; everybody if the lord keeps it."""
    return bool(record["kept"]) or its_seat(first, record, seat)


def the_lord(first: Record, record: Record, seat: int) -> bool:
    """The lord."""
    return seat == 1


def own_points(first: Record, record: Record, seat: int) -> list[int | None]:
    """Return points of which a tenant knows only its own."""
    return [points if tenant == seat else None for tenant, points in enumerate(record["points"], 2)]


TURN = Field("turn")
CARD = Field("card", "or null", seen=its_seat)
TARGET = (Field("target"),)

RECORD_KINDS = (
    RecordKind(
        "shuffle",
        "a pile is shuffled; the lord's is in the order of the table and drawn at random",
        (TURN, Field("deck", "a type, `tenant`, `lord`, `objective`")),
        by="deck",
        variants={
            **{kind: (Field("counts", "of the values 0 to 4"),) for kind in TYPE_NAMES},
            "tenant": (Field("cards", "top first", seen=nobody),),
            "lord": (Field("cards"),),
            "objective": (Field("cards", "top first", seen=nobody),),
        },
    ),
    RecordKind("season", "a season begins", (TURN, Field("season"), Field("first", "seat of the first tenant"))),
    RecordKind(
        "move",
        "a card moves",
        (
            TURN,
            Field("card", seen=open_or_own, glimpsed=in_passing, instead=back),
            Field("from"),
            Field("to"),
            Field("why", "`deal year harvest mill church favour unpaid card limit played winter lay draw rent`"),
        ),
    ),
    RecordKind(
        "action",
        "a seat decides",
        (TURN, Field("seat"), Field("action")),
        seen=own_if_passed,
        by="action",
        variants={
            "play": (Field("window"), Field("card", "or null")),
            "target": TARGET,
            "what": (Field("what"),),
            "part": (CARD,),
            "shift": (Field("from"), Field("to"), Field("points")),
            "objective": (Field("keep", seen=its_seat),),
            "winter": (Field("pay"),),
            "place": (Field("squares"),),
            "keep": (Field("card", seen=its_seat),),
            "drop": (Field("card", seen=its_seat, glimpsed=everybody),),
            "rent": tuple(map(Field, TYPE_NAMES)),
            "lay": (Field("card", "or null", seen=if_open),),
            "split": (Field("type"), *TARGET),
            "next": TARGET,
            "pick": (Field("card", seen=its_seat),),
            "improve": (Field("square"),),
            "crown": TARGET,
        },
    ),
    RecordKind(
        "effect", "an effect of a card", (TURN, Field("op"), Field("who", r"\[seats\]"), Field("what"), Field("n"))
    ),
    RecordKind("ill", "in winter only: a pawn falls ill", (TURN, Field("seat"), Field("turns"))),
    RecordKind("favour", "a tenant gets favour", (TURN, Field("seat"), Field("points"))),
    RecordKind(
        "draw",
        "the lord draws from a hand",
        (TURN, Field("seat", "the tenant"), Field("card", seen=if_kept, glimpsed=the_lord), Field("kept")),
    ),
    RecordKind("progress", "the lord moves on or not", (TURN, Field("obtained"), Field("square"))),
    RecordKind(
        "season_end",
        "checksum of the season",
        (
            TURN,
            Field("square"),
            Field("points", seen=nobody, instead=own_points),
            Field("resources"),
            Field("favour", r"\[each by tenant\]"),
            Field("cards", r"\[by seat\]"),
        ),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            Field("reason", "`track`, `objective`, `limit`"),
            Field("winner", "or null"),
            Field("share60", r"\[by seat\]"),
        ),
    ),
)
