"""Médiévallons: the model of a rule file, its record for kernels, and what makes rules playable."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from simcore.errors import UsageError
from simcore.games.medievallons.state import CARDS, COPIES, DEALS, MOST_TURNS, PLAYERS, SLOTS, TYPE_NAMES
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import RuleSet, Text, numbers_of, switch
from simcore.toml_tables import Table


# --- The model of a complete rule file ---


Copies = Annotated[int, Field(ge=0, le=COPIES)]
Few = Annotated[int, Field(ge=1, le=10)]


class Type(Table):
    """A type of card."""

    title: Text
    french: Text
    copies: Copies | None = None


class Types(Table):
    """The types, in the booklet's order."""

    artisan: Type
    assassin: Type
    jester: Type
    knight: Type
    star: Type
    magician: Type
    merchant: Type
    beggar: Type
    monk: Type
    noble: Type
    priest: Type
    rogue: Type
    witch: Type


class MedievallonsRules(RuleSet):
    """A complete rule file of Médiévallons."""

    game: Literal["medievallons"]
    copies_per_type: Annotated[
        Copies,
        switch('cards of each type; the booklet\'s "8 types, 13 each" is read as 13 types with 8 cards each'),
    ]
    hand_size: Annotated[int, Field(ge=1, le=CARDS), switch("cards dealt to each player")]
    guild_size: Annotated[int, Field(ge=1, le=COPIES), switch("the fewest cards that make a guild")]
    guilds_to_win: Annotated[int, Field(ge=1, le=SLOTS), switch("guilds on the table with which a player wins at once")]
    turn_draws: Few
    pass_draws: Annotated[Few, switch("cards that a player who can do nothing else draws")]
    star_draws: Few
    magician_draws: Annotated[Few, switch("cards that the Magician draws")]
    monk_draws: Annotated[Few, switch("cards that the Monk draws")]
    merchant_cards: Annotated[Few, switch("cards that the Merchant exchanges in each direction")]
    noble_givers: Annotated[
        int,
        Field(ge=1, le=PLAYERS),
        switch("players who give the Noble a card; for each missing player, a card is drawn"),
    ]
    red_from_players: Annotated[int, Field(ge=2, le=PLAYERS + 1)]
    deck_end: Annotated[
        Literal["on_need", "last_card"],
        switch("the deck ends when a card is needed and none is left, or as soon as its last card is taken"),
    ]
    match: Annotated[
        bool, switch("two players play the best of three deals, or one deal; more players always play one deal")
    ]
    max_turns: Annotated[
        int, Field(ge=1, le=MOST_TURNS), switch("turns after which a deal counts as an error; no deal lasts that long")
    ]
    types: Types

    def copies(self) -> dict[str, int]:
        """Return how many cards there are of each type."""
        found: dict[str, Type] = {name: getattr(self.types, name) for name in TYPE_NAMES}
        return {
            name: self.copies_per_type if found[name].copies is None else found[name].copies or 0 for name in TYPE_NAMES
        }


# --- From a rule file's model to the record that kernels read, and what makes rules playable ---


NUMBERS = numbers_of(MedievallonsRules)
"""Values that kernels read unchanged, switches as the position of their value."""

RULES = layout(
    *fields(NUMBERS),
    ("cards", np.int32),  # in the deck, all types
    ("red", np.int32),  # 1: the end card starts red side up
    ("deals", np.int32),  # most deals of a game: 1, or 3 in a match
    ("copies", np.uint64),  # cards of each type, four bits a type
    ("blank", np.uint64),  # 1 in the four bits of each type that can never be played
    ("idle", np.uint64),  # the same for each type whose power does nothing
    ("deck", np.uint8, CARDS + 1),  # types, one entry a card
)


def is_match(values: MedievallonsRules, players: int) -> bool:
    """Return whether a game is a match of several deals."""
    return values.match and players == 2


def power_of(name: str) -> str:
    """Return the name of the power of a type of cards, which may be blank while its cards are not."""
    return f"power_{name}"


def card_list(values: MedievallonsRules) -> list[str]:
    """Return the type of every card in order of id."""
    return [name for name, copies in values.copies().items() for _ in range(copies)]


def check_playable(values: MedievallonsRules, players: int) -> None:
    """Raise `UsageError` if this number of players cannot play by the rules."""
    where = f"rules '{values.name}'"
    copies = values.copies()
    cards, dealt = sum(copies.values()), values.hand_size * players + 1
    largest = max(copies[name] for name in TYPE_NAMES if name != "jester") + copies["jester"]
    if not 2 <= players <= PLAYERS:
        raise UsageError(f"{where}: Médiévallons is for 2 to {PLAYERS} players, not {players}")
    if cards <= dealt:
        raise UsageError(
            f"{where}: hand_size: {players} hands of {values.hand_size} and the first discard need {dealt} cards and"
            f" leave no deck, because there are {cards}; lower hand_size or raise copies_per_type"
        )
    if largest < values.guild_size:
        raise UsageError(
            f"{where}: guild_size: no type has {values.guild_size} cards, Jesters included; the maximum is {largest}"
        )


def pack(values: MedievallonsRules, players: int) -> np.record:
    """Return the rules as the record that kernels read.

    Raises UsageError if this number of players cannot play by these rules.
    """
    check_playable(values, players)
    record: Any = pack_numbers(RULES, values, players, NUMBERS.names)
    record.red = players >= values.red_from_players
    record.deals = DEALS if is_match(values, players) else 1
    record.copies = sum(count << 4 * kind for kind, count in enumerate(values.copies().values()))
    powers = {power_of(name): 1 << 4 * kind for kind, name in enumerate(TYPE_NAMES)}
    record.idle = sum(powers.get(name, 0) for name in values.blanks)
    record.blank = sum(1 << 4 * TYPE_NAMES.index(name) for name in values.blanks if name not in powers)
    cards = card_list(values)
    record.cards = len(cards)
    record.deck[: len(cards)] = [TYPE_NAMES.index(name) for name in cards]
    return record
