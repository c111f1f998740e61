"""The table as a reader of a replay log of Médiévallons sees it: who holds what after each record."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from simcore.games.medievallons.ledger import Place, Record
from simcore.log_text import count


class Table:
    """Follows the cards of one deal.

    header: The log's first line.
    """

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
        left, card = self.cards[place_of(record["from"])], record.get("card")
        left.remove(card if card in left else None if None in left else left[0])
        self.cards[place_of(record["to"])].append(card)

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
        named += [f"{hidden} unseen" if named else count(hidden, "card")] if hidden else []
        return ", ".join(named) or "none"


def place_of(record: Record) -> Place:
    """Read a place of a replay log."""
    return Place(record["zone"], record.get("seat", 0), record.get("guild", 0))
