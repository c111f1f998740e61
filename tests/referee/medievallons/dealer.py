"""The deck and every movement of a card, and who must be told about decisions."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn, TypeVar

from ..scroll import Scroll, show
from .header import Setup
from .observer import Observer
from .rulebook import TYPES
from .table import DECK, DISCARD, Place, Table, hand, written

T = TypeVar("T")


class Over(Exception):
    """The deal ends, for the reason given."""


def are_among(made: Any, cards: Collection[int]) -> bool:
    """Say whether this is a list of different ones of the cards."""
    return (
        type(made) is list
        and all(type(card) is int for card in made)
        and len(set(made)) == len(made)
        and set(made) <= set(cards)
    )


class Dealer:
    """Follows shuffles, draws and moves of one deal."""

    def __init__(self, scroll: Scroll, setup: Setup, observer: Observer | None = None) -> None:
        self.scroll = scroll
        self.setup = setup
        self.table = Table(setup)
        self.turn = 0
        self.acting = 0
        self.yellow = setup.players < setup["red_from_players"]
        self.observer = observer

    def shuffle(self, cards: Collection[int]) -> None:
        """Check that exactly these cards make a new deck."""
        made = self.scroll.read("shuffle").get("cards")
        if not are_among(made, cards) or len(made) != len(cards):
            self.scroll.stop(f"cards is {show(made)}, expected exactly {show(sorted(cards))}")
        self.scroll.agree(turn=self.turn, end_card="yellow" if self.yellow else "red", cards=made)
        self.table.cards[DECK] = made[::-1]

    def end_of_deck(self) -> None:
        """Reshuffle the discard pile, or end the deal."""
        discard = self.table.cards[DISCARD]
        if self.yellow or len(discard) < 2:
            raise Over("deck")
        self.yellow = True
        self.table.cards[DISCARD] = discard[-1:]
        self.shuffle(discard[:-1])

    def draw(self, target: Place, why: str) -> int:
        """Check that the top card of the deck moves, with the end of the deck where it is due."""
        deck = self.table.cards[DECK]
        if not deck:
            self.end_of_deck()
            deck = self.table.cards[DECK]
        card = self.move(deck[-1:], DECK, target, why)
        if not deck and self.setup.last_card:
            self.end_of_deck()
        return card

    def draws(self, seat: int, count: int, why: str) -> list[int]:
        """Check so many draws of a seat and return the cards."""
        return [self.draw(hand(seat), why) for _ in range(count)]

    def draw_up(self, seat: int, owed: int) -> None:
        """Check the draws of a seat that is short of the cards it owes."""
        self.draws(seat, max(0, owed - len(self.table.hand(seat))), "short")

    def move(self, options: Collection[int], source: Place, target: Place, why: str) -> int:
        """Check that one of these cards moves, and return it."""
        card = self.scroll.read("move").get("card")
        if type(card) is not int or card not in options:
            self.scroll.stop(f"card is {show(card)}, expected one of {show(list(options))} from {written(source)}")
        expected: dict[str, Any] = {"from": written(source), "to": written(target)}
        self.scroll.agree(turn=self.turn, card=card, why=why, **expected)
        self.table.move(card, source, target)
        return card

    def moves(self, cards: Sequence[int], source: Place, target: Place, why: str) -> None:
        """Check that these cards move in this order."""
        for card in cards:
            self.move([card], source, target, why)

    def illegal(self, seat: int, made: object, options: object) -> NoReturn:
        """Stop at a decision that the rules do not allow."""
        self.scroll.stop(f"seat {seat}: {show(made)} is illegal, expected one of {show(options)}")

    def plays(self, seat: int, strategy: str) -> bool:
        """Say whether a seat is played by a strategy of this name."""
        return self.setup.strategies[seat - 1] == strategy

    def hold(self, seat: int, made: object, wanted: Callable[[], object]) -> None:
        """Hold a seat that plays `collector` to its letter."""
        if self.plays(seat, "collector") and made != (expected := wanted()):
            self.scroll.flag(f"seat {seat} is a collector: {show(made)}, expected {show(expected)}")

    def observe(self, seat: int, what: str, options: Sequence[T], made: T) -> None:
        """Tell which option a seat that plays `random` took."""
        if self.observer and self.plays(seat, "random"):
            self.observer.choice(what, options, made)

    def choose(self, seat: int, what: str, made: T, options: Sequence[T], wanted: Callable[[], T]) -> T:
        """Return what was chosen, which must be legal, and the reference policy's choice where one plays."""
        if made not in options:
            self.illegal(seat, made, options)
        self.hold(seat, made, wanted)
        self.observe(seat, what, options, made)
        return made

    def named(self, cards: Counter[int]) -> list[str]:
        """Return the types of cards by name."""
        return [TYPES[kind] for kind in sorted(cards.elements())]
