"""Médiévallons: the model of a complete rule file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simcore.games.medievallons.state import CARDS, COPIES, MOST_TURNS, PLAYERS, SLOTS
from simcore.rules.files import RuleSet, Text, switch
from simcore.toml_tables import Table

TYPE_NAMES = (
    "artisan", "assassin", "jester", "knight", "star", "magician", "merchant", "beggar", "monk", "noble", "priest",
    "rogue", "witch",
)  # fmt: skip
"""The types in the booklet's order."""

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
