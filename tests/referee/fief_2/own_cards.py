"""Cards that the box does not have: the game line tells their keys, and this page says what they mean.

Written from docs/findings/fief-2.md ("Cards of your own") alone.
"""

from collections.abc import Callable
from typing import Any

from .table import Table

Card = dict[str, Any]


def standing(table: Table, seat: int, name: str) -> int:
    """Return what a family has of something."""
    values: dict[str, Callable[[], int]] = {
        "score": lambda: table.score[seat],
        "money": lambda: table.money[seat],
        "villages": lambda: len(table.held(seat)),
        "titles": lambda: len(table.titles_owned(seat)),
        "lords": lambda: len(table.own(seat)),
        "soldiers": lambda: table.army(seat),
    }
    return values[name]()


def families_hit(table: Table, card: Card, player: int) -> list[int]:
    """Return whom a card hits if a family plays it now, in turn order."""
    order, hits = table.order(), card.get("hits", "all")
    if table.turn not in card.get("rounds", [table.turn]):
        return []
    hit = order
    if hits == "first":
        hit = order[:1]
    elif hits in ("player", "others"):
        hit = [seat for seat in order if (seat == player) == (hits == "player")]
    elif hits != "all":
        name = card["of"] if hits in ("most", "least") else "score"
        best = (max if hits in ("leader", "most") else min)(standing(table, seat, name) for seat in order)
        hit = [seat for seat in order if standing(table, seat, name) == best]
        if len(hit) > 1:
            hit = {"all": hit, "nobody": [], "first": hit[:1]}[card.get("tie", "all")]
    if (name := card.get("only_if")) is not None:
        low, high = card.get("at_least"), card.get("at_most")
        hit = [seat for seat in hit if low is None or standing(table, seat, name) >= low]
        hit = [seat for seat in hit if high is None or standing(table, seat, name) <= high]
    return hit


def money_of(table: Table, card: Card, seat: int) -> int:
    """Return the money that a card gives to a family that it hits; negative for what it takes."""
    money = card.get("money", 0) - table.money[seat] * -card.get("money_share", 0) // 100
    for thing in ("village", "title", "lord", "soldier"):
        money += card.get(f"money_per_{thing}", 0) * standing(table, seat, f"{thing}s")
    return max(money, -table.money[seat])


def gain(table: Table, card: Card, seat: int) -> int:
    """Return what a family gains by it on the mean of the others, times their number."""
    money = {other: money_of(table, card, other) for other in families_hit(table, card, seat)}
    return money.pop(seat, 0) * (len(table.seats) - 1) - sum(money.values())
