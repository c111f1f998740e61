"""Middle-Ages: the model of a complete rule file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, field_validator

from simcore.games.middle_ages.state import EVENT_CARDS, PLAYERS
from simcore.rules.files import Identifier, RuleSet, Text, switch
from simcore.toml_tables import Table

DomainName = Literal["field", "mill", "village", "rampart", "market", "barracks", "church", "palace"]
DOMAIN_NAMES: tuple[str, ...] = get_args(DomainName)
"""The Domains in board order."""

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


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _by_seat(value: Any) -> Any:
    if type(value) is int:
        return (value,) * PLAYERS
    if not isinstance(value, list | tuple):
        raise ValueError("must be a whole number, or a list with one for each seat")
    return tuple(value)


DomainList = Annotated[tuple[DomainName, ...], BeforeValidator(_as_tuple)]


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


class Event(Table):
    """A card: coins first, then burials, then what comes back."""

    title: Text
    french: Text | None = None
    copies: Annotated[int, Field(ge=0, le=EVENT_CARDS)] = 1
    coins_per_peasant: Amount = 0
    coins_per_chest: Amount = 0
    coins_per_tile: TileCoins = TileCoins()
    coins_per_domain: Amount = 0
    coins_per_buried_tile: Amount = 0
    buries: Annotated[DomainList, Field(max_length=LISTED)] = ()
    restores: Annotated[int, Field(ge=0, le=LISTED)] = 0


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
