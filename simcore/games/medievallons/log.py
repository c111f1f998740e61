"""Médiévallons: what a recorded deal writes, the records that are read from it, and their text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain, repeat
from typing import Any

import numpy as np

from simcore.games.medievallons.rules import MedievallonsRules, card_list, is_match
from simcore.games.medievallons.state import ACTION_NAMES, ENDINGS, TYPES, TYPE_NAMES
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.trace import tell
from simcore.log_records import (
    Field, Lines, Record, RecordKind, Word, Words, grouped, heading, its_seat, known, named, nobody, one_more, one_move,
    read_records, seat_or_none, short, standings, story, together, whole_number,
)  # fmt: skip
from simcore.tabletop import counted


SHUFFLE, MOVE, DID, POWER, CHOICE, TURN_END, END = map(np.int64, range(7))
DEAL = np.int64(-2)
"""Begins the words of a deal; no other word is below -1."""

# Places of a card: a zone, in the lowest four bits; above them the seat, above it the number of the guild.
DECK, DISCARD, HAND, TABLE, IN_PLAY = map(np.int64, range(5))
ZONES = ("deck", "discard", "hand", "guild", "play")

# Why a card moves, beside the power (0..12) that moves it.
(DEALT, SET_UP, PLAYED, LAID, ADDED, DISCARDED, DRAWN, PASSED, SHORT, REPLACEMENT, COLLAPSE) = map(
    np.int64, range(13, 24)
)
WHY = (
    *TYPE_NAMES, "deal", "setup", "play", "lay", "reinforce", "discard", "draw", "pass", "short", "replacement",
    "collapse",
)  # fmt: skip

KEPT, TAKEN, GIVEN = map(np.int64, range(3))
CHOICES = ("keep", "take", "give")


@inlined
def hand_of(seat):
    return HAND | seat << 4


@inlined
def guild_of(seat, number):
    return TABLE | seat << 4 | np.int64(number) << 8


@apart
def log_choice(trace, seat, choice, counts):
    """Log a choice inside a power: cards by type, four bits each."""
    if trace.on:
        tell(trace, CHOICE, seat, choice)
        for kind in range(TYPES):
            tell(trace, counts >> np.uint64(4 * kind) & np.uint64(15))


# --- Where every card of a recorded deal is; gives the cards that a kernel counts by type their own numbers again ---


@dataclass(frozen=True)
class Place:
    """Where a card lies."""

    zone: str  # "deck", "discard", "hand", "guild" or "play"
    seat: int = 0  # from 1; 0 for the deck and the discard pile
    guild: int = 0  # number of the guild; 0 elsewhere

    @classmethod
    @cache
    def of_word(cls, word: int) -> Place:
        """Read a place from a trace word."""
        zone = ZONES[word & 15]
        if zone in ("deck", "discard"):
            return cls(zone)
        return cls(zone, 1 + (word >> 4 & 15), word >> 8)

    def record(self) -> dict[str, Any]:
        """Return the place as a replay log has it."""
        return {name: value for name, value in vars(self).items() if value}


class Ledger:
    """Follows the cards of one deal.

    types: Type of every card, by id; cards of a type have consecutive ids.
    """

    def __init__(self, types: Sequence[str]) -> None:
        self.types = types
        self.cards: defaultdict[Place, list[int]] = defaultdict(list)
        self.promised: defaultdict[Place, list[int]] = defaultdict(list)

    def first_deck(self, order: Iterable[str]) -> list[int]:
        """Lay out a new deck, given by types, top first; return the ids."""
        self.cards.clear()
        self.promised.clear()
        return self._deal_out(order, range(len(self.types)))

    def new_deck(self, order: Iterable[str]) -> list[int]:
        """Make a deck of the discard pile without its top card, given by types, top first; return the ids."""
        pile = self.cards[Place("discard")]
        ids = self._deal_out(order, pile[:-1])
        del pile[:-1]
        return ids

    def _deal_out(self, order: Iterable[str], ids: Iterable[int]) -> list[int]:
        left: defaultdict[str, list[int]] = defaultdict(list)
        for card in ids:
            left[self.types[card]].append(card)
        found = [left[kind].pop(0) for kind in order]
        self.cards[Place("deck")] = found[::-1]  # top last, as the discard pile
        return found

    def promise(self, place: Place, kinds: Iterable[str]) -> list[int]:
        """Choose which cards of some types will leave a place next, and return their ids."""
        promised = self.promised[place]
        free = [card for card in self.cards[place] if card not in promised]
        found = []
        for kind in kinds:
            card = next(card for card in free if self.types[card] == kind)
            free.remove(card)
            found.append(card)
        promised += found
        return found

    def keep_back(self, place: Place, ids: Iterable[int]) -> None:
        """Do the same for cards that are known."""
        self.promised[place] += ids

    def move(self, kind: str, source: Place, goal: Place) -> int:
        """Move a card of a type; return its id."""
        cards, promised = self.cards[source], self.promised[source]
        if source.seat:
            card = next(card for card in (*promised, *cards) if self.types[card] == kind)
        else:
            card = cards[-1]
        if self.types[card] != kind:
            raise RuntimeError(f"the trace moves a card of type '{kind}', but '{self.types[card]}' lies on top")
        cards.remove(card)
        if card in promised:
            promised.remove(card)
        self.cards[goal].append(card)
        return card


# --- The records of a replay log, with the words in the trace that they are read from, and who sees them ---


BOOKLET = {"turn_draws": 1, "star_draws": 1, "red_from_players": 3}
"""Numbers that the rulings do not call switches: a log lists them only if a designer changed them."""

FIRST = 6
"""Number of words before those of the first record: a code, the index of the game, and the deal in the match."""


def header(words: Sequence[int], rules: MedievallonsRules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line of a deal's log."""
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
    begun: list[int] = []
    with suppress(ValueError):  # there is none left
        while True:
            begun.append(words.index(int(DEAL), begun[-1] + 1 if begun else 0))
    for at, end in zip(begun, [*begun[1:], len(words)], strict=True):
        rows = range(players)
        yield words[at:end], rows[::-1] if words[at + 3] & 1 else rows


