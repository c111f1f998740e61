"""Records are read from trace words as their kinds declare them."""

from __future__ import annotations

from simcore.log_records import (
    Field,
    RecordKind,
    Words,
    flag,
    grouped,
    known,
    listed,
    named,
    one_more,
    read_records,
    seat_or_none,
    together,
    whole_number,
)

TURN = RecordKind("turn", "", (Field("turn", word=one_more), Field("seat", word=seat_or_none)))
TAKE = RecordKind(
    "take",
    "",
    (Field("turn"), Field("how", word=named(("dealt", "bought")))),
    by="how",
    variants={
        "dealt": (Field("card", word=known),),
        "bought": (Field("coins", word=whole_number), Field("all", word=flag)),
    },
)
END = RecordKind(
    "end",
    "",
    (Field("turn"), Field("place"), Field("points"), Field("won", word=listed(one_more))),
    written=(grouped(turn=whole_number), together("points", "place")),
)


def test_words_are_read_as_declared() -> None:
    words = [0, 2, -1, 1, 0, -1, 1, 1, 5, 1, 2, 7, 30, 1, 20, 2, 0, -1]
    assert list(read_records((TURN, TAKE, END), Words(words, None, players=2))) == [
        {"kind": "turn", "turn": 3, "seat": None},
        {"kind": "take", "turn": 3, "how": "dealt", "card": None},
        {"kind": "take", "turn": 3, "how": "bought", "coins": 5, "all": True},
        {"kind": "end", "turn": 7, "place": [1, 2], "points": [30, 20], "won": [1]},
    ]


def test_the_first_turn_is_given() -> None:
    words = Words([0, 0, 4], None, players=2, turn=0)
    assert list(read_records((TAKE,), words)) == [{"kind": "take", "turn": 0, "how": "dealt", "card": 4}]
