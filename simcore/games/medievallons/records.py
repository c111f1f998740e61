"""Médiévallons: the records of a replay log, with the words in the trace that they are read from, and who sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from simcore.games.medievallons import log
from simcore.games.medievallons.columns import ACTION_NAMES, ENDINGS
from simcore.games.medievallons.ledger import Ledger, Place
from simcore.games.medievallons.model import TYPE_NAMES, MedievallonsRules
from simcore.games.medievallons.rules import card_list, is_match
from simcore.games.medievallons.state import TYPES
from simcore.log_reading import (
    Word,
    Words,
    grouped,
    known,
    named,
    number,
    one_more,
    read_records,
    seat_or_none,
    together,
)
from simcore.log_records import Field, Record, RecordKind, its_seat, nobody

BOOKLET = {"turn_draws": 1, "star_draws": 1, "red_from_players": 3}
"""Numbers that the rulings do not call switches: a log lists them only if a designer changed them."""

FIRST = 6
"""Number of words before those of the first record: a code, the index of the game, and the deal in the match."""


def header(words: Sequence[int], rules: MedievallonsRules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line of a deal's log.

    words: Trace words of the deal.
    rules: Resolved rules.
    players: Players at the table.
    """
    low, high, deal, *won = words[1:FIRST]
    match = None
    if is_match(rules, players):
        seated = [2, 1] if deal & 1 else [1, 2]
        match = {"id": high << 15 | low, "deal": deal + 1, "player": seated, "won60": won}
    cards = [{"id": number, "type": name} for number, name in enumerate(card_list(rules))]
    own = {name: getattr(rules, name) for name in BOOKLET if getattr(rules, name) != BOOKLET[name]}
    return {"options": own, "cards": cards, "match": match}


