"""The first line of a Fief 2 log: checks it and turns it into a `Setup`."""

from dataclasses import dataclass
from typing import Any

from ..identity import check_identity
from ..scroll import Scroll, show
from .rulebook import CARDS, PLAYERS, ROADS, SWITCHES, TURNS, VILLAGES

TABLES = {
    "villages": VILLAGES,
    "roads": ROADS,
    "cards": [{"id": number, "kind": kind} for number, kind in enumerate(CARDS)],
}


@dataclass(frozen=True)
class Setup:
    """What the first line fixes for the game."""

    players: int
    strategies: tuple[str, ...]
    switches: dict[str, str]
    turns: int
    kinds: list[str]  # of each card
    own_cards: dict[str, dict[str, Any]]  # keys of cards that the box does not have


def read_setup(scroll: Scroll, standard: bool = True) -> Setup:
    """Read and check the game line."""
    record = scroll.read("game")
    own_cards: Any = record.get("own_cards", {})
    check_identity(scroll, record, "fief-2", PLAYERS, [*TABLES, *(["own_cards"] if own_cards and not standard else [])])
    more = [name for name, card in own_cards.items() for _ in range(card.get("copies", 1))]
    kinds = [*CARDS, *([] if standard else more)]
    options: Any = record["options"]
    if type(options) is not dict or options.keys() != {*SWITCHES, "turns"}:
        scroll.stop(f"options is {show(options)}, expected {[*SWITCHES, 'turns']}")
    for name, values in SWITCHES.items():
        if options[name] not in values:
            scroll.stop(f"options: {name} is {show(options[name])}, expected one of {values}")
    if type(options["turns"]) is not int or options["turns"] not in TURNS:
        scroll.stop(f"options: turns is {show(options['turns'])}, expected {TURNS[0]} to {TURNS[-1]}")
    tables = TABLES | {"cards": [{"id": number, "kind": kind} for number, kind in enumerate(kinds)]}
    for name, table in tables.items():
        if repr(record[name]) != repr(table):
            scroll.stop(f"{name} is {show(record[name])}, expected the page's")
    switches = {name: options[name] for name in SWITCHES}
    return Setup(record["players"], tuple(record["strategies"]), switches, options["turns"], kinds, own_cards)
