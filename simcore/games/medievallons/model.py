"""Médiévallons: the model of a complete rule file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simcore.games.medievallons.state import CARDS, COPIES, MOST_TURNS, PLAYERS, SLOTS
from simcore.rules.files import SWITCH, RuleSet, Text
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
    copies_per_type: Annotated[Copies, SWITCH]
    hand_size: Annotated[int, Field(ge=1, le=CARDS), SWITCH]
    guild_size: Annotated[int, Field(ge=1, le=COPIES), SWITCH]
    guilds_to_win: Annotated[int, Field(ge=1, le=SLOTS), SWITCH]
    turn_draws: Few
    pass_draws: Annotated[Few, SWITCH]
    star_draws: Few
    magician_draws: Annotated[Few, SWITCH]
    monk_draws: Annotated[Few, SWITCH]
    merchant_cards: Annotated[Few, SWITCH]
    noble_givers: Annotated[int, Field(ge=1, le=PLAYERS), SWITCH]
    red_from_players: Annotated[int, Field(ge=2, le=PLAYERS + 1)]
    deck_end: Annotated[Literal["on_need", "last_card"], SWITCH]
    match: Annotated[bool, SWITCH]
    max_turns: Annotated[int, Field(ge=1, le=MOST_TURNS), SWITCH]
    types: Types

    def copies(self) -> dict[str, int]:
        """Return how many cards there are of each type."""
        found: dict[str, Type] = {name: getattr(self.types, name) for name in TYPE_NAMES}
        return {
            name: self.copies_per_type if found[name].copies is None else found[name].copies or 0 for name in TYPE_NAMES
        }
