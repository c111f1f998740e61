"""The first line of a Médiévallons log: checks it and turns it into a `Setup`."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..identity import check_identity, is_count
from ..scroll import Scroll, is_plain, show
from .rulebook import DUEL, INDEX, MATCH_DEALS, MATCH_WON, NUMBERS, PLAYERS, SWITCHES, TYPES, UNNAMED

FIELDS = ("cards", "match")


class Match(NamedTuple):
    """Where a deal stands in a match; players are 1 and 2, whatever their seats."""

    id: int
    deal: int
    player: tuple[int, ...]  # in seat 1, in seat 2
    won60: tuple[int, ...]  # player 1, player 2, before this deal


@dataclass(frozen=True)
class Setup:
    """What the first line fixes for the deal."""

    players: int
    strategies: tuple[str, ...]
    kinds: dict[int, int]  # type of each card, by id
    numbers: dict[str, int]
    last_card: bool
    match: Match | None

    def __getitem__(self, name: str) -> int:
        """Return a number of the rulings."""
        return self.numbers[name]


def _check_options(scroll: Scroll, options: Any) -> None:
    names = {*NUMBERS, *SWITCHES}
    if type(options) is not dict or not names <= options.keys() <= names | UNNAMED.keys():
        scroll.stop(f"options is {show(options)}, expected {sorted(names)}, perhaps {sorted(UNNAMED)}")
    for name, (_, least) in (NUMBERS | UNNAMED).items():
        if name in options and not is_count(options[name], least):
            scroll.stop(f"options: {name} is {show(options[name])}, expected a whole number from {least}")
    for name, values in SWITCHES.items():
        if not any(options[name] is value or (type(value) is str and options[name] == value) for value in values):
            scroll.stop(f"options: {name} is {show(options[name])}, expected one of {values}")


def _read_cards(scroll: Scroll, cards: Any, copies: int | None) -> dict[int, int]:
    if type(cards) is not list or not is_plain(cards):
        scroll.stop("cards is not a list of plain cards")
    kinds = {}
    for place, card in enumerate(cards):
        if type(card) is not dict or card.keys() != {"id", "type"}:
            scroll.stop(f"cards: entry {place} is {show(card)}, expected id and type")
        if type(card["id"]) is not int or card["id"] in kinds or card["type"] not in TYPES:
            scroll.stop(f"cards: entry {place} is {show(card)}, expected a new whole number and a type")
        kinds[card["id"]] = INDEX[card["type"]]
    found = Counter(kinds.values())
    for name, kind in INDEX.items():
        if found[kind] != copies is not None:
            scroll.stop(f"cards: {found[kind]} of type {name}, expected {copies}")
    return kinds


def _read_match(scroll: Scroll, match: Any, wanted: bool) -> Match | None:
    if not wanted:
        if match is not None:
            scroll.stop(f"match is {show(match)}, expected null")
        return None
    if type(match) is not dict or match.keys() != set(Match._fields) or not is_plain(match.values()):
        scroll.stop(f"match is {show(match)}, expected {Match._fields}")
    deal, player, won = match["deal"], match["player"], match["won60"]
    if not is_count(match["id"]) or type(deal) is not int or not 1 <= deal <= MATCH_DEALS:
        scroll.stop(f"match is {show(match)}, expected a whole id and a deal from 1 to {MATCH_DEALS}")
    if player not in ([1, 2], [2, 1]):
        scroll.stop(f"match: player is {show(player)}, expected 1 and 2 in some order")
    if type(won) is not list or len(won) != DUEL or any(type(each) is not int for each in won):
        scroll.stop(f"match: won60 is {show(won)}, expected two whole numbers")
    if sum(won) != 60 * (deal - 1) or any(each % 30 or not 0 <= each < MATCH_WON for each in won):
        scroll.stop(f"match: won60 is {won}, impossible before deal {deal} of an open match")
    return Match(match["id"], deal, tuple(player), tuple(won))


def read_setup(scroll: Scroll, standard: bool) -> Setup:
    """Read and check the game line.

    scroll: The log, at its first record.
    standard: Whether there must be equally many cards of each type.
    """
    record = scroll.read("game")
    check_identity(scroll, record, "medievallons", PLAYERS, FIELDS)
    players, options = record["players"], record["options"]
    _check_options(scroll, options)
    kinds = _read_cards(scroll, record["cards"], options["copies_per_type"] if standard else None)
    if players * options["hand_size"] >= len(kinds):
        scroll.stop(f"{len(kinds)} cards are too few to deal {options['hand_size']} to each of {players} players")
    return Setup(
        players=players,
        strategies=tuple(record["strategies"]),
        kinds=kinds,
        numbers={name: options.get(name, value) for name, (value, _) in (NUMBERS | UNNAMED).items()},
        last_card=options["deck_end"] == "last_card",
        match=_read_match(scroll, record["match"], options["match"] and players == DUEL),
    )
