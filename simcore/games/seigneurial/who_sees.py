"""Seigneurial: who sees what of the records of a replay log."""

from __future__ import annotations

from typing import Any

from simcore.games.seigneurial.vocabulary import TYPE_NAMES
from simcore.log_records import Record, its_seat

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
