"""Middle-Ages: the model of a rule file, its record for kernels, and what makes rules playable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, field_serializer, field_validator

from simcore.components.aims import LEAST, MOST, Aim, pack_aim, sentence
from simcore.errors import UsageError
from simcore.games.middle_ages.state import (
    DOMAINS, DOMAIN_NAMES, DomainName, EVENT, EVENTS, EVENT_CARDS, HELD, PLAYERS, ROUNDS, ROWS, STANDINGS, StandingName,
    TILE, TILES,
)  # fmt: skip
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import Identifier, RuleSet, Text, numbers_of, switch
from simcore.toml_tables import Table, as_tuple


# --- The model of a complete rule file ---


BOOKLET_EVENTS = (
    "skilled_trades", "precious_goods", "alliance", "barbarian_invasion", "black_death", "new_defences",
    "triumphant_return", "birth_peak", "peasant_revolt", "restoration", "good_harvest", "reconstruction_aid",
    "extended_lordship", "lavish_ceremonies", "earthquake",
)  # fmt: skip
"""Events in the booklet's order; others follow by name."""

LISTED = 4  # most burials, and most restorations, of one Event

Amount = Annotated[int, Field(ge=-10_000, le=10_000)]
Coins = Annotated[int, Field(ge=0, le=10_000)]
Rate = Annotated[int, Field(ge=0, le=1_000)]
Count = Annotated[int, Field(ge=0, le=255)]


def _by_seat(value: Any) -> Any:
    if type(value) is int:
        return (value,) * PLAYERS
    if not isinstance(value, list | tuple):
        raise ValueError("must be a whole number, or a list with one for each seat")
    return tuple(value)


DomainList = Annotated[tuple[DomainName, ...], BeforeValidator(as_tuple)]


class Domain(Table):
    """A column of the board."""

    title: Text
    french: Text
    counts: DomainList
    coins_per_tile: Rate

    @field_validator("counts")
    @classmethod
    def _each_once(cls, counts: tuple[str, ...]) -> tuple[str, ...]:
        for name in counts:
            if counts.count(name) > 1:
                raise ValueError(f"lists '{name}' twice; an Income counts a Domain once")
        return tuple(sorted(counts, key=DOMAIN_NAMES.index))


class Domains(Table):
    """The board, left to right."""

    field: Domain
    mill: Domain
    village: Domain
    rampart: Domain
    market: Domain
    barracks: Domain
    church: Domain
    palace: Domain


class Effects(Table):
    """Sizes of the special effects."""

    coins_per_peasant: Rate
    coins_per_chest: Rate
    mill_coins: Rate
    barracks_coins: Rate
    barracks_buries: bool
    village_restores: bool
    rampart_scouts: bool
    extra_coin: Rate


class PlotTokens(Table):
    """Plot tokens in the box."""

    assumed: bool = False
    field: Count
    mill: Count
    village: Count
    rampart: Count
    market: Count
    barracks: Count
    church: Count
    palace: Count


class Tokens(Table):
    """Tokens in the box."""

    extra_coin: Count
    plot: PlotTokens


class Face(Table):
    """What a tile shows, and its copies in the two stacks."""

    number: Annotated[int, Field(ge=1, le=255)]
    domain: DomainName
    peasants: Count
    chests: Count
    blue: Count
    orange: Count


class Tiles(Table):
    """All tile faces."""

    assumed: bool = False
    faces: dict[Identifier, Face]


class Stacks(Table):
    """When the orange stack is used."""

    orange_from_players: Annotated[int, Field(ge=2, le=PLAYERS + 1)]


class TileCoins(Table):
    """Coins for every tile of a Domain."""

    field: Amount = 0
    mill: Amount = 0
    village: Amount = 0
    rampart: Amount = 0
    market: Amount = 0
    barracks: Amount = 0
    church: Amount = 0
    palace: Amount = 0


class Event(Aim[StandingName, Literal[4, 8, 12, 16]]):
    """A card: coins first, then burials, then what comes back."""

    hits: Annotated[
        Literal["all", "leader", "last", "most", "least", "first"],
        Field(description="whom it hits; most and least compare the standing `of`"),
    ] = "all"
    title: Text
    french: Text | None = None
    copies: Annotated[int, Field(ge=0, le=EVENT_CARDS)] = 1
    coins: Annotated[Amount, Field(description="coins for each player whom it hits")] = 0
    coins_share: Annotated[
        int, Field(ge=-100, le=100, description="percent of the coins that a player holds, rounded down")
    ] = 0
    coins_per_peasant: Amount = 0
    coins_per_chest: Amount = 0
    coins_per_tile: TileCoins = TileCoins()
    coins_per_domain: Amount = 0
    coins_per_buried_tile: Amount = 0
    buries: Annotated[DomainList, Field(max_length=LISTED)] = ()
    restores: Annotated[int, Field(ge=0, le=LISTED)] = 0

    @property
    def special(self) -> bool:
        """Whether it does what no card of the booklet does: it hits some players only, or moves coins for nothing."""
        return self.aimed or bool(self.coins or self.coins_share)


