"""Middle-Ages: the records of a replay log.  Everything in them lies open; nobody knows the order of the stack."""

from __future__ import annotations

from simcore.log_records import Field, RecordKind, everybody, nobody

SLOT = Field("slot", "Domain or null")

RECORD_KINDS = (
    RecordKind(
        "deal",
        "a row is filled",
        (
            Field("round", "0 at set-up"),
            Field("row"),
            Field("drawn", "tile ids in draw order", seen=nobody, glimpsed=everybody),
            Field("tiles", "ids left to right"),
        ),
    ),
    RecordKind(
        "stack",
        "the stack ran out and is replaced; comes before the `deal` that needed it",
        (Field("round"), Field("source", "`orange` or `discards`"), Field("tiles", "ids, ascending")),
    ),
    RecordKind("lord", "a Lord is placed", (Field("round", "0 at set-up"), Field("seat"), Field("row"), Field("col"))),
    RecordKind(
        "discard",
        "the empty tile leaves the row",
        (Field("round"), Field("row"), Field("col"), Field("tile")),
    ),
    RecordKind(
        "take",
        "the tile just left goes to the Fief",
        (Field("round"), Field("seat"), Field("row"), Field("col"), Field("tile")),
    ),
    RecordKind(
        "effect",
        "the special effect",
        (Field("round"), Field("seat"), Field("domain")),
        by="domain",
        variants={
            "field": (Field("coins"),),
            "market": (Field("coins"),),
            "mill": (Field("paid", r"\[{`seat`, `coins`}\]"),),
            "village": (Field("tile", "id or null"),),
            "rampart": (Field("row", "or null"), Field("col", "or null")),
            "barracks": (Field("hits", r"\[{`seat`, `tile` (or null), `coins`}\]"),),
            "church": (SLOT,),
            "palace": (SLOT, Field("token", "or null")),
        },
    ),
    RecordKind(
        "income",
        "the Income",
        (Field("round"), Field("seat"), Field("domain"), Field("tiles", "how many are counted"), Field("coins")),
    ),
    RecordKind(
        "event",
        "an Event card",
        (
            Field("round"),
            Field("slot", "1 to 4"),
            Field("event"),
            Field("outcomes", r"\[{`seat`, `coins` (signed), `buried` \[ids\], `restored` (id or null)}\]"),
        ),
    ),
    RecordKind("round_end", "checksum of the round", (Field("round"), Field("coins", r"\[by seat\]"))),
    RecordKind(
        "end",
        "`place` 1 is best, and equal for a tie; `share60` is the win share in sixtieths",
        (
            Field("coins", "before the penalty"),
            Field("penalty"),
            Field("final"),
            Field("place"),
            Field("share60", r"\[each by seat\]"),
        ),
    ),
)