def deals(words: Sequence[int], players: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield the trace words of each deal of a game, and the row of each seat in it."""
    begun = [at for at, word in enumerate(words) if word == log.DEAL]
    for at, end in zip(begun, [*begun[1:], len(words)], strict=True):
        rows = range(players)
        yield words[at:end], rows[::-1] if words[at + 3] & 1 else rows


def records(words: Sequence[int], rules: MedievallonsRules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a deal, in order; parameters as for `header`."""
    return read_records(RECORD_KINDS, Deal(words, rules, players, FIRST, turn=0))


class Deal(Words):
    """Trace words of a deal, read from front to back, and where its cards are."""

    def __init__(self, words: Sequence[int], rules: MedievallonsRules, players: int, at: int, **current: Any) -> None:
        super().__init__(words, rules, players, at, **current)
        self.ledger = Ledger(card_list(rules))
        self.drawn: list[int] = []  # since the running power began


# --- what a word stands for ---


def next_turn(words: Words) -> int:
    """The turn after the current one."""
    return int(words.current["turn"]) + 1


def new_deck(words: Deal) -> list[int]:
    """The cards of a deck, top first, by type; their number comes first."""
    order = [TYPE_NAMES[kind] for kind in words.next(words.one())]
    return words.ledger.new_deck(order) if words.current["turn"] else words.ledger.first_deck(order)


def place(words: Words) -> Place:
    """Where a card lies."""
    return Place.of_word(words.one())


def end(name: str) -> Word:
    """A place that was read before."""

    def read(words: Words) -> dict[str, Any]:
        return dict(words.current[name].record())

    return read


def moved(words: Deal) -> int:
    """The card of a type that leaves a place for another one."""
    source = words.current["source"]
    card = words.ledger.move(words.current["type"], source, words.current["goal"])
    if source.zone == "deck":
        words.drawn.append(card)
    return card


def number_or_none(words: Words) -> int | None:
    """A number; None if it is 0."""
    return words.one() or None


def leaving(words: Deal) -> list[int]:
    """The cards that leave a hand: how many of the type, and how many Jesters."""
    members, jesters = words.next(2)
    types = [words.current["type"]] * members + ["jester"] * jesters
    return words.ledger.promise(Place("hand", words.current["seat"]), types)


def begun(words: Deal) -> str:
    """The power that begins."""
    words.drawn = []
    return TYPE_NAMES[words.one()]


def hit(words: Deal) -> int | None:
    """The card of a type that leaves a guild; None if there is no rival guild."""
    target, guild, kind = (words.current[name] for name in ("target", "guild", "type"))
    return None if target is None else words.ledger.promise(Place("guild", target, guild), [kind])[0]


def chosen(words: Deal) -> list[int]:
    """The cards of a choice, counted by type."""
    types = list(chain.from_iterable(map(repeat, TYPE_NAMES, words.next(TYPES))))
    ledger, hand = words.ledger, Place("hand", words.current["seat"])
    if words.current["choice"] != "keep":
        return ledger.promise(
            Place("hand", words.current["target"]) if words.current["choice"] == "take" else hand, types
        )
    cards = [next(card for card in words.drawn if ledger.types[card] == types[0])]
    ledger.keep_back(hand, [card for card in words.drawn if card not in cards])
    return cards


# --- who sees it, and what it is told ---

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


# --- the records, in the order of their codes ---

TURN, SEAT, TARGET = Field("turn"), Field("seat", word=one_more), Field("target")
ATTACK = (
    TARGET,
    Field("guild"),
    Field("card", "all null: no rival guild, a card is drawn", told=any_of_type, word=hit),
)
COUNTS = (Field("guilds"), Field("members"), Field("hands", r"\[by seat\]"))

RECORD_KINDS = (
    RecordKind(
        "shuffle",
        "turn 0: all cards; later the discard pile without its top card, which get no `move`",
        (
            TURN,
            Field("end_card", "side now up", word=named(("red", "yellow"))),
            Field("cards", "top first", seen=nobody, word=new_deck),
        ),
    ),
    RecordKind(
        "move",
        "one card",
        (
            TURN,
            Field("card", seen=both_hands, told=any_of_type, word=moved),
            Field("from", word=end("source")),
            Field("to", word=end("goal")),
            Field("why", word=named(log.WHY)),
        ),
        written=(grouped(type=named(TYPE_NAMES), source=place, goal=place),),
    ),
    RecordKind(
        "action",
        "`play lay reinforce use pass`; the type of the card, or of the guild afterwards",
        (
            Field("turn", word=next_turn),
            SEAT,
            Field("action", word=named(ACTION_NAMES)),
            Field("type", word=named(TYPE_NAMES)),
            Field("guild", word=number_or_none),
            Field("cards", told=any_of_type, word=leaving),
        ),
    ),
    RecordKind(
        "power",
        "a power begins",
        (TURN, Field("seat"), Field("power")),
        by="power",
        variants={
            "assassin": ATTACK,
            "rogue": ATTACK,
            "knight": (TARGET, Field("type")),
            "merchant": (TARGET,),
            "priest": (TARGET,),
            "beggar": (Field("target", "null: one's own hand is the largest"),),
            "witch": (Field("guild", "null: none to copy; the copied power has a record of its own"),),
            **dict.fromkeys(("artisan", "jester", "star", "magician", "monk", "noble"), ()),
        },
        written=(grouped(seat=one_more, power=begun, target=seat_or_none, guild=known, type=named(TYPE_NAMES)),),
    ),
    RecordKind(
        "choice",
        "a decision inside a power",
        (
            TURN,
            Field("seat", "choosing", word=one_more),
            Field("choice", f"`{' '.join(log.CHOICES)}`", word=named(log.CHOICES)),
            Field("cards", seen=its_seat, told=any_of_type, word=chosen),
        ),
    ),
    RecordKind(
        "turn_end",
        "checksum",
        (TURN, Field("seat"), Field("deck"), Field("discard"), *COUNTS),
        written=(grouped(seat=one_more, deck=number, discard=number), together("guilds", "members", "hands")),
    ),
    RecordKind(
        "end",
        "the end of the deal",
        (
            TURN,
            Field("reason", "`guilds deck turn_limit`"),
            *COUNTS,
            Field("place"),
            Field("share60", r"\[by seat\]"),
        ),
        written=(
            grouped(reason=named((*ENDINGS, "turn_limit"))),
            together("guilds", "members", "hands", "place", "share60"),
        ),
    ),
)
