"""Siege: what a designer may change, and the record that kernels read."""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from simcore.components.deck import MOST_CARDS
from simcore.kernel.records import blank, layout
from simcore.rules.files import RuleSet, switch

KINDS = ("grain", "iron", "stone")
NUMBERS = ("supplies", "walls", "hand", "copies", "upkeep", "honours")
RULES = layout(("players", np.int32), *((name, np.int32) for name in NUMBERS))


class SiegeRules(RuleSet):
    """A rules file; supplies and walls are for each burgher."""

    game: Literal["siege"]
    supplies: Annotated[int, Field(ge=1, le=20)]
    walls: Annotated[int, Field(ge=1, le=20)]
    hand: Annotated[int, Field(ge=0, le=6)]
    copies: Annotated[int, Field(ge=1, le=MOST_CARDS // len(KINDS))]
    upkeep: Annotated[int, Field(ge=1, le=6)]
    honours: Annotated[
        bool, switch("whether those who gave most get half of the town's win, or all burghers share it equally")
    ]
    balance: Annotated[Literal["camps", "seats"], switch("whether camps or players win equally often at par")]


def pack(values: Any, players: int) -> np.record:
    """Return the rules as a record."""
    record = blank(RULES)
    record["players"] = players
    for name in NUMBERS:
        record[name] = getattr(values, name)
    for name in ("supplies", "walls"):
        record[name] *= players - 1
    return record


def par(values: Any, players: int) -> list[float]:
    """Return half a win for each camp, or the same for every seat."""
    if values.balance == "seats":
        return [1 / players] * players
    return [1 / 2] + [1 / (2 * (players - 1))] * (players - 1)


def sharing(values: Any, rows: Any, unit: int) -> Any:
    """Return the warlord's whole win, or the town's: one half for all burghers, one for those who are placed first."""
    first = rows["place"] == 1
    burghers = first.shape[1] - 1
    fallen, best = first[:, :1], first.sum(axis=1, keepdims=True)
    town = unit // 2 // burghers + first * (unit // 2 // best)
    town[:, 0] = 0
    return np.where(fallen, first * unit, town)
