"""Seigneurial: the model of a complete rule file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from simcore.games.seigneurial.state import (
    EFFECTS,
    GOALS,
    KINDS,
    MOST_RENT,
    MOST_SEASONS,
    PAWNS,
    PILE,
    SEEN,
    TYPES,
    VALUES,
)
from simcore.games.seigneurial.vocabulary import QUARTER_NAMES, WINDOW_NAMES, check_effect
from simcore.rules.files import Identifier, RuleSet, switch
from simcore.toml_tables import Table

TABLE_SIZES = ("3", "4", "5")


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Few = Annotated[int, Field(ge=0, le=20)]
Some = Annotated[int, Field(ge=1, le=20)]
Square = Annotated[int, Field(ge=0, le=100)]
Goal = Annotated[int, Field(ge=0, le=250)]
Copies = Annotated[int, Field(ge=0, le=60)]
Rent = Annotated[int, Field(ge=1, le=MOST_RENT)]
Extra = Annotated[int, Field(ge=-20, le=40)]
Amount = Annotated[int, Field(ge=-MOST_RENT, le=20)]
Pair = Annotated[tuple[Few, Few], BeforeValidator(_as_tuple)]
Squares = Annotated[tuple[Square, Square], BeforeValidator(_as_tuple)]
Rents = Annotated[tuple[Rent, Rent], BeforeValidator(_as_tuple)]
Count = Annotated[str, Field(pattern="^[345]$")]
Season = Literal["spring", "summer", "autumn", "winter"]


class Effect(Table):
    """One effect of a card: what happens, and to whom."""

    op: str
    who: str
    what: str = ""
    n: Amount = 1

    @model_validator(mode="after")
    def _in_vocabulary(self) -> Self:
        check_effect(self.op, self.who, self.what, self.n)
        return self


class Card(Table):
    """A card of the tenants or of the lord."""

    id: Identifier
    copies: Copies
    when: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]
    seasons: Annotated[tuple[Season, ...], BeforeValidator(_as_tuple)] = ()
    effects: Annotated[tuple[Effect, ...], Field(max_length=EFFECTS), BeforeValidator(_as_tuple)]

    @field_validator("when")
    @classmethod
    def _known_windows(cls, when: tuple[str, ...]) -> tuple[str, ...]:
        for name in when:
            if name not in (*WINDOW_NAMES, "any"):
                raise ValueError(f"no window '{name}'; a card is played in {', '.join(WINDOW_NAMES)} or any")
        return when

    def is_for(self, window: str, quarter: str) -> bool:
        """Return whether the card may be played in a window of a season."""
        return (window in self.when or "any" in self.when) and (not self.seasons or quarter in self.seasons)

    def as_in_toml(self) -> dict[str, Any]:
        """Return the card as in a rule file."""
        effects = [{"op": one.op, "who": one.who, "what": one.what, "n": one.n} for one in self.effects]
        for effect in effects:
            if not effect["what"]:
                del effect["what"]
        own = {"id": self.id, "copies": self.copies, "when": list(self.when), "seasons": list(self.seasons)}
        return {**own, "effects": effects}


Cards = Annotated[tuple[Card, ...], Field(max_length=KINDS), BeforeValidator(_as_tuple)]
Points = Annotated[tuple[Goal, ...], Field(min_length=TYPES, max_length=TYPES), BeforeValidator(_as_tuple)]
Pile = Annotated[tuple[Copies, ...], Field(min_length=VALUES, max_length=VALUES), BeforeValidator(_as_tuple)]


class SeigneurialRules(RuleSet):
    """A complete rule file of Seigneurial."""

    game: Literal["seigneurial"]
    par: Annotated[
        Literal["camp", "player"],
        switch("what is fair: half of the wins for the lord and half for the tenants, or the same for every player"),
    ]
    first_tenant: Annotated[
        Literal["random", "rotates", "fixed"], switch("who acts first among the tenants each season")
    ]
    lord_draw: Annotated[
        Literal["players", "tenants"], switch("cards that the lord draws each spring: as many as players, or one fewer")
    ]
    improvement_needs_pawn: Annotated[bool, switch("whether an improved land gives its card only to a pawn on it")]
    zero_stops_draw: Annotated[bool, switch("whether a card of value 0 ends a draw of several cards")]
    mill_redraw: Annotated[
        Literal["same_type", "chosen"], switch("the type of the cards that the Mill gives for zeros")
    ]
    payment: Annotated[Literal["rounds", "secret"], switch("tenants lay cards one by one in turn, or secretly")]
    least: Annotated[Literal["points", "cards"], switch("what decides the order of the lord's draws")]
    second_draw: Annotated[Literal["round", "same_tenant"], switch("when the lord draws a second card from a hand")]
    unpaid: Annotated[Literal["voluntary", "any"], switch("which lack of payment lets the lord draw a card")]
    most: Annotated[
        Literal["points", "cards"], switch("what decides between several tenants who have met their Objectives")
    ]
    window_order: Annotated[Literal["lord_first", "tenants_first"], switch("who plays cards first")]
    max_seasons: Annotated[
        int,
        Field(ge=1, le=MOST_SEASONS),
        switch("seasons after which nobody wins and all players share the win equally"),
    ]
    pawns: Annotated[int, Field(ge=1, le=PAWNS)]
    start_square: Square
    due: Few
    illness: Some
    land_cards: Few
    improvement: Few
    church_cards: Annotated[int, Field(ge=1, le=SEEN)]
    favour_price: Some
    hand_limit: Few
    plays: Few
    unpaid_cards: Few
    step: Few
    pile: Pile
    draws: Pair
    yield_limits: Pair
    rent_limits: Rents
    draw_limits: Pair
    track: dict[Count, Squares]
    rent: dict[Count, Squares]
    objective_extra: dict[Count, Extra]
    objectives: dict[Identifier, Points]
    tenant_card: Cards
    lord_card: Cards

    @field_validator("track", "rent", "objective_extra")
    @classmethod
    def _every_count(cls, table: dict[str, Any]) -> dict[str, Any]:
        for players in TABLE_SIZES:
            if players not in table:
                raise ValueError(f"has no entry for {players} players")
        return table

    @field_validator("objectives")
    @classmethod
    def _room_for_objectives(cls, table: dict[str, Any]) -> dict[str, Any]:
        if len(table) > GOALS:
            raise ValueError(f"has {len(table)} Objectives; there is room for {GOALS}")
        return table

    @field_validator("tenant_card", "lord_card")
    @classmethod
    def _add_up(cls, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        ids = [card.id for card in cards]
        for name in ids:
            if ids.count(name) > 1:
                raise ValueError(f"has two cards '{name}'; give every card an id of its own")
        if (copies := sum(card.copies for card in cards)) > PILE:
            raise ValueError(f"the copies add up to {copies}; a pile has room for {PILE}")
        return cards

    @field_validator("lord_card")
    @classmethod
    def _of_the_lord(cls, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        for card in cards:
            for effect in card.effects:
                if effect.who == "self" or effect.op in ("take", "barter"):
                    raise ValueError(
                        f"'{card.id}': a Seigneur card cannot have {effect.op} {effect.who}; aim it at tenant, tenants"
                        " or lord, and leave take and barter to Censitaire cards"
                    )
        return cards

    def goals(self, players: int) -> dict[str, tuple[int, ...]]:
        """Return the Objectives for a number of players, with `objective_extra` added to what they ask for."""
        extra = self.objective_extra[str(players)]
        return {
            name: tuple(max(points + extra, 0) if points else 0 for points in goal)
            for name, goal in self.objectives.items()
        }


__all__ = ["QUARTER_NAMES", "WINDOW_NAMES", "Card", "Effect", "SeigneurialRules"]