class MiddleAgesRules(RuleSet):
    """A complete rule file of Middle-Ages."""

    game: Literal["middle-ages"]
    starting_coins: Annotated[
        tuple[Coins, ...],
        BeforeValidator(_by_seat),
        Field(max_length=PLAYERS),
        switch(
            "coins at the start, by seat; a single number applies to everyone; a list needs at least one entry "
            "for each player, and further entries are not used"
        ),
    ]
    shortfall: Annotated[
        Literal["pay_available", "debt"],
        switch("a player who owes more coins than they hold pays what they hold, or goes below zero"),
    ]
    final_floor: Annotated[bool, switch("whether a negative final score counts as 0")]
    plot_token_supply: Annotated[Literal["shared", "unlimited"], switch("whether plot tokens run out")]
    slot_capacity: Annotated[Literal["one_of_each", "one"], switch("tokens that a Domain slot holds")]
    event_loss: Annotated[Literal["owner_chooses", "top"], switch("which tile of a Domain an Event takes")]
    empty_domain_penalty: Coins
    domains: Domains
    effects: Effects
    tokens: Tokens
    tiles: Tiles
    stacks: Stacks
    events: dict[Identifier, Event]

    @field_validator("tiles")
    @classmethod
    def _number_order(cls, tiles: Tiles) -> Tiles:
        order = sorted(tiles.faces, key=lambda name: (tiles.faces[name].number, name))
        return tiles.model_copy(update={"faces": {name: tiles.faces[name] for name in order}})

    @field_validator("events")
    @classmethod
    def _booklet_order(cls, events: dict[str, Event]) -> dict[str, Event]:
        known = [name for name in BOOKLET_EVENTS if name in events]
        return {name: events[name] for name in known + sorted(set(events) - set(known))}

    @field_serializer("events", mode="wrap")
    def _as_printed(self, events: dict[str, Event], write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out of the booklet's cards what none of them needs, so that these keys change no digest of theirs."""
        own, later = self.own_events(), (*Aim.model_fields, "coins", "coins_share")
        return {
            name: {key: value for key, value in table.items() if name in own or key not in later}
            for name, table in write(events).items()
        }

    def in_words(self, language: str = "en") -> dict[str, str]:
        """Return what the Events that the booklet does not have do, in a sentence each."""
        title = "french" if language == "fr" else "title"
        titles = {name: getattr(getattr(self.domains, name), title) for name in DOMAIN_NAMES}
        own = self.own_events().items()
        return {f"events.{name}": event_in_words(event, titles, language) for name, event in own}

    def own_events(self) -> dict[str, Event]:
        """Return the Events that the booklet does not have."""
        return {name: event for name, event in self.events.items() if name not in BOOKLET_EVENTS or event.special}


# --- From a rule file's model to the record that kernels read, and what makes rules playable ---


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
    tiles = sum(face.blue + face.orange for face in faces)
    used = len(_tiles_in_play(values, players))
    cards = sum(event.copies for event in values.events.values())
    if not 2 <= players <= PLAYERS:
        raise UsageError(f"{where}: Middle-Ages is for 2 to {PLAYERS} players, not {players}")
    if tiles > TILES:
        raise UsageError(f"{where}: [tiles.faces]: {tiles} tiles, at most {TILES} are possible; lower some copies")
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
    _check_events(values, players)


def _tiles_in_play(values: MiddleAgesRules, players: int) -> list[Face]:
    """Return the face of every tile in the stacks in use."""
    uses_orange = players >= values.stacks.orange_from_players
    return [face for face in values.tiles.faces.values() for _ in range(face.blue + face.orange * uses_orange)]


def _reach(values: MiddleAgesRules, players: int) -> dict[str, tuple[int, int]]:
    """Return the range in which every standing of a player stays, by its name; that of coins is a wide one."""
    faces = _tiles_in_play(values, players)
    peasants, chests = (
        sum(sorted((getattr(face, symbol) for face in faces), reverse=True)[:HELD]) for symbol in ("peasants", "chests")
    )
    most = {"tiles": HELD, "domains": DOMAINS, "peasants": peasants, "chests": chests, "buried": HELD}
    most |= {name: min(HELD, sum(face.domain == name for face in faces)) for name in DOMAIN_NAMES}
    coins = _most_coins(values, players, peasants, chests)
    least = -coins if values.shortfall == "debt" else 0
    return {"coins": (least, coins)} | {name: (0, number) for name, number in most.items()}


def _most_coins(values: MiddleAgesRules, players: int, peasants: int, chests: int) -> int:
    """Return a number of coins that no player can exceed, nor fall below when it is negative.

    peasants, chests: The most symbols that a player can have.
    """
    effects = values.effects
    rate = max(getattr(values.domains, name).coins_per_tile for name in DOMAIN_NAMES) + effects.extra_coin
    raid = (players - 1) * max(effects.mill_coins, effects.barracks_coins)
    turn = HELD * rate + max(effects.coins_per_peasant * peasants, effects.coins_per_chest * chests, raid)
    most = max(values.starting_coins[:players])
    for number in range(ROWS, ROUNDS + 1, ROWS):
        cards = [card for card in values.events.values() if card.copies and number in (card.rounds or (number,))]
        most += ROWS * (turn + raid)
        most += most * max((card.coins_share for card in cards if card.coins_share > 0), default=0) // 100
        most += max((_most_of(card, peasants, chests) for card in cards), default=0)
    return most


def _most_of(card: Event, peasants: int, chests: int) -> int:
    """Return the most coins that an Event moves for one player, without a share."""
    tiles = max(abs(getattr(card.coins_per_tile, name)) for name in DOMAIN_NAMES)
    things = DOMAINS * abs(card.coins_per_domain) + HELD * (tiles + abs(card.coins_per_buried_tile))
    return abs(card.coins) + abs(card.coins_per_peasant) * peasants + abs(card.coins_per_chest) * chests + things


def _check_events(values: MiddleAgesRules, players: int) -> None:
    """Raise `UsageError` if an Event can never hit anybody, or coins could become too many to count."""
    reach = _reach(values, players)
    for name, card in values.events.items():
        low, high = reach.get(card.only_if or "", (LEAST, MOST))
        if card.bounds[0] > high or card.bounds[1] < low:
            raise UsageError(
                f"rules '{values.name}': [events.{name}]: only_if can never be met: with {players} players,"
                f" '{card.only_if}' stays between {low:,} and {high:,}; change at_least or at_most"
            )
    if players * reach["coins"][1] + DOMAINS * values.empty_domain_penalty > MOST:
        shares = {name: card.coins_share for name, card in values.events.items() if card.copies}
        name = max(shares, key=lambda name: shares[name])
        raise UsageError(
            f"rules '{values.name}': [events.{name}]: coins_share = {shares[name]} could make more than {MOST:,} coins,"
            " which cannot be counted; lower it, or what players gain"
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
        pack_aim(packed, event, STANDINGS)
        packed["coins"], packed["share"] = event.coins, event.coins_share
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


# --- What an Event does, in words ---


WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "coins": "coins", "coin": "coin", "tiles": "tiles", "domains": "Domains", "domain": "Domain",
        "peasants": "peasants", "peasant": "peasant", "chests": "chests", "chest": "chest", "buried": "buried tiles",
        "grave": "buried tile", "tiles of": "{domain} tiles", "tile of": "{domain} tile", "gain": "gains {coins}",
        "lose": "loses {coins}", "share": "{percent}% of their coins", "each": "{coins} for every {thing}",
        "bury": "buries one {domain} tile", "restore": "takes back {tiles}",
    },
    "fr": {
        "coins": "pièces", "coin": "pièce", "tiles": "tuiles", "domains": "Domaines", "domain": "Domaine",
        "peasants": "paysans", "peasant": "paysan", "chests": "coffres", "chest": "coffre",
        "buried": "tuiles du Cimetière", "grave": "tuile du Cimetière", "tiles of": "tuiles {domain}",
        "tile of": "tuile {domain}", "gain": "gagne {coins}", "lose": "perd {coins}",
        "share": "{percent}\u202f% de ses pièces", "each": "{coins} par {thing}",
        "bury": "met une tuile {domain} au Cimetière", "restore": "reprend {tiles}",
    },
}  # fmt: skip


