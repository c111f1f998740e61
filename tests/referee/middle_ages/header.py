"""The first line of a Middle-Ages log: checks it and turns it into a `Setup`."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..identity import check_identity, is_count
from ..scroll import Scroll, is_plain, show
from .rulebook import DOMAINS, EVENT_EVERY, EVENTS, INDEX, PLAYERS, ROUNDS, SWITCHES, standard_tiles

FIELDS = ("tiles", "events", "order")
TILE_FIELDS = {"id", "number", "domain", "peasants", "chests", "stack"}
STANDARD = standard_tiles()


class Tile(NamedTuple):
    """What a tile counts for; `domain` is an index in board order."""

    number: int
    domain: int
    peasants: int
    chests: int


@dataclass(frozen=True)
class Setup:
    """What the first line fixes for the game."""

    players: int
    greedy: tuple[bool, ...]
    tiles: tuple[Tile, ...]
    blue: tuple[int, ...]
    orange: tuple[int, ...]
    events: tuple[str, ...]
    cards: dict[str, dict[str, Any]]  # those that the booklet does not have
    starting_coins: tuple[int, ...]
    debt: bool
    final_floor: bool
    shared_plot_tokens: bool
    one_token_a_slot: bool
    owner_chooses: bool


def _make_tiles(tiles: list[dict[str, Any]]) -> tuple[Tile, ...]:
    return tuple(Tile(tile["number"], INDEX[tile["domain"]], tile["peasants"], tile["chests"]) for tile in tiles)


STANDARD_TILES = _make_tiles(STANDARD)


def _check_order(scroll: Scroll, order: Any, players: int) -> None:
    if type(order) is not list or not is_plain(order) or order != list(range(1, players + 1)):
        scroll.flag(f"order is {show(order)}, expected {list(range(1, players + 1))}")


def _check_options(scroll: Scroll, options: Any, players: int) -> None:
    names = {"starting_coins", "final_floor", *SWITCHES}
    if type(options) is not dict or options.keys() != names:
        scroll.stop(f"options is {show(options)}, expected exactly {sorted(names)}")
    coins = options["starting_coins"]
    if type(coins) is not list or len(coins) != players or not all(type(each) is int for each in coins):
        scroll.stop(f"options: starting_coins is {show(coins)}, expected {players} whole numbers")
    if type(options["final_floor"]) is not bool:
        scroll.stop(f"options: final_floor is {show(options['final_floor'])}, expected true or false")
    for name, values in SWITCHES.items():
        if options[name] not in values:
            scroll.stop(f"options: {name} is {show(options[name])}, expected one of {values}")


def _check_tiles(scroll: Scroll, tiles: Any, standard: bool) -> tuple[Tile, ...]:
    if type(tiles) is not list or not is_plain(tiles):
        scroll.stop("tiles is not a list of plain tiles")
    if tiles == STANDARD:
        return STANDARD_TILES
    for place, tile in enumerate(tiles):
        if (
            type(tile) is not dict
            or tile.keys() != TILE_FIELDS
            or tile["id"] != place
            or tile["domain"] not in DOMAINS
            or tile["stack"] not in ("blue", "orange")
            or not is_count(tile["number"], 1)
            or not is_count(tile["peasants"])
            or not is_count(tile["chests"])
        ):
            scroll.stop(f"tiles: entry {place} is {show(tile)}, no tile with id {place}")
    if [tile["id"] for tile in sorted(tiles, key=lambda tile: (tile["stack"], tile["number"]))] != [*range(len(tiles))]:
        scroll.flag("tiles are not in order: blue first, then by number")
    if standard:
        pairs = zip(tiles, STANDARD, strict=False)
        odd = next((f"{show(a)}, expected {b}" for a, b in pairs if a != b), f"{len(tiles)} tiles, expected 84")
        scroll.flag(f"tiles are not the rulings' 84: {odd}")
    return _make_tiles(tiles)


def _check_events(scroll: Scroll, events: Any, cards: Any, standard: bool) -> None:
    wanted = ROUNDS // EVENT_EVERY
    if type(cards) is not dict or not all(type(card) is dict for card in cards.values()):
        scroll.stop(f"cards is {show(cards)}, expected a table for each card")
    named = (*EVENTS, *cards)
    if type(events) is not list or len(events) != wanted or not all(event in named for event in events):
        scroll.stop(f"events is {show(events)}, expected {wanted} names of Events")
    if standard and len(set(events)) != wanted:
        scroll.flag(f"events is {show(events)}, expected {wanted} different Events")
    if standard and cards:
        scroll.flag(f"cards is {show(cards)}, expected no cards beside the rulings' 15")


def read_setup(scroll: Scroll, standard: bool) -> Setup:
    """Read and check the game line.

    scroll: The log, at its first record.
    standard: Whether the tiles must be the rulings' 84, and the four Events different.
    """
    record = scroll.read("game")
    check_identity(scroll, record, "middle-ages", PLAYERS, [*FIELDS, *(["cards"] if "cards" in record else [])])
    players, options, cards = record["players"], record["options"], record.get("cards", {})
    _check_order(scroll, record["order"], players)
    _check_options(scroll, options, players)
    tiles = _check_tiles(scroll, record["tiles"], standard)
    _check_events(scroll, record["events"], cards, standard)
    stacks = [tile["stack"] for tile in record["tiles"]]
    return Setup(
        players=players,
        greedy=tuple(name == "greedy" for name in record["strategies"]),
        tiles=tiles,
        blue=tuple(tile for tile, stack in enumerate(stacks) if stack == "blue"),
        orange=tuple(tile for tile, stack in enumerate(stacks) if stack == "orange"),
        events=tuple(record["events"]),
        cards=cards,
        starting_coins=tuple(options["starting_coins"]),
        debt=options["shortfall"] == "debt",
        final_floor=options["final_floor"],
        shared_plot_tokens=options["plot_token_supply"] == "shared",
        one_token_a_slot=options["slot_capacity"] == "one",
        owner_chooses=options["event_loss"] == "owner_chooses",
    )
