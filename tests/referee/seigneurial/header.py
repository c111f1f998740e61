"""The first line of a Seigneurial log: checks it and turns it into a `Setup`."""

from dataclasses import dataclass
from typing import Any

from ..identity import check_identity
from ..identity import is_count as is_whole
from ..scroll import Scroll, show
from .rulebook import (
    ANY,
    CHOOSE,
    LORD_CARDS,
    LORD_ONLY_OPS,
    LORD_OPS,
    NUMBERS,
    OBJECTIVES,
    OPS,
    OTHERS_OPS,
    PAIRS,
    PILE,
    PLAYERS,
    RENT,
    SEASONS,
    SQUARE_OPS,
    SQUARES,
    SWITCHES,
    TENANT_CARDS,
    TRACK,
    TYPE_OPS,
    TYPES,
    WINDOWS,
    Card,
    Effect,
)

MOST = 1000  # no number of a sensible game is larger
FIELDS = ("track", "rent", "objectives", "tenant_cards", "lord_cards")


@dataclass(frozen=True)
class Setup:
    """What the first line fixes for the game."""

    players: int
    strategies: tuple[str, ...]
    numbers: dict[str, int]
    pairs: dict[str, tuple[int, int]]
    switches: dict[str, Any]
    track: tuple[int, int]
    rent: tuple[int, int]
    pile: tuple[int, ...]
    objectives: dict[str, tuple[int, ...]]
    tenant_cards: tuple[Card, ...]
    lord_cards: tuple[Card, ...]

    def __getitem__(self, name: str) -> int:
        """Return a number of the page."""
        return self.numbers[name]

    def switch(self, name: str) -> Any:
        """Return the value of a switch."""
        return self.switches[name]

    def within(self, limits: str, number: int) -> int:
        """Return a number kept within a pair of limits."""
        least, most = self.pairs[limits]
        return min(max(number, least), most)


def is_count(value: object) -> bool:
    """Say whether a value is a whole number of a sensible size."""
    return is_whole(value) and value <= MOST


def _is_pair(value: Any) -> bool:
    return type(value) is list and len(value) == 2 and all(is_count(each) for each in value)


def _check_options(scroll: Scroll, options: Any) -> None:
    names = {*NUMBERS, *PAIRS, *SWITCHES, "objective_extra", "pile"}
    if type(options) is not dict or not names <= options.keys() <= names | {"track", "rent"}:
        scroll.stop(f"options is {show(options)}, expected {sorted(names)}")
    for name in NUMBERS:
        if not is_count(options[name]):
            scroll.stop(f"options: {name} is {show(options[name])}, expected a whole number")
    for name in PAIRS:
        if not _is_pair(options[name]):
            scroll.stop(f"options: {name} is {show(options[name])}, expected two whole numbers")
    for name, values in SWITCHES.items():
        if not any(options[name] is value or (type(value) is str and options[name] == value) for value in values):
            scroll.stop(f"options: {name} is {show(options[name])}, expected one of {values}")
    pile = options["pile"]
    if type(pile) is not list or len(pile) != len(PILE) or not all(is_count(each) for each in pile):
        scroll.stop(f"options: pile is {show(pile)}, expected {len(PILE)} whole numbers")
    if type(options["objective_extra"]) is not int:
        scroll.stop(f"options: objective_extra is {show(options['objective_extra'])}, expected a whole number")


def _read_effect(data: Any, lord: bool) -> Effect | None:
    """Return an effect, None if the vocabulary of the page has no such one."""
    if type(data) is not dict or not {"op", "who"} <= data.keys() <= {"op", "who", "what", "n"}:
        return None
    op, who, what, n = data["op"], data["who"], data.get("what") or None, data.get("n", 1)
    if op not in OPS or type(n) is not int or who not in ("self", "tenant", "tenants", "lord"):
        return None
    if (who == "lord") > (op in LORD_OPS) or (op in LORD_ONLY_OPS) > (who == "lord"):
        return None
    if (lord and (who == "self" or op in OTHERS_OPS)) or (op in OTHERS_OPS and who == "self"):
        return None
    whats: tuple[Any, ...] = (None,)
    if op in TYPE_OPS:
        whats = (*TYPES, CHOOSE)
    elif op in SQUARE_OPS:
        whats = (*SQUARES, CHOOSE)
    elif op == "lose":
        whats = ("owner", "random")
    return Effect(op, who, what, n) if what in whats else None


