"""Fief 2: the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from simcore.game import Column
from simcore.games.fief_2.names import CARD_KINDS, TURNS
from simcore.games.fief_2.state import BOUGHT, INCOMES, SOURCES


def _villages(rules: Any) -> Sequence[str]:
    return [village.name for village in rules.map.villages()]


def _outcome() -> Iterator[Column]:
    yield Column("score", "Int32", "what ranks the seats: the sum of the scorings, or the last one", detail="minimal")
    yield Column("total", "Int32", "sum of the scorings", detail="minimal")
    yield Column("last", "Int32", "last scoring", detail="minimal")
    yield Column("money", "Int32", "écus at the end", detail="minimal")
    yield Column("villages", "UInt8", "villages held at the end", detail="minimal")
    yield Column("titles", "UInt8", "titles at the end, including kept ones", detail="minimal")
    yield Column("turns", "UInt8", "turns played", detail="minimal")
    yield Column("won_by_titles", "Boolean", "the family won by its titles", detail="minimal")


def _holdings() -> Iterator[Column]:
    yield Column("first_village", "Enum", "village of the first castle", labels=_villages)
    yield Column("held", "Int32", "villages held at the end, as a set: bit v is village v, in the order of the map")
    yield Column("lords", "UInt8", "lords at the end, including prisoners")
    yield Column("soldiers", "Int32", "points of soldiers at the end")
    yield Column("most_money", "Int32", "most écus at the end of a turn")
    for number, name in enumerate(SOURCES):
        yield Column(f"score_{name}", "Int32", f"points scored by {name}, all scorings", "from_source", number)
    for number in range(TURNS // 5):
        meaning = f"points of scoring {number + 1}; also 0 if there was none"
        yield Column(f"scoring_{number + 1}", "Int32", meaning, "by_scoring", number)


def _doings() -> Iterator[Column]:
    for number, name in enumerate(CARD_KINDS):
        yield Column(f"played_{name}", "Int32", f"{name} cards played", "played", number)
    for number, name in enumerate(BOUGHT):
        unit = "points of soldiers" if name == "soldiers_bought" else name.removesuffix("_bought")
        yield Column(name, "Int32", f"{unit} bought", "bought", number)
    for number, name in enumerate(INCOMES):
        yield Column(f"income_{name}", "Int32", f"écus collected by {name}", "income", number)


def _course() -> Iterator[Column]:
    yield Column("king_turns", "Int32", "turns that ended with an own King")
    yield Column("queen_turns", "Int32", "turns that ended with an own Queen or Regent")
    yield Column("title_turns", "Int32", "titles, summed over the ends of turns")
    yield Column("village_turns", "Int32", "villages held, summed over the ends of turns")
    yield Column("attacks", "Int32", "fights that the family began")
    yield Column("attacks_won", "Int32", "of those, fights after which it stood and the other side did not", "won")
    yield Column("defences", "Int32", "fights that others, or rebels, began against the family")
    yield Column("defences_won", "Int32", "of those, fights after which it stood and the attacker did not", "held_out")
    yield Column("soldiers_lost", "Int32", "points of soldiers lost in fights")
    yield Column("lords_lost", "Int32", "own lords that died")
    yield Column("captured", "Int32", "own lords taken prisoner")
    yield Column("ransoms", "Int32", "écus from ransoms")
    yield Column("elected", "Int32", "elections that made an own lord King")
    yield Column("regencies", "Int32", "own Queens who became Regent")


COLUMNS = (*_outcome(), *_holdings(), *_doings(), *_course())
