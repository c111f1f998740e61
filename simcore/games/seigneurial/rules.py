"""Seigneurial: from a rule file's model to the record that kernels read, and what makes rules playable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.games.seigneurial.model import Card, SeigneurialRules
from simcore.games.seigneurial.state import GOALS, PLAYERS, TABLE, TYPES, VALUES
from simcore.games.seigneurial.vocabulary import QUARTER_NAMES, TYPE_NAMES, WHO_NAMES, WINDOW_NAMES, op_code, what_code
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import numbers_of

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