def _read_cards(scroll: Scroll, field: str, cards: Any) -> tuple[Card, ...]:
    if type(cards) is not list:
        scroll.stop(f"{field} is {show(cards)}, expected a list")
    made: list[Card] = []
    for place, card in enumerate(cards):
        wrong = f"{field}: entry {place} is {show(card)}, expected"
        if type(card) is not dict or card.keys() != set(Card._fields):
            scroll.stop(f"{wrong} {Card._fields}")
        if type(card["id"]) is not str or card["id"] in [each.id for each in made] or not is_count(card["copies"]):
            scroll.stop(f"{wrong} a new id and a number of copies")
        for name, known in (("when", (*WINDOWS, ANY)), ("seasons", SEASONS)):
            if type(card[name]) is not list or not all(each in known for each in card[name]):
                scroll.stop(f"{wrong} {name} from {known}")
        found = card["effects"]
        effects = [_read_effect(each, field == "lord_cards") for each in found] if type(found) is list else []
        if None in effects or not 1 <= len(effects) <= 3:
            scroll.stop(f"{wrong} one to three effects of the vocabulary")
        made.append(
            Card(
                card["id"],
                card["copies"],
                tuple(card["when"]),
                tuple(card["seasons"]),
                tuple(effect for effect in effects if effect),
            )
        )
    return tuple(made)


def _read_objectives(scroll: Scroll, objectives: Any, players: int) -> dict[str, tuple[int, ...]]:
    if type(objectives) is not dict or len(objectives) < players - 1:
        scroll.stop(f"objectives is {show(objectives)}, expected at least one for each tenant")
    for name, points in objectives.items():
        if type(points) is not list or len(points) != len(TYPES) or not all(is_count(each) for each in points):
            scroll.stop(f"objectives: {name} is {show(points)}, expected {len(TYPES)} whole numbers")
    return {name: tuple(points) for name, points in objectives.items()}


def _check_standard(scroll: Scroll, setup: Setup, extra: int) -> None:
    """Check that the tables are the page's own."""
    for name, found, wanted in (
        ("tenant_cards", setup.tenant_cards, TENANT_CARDS),
        ("lord_cards", setup.lord_cards, LORD_CARDS),
        ("track", setup.track, TRACK[setup.players]),
        ("rent", setup.rent, RENT[setup.players]),
        ("pile", setup.pile, PILE),
        ("objectives", [*setup.objectives.items()], _with_extra(extra)),
    ):
        if found != wanted:
            scroll.flag(f"{name} is {show(found)}, expected {show(wanted)}")


def _with_extra(extra: int) -> list[tuple[str, tuple[int, ...]]]:
    return [(name, tuple(each and each + extra for each in points)) for name, points in OBJECTIVES.items()]


def read_setup(scroll: Scroll, standard: bool) -> Setup:
    """Read and check the game line.

    scroll: The log, at its first record.
    standard: Whether the cards, Objectives, track, rent and piles must be the page's.
    """
    record = scroll.read("game")
    check_identity(scroll, record, "seigneurial", PLAYERS, FIELDS)
    players, options = record["players"], record["options"]
    _check_options(scroll, options)
    for name in ("track", "rent"):
        if not _is_pair(record[name]):
            scroll.stop(f"{name} is {show(record[name])}, expected two whole numbers")
        if options.get(name, record[name]) != record[name]:
            scroll.flag(f"options: {name} is {show(options[name])}, expected {show(record[name])}")
    setup = Setup(
        players=players,
        strategies=tuple(record["strategies"]),
        numbers={name: options[name] for name in NUMBERS},
        pairs={name: tuple(options[name]) for name in PAIRS},
        switches={name: options[name] for name in SWITCHES},
        track=tuple(record["track"]),
        rent=tuple(record["rent"]),
        pile=tuple(options["pile"]),
        objectives=_read_objectives(scroll, record["objectives"], players),
        tenant_cards=_read_cards(scroll, "tenant_cards", record["tenant_cards"]),
        lord_cards=_read_cards(scroll, "lord_cards", record["lord_cards"]),
    )
    if standard:
        _check_standard(scroll, setup, options["objective_extra"])
    return setup
