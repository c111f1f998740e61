"""Cards that the booklet does not have: the game line tells their keys, and this page says what they mean.

Written from docs/reference/keys.md ("Events") alone.
"""

from collections.abc import Callable, Sequence
from typing import Any

from .rulebook import DOMAINS
from .table import Seat

Card = dict[str, Any]


def standing(seat: Seat, name: str) -> int:
    """Return what a seat has of something."""
    if name in DOMAINS:
        return len(seat.columns[DOMAINS.index(name)])
    size = [len(column) for column in seat.columns]
    values: dict[str, Callable[[], int]] = {
        "coins": lambda: seat.coins,
        "tiles": lambda: sum(size),
        "domains": lambda: sum(count > 0 for count in size),
        "peasants": lambda: seat.peasants,
        "chests": lambda: seat.chests,
        "buried": lambda: len(seat.cemetery),
    }
    return values[name]()


def those_hit(card: Card, order: Sequence[Seat], number: int) -> list[Seat]:
    """Return whom a card hits after a round; `order` has the seats as they played in it."""
    if number not in card.get("rounds", [number]):
        return []
    chosen = list(order)
    hits = card.get("hits", "all")
    if hits == "first":
        chosen = chosen[:1]
    elif hits != "all":
        name = card["of"] if hits in ("most", "least") else "coins"
        wanted = (max if hits in ("leader", "most") else min)(standing(seat, name) for seat in order)
        chosen = [seat for seat in order if standing(seat, name) == wanted]
        if len(chosen) > 1:
            chosen = {"all": chosen, "nobody": [], "first": chosen[:1]}[card.get("tie", "all")]
    if (name := card.get("only_if")) is not None:
        low, high = card.get("at_least"), card.get("at_most")
        chosen = [seat for seat in chosen if low is None or standing(seat, name) >= low]
        chosen = [seat for seat in chosen if high is None or standing(seat, name) <= high]
    return chosen


def coins_of(card: Card, seat: Seat) -> int:
    """Return the coins that a card gives to a seat that it hits; negative for what the seat owes."""
    share = card.get("coins_share", 0)
    part = max(seat.coins, 0) * abs(share) // 100
    things = {"peasant": "peasants", "chest": "chests", "domain": "domains", "buried_tile": "buried"}
    coins = card.get("coins", 0) + (part if share > 0 else -part)
    coins += sum(card.get(f"coins_per_{one}", 0) * standing(seat, many) for one, many in things.items())
    return coins + sum(rate * standing(seat, name) for name, rate in card.get("coins_per_tile", {}).items())