def event_in_words(event: Event, titles: Mapping[str, str], language: str = "en") -> str:
    """Return what an Event does, in a sentence; `titles` are those of the Domains."""
    words = WORDS[language]
    names = {
        name: words["tiles of"].format(domain=titles[name]) if name in titles else words[name] for name in STANDINGS
    }
    return sentence(event, list(_deeds(event, words, titles)), names, language)


def _deeds(event: Event, words: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[str]:
    """Yield what those whom an Event hits do."""
    things = {
        words["peasant"]: event.coins_per_peasant, words["chest"]: event.coins_per_chest,
        **{words["tile of"].format(domain=titles[name]): getattr(event.coins_per_tile, name) for name in DOMAIN_NAMES},
        words["domain"]: event.coins_per_domain, words["grave"]: event.coins_per_buried_tile,
    }  # fmt: skip
    amounts = [(event.coins, _coins(event.coins, words))]
    amounts += [(event.coins_share, words["share"].format(percent=abs(event.coins_share)))]
    amounts += [(n, words["each"].format(coins=_coins(n, words), thing=thing)) for thing, n in things.items()]
    for amount, coins in amounts:
        if amount:
            yield words["gain" if amount > 0 else "lose"].format(coins=coins)
    for name in event.buries:
        yield words["bury"].format(domain=titles[name])
    if event.restores:
        yield words["restore"].format(tiles=_counted(event.restores, words["grave"], words["buried"]))


def _coins(amount: int, words: Mapping[str, str]) -> str:
    return _counted(abs(amount), words["coin"], words["coins"])


def _counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
