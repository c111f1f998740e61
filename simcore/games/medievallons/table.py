"""The table as a reader of a replay log of Médiévallons sees it: who holds what after each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from simcore.games.medievallons.ledger import Place, Record


class Table:
    """Follows the cards of one deal.

    Parameters
    ----------
    header
        The log's first line.
    """

    def __init__(self, header: Record) -> None:
        self.types: dict[int, str] = {card["id"]: card["type"] for card in header["cards"]}
        self.order = list(dict.fromkeys(self.types.values()))
        self.names: list[str] = header["strategies"]
        self.cards: defaultdict[Place, list[int]] = defaultdict(list)

    def shuffle(self, record: Record) -> None:
        """Lay out a deck; the cards of a later one come from the discard pile."""
        self.cards[Place("discard")] = self.cards[Place("discard")][-1:]
        self.cards[Place("deck")] = list(record["cards"])

    def move(self, record: Record) -> None:
        """Move a card."""
        self.cards[place_of(record["from"])].remove(record["card"])
        self.cards[place_of(record["to"])].append(record["card"])

    def hand(self, seat: int) -> list[int]:
        """Return the cards in a hand."""
        return self.cards[Place("hand", seat)]

    def guilds(self, seat: int) -> dict[int, list[int]]:
        """Return the guilds in front of a seat by number."""
        found = {place.guild: cards for place, cards in self.cards.items() if place.guild and place.seat == seat}
        return {number: found[number] for number in sorted(found) if found[number]}

    def name(self, card: int) -> str:
        """Name a card."""
        return self.types[card].capitalize()

    def listed(self, cards: Iterable[int]) -> str:
        """Name some cards one by one."""
        return ", ".join(map(self.name, cards)) or "nothing"

    def counted(self, cards: Iterable[int]) -> str:
        """Name some cards by type, in booklet order."""
        counts = Counter(self.types[card] for card in cards)
        named = (f"{kind.capitalize()}{f' x{counts[kind]}' if counts[kind] > 1 else ''}" for kind in self.order)
        return ", ".join(name for name, kind in zip(named, self.order, strict=True) if counts[kind]) or "none"


def place_of(record: Record) -> Place:
    """Read a place of a replay log."""
    return Place(record["zone"], record.get("seat", 0), record.get("guild", 0))
