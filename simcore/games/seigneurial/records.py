"""Seigneurial: the records of a replay log, each with the words in the trace that it is read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.games.seigneurial import log
from simcore.games.seigneurial.columns import ENDINGS
from simcore.games.seigneurial.model import SeigneurialRules
from simcore.games.seigneurial.rules import ENTRIES
from simcore.games.seigneurial.state import DECISIONS, PLAYERS, VALUES
from simcore.games.seigneurial.vocabulary import (
    OP_NAMES,
    QUARTER_NAMES,
    SQUARE_NAMES,
    TYPE_NAMES,
    WINDOW_NAMES,
    what_name,
)
from simcore.games.seigneurial.who_sees import (
    back,
    if_kept,
    if_open,
    in_passing,
    open_or_own,
    own_if_passed,
    own_points,
    the_lord,
)
from simcore.log_reading import (
    Word,
    Words,
    by_seat,
    flag,
    grouped,
    known,
    named,
    number,
    one_more,
    read_records,
    seat_or_none,
    together,
)
from simcore.plain_log import plain_header
from simcore.log_records import Field, Record, RecordKind, everybody, its_seat, nobody


def header(words: Sequence[int], rules: SeigneurialRules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line of a log.

    words: Trace words of the game.
    rules: Resolved rules.
    players: Players at the table.
    """
    values = plain_header(words, rules, players)["options"]
    options = {name: value for name, value in values.items() if name not in ("objectives", "tenant_card", "lord_card")}
    options |= {name: values[name][str(players)] for name in ENTRIES}
    return {
        "options": options,
        "track": options["track"],
        "rent": options["rent"],
        "objectives": {name: list(goal) for name, goal in rules.goals(players).items()},
        "tenant_cards": [card.as_in_toml() for card in rules.tenant_card],
        "lord_cards": [card.as_in_toml() for card in rules.lord_card],
    }


