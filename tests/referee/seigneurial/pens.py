"""The two ways to go through a game: a `Reader` follows a log, a `Writer` plays and writes one.

The walk asks its pen for every record. What chance or a player decides is for the pen to find out: in the log, or
with dice and a strategy.
"""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from ..scroll import Scroll, is_plain, show
from .rulebook import TYPES, VALUES
from .table import DISCARD, Place, Table, written

Target = Callable[[str], Place]  # where a card goes
Record = dict[str, Any]

TRUTHS = ("obtained", "pay", "kept")  # the fields that are true or false

#: The fields that say what was decided, by action.
ANSWERS: dict[str, tuple[str, ...]] = {
    "play": ("card",), "target": ("target",), "what": ("what",), "part": ("card",),
    "shift": ("from", "to", "points"), "objective": ("keep",), "winter": ("pay",), "keep": ("card",),
    "drop": ("card",), "rent": TYPES, "lay": ("card",), "split": ("target",), "next": ("target",), "pick": ("card",),
    "improve": ("square",), "crown": ("target",),
}  # fmt: skip


def answer(action: str, made: Any) -> Record:
    """Return a decision as the fields of its record."""
    fields = ANSWERS[action]
    return dict(zip(fields, made if len(fields) > 1 else (made,), strict=True))


class Pen(ABC):
    """What the walk asks for."""

    turn = 0

    @abstractmethod
    def tell(self, kind: str, **fields: Any) -> None:
        """Deal with a record in which nothing is open."""

    @abstractmethod
    def chance(self, kind: str, name: str, options: Mapping[Any, int], fields: Callable[[Any], Record]) -> Any:
        """Deal with a record of which chance decides one field, and that field the others; return its value."""

    @abstractmethod
    def shuffle(self, table: Table, decks: Sequence[str]) -> str:
        """Shuffle the discards of one of these decks into it, and return which."""

    @abstractmethod
    def move(self, options: Mapping[str, int], source: Place, target: Target, why: Collection[str]) -> str:
        """Move one of these cards, of which there are so many each, and return it."""

    @abstractmethod
    def decide(
        self, seat: int, action: str, options: Sequence[Any], wanted: Callable[[], Any] | None, **fields: Any
    ) -> Any:
        """Have a seat decide, as `wanted` does if it plays a reference policy, and return the option taken."""

    @abstractmethod
    def place(
        self, seat: int, pawns: int, squares: Sequence[str], wanted: Callable[[list[str], list[str]], str] | None
    ) -> list[str]:
        """Have a seat place so many pawns on different ones of these squares."""


class Reader(Scroll, Pen):
    """Follows a log; `observer` is told of every decision of a seat that plays `random`."""

    def __init__(self, records: Iterable[Any]) -> None:
        super().__init__(records)
        self.observer: Callable[[str, Sequence[Any], Any], None] | None = None
        self.random: frozenset[int] = frozenset()  # seats that play `random`

    def is_plain(self, record: Record) -> bool:
        """Say whether a record holds plain values; some fields hold truths."""
        return is_plain(value for field, value in record.items() if field not in TRUTHS or type(value) is not bool)

    def agree(self, **expected: Any) -> None:
        """Flag every field that is not as expected; true is not 1 here."""
        super().agree(**expected)
        for field in TRUTHS:
            if field in expected and self.record.get(field) is not expected[field]:
                self.flag(f"{field} is {show(self.record.get(field))}, expected {show(expected[field])}")

    def tell(self, kind: str, **fields: Any) -> None:
        """Check a record."""
        self.read(kind)
        if kind != "end":
            fields["turn"] = self.turn
        self.agree(**fields)

    def chance(self, kind: str, name: str, options: Mapping[Any, int], fields: Callable[[Any], Record]) -> Any:
        """Check a record and return the field that chance decides."""
        made = self.read(kind).get(name)
        if made not in [*options]:
            self.stop(f"{name} is {show(made)}, expected one of {show([*options])}")
        self.agree(turn=self.turn, **{name: made}, **fields(made))
        return made

    def shuffle(self, table: Table, decks: Sequence[str]) -> str:
        """Check that exactly the discards make a new deck."""
        record = self.read("shuffle")
        deck = record.get("deck")
        if deck not in decks:
            self.stop(f"deck is {show(deck)}, expected one of {show(decks)}")
        held = table.cards[deck, DISCARD]
        if deck in TYPES:
            order: list[str] = []
            self.agree(turn=self.turn, deck=deck, counts=[held[f"{deck}{value}"] for value in VALUES])
        else:
            order = record.get("cards")
            if type(order) is not list or any(type(card) is not str for card in order) or Counter(order) != held:
                self.stop(f"cards is {show(order)}, expected exactly {show(sorted(held.elements()))}")
            self.agree(turn=self.turn, deck=deck, cards=order)
        table.shuffle(deck, [*order])
        return str(deck)

    def move(self, options: Mapping[str, int], source: Place, target: Target, why: Collection[str]) -> str:
        """Check that one of these cards moves."""
        record = self.read("move")
        card, reason = record.get("card"), record.get("why")
        if type(card) is not str or not options.get(card):
            self.stop(f"card is {show(card)}, expected one of {show([*options])}")
        expected = {"from": written(source), "to": written(target(card))}
        self.agree(turn=self.turn, card=card, why=reason if reason in why else next(iter(why)), **expected)
        return card

    def decide(
        self, seat: int, action: str, options: Sequence[Any], wanted: Callable[[], Any] | None, **fields: Any
    ) -> Any:
        """Check that a decision is legal, and a reference policy's to the letter."""
        record = self.read("action")
        found = [record.get(field) for field in ANSWERS[action]]
        made = tuple(found) if len(found) > 1 else found[0]
        if made not in options:
            self.agree(turn=self.turn, seat=seat, action=action, **answer(action, made), **fields)
            self.stop(f"seat {seat}: {action} {show(made)} is illegal, expected one of {show(options)}")
        made = options[options.index(made)]
        self.agree(turn=self.turn, seat=seat, action=action, **answer(action, made), **fields)
        self._hold(seat, action, made, wanted)
        if self.observer and seat in self.random:
            self.observer(action, options, made)
        return made

    def place(
        self, seat: int, pawns: int, squares: Sequence[str], wanted: Callable[[list[str], list[str]], str] | None
    ) -> list[str]:
        """Check a placement of pawns, pawn by pawn."""
        made = self.read("action").get("squares")
        count = min(pawns, len(squares))
        if type(made) is not list or len(made) != count:
            self.stop(f"seat {seat}: squares is {show(made)}, expected {count}")
        left, placed = [*squares], list[str]()
        self.agree(turn=self.turn, seat=seat, action="place", squares=made)
        for square in made:
            if square not in left:
                self.stop(f"seat {seat}: place {show(square)} is illegal, expected one of {show(left)}")
            if wanted:
                self._hold(seat, "place", square, lambda: wanted([*left], [*placed]))
            if self.observer and seat in self.random:
                self.observer("place", [*left], square)
            left.remove(square)
            placed.append(square)
        return placed

    def _hold(self, seat: int, action: str, made: Any, wanted: Callable[[], Any] | None) -> None:
        if wanted and made != (expected := wanted()):
            self.flag(f"seat {seat} plays otherwise: {action} {show(made)}, expected {show(expected)}")


