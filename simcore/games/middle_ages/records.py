"""Middle-Ages: the records of a replay log, each with the words in the trace that it is read from.

Everything in the log lies open; nobody knows the order of the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.games.middle_ages import log
from simcore.games.middle_ages.model import DOMAIN_NAMES, MiddleAgesRules
from simcore.games.middle_ages.rules import tile_list
from simcore.games.middle_ages.state import EVENTS
from simcore.log_reading import (
    Words,
    by_seat,
    grouped,
    known,
    listed,
    named,
    number,
    one_more,
    read_records,
    together,
)
from simcore.log_records import Field, RecordKind, Sight, everybody, nobody

Record = dict[str, Any]

FIRST = 1 + EVENTS
"""Number of words before those of the first record: a code, and the drawn Events."""


def header(words: Sequence[int], rules: MiddleAgesRules, players: int) -> Record:
    """Return the game's own fields of the first line.

    words: Trace words of the whole game, beginning with the drawn Events.
    rules: Resolved rules.
    players: Players at the table.
    """
    cards = list(rules.events)
    return {
        "options": {"starting_coins": list(rules.starting_coins[:players])},
        "tiles": [tile._asdict() for tile in tile_list(rules)],
        "events": [cards[card] for card in words[1:FIRST]],
        "order": list(range(1, players + 1)),
    }


def records(words: Sequence[int], rules: MiddleAgesRules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    return read_records(_BY_CODE, Words(words, rules, players, FIRST))


def row_of_tiles(words: Words) -> list[int]:
    """One tile for each column."""
    return words.next(words.players + 1)


def new_stack(words: Words) -> list[int]:
    """As many tiles as the first word says."""
    return sorted(words.next(words.one()))


def event_name(words: Words) -> str:
    """The name of an Event card."""
    return str(list(words.rules.events)[words.one()])


numbers = listed(number)


def outcomes(words: Words) -> list[Record]:
    """What an Event does to each seat; each has a code, coins, the buried tiles and the restored ones."""
    found = []
    for seat in range(1, words.players + 1):
        coins, buried, restored = words.next(2)[1], numbers(words), numbers(words)
        found.append({"seat": seat, "coins": coins, "buried": buried, "restored": restored[0] if restored else None})
        if len(restored) > 1:
            found[-1]["also_restored"] = restored[1:]
    return found


def of(
    name: str, word: Callable[[Words], Any] = number, meaning: str = "", seen: Sight = everybody, **more: Any
) -> Field:
    """Return a field that is read from the trace."""
    return Field(name, meaning, seen, word=word, **more)


ROUND, SEAT, ROW, COL, TILE = of("round"), of("seat", one_more), of("row"), of("col"), of("tile")
SET_UP = of("round", meaning="0 at set-up")
THIS_ROUND = Field("round")
TURN = (THIS_ROUND, Field("seat"), Field("domain"))
COINS = (of("coins"),)
SLOT = of("slot", named(DOMAIN_NAMES), "Domain or null")

DEAL = RecordKind(
    "deal",
    "a row is filled",
    (
        SET_UP,
        ROW,
        of("drawn", row_of_tiles, "tile ids in draw order", seen=nobody, glimpsed=everybody),
        of("tiles", row_of_tiles, "ids left to right"),
    ),
)
STACK = RecordKind(
    "stack",
    "the stack ran out and is replaced; comes before the `deal` that needed it",
    (
        ROUND,
        of("source", named(("discards", "orange")), "`orange` or `discards`"),
        of("tiles", new_stack, "ids, ascending"),
    ),
)
LORD = RecordKind("lord", "a Lord is placed", (SET_UP, SEAT, ROW, COL))
DISCARD = RecordKind("discard", "the empty tile leaves the row", (ROUND, ROW, COL, TILE))
TAKE = RecordKind(
    "take",
    "the tile just left goes to the Fief",
    (THIS_ROUND, Field("seat"), Field("row"), Field("col"), Field("tile")),
    written=(grouped(round=number, seat=one_more, row=number, col=number, tile=number, domain=named(DOMAIN_NAMES)),),
)
EFFECT = RecordKind(
    "effect",
    "the special effect",
    TURN,
    by="domain",
    variants={
        "field": COINS,
        "market": COINS,
        "mill": (of("paid", listed(grouped(seat=one_more, coins=number)), r"\[{`seat`, `coins`}\]"),),
        "village": (of("tile", known, "id or null"),),
        "rampart": (of("row", known, "or null"), of("col", known, "or null")),
        "barracks": (
            of(
                "hits",
                listed(grouped(seat=one_more, tile=known, coins=number)),
                r"\[{`seat`, `tile` (or null), `coins`}\]",
            ),
        ),
        "church": (SLOT,),
        "palace": (SLOT, of("token", named(DOMAIN_NAMES), "or null")),
    },
)
INCOME = RecordKind("income", "the Income", (*TURN, of("tiles", meaning="how many are counted"), *COINS))
EVENT = RecordKind(
    "event",
    "an Event card",
    (
        THIS_ROUND,
        of("slot", one_more, "1 to 4"),
        of("event", event_name),
        of("outcomes", outcomes, r"\[{`seat`, `coins` (signed), `buried` \[ids\], `restored` (id or null)}\]"),
    ),
)
ROUND_END = RecordKind("round_end", "checksum of the round", (THIS_ROUND, of("coins", by_seat, r"\[by seat\]")))
END = RecordKind(
    "end",
    "`place` 1 is best, and equal for a tie; `share60` is the win share in sixtieths",
    (
        Field("coins", "before the penalty"),
        Field("penalty"),
        Field("final"),
        Field("place"),
        Field("share60", r"\[each by seat\]"),
    ),
    written=(together("coins", "penalty"), together("final", "place", "share60")),
)

RECORD_KINDS = (DEAL, STACK, LORD, DISCARD, TAKE, EFFECT, INCOME, EVENT, ROUND_END, END)

_EFFECTS = (log.COINS, log.PAID, log.RESTORED, log.SCOUT, log.HIT, log.EXTRA, log.PLOT)
_BY_CODE = {
    int(log.DEAL): DEAL,
    int(log.STACK): STACK,
    int(log.LORD): LORD,
    int(log.DISCARD): DISCARD,
    int(log.TAKE): TAKE,
    **{int(code): EFFECT for code in _EFFECTS},
    int(log.INCOME): INCOME,
    int(log.EVENT): EVENT,
    int(log.ROUND_END): ROUND_END,
    int(log.END): END,
}
