"""Who sees what of a log, on a made one."""

from __future__ import annotations

from typing import Any

from simcore.log_records import Field, Record, RecordKind, its_seat, nobody, shown, undeclared


def unless_passed(first: Record, record: Record, seat: int) -> bool:
    """Everybody, but of a pass only its seat."""
    return record["card"] is not None or its_seat(first, record, seat)


def the_back(first: Record, record: Record, seat: int) -> str:
    """Return the back of a card."""
    return "back"


KINDS = (
    RecordKind("shuffle", "", (Field("cards", seen=nobody),)),
    RecordKind("draw", "", (Field("seat"), Field("card", seen=its_seat, instead=the_back))),
    RecordKind("play", "", (Field("seat"), Field("card", told=lambda first, card: card and first["types"][card])),
               seen=unless_passed),
    RecordKind("power", "", (Field("power"),), by="power",
               variants={"look": (Field("seat"), Field("card", seen=nobody, glimpsed=its_seat)), "none": ()}),
)  # fmt: skip
FIRST = {"types": {7: "knight", 8: "knave"}}


def seen(seat: int, *records: dict[str, Any], **more: bool) -> list[dict[str, Any]]:
    return list(shown(KINDS, FIRST, records, seat, **more))


def test_hidden_fields_are_left_out_or_replaced() -> None:
    shuffle, draw = {"kind": "shuffle", "cards": [7, 8]}, {"kind": "draw", "seat": 2, "card": 7}
    assert seen(2, shuffle, draw) == [{"kind": "shuffle"}, draw]
    assert seen(1, shuffle, draw) == [{"kind": "shuffle"}, {"kind": "draw", "seat": 2, "card": "back"}]


def test_a_record_of_which_a_seat_does_not_learn_is_missing() -> None:
    records = {"kind": "play", "seat": 1, "card": None}, {"kind": "play", "seat": 1, "card": 8}
    assert seen(1, *records) == [records[0], {"kind": "play", "seat": 1, "card": "knave"}]
    assert seen(2, *records) == [{"kind": "play", "seat": 1, "card": "knave"}]


def test_a_glimpse_is_shown_and_not_held_as_known() -> None:
    record = {"kind": "power", "power": "look", "seat": 1, "card": 7}
    without = {"kind": "power", "power": "look", "seat": 1}
    assert seen(1, record) == [record]
    assert seen(1, record, glimpses=False) == seen(2, record) == [without]


def test_what_is_not_declared_is_seen_by_nobody_and_named() -> None:
    assert seen(1, {"kind": "secret"}, {"kind": "draw", "seat": 1, "card": 7, "why": "luck"}) == [
        {"kind": "draw", "seat": 1, "card": 7}
    ]
    assert undeclared(KINDS, {"kind": "secret"}) == "secret"
    assert undeclared(KINDS, {"kind": "draw", "seat": 1, "why": "luck"}) == "draw.why"
    assert undeclared(KINDS, {"kind": "power", "power": "none", "seat": 1}) == "power.seat"
    assert undeclared(KINDS, {"kind": "power", "power": "look", "seat": 1}) == ""
