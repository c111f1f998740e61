"""The table as the log's own records make it: where every card is, and what may be done next.

A place is a tuple: the zone, then the seat and the guild where they apply. Every card is in one place.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from .header import Setup
from .rulebook import JESTER, WITCH

Place = tuple[Any, ...]
DECK: Place = ("deck",)
DISCARD: Place = ("discard",)


def hand(seat: int) -> Place:
    """Return the place of a seat's hand."""
    return ("hand", seat)


class Guild(NamedTuple):
    """A guild on the table; numbers count up over all seats as guilds are laid."""

    seat: int
    number: int

    @property
    def place(self) -> Place:
        """Place of its cards."""
        return ("guild", self.seat, self.number)


def written(place: Place) -> dict[str, Any]:
    """Return a place as the log writes it."""
    return dict(zip(("zone", "seat", "guild"), place, strict=False))


class Table:
    """The whole table; its questions are those that the rules ask."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.kinds = setup.kinds
        self.seats = range(1, setup.players + 1)
        self.cards: dict[Place, list[int]] = {DECK: [], DISCARD: []}  # deck and discard pile: top last
        for seat in self.seats:
            self.cards |= {hand(seat): [], ("play", seat): []}
        self.guilds: list[Guild] = []  # in the order of laying
        self.laid = 0

    def move(self, card: int, source: Place, target: Place) -> None:
        """Move a card."""
        self.cards[source].remove(card)
        self.cards[target].append(card)

    def found(self, seat: int) -> Guild:
        """Add an empty guild to be filled."""
        self.laid += 1
        guild = Guild(seat, self.laid)
        self.guilds.append(guild)
        self.cards[guild.place] = []
        return guild

    def dissolve(self, guild: Guild) -> None:
        """Take a guild without cards off the table."""
        assert not self.cards.pop(guild.place)
        self.guilds.remove(guild)

    def hand(self, seat: int) -> list[int]:
        """Return the cards in a seat's hand."""
        return self.cards[hand(seat)]

    def held(self, seat: int) -> Counter[int]:
        """Return how many cards of each type are in a seat's hand."""
        return Counter(self.kinds[card] for card in self.hand(seat))

    def types(self, cards: Iterable[int]) -> set[int]:
        """Return the types of cards, Jesters left out."""
        return {self.kinds[card] for card in cards} - {JESTER}

    def kind(self, guild: Guild) -> int:
        """Return a guild's type."""
        return next(iter(self.types(self.cards[guild.place])), JESTER)

    def own(self, seat: int) -> list[Guild]:
        """Return a seat's guilds."""
        return [guild for guild in self.guilds if guild.seat == seat]

    def usable(self, seat: int) -> list[Guild]:
        """Return a seat's guilds that have a power."""
        return [guild for guild in self.own(seat) if self.kind(guild) != JESTER]

    def rivals(self, seat: int) -> list[int]:
        """Return the other seats, in turn order."""
        players = self.setup.players
        return [(seat + step - 1) % players + 1 for step in range(1, players)]

    def rival_guilds(self, seat: int) -> list[Guild]:
        """Return the guilds that an Assassin or Rogue of this seat may hit."""
        return [guild for guild in self.guilds if guild.seat != seat]

    def copyable(self) -> list[Guild]:
        """Return the guilds whose power a Witch may copy."""
        return [guild for guild in self.guilds if self.kind(guild) not in (JESTER, WITCH)]

    def layable(self, seat: int) -> list[int]:
        """Return the types of guild that a seat can lay."""
        held, size = self.held(seat), self.setup["guild_size"]
        return [kind for kind in sorted(held) if held[kind] + (kind != JESTER) * held[JESTER] >= size]

    def fitting(self, seat: int, guild: Guild) -> list[int]:
        """Return the types in hand that may join a guild."""
        kind = self.kind(guild)
        return [each for each in sorted(self.held(seat)) if JESTER in (kind, each) or each == kind]

    def reinforceable(self, seat: int) -> list[Guild]:
        """Return a seat's guilds that some card in hand fits."""
        return [guild for guild in self.own(seat) if self.fitting(seat, guild)]

    def actions(self, seat: int) -> list[str]:
        """Return the kinds of action that have a legal instance."""
        cards = bool(self.hand(seat))
        able = {
            "play": cards,
            "lay": self.layable(seat),
            "reinforce": self.reinforceable(seat),
            "use": self.usable(seat),
        }
        return [action for action, instances in able.items() if instances] or ["pass"]

    def beggar_targets(self, seat: int) -> list[int]:
        """Return the players with the largest other hand; none where the acting player holds strictly more."""
        sizes = {rival: len(self.hand(rival)) for rival in self.rivals(seat)}
        largest = max(sizes.values())
        if len(self.hand(seat)) > largest:
            return []
        return [rival for rival, size in sizes.items() if size == largest]

    def counts(self) -> dict[str, list[int]]:
        """Return guilds, cards in guilds and cards in hand, each by seat."""
        return {
            "guilds": [len(self.own(seat)) for seat in self.seats],
            "members": [sum(len(self.cards[guild.place]) for guild in self.own(seat)) for seat in self.seats],
            "hands": [len(self.hand(seat)) for seat in self.seats],
        }
