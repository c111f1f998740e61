"""Seigneurial: the model of a rule file, its record for kernels, and what makes rules playable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from simcore.errors import UsageError
from simcore.games.seigneurial.state import (
    EFFECTS, GOALS, KINDS, MOST_RENT, MOST_SEASONS, PAWNS, PILE, PLAYERS, QUARTER_NAMES, SEEN, TABLE, TYPES,
    TYPE_NAMES, VALUES, WHO_NAMES, WINDOW_NAMES, check_effect, op_code, what_code,
)  # fmt: skip
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import Identifier, RuleSet, numbers_of, switch
from simcore.toml_tables import Table


# --- The model of a complete rule file ---


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


# --- From a rule file's model to the record that kernels read, and what makes rules playable ---


NUMBERS = numbers_of(SeigneurialRules)
"""Values that kernels read unchanged, switches as the position of their value."""

RULES = layout(
    *fields(NUMBERS),
    ("middle", np.int32),  # square of the track
    ("end", np.int32),
    ("rent", np.int32, 2),  # before the middle, after
    ("pile", np.int32, VALUES),  # cards of each value, of each type
    ("size", np.int32),  # their sum
    ("goals", np.int32),  # Objectives
    ("goal", np.int32, (GOALS, TYPES)),  # points of each type, `objective_extra` added
    ("tenant", TABLE),
    ("lord", TABLE),
)

ENTRIES = ("track", "rent", "objective_extra")
"""Tables with an entry for each number of players."""


def pack(values: SeigneurialRules, players: int) -> np.record:
    """Return the rules as the record that kernels read.

    Raises UsageError if this number of players cannot play by these rules.
    """
    check_playable(values, players)
    record: Any = pack_numbers(RULES, values, players, NUMBERS.names)
    record.pile = values.pile
    record.middle, record.end = values.track[str(players)]
    record.rent = values.rent[str(players)]
    record.size = sum(values.pile)
    goals = values.goals(players)
    record.goals = len(goals)
    record.goal[: len(goals)] = list(goals.values())
    pack_table(record.tenant, values.tenant_card)
    pack_table(record.lord, values.lord_card)
    return record


def pack_table(table: Any, cards: Sequence[Card]) -> None:
    """Write the cards of a role into their record."""
    table.kinds = len(cards)
    for kind, card in enumerate(cards):
        table.copies[kind] = card.copies
        for window, name in enumerate(WINDOW_NAMES):
            for quarter, season in enumerate(QUARTER_NAMES):
                if card.effects and card.is_for(name, season):
                    table.when[window, quarter] |= np.uint64(1 << kind)
        table.card[kind].effects = len(card.effects)
        for number, effect in enumerate(card.effects):
            codes = op_code(effect.op, effect.who), WHO_NAMES.index(effect.who), what_code(effect.what), effect.n
            for name, code in zip(("op", "who", "what", "n"), codes, strict=True):
                table.card[kind].effect[number][name] = code


def check_playable(values: SeigneurialRules, players: int) -> None:
    """Raise `UsageError` if this number of players cannot play by the rules."""
    where = f"rules '{values.name}'"
    if not 3 <= players <= PLAYERS:
        raise UsageError(f"{where}: Seigneurial is for 3 to {PLAYERS} players, not {players}")
    if len(values.objectives) < players - 1:
        raise UsageError(
            f"{where}: objectives: there are {len(values.objectives)} for {players - 1} tenants; give each tenant one"
        )
    middle, end = values.track[str(players)]
    if not middle <= end or not values.start_square < end:
        raise UsageError(
            f"{where}: track.{players}: the lord goes from square {values.start_square} through {middle} to {end}; put "
            "the start before the end, and the middle no later than the end"
        )
    for name in ("yield_limits", "rent_limits", "draw_limits"):
        low, high = getattr(values, name)
        if low > high:
            raise UsageError(f"{where}: {name}: the minimum is {low} and the maximum {high}; swap them")
    check_objectives(values, players)


def check_objectives(values: SeigneurialRules, players: int) -> None:
    """Raise `UsageError` if an Objective asks for more points than there are, or for nothing."""
    points = sum(value * cards for value, cards in enumerate(values.pile))
    for name, goal in values.goals(players).items():
        where = f"rules '{values.name}': objectives.{name}"
        for kind in range(TYPES):
            if goal[kind] > points:
                raise UsageError(
                    f"{where}: asks for {goal[kind]} {TYPE_NAMES[kind]} at {players} players, and all cards of that "
                    f"type together have {points}; ask for less, or change pile or objective_extra"
                )
        if not any(goal):
            raise UsageError(f"{where}: asks for nothing at {players} players; ask for at least one point")


def par(values: SeigneurialRules, players: int) -> list[float]:
    """Return half of the wins for each camp, or the same for every player."""
    if values.par == "player":
        return [1 / players] * players
    return [1 / 2] + [1 / (2 * (players - 1))] * (players - 1)
