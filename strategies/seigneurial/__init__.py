"""Seigneurial: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.seigneurial import GAME
from simcore.games.seigneurial.effects import can_aim, card_of, has_zero, ill_pawns, is_barred, is_playable, is_there
from simcore.games.seigneurial.state import (
    AUTUMN, CHURCH, CROWN, DROP_CARD, FACES, IMPROVE, KEEP, KEEP_OBJECTIVE, LAY, MILL, NEXT, NOTHING, PART, PASS,
    PAY_DUE, PICK, PLACE, PLAY, SET_RENT, SHIFT_POINTS, SPLIT, SPRING, SQUARES, STOP, SUMMER, TARGET, TYPES, VALUES,
    WHAT, WINTER,
)  # fmt: skip
from simcore.kernel.pointers import Policy
from strategies.kit import Kit
from strategies.seigneurial.bailiff import bailiff
from strategies.seigneurial.basic import uniform
from strategies.seigneurial.features import FEATURES
from strategies.seigneurial.gatherer import beyond, gatherer, has_spare, is_spare, need, total_need
from strategies.seigneurial.linear import linear
from strategies.seigneurial.restrained import restrained
from strategies.seigneurial.restrictions import restrictions
from strategies.thinker import looking_policies

__all__ = [
    "ASKED", "AUTUMN", "CHURCH", "CROWN", "DROP_CARD", "FACES", "IMPROVE", "KEEP", "KEEP_OBJECTIVE", "KIT", "LAY",
    "MILL", "NEXT", "NOTHING", "PART", "PASS", "PAY_DUE", "PICK", "PLACE", "PLAY", "SET_RENT", "SHIFT_POINTS", "SPLIT",
    "SPRING", "SQUARES", "STOP", "SUMMER", "TARGET", "TYPES", "VALUES", "WHAT", "WINTER", "bailiff", "beyond",
    "can_aim", "card_of", "gatherer", "has_spare", "has_zero", "ill_pawns", "is_barred", "is_playable", "is_spare",
    "is_there", "need", "total_need",
]  # fmt: skip

ASKED = (
    "PLAY", "TARGET", "WHAT", "PART", "SHIFT_POINTS", "KEEP_OBJECTIVE", "PAY_DUE", "PLACE", "KEEP", "DROP_CARD",
    "SET_RENT", "LAY", "SPLIT", "NEXT", "PICK", "IMPROVE", "CROWN",
)  # fmt: skip
"""The constants of `state.decision`, in the order of the game's decisions."""

RECORDS = GAME.policy_records
SEARCHING = looking_policies(GAME)
LINEAR = Policy(linear, RECORDS, cached=True)
"""One function weighs moves for both roles."""

KIT = Kit(
    policies=MappingProxyType(
        {
            "random": Policy(uniform, RECORDS, cached=True),
            "bailiff": Policy(bailiff, RECORDS, cached=True),
            "gatherer": Policy(gatherer, RECORDS, cached=True),
            "lord": LINEAR,
            "tenant": LINEAR,
            "both": LINEAR,
        }
        | SEARCHING
    ),
    features=FEATURES,
    weighing=frozenset({"lord", "tenant", "both"}),
    searching=frozenset(SEARCHING),
    default={"lord": "overlord", "tenant": "freeholder"},
    skills={
        "family": {"lord": "collector", "tenant": "payer"},
        "club": {"lord": "bailiff", "tenant": "gatherer"},
        "search": "rollout",
    },
    quick="thinker",
    searched=(400, 100),
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
    roles={"bailiff": "lord", "gatherer": "tenant", "lord": "lord", "tenant": "tenant"},
)