def records(words: Sequence[int], rules: MedievallonsRules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a deal, in order."""
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
            Field("why", word=named(WHY)),
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
            Field("choice", f"`{' '.join(CHOICES)}`", word=named(CHOICES)),
            Field("cards", seen=its_seat, told=any_of_type, word=chosen),
        ),
    ),
    RecordKind(
        "turn_end",
        "checksum",
        (TURN, Field("seat"), Field("deck"), Field("discard"), *COUNTS),
        written=(
            grouped(seat=one_more, deck=whole_number, discard=whole_number),
            together("guilds", "members", "hands"),
        ),
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


# --- The table as a reader of a replay log of Médiévallons sees it: who holds what after each record ---


class Table:
    """Follows the cards of one deal, given the log's first line."""

    def __init__(self, header: Record) -> None:
        self.types: dict[int, str] = {card["id"]: card["type"] for card in header["cards"]}
        self.order = list(dict.fromkeys(self.types.values()))
        self.names: list[str] = header["strategies"]
        self.cards: defaultdict[Place, list[int | None]] = defaultdict(
            list
        )  # None is a card that the reader does not see

    def shuffle(self, record: Record) -> None:
        """Lay out a deck; the cards of a later one come from the discard pile."""
        pile = self.cards[Place("discard")]
        count = len(pile) - 1 if record["turn"] else len(self.types)
        self.cards[Place("discard")] = pile[-1:]
        self.cards[Place("deck")] = list(record.get("cards", [None] * count))

    def move(self, record: Record) -> None:
        """Move a card."""
        left, card = self.cards[Place(**record["from"])], record.get("card")
        left.remove(card if card in left else None if None in left else left[0])
        self.cards[Place(**record["to"])].append(card)

    def hand(self, seat: int) -> list[int | None]:
        """Return the cards in a hand."""
        return self.cards[Place("hand", seat)]

    def guilds(self, seat: int) -> dict[int, list[int | None]]:
        """Return the guilds in front of a seat by number."""
        found = {place.guild: cards for place, cards in self.cards.items() if place.guild and place.seat == seat}
        return {number: found[number] for number in sorted(found) if found[number]}

    def name(self, card: int | None) -> str:
        """Name a card."""
        return "a card" if card is None else self.types[card].capitalize()

    def listed(self, cards: Iterable[int | None]) -> str:
        """Name some cards one by one."""
        return ", ".join(map(self.name, cards)) or "nothing"

    def counted(self, cards: Sequence[int | None]) -> str:
        """Name some cards by type, in booklet order; then count those that the reader does not see."""
        counts = Counter(self.types[card] for card in cards if card is not None)
        named = [
            f"{kind.capitalize()}{f' x{counts[kind]}' if counts[kind] > 1 else ''}"
            for kind in self.order
            if counts[kind]
        ]
        hidden = cards.count(None)
        named += [f"{hidden} unseen" if named else counted(hidden, "card")] if hidden else []
        return ", ".join(named) or "none"


# --- A replay log of Médiévallons as text that a person can follow at the table ---


LABELS = {"draw": "Draws", "pass": "Passes", "short": "Is short", "replacement": "No target", "collapse": "Falls apart"}
SET_UP_MOVES = ("deal", "setup")
SILENT = ("play", "lay", "reinforce", "discard")
"""Moves that the line of the action already shows."""


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of one deal."""
    yield from heading("Médiévallons", header, above=_match(header["match"]))
    yield from story(_TEXTS, Table(header), records, _together)


def _together(record: Record) -> Any:
    """Return what records must have in common to be shown together."""
    return "set-up" if record.get("why") in SET_UP_MOVES else one_move(record)


def _match(match: Record | None) -> Lines:
    if match:
        seated = ", ".join(f"player {player} in seat {seat}" for seat, player in enumerate(match["player"], 1))
        score = " to ".join(f"{won / 60:g}" for won in match["won60"])
        yield f"Deal {match['deal']} of the match: {seated}; deals won so far {score}"


def _step(label: str, text: str) -> str:
    return f"    {label:<12}{text}"


def _guild(table: Table, number: int, cards: Sequence[int | None]) -> str:
    return f"guild {number} of {table.counted(cards)}"


# --- the deck ---


def _shuffle(table: Table, record: Record) -> Lines:
    table.shuffle(record)
    if record["turn"]:
        cards = len(table.cards[Place("deck")])
        yield _step("End card", f"turns {record['end_card']}; {cards} discards are shuffled into a new deck")


def _set_up(table: Table, last: Record) -> Lines:
    yield from ("", "Set-up")
    for seat, name in enumerate(table.names, 1):
        yield f"  Seat {seat}, {short(name)}: {table.counted(table.hand(seat))}"
    yield f"  Discard pile: {table.name(last.get('card'))}"


# --- a turn ---


def _action(table: Table, record: Record) -> Lines:
    seat, cards = record["seat"], record["cards"]
    guilds = "; ".join(_guild(table, number, own) for number, own in table.guilds(seat).items())
    yield ""
    yield f"Turn {record['turn']}, seat {seat}, {short(table.names[seat - 1])}"
    yield f"  Hand: {table.counted(table.hand(seat))}"
    if guilds:
        yield f"  Table: {guilds}"
    if record["action"] == "play":
        yield _step("Plays", table.listed(cards))
    elif record["action"] == "lay":
        yield _step("Lays", _guild(table, record["guild"], cards))
    elif record["action"] == "reinforce":
        yield _step("Reinforces", f"guild {record['guild']} with {table.listed(cards)}")
    elif record["action"] == "use":
        yield _step("Uses", _guild(table, record["guild"], table.guilds(seat)[record["guild"]]))


def _power(table: Table, record: Record) -> Lines:
    told = _POWERS.get(record["power"])
    if told is not None:
        yield _step(record["power"].capitalize(), told(table, record))


def _attack(table: Table, record: Record) -> str:
    if record["target"] is None:
        return "finds no rival guild"
    return f"strikes at guild {record['guild']} of seat {record['target']}"


def _knight(table: Table, record: Record) -> str:
    hand = table.hand(record["target"])
    has = any(card is None or table.types[card] == record["type"] for card in hand)
    asked = f"asks seat {record['target']} for a {record['type'].capitalize()}"
    return asked if has else f"{asked}, who has none"


def _merchant(table: Table, record: Record) -> str:
    return f"trades with seat {record['target']}"


def _priest(table: Table, record: Record) -> str:
    return f"sees the hand of seat {record['target']}: {table.counted(table.hand(record['target']))}"


def _beggar(table: Table, record: Record) -> str:
    return "has the largest hand" if record["target"] is None else f"goes to seat {record['target']}"


def _witch(table: Table, record: Record) -> str:
    if record["guild"] is None:
        return "finds no guild to copy and reveals the top card of the deck"
    owner = next(seat for seat in range(1, len(table.names) + 1) if record["guild"] in table.guilds(seat))
    return f"copies guild {record['guild']} of seat {owner}"


def _choice(table: Table, record: Record) -> Lines:
    if record["choice"] == "keep" and "cards" in record:  # what is given or taken moves at once
        yield _step("", f"seat {record['seat']} keeps {table.listed(record['cards'])}")


def _moves(table: Table, *group: Record) -> Lines:
    first = group[0]
    source, goal = Place(**first["from"]), Place(**first["to"])
    for record in group:
        table.move(record)
    if first["why"] in SET_UP_MOVES:
        yield from _set_up(table, group[-1])
    elif first["why"] not in SILENT:
        seen = any("card" in record for record in group)
        cards = table.listed(record["card"] for record in group) if seen else counted(len(group), "card")
        yield _step(
            LABELS.get(first["why"], first["why"].capitalize()),
            _MOVES[source.zone, goal.zone].format(
                cards=cards, giver=source.seat, guild=source.guild, receiver=goal.seat
            ),
        )


def _turn_end(table: Table, record: Record) -> Lines:
    piles = f"deck {record['deck']}, discard pile {record['discard']}"
    yield f"  Cards in hand {'/'.join(map(str, record['hands']))}, {piles}"


# --- the end ---


def _end(table: Table, record: Record) -> Lines:
    yield from ("", f"The deal ends in turn {record['turn']}: {_REASONS[record['reason']]}")
    columns = {"Guilds": "guilds", "Members": "members", "Hand": "hands"}
    yield from standings(
        record,
        table.names,
        columns,
        "Table",
        lambda seat: "; ".join(table.counted(cards) for cards in table.guilds(seat).values()),
    )


_REASONS = {
    "guilds": "the last guild that is needed lies on the table",
    "deck": "the deck has run out",
    "turn_limit": "the turn limit is reached",
}

_POWERS: dict[str, Callable[[Table, Record], str]] = {
    "assassin": _attack, "rogue": _attack, "knight": _knight, "merchant": _merchant, "beggar": _beggar,
    "priest": _priest, "witch": _witch,
}  # fmt: skip

_MOVES = {
    ("deck", "hand"): "seat {receiver} draws {cards}",
    ("deck", "discard"): "{cards} is revealed and discarded",
    ("discard", "hand"): "seat {receiver} takes {cards} from the discard pile",
    ("hand", "discard"): "seat {giver} discards {cards}",
    ("hand", "hand"): "seat {giver} gives seat {receiver} {cards}",
    ("guild", "discard"): "{cards} goes from seat {giver}'s guild {guild} to the discard pile",
    ("guild", "hand"): "{cards} goes from seat {giver}'s guild {guild} to seat {receiver}'s hand",
}

_TEXTS: dict[str, Callable[..., Lines]] = {
    "shuffle": _shuffle, "action": _action, "power": _power, "choice": _choice, "move": _moves, "turn_end": _turn_end,
    "end": _end,
}  # fmt: skip