class Writer(Pen):
    """Plays with dice of its own and writes a log."""

    def __init__(self, seed: int, header: Record) -> None:
        self.rng = random.Random(seed)
        self.log: list[Record] = [header]

    def tell(self, kind: str, **fields: Any) -> None:
        """Write a record."""
        self.log.append({"kind": kind} | ({} if kind == "end" else {"turn": self.turn}) | fields)

    def chance(self, kind: str, name: str, options: Mapping[Any, int], fields: Callable[[Any], Record]) -> Any:
        """Draw the open field."""
        (made,) = self.rng.choices([*options], [*options.values()])
        self.tell(kind, **{name: made}, **fields(made))
        return made

    def shuffle(self, table: Table, decks: Sequence[str]) -> str:
        """Shuffle the first of the decks."""
        deck = decks[0]
        held = table.cards[deck, DISCARD]
        order = list[str]()
        if deck in TYPES:
            self.tell("shuffle", deck=deck, counts=[held[f"{deck}{value}"] for value in VALUES])
        else:
            order = [*held.elements()]
            self.rng.shuffle(order)
            self.tell("shuffle", deck=deck, cards=order)
        table.shuffle(deck, [*order])
        return deck

    def move(self, options: Mapping[str, int], source: Place, target: Target, why: Collection[str]) -> str:
        """Move one of the cards by chance."""
        (card,) = self.rng.choices([*options], [*options.values()])
        self.tell("move", card=card, **{"from": written(source), "to": written(target(card))}, why=next(iter(why)))
        return card

    def decide(
        self, seat: int, action: str, options: Sequence[Any], wanted: Callable[[], Any] | None, **fields: Any
    ) -> Any:
        """Decide as the strategy does, or by chance."""
        if wanted:
            made = wanted()
            assert made in options
        elif None in options:
            cards = [option for option in options if option is not None]
            made = self.rng.choice(cards) if cards and self.rng.random() < 0.5 else None
        else:
            made = self.rng.choice(options)
        self.tell("action", seat=seat, action=action, **answer(action, made), **fields)
        return made

    def place(
        self, seat: int, pawns: int, squares: Sequence[str], wanted: Callable[[list[str], list[str]], str] | None
    ) -> list[str]:
        """Place pawns as the strategy does, or by chance."""
        left, placed = [*squares], list[str]()
        for _ in range(min(pawns, len(squares))):
            square = wanted([*left], [*placed]) if wanted else self.rng.choice(left)
            left.remove(square)
            placed.append(square)
        self.tell("action", seat=seat, action="place", squares=placed)
        return placed