def records(words: Sequence[int], rules: SeigneurialRules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a game, in order; parameters as for `header`."""
    return read_records(RECORD_KINDS, Words(words, rules, players, turn=0))


# --- what a word stands for ---


def next_season(words: Words) -> int:
    """The season after the current one."""
    return int(words.current["turn"]) + 1


def card_of(table: Any) -> Word:
    """The id of a card, which the kernel counts in its table."""

    def read(words: Words) -> str:
        return name_of_card(table + words.one(), words.rules)

    return read


def card(words: Words) -> str | None:
    """A card, or None."""
    found = known(words)
    return None if found is None else name_of_card(found, words.rules)


def name_of_card(card: int, rules: SeigneurialRules) -> str:
    """Return the name of a card: its face, such as "wood2", or its id."""
    table, place = divmod(card, int(log.TENANT_CARD))
    if table == 0:
        return f"{TYPE_NAMES[place // VALUES]}{place % VALUES}"
    if table == 3:
        return list(rules.objectives)[place]
    return (rules.tenant_card if table == 1 else rules.lord_card)[place].id


def pile(table: Any) -> Word:
    """The ids of all cards in a pile; their number comes first."""

    def read(words: Words) -> list[str]:
        return [name_of_card(table + kind, words.rules) for kind in words.next(words.one())]

    return read


def counts(words: Words) -> list[int]:
    """How many cards of each value."""
    return words.next(VALUES)


def place(words: Words) -> Record:
    """A zone, and a seat if each has one."""
    seat, zone = divmod(words.one(), 16)
    name = log.ZONES[zone]
    return {"zone": name, "seat": 1 + seat} if name in log.SEATED else {"zone": name}


def squares(words: Words) -> list[str]:
    """The squares of pawns, written as digits in base 8; their number comes first."""
    pawns, digits = words.next(2)
    return [SQUARE_NAMES[digits >> 3 * pawn & 7] for pawn in range(pawns)]


def type_or_square(words: Words) -> str:
    """A type, or a square if the next word is 1."""
    what, is_square = words.next(2)
    return (SQUARE_NAMES if is_square else TYPE_NAMES)[what]


def seats(words: Words) -> list[int]:
    """Seats, from 1."""
    return [1 + seat for seat in words.next(PLAYERS) if seat >= 0]


def what(words: Words) -> str | None:
    """A type, a square or a way to choose, as the operation has it."""
    return what_name(words.current["op"], words.one())


def of_tenants(name: str) -> Word:
    """One number for each tenant."""

    def read(words: Words) -> list[int]:
        return list(words.current[name][1:])

    return read


# --- the records, in the order of their codes ---

TURN = Field("turn")
SEAT = Field("seat", word=one_more)
CARD = Field("card", "or null", seen=its_seat, word=card)
TARGET = (Field("target", word=one_more),)
TYPE = named(TYPE_NAMES)

RECORD_KINDS = (
    RecordKind(
        "shuffle",
        "a pile is shuffled; the lord's is in the order of the table and drawn at random",
        (TURN, Field("deck", "a type, `tenant`, `lord`, `objective`", word=named(log.PILES))),
        by="deck",
        variants={
            **{kind: (Field("counts", "of the values 0 to 4", word=counts),) for kind in TYPE_NAMES},
            "tenant": (Field("cards", "top first", seen=nobody, word=pile(log.TENANT_CARD)),),
            "lord": (Field("cards", word=pile(log.LORD_CARD)),),
            "objective": (Field("cards", "top first", seen=nobody, word=pile(log.GOAL_CARD)),),
        },
    ),
    RecordKind(
        "season",
        "a season begins",
        (
            Field("turn", word=next_season),
            Field("season", word=named(QUARTER_NAMES)),
            Field("first", "seat of the first tenant", word=one_more),
        ),
    ),
    RecordKind(
        "move",
        "a card moves",
        (
            TURN,
            Field("card", seen=open_or_own, glimpsed=in_passing, instead=back, word=card),
            Field("from", word=place),
            Field("to", word=place),
            Field("why", f"`{' '.join(log.WHY)}`", word=named(log.WHY)),
        ),
    ),
    RecordKind(
        "action",
        "a seat decides",
        (TURN, SEAT, Field("action", word=named([decision.name for decision in DECISIONS]))),
        seen=own_if_passed,
        by="action",
        variants={
            "play": (Field("window", word=named(WINDOW_NAMES)), Field("card", "or null", word=card)),
            "target": TARGET,
            "what": (Field("what", word=type_or_square),),
            "part": (CARD,),
            "shift": (Field("from", word=TYPE), Field("to", word=TYPE), Field("points", word=number)),
            "objective": (Field("keep", seen=its_seat, word=card_of(log.GOAL_CARD)),),
            "winter": (Field("pay", word=flag),),
            "place": (Field("squares", word=squares),),
            "keep": (Field("card", seen=its_seat, word=card_of(log.TENANT_CARD)),),
            "drop": (Field("card", seen=its_seat, glimpsed=everybody, word=card_of(log.TENANT_CARD)),),
            "rent": tuple(Field(kind, word=number) for kind in TYPE_NAMES),
            "lay": (Field("card", "or null", seen=if_open, word=card),),
            "split": (Field("type", word=TYPE), *TARGET),
            "next": TARGET,
            "pick": (Field("card", seen=its_seat, word=card),),
            "improve": (Field("square", word=named(SQUARE_NAMES)),),
            "crown": TARGET,
        },
        size=5,
    ),
    RecordKind(
        "effect",
        "an effect of a card",
        (
            TURN,
            Field("op", word=named(OP_NAMES)),
            Field("who", r"\[seats\]", word=seats),
            Field("what", word=what),
            Field("n", word=number),
        ),
    ),
    RecordKind("ill", "in winter only: a pawn falls ill", (TURN, SEAT, Field("turns", word=number)), size=3),
    RecordKind("favour", "a tenant gets favour", (TURN, SEAT, Field("points", word=number)), size=3),
    RecordKind(
        "draw",
        "the lord draws from a hand",
        (
            TURN,
            Field("seat", "the tenant", word=one_more),
            Field("card", seen=if_kept, glimpsed=the_lord, word=card),
            Field("kept", word=flag),
        ),
    ),
    RecordKind(
        "progress", "the lord moves on or not", (TURN, Field("obtained", word=flag), Field("square", word=number))
    ),
    RecordKind(
        "season_end",
        "checksum of the season",
        (
            TURN,
            Field("square"),
            Field("points", seen=nobody, instead=own_points, word=of_tenants("points")),
            Field("resources", word=of_tenants("resources")),
            Field("favour", r"\[each by tenant\]", word=of_tenants("favour")),
            Field("cards", r"\[by seat\]"),
        ),
        written=(grouped(square=number), together("points", "resources", "favour", "cards")),
    ),
    RecordKind(
        "end",
        "the end of the game",
        (
            Field("reason", "`track`, `objective`, `limit`", word=named(ENDINGS)),
            Field("winner", "or null", word=seat_or_none),
            Field("share60", r"\[by seat\]", word=by_seat),
        ),
    ),
)
