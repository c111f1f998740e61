"""Middle-Ages: from a rule file's model to the record that kernels read, and what makes rules playable."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.errors import UsageError
from simcore.games.middle_ages.model import BOOKLET_EVENTS, DOMAIN_NAMES, MiddleAgesRules
from simcore.games.middle_ages.state import DOMAINS, EVENT, EVENT_CARDS, EVENTS, PLAYERS, TILE, TILES
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import numbers_of

__all__ = ["BOOKLET_EVENTS", "DOMAIN_NAMES", "MiddleAgesRules", "check_playable", "pack", "tile_list", "tiles_needed"]

NUMBERS = numbers_of(MiddleAgesRules)
"""Values that kernels read unchanged, switches as the position of their value."""

RULES = layout(
    *fields(NUMBERS),
    ("blue", np.int32),  # tiles 0..blue-1
    ("orange", np.int32),  # tiles blue..blue+orange-1; 0 where that stack stays in the box
    ("cards", np.int32),  # Event cards, copies counted
    ("per_domain", np.int32, DOMAINS),  # coins a counted tile
    ("lists", np.uint8, DOMAINS),  # bit d: the Income counts tiles of Domain d
    ("gain", np.uint64, (DOMAINS, 2)),  # lanes: what one more tile adds to each Income
    ("per_peasant", np.int32),  # Field
    ("per_chest", np.int32),  # Market
    ("mill_coins", np.int32),
    ("barracks_coins", np.int32),
    ("barracks_buries", np.int32),  # 1: the tile hit goes to the Cemetery
    ("village_restores", np.int32),  # 1: a Village takes a tile back
    ("rampart_scouts", np.int32),  # 1: a Rampart moves the Scout
    ("extra_coin", np.int32),  # what an extra-coin token adds a tile
    ("extra_tokens", np.int32),
    ("plot_tokens", np.int32, DOMAINS),
    ("coins", np.int32, PLAYERS),  # at the start, by seat
    ("deck", np.uint8, EVENT_CARDS),  # kinds of the Event cards, one entry a card
    ("tiles", TILE, TILES),
    ("events", EVENT, EVENT_CARDS),
)


class ListedTile(NamedTuple):
    """One tile of the box, as a replay log's first line lists it."""

    id: int
    number: int
    domain: str
    peasants: int
    chests: int
    stack: str


def tile_list(values: MiddleAgesRules) -> list[ListedTile]:
    """Return every tile of the box in order of id: blue first, then by number."""
    faces = [
        (face, stack)
        for stack in ("blue", "orange")
        for face in values.tiles.faces.values()
        for _ in range(getattr(face, stack))
    ]
    return [
        ListedTile(index, face.number, face.domain, face.peasants, face.chests, stack)
        for index, (face, stack) in enumerate(faces)
    ]


def tiles_needed(players: int) -> int:
    """Return the smallest number of tiles with which every row can be filled.

    The last refill, after round 12, leaves four rows of N + 1 tiles on the table and 12 N in the Fiefs (or
    Cemeteries); every other tile, including discards, may have been drawn again.  So 16 N + 4 are needed, and they are
    enough, because all discards replace a stack whenever it runs out.
    """
    return 16 * players + 4


def check_playable(values: MiddleAgesRules, players: int) -> None:
    """Raise `UsageError` if this number of players cannot play by the rules."""
    where = f"rules '{values.name}'"
    faces = values.tiles.faces.values()
    blue, orange = (sum(getattr(face, stack) for face in faces) for stack in ("blue", "orange"))
    used = blue + (orange if players >= values.stacks.orange_from_players else 0)
    cards = sum(event.copies for event in values.events.values())
    if not 2 <= players <= PLAYERS:
        raise UsageError(f"{where}: Middle-Ages is for 2 to {PLAYERS} players, not {players}")
    if blue + orange > TILES:
        raise UsageError(
            f"{where}: [tiles.faces]: {blue + orange} tiles, at most {TILES} are possible; lower some copies"
        )
    if used < tiles_needed(players):
        raise UsageError(
            f"{where}: [tiles.faces]: {players} players need {tiles_needed(players)} tiles to fill all rows, there are"
            f" {used}; add copies, or lower [stacks] orange_from_players"
        )
    if not EVENTS <= cards <= EVENT_CARDS or len(values.events) > EVENT_CARDS:
        raise UsageError(
            f"{where}: [events]: {cards} cards of {len(values.events)} kinds; the deck needs {EVENTS} to {EVENT_CARDS}"
            f" cards of at most {EVENT_CARDS} kinds"
        )
    if len(values.starting_coins) < players:
        raise UsageError(
            f"{where}: starting_coins: {len(values.starting_coins)} entries for {players} players; "
            "give one for each seat"
        )


def pack(values: MiddleAgesRules, players: int) -> np.record:
    """Return the rules as the record that kernels read.

    Raises UsageError if this number of players cannot play by these rules.
    """
    check_playable(values, players)
    record: Any = pack_numbers(RULES, values, players, NUMBERS.names)
    effects = values.effects
    for name in ("coins_per_peasant", "coins_per_chest"):
        record[name.removeprefix("coins_")] = getattr(effects, name)
    for name in ("mill_coins", "barracks_coins", "barracks_buries", "village_restores", "rampart_scouts", "extra_coin"):
        record[name] = getattr(effects, name)
    record.extra_tokens = values.tokens.extra_coin
    record.plot_tokens[:] = [getattr(values.tokens.plot, name) for name in DOMAIN_NAMES]
    record.coins[:players] = values.starting_coins[:players]
    _pack_board(record, values)
    _pack_tiles(record, values, players)
    _pack_events(record, values)
    return record


def _pack_board(record: Any, values: MiddleAgesRules) -> None:
    """Write what each Domain's Income counts and pays."""
    gain = np.zeros((DOMAINS, DOMAINS), np.uint16)  # [d, e]: what one more tile of d adds to the Income of e
    for index, name in enumerate(DOMAIN_NAMES):
        domain = getattr(values.domains, name)
        counted = [DOMAIN_NAMES.index(other) for other in domain.counts]
        record.per_domain[index] = domain.coins_per_tile
        record.lists[index] = sum(1 << other for other in counted)
        gain[counted, index] = domain.coins_per_tile
    record.gain[:] = gain.view(np.uint64)


def _pack_tiles(record: Any, values: MiddleAgesRules, players: int) -> None:
    """Write the tiles of the box and the sizes of the stacks in use."""
    tiles = tile_list(values)
    for tile in tiles:
        face = (tile.number, DOMAIN_NAMES.index(tile.domain), tile.peasants, tile.chests)
        record.tiles[tile.id] = face
    record.blue = sum(tile.stack == "blue" for tile in tiles)
    record.orange = len(tiles) - record.blue if players >= values.stacks.orange_from_players else 0


def _pack_events(record: Any, values: MiddleAgesRules) -> None:
    """Write the Events and the deck of their copies."""
    deck: list[int] = []
    record.events["buries"] = -1
    for index, event in enumerate(values.events.values()):
        packed = record.events[index]
        packed["per_tile"] = [getattr(event.coins_per_tile, name) for name in DOMAIN_NAMES]
        packed["per_peasant"] = event.coins_per_peasant
        packed["per_chest"] = event.coins_per_chest
        packed["per_domain"] = event.coins_per_domain
        packed["per_buried"] = event.coins_per_buried_tile
        packed["buries"][: len(event.buries)] = [DOMAIN_NAMES.index(name) for name in event.buries]
        packed["restores"] = event.restores
        deck += [index] * event.copies
    record.cards = len(deck)
    record.deck[: len(deck)] = deck
