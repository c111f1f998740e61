"""Where every card of a recorded deal is; gives the cards that a kernel counts by type their own numbers again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.games.medievallons import log

Record = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a card lies."""

    zone: str  # "deck", "discard", "hand", "guild" or "play"
    seat: int = 0  # from 1; 0 for the deck and the discard pile
    guild: int = 0  # number of the guild; 0 elsewhere

    @classmethod
    def of_word(cls, word: int) -> Place:
        """Read a place from a trace word."""
        zone = log.ZONES[word & 15]
        if zone in ("deck", "discard"):
            return cls(zone)
        return cls(zone, 1 + (word >> 4 & 15), word >> 8)

    def record(self) -> Record:
        """Return the place as a replay log has it."""
        found: Record = {"zone": self.zone}
        if self.seat:
            found["seat"] = self.seat
        if self.guild:
            found["guild"] = self.guild
        return found


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
