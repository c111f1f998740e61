"""From the trace words of a recorded game to the first line and the records of the replay log of each deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat

from simcore.games.medievallons import log
from simcore.games.medievallons.columns import ACTION_NAMES, ENDINGS
from simcore.games.medievallons.ledger import Ledger, Place, Record
from simcore.games.medievallons.model import TYPE_NAMES, MedievallonsRules
from simcore.games.medievallons.rules import card_list, is_match
from simcore.games.medievallons.state import TYPES

BOOKLET = {"turn_draws": 1, "star_draws": 1, "red_from_players": 3}
"""Numbers that the rulings do not call switches: a log lists them only if a designer changed them."""

REASONS = (*ENDINGS, "turn_limit")
CHOICES = ("keep", "take", "give")
WHY = (
    *TYPE_NAMES, "deal", "setup", "play", "lay", "reinforce", "discard", "draw", "pass", "short", "replacement",
    "collapse",
)  # fmt: skip

Words = Sequence[int]


def header(words: Words, rules: MedievallonsRules, players: int) -> Record:
    """Return the game's own fields of the first line of a deal's log.

    Parameters
    ----------
    words
        Trace words of the deal.
    rules
        Resolved rules.
    players
        Players at the table.
    """
    low, high, deal, *won = next(_events(words, players))[1]
    match = None
    if is_match(rules, players):
        seated = [2, 1] if deal & 1 else [1, 2]
        match = {"id": high << 15 | low, "deal": deal + 1, "player": seated, "won60": list(won)}
    cards = [{"id": number, "type": name} for number, name in enumerate(card_list(rules))]
    own = {name: getattr(rules, name) for name in BOOKLET if getattr(rules, name) != BOOKLET[name]}
    return {"options": own, "cards": cards, "match": match}


def deals(words: Words, players: int) -> Iterator[tuple[Words, Sequence[int]]]:
    """Yield the trace words of each deal of a game, and the row of each seat in it."""
    begun = [(at, event[2]) for at, code, event in _places(words, players) if code == log.DEAL]
    ends = [at for at, _ in begun[1:]] + [len(words)]
    for (at, deal), end in zip(begun, ends, strict=True):
        rows = range(players)
        yield words[at:end], rows[::-1] if deal & 1 else rows


def records(words: Words, rules: MedievallonsRules, players: int) -> Iterator[Record]:
    """Yield the records of a deal, in order; parameters as for `header`."""
    writer = _Writer([TYPE_NAMES.index(name) for name in card_list(rules)], players)
    for code, event in _events(words, players):
        if code != log.DEAL:
            yield _WRITERS[code](writer, event)


def _places(words: Words, players: int) -> Iterator[tuple[int, int, Words]]:
    """Yield where each event begins, its code, and its words."""
    at = 0
    while at < len(words):
        code = words[at]
        size = words[at + 2] + 2 if code == log.SHUFFLE else _SIZES[code](players)
        yield at, code, words[at + 1 : at + 1 + size]
        at += 1 + size


def _events(words: Words, players: int) -> Iterator[tuple[int, Words]]:
    return ((code, event) for _, code, event in _places(words, players))


_SIZES: dict[int, Callable[[int], int]] = {
    int(log.DEAL): lambda players: 5,
    int(log.MOVE): lambda players: 4,
    int(log.DID): lambda players: 6,
    int(log.POWER): lambda players: 5,
    int(log.CHOICE): lambda players: 2 + TYPES,
    int(log.TURN_END): lambda players: 3 + 3 * players,
    int(log.END): lambda players: 1 + 5 * players,
}


def _known(number: int) -> int | None:
    return number if number >= 0 else None


def _counted(counts: Words) -> Iterator[int]:
    """Return each type as many times as it is counted."""
    return chain.from_iterable(repeat(kind, count) for kind, count in enumerate(counts))


class _Writer:
    """The cards of a deal, and the turn that its events belong to."""

    def __init__(self, types: Sequence[int], players: int) -> None:
        self.ledger = Ledger(types)
        self.players = players
        self.turn = 0
        self.drawn: list[int] = []  # since the running power began
        self.target = 0  # seat, from 1, that it is aimed at

    def of_turn(self, kind: str, seat: int | None = None) -> Record:
        """Begin a record that belongs to the current turn."""
        return {"kind": kind, "turn": self.turn} | ({} if seat is None else {"seat": seat + 1})

    def by_seat(self, counts: Words, names: Sequence[str]) -> Record:
        """Return lists by seat of words in the order of the seats."""
        return {name: list(counts[number :: len(names)]) for number, name in enumerate(names)}


def _shuffle(writer: _Writer, event: Words) -> Record:
    yellow, _, *order = event
    ledger = writer.ledger
    ids = ledger.new_deck(order) if writer.turn else ledger.first_deck(order)
    return {**writer.of_turn("shuffle"), "end_card": "yellow" if yellow else "red", "cards": ids}


def _move(writer: _Writer, event: Words) -> Record:
    kind, source, goal, why = event
    left, reached = Place.of_word(source), Place.of_word(goal)
    card = writer.ledger.move(kind, left, reached)
    if left.zone == "deck":
        writer.drawn.append(card)
    return {**writer.of_turn("move"), "card": card, "from": left.record(), "to": reached.record(), "why": WHY[why]}


def _did(writer: _Writer, event: Words) -> Record:
    seat, action, kind, guild, members, jesters = event
    writer.turn += 1
    wild = TYPE_NAMES.index("jester")
    cards = writer.ledger.promise(Place("hand", seat + 1), [kind] * members + [wild] * jesters)
    return {
        **writer.of_turn("action", seat),
        "action": ACTION_NAMES[action],
        "type": TYPE_NAMES[kind] if kind >= 0 else None,
        "guild": guild or None,
        "cards": cards,
    }


def _power(writer: _Writer, event: Words) -> Record:
    seat, power, target, guild, kind = event
    writer.drawn, writer.target = [], target + 1
    name = TYPE_NAMES[power]
    record = {**writer.of_turn("power", seat), "power": name}
    fields = _FIELDS.get(name, ())
    if "target" in fields:
        record["target"] = target + 1 if target >= 0 else None
    if "guild" in fields:
        record["guild"] = _known(guild)
    if "type" in fields:
        record["type"] = TYPE_NAMES[kind]
    if "card" in fields:
        place = Place("guild", target + 1, guild)
        record["card"] = writer.ledger.promise(place, [kind])[0] if target >= 0 else None
    return record


def _choice(writer: _Writer, event: Words) -> Record:
    seat, choice, *counts = event
    ledger, hand = writer.ledger, Place("hand", seat + 1)
    name = CHOICES[choice]
    if name == "keep":
        kind = next(_counted(counts))
        cards = [next(card for card in writer.drawn if ledger.types[card] == kind)]
        ledger.keep_back(hand, [card for card in writer.drawn if card not in cards])
    else:
        cards = ledger.promise(Place("hand", writer.target) if name == "take" else hand, _counted(counts))
    return {**writer.of_turn("choice", seat), "choice": name, "cards": cards}


def _turn_end(writer: _Writer, event: Words) -> Record:
    seat, deck, discard, *counts = event
    piles = {"deck": deck, "discard": discard}
    return writer.of_turn("turn_end", seat) | piles | writer.by_seat(counts, ("guilds", "members", "hands"))


def _end(writer: _Writer, event: Words) -> Record:
    reason, *counts = event
    result = writer.by_seat(counts, ("guilds", "members", "hands", "place", "share60"))
    return writer.of_turn("end") | {"reason": REASONS[reason]} | result


_FIELDS = {
    "assassin": ("target", "guild", "card"), "rogue": ("target", "guild", "card"), "knight": ("target", "type"),
    "merchant": ("target",), "beggar": ("target",), "priest": ("target",), "witch": ("guild",),
}  # fmt: skip

_WRITERS: dict[int, Callable[[_Writer, Words], Record]] = {
    int(code): writer
    for code, writer in (
        (log.SHUFFLE, _shuffle),
        (log.MOVE, _move),
        (log.DID, _did),
        (log.POWER, _power),
        (log.CHOICE, _choice),
        (log.TURN_END, _turn_end),
        (log.END, _end),
    )
}
