"""Seigneurial: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.seigneurial import GAME
from simcore.kernel.pointers import Policy
from strategies.kit import Kit
from strategies.seigneurial.bailiff import bailiff
from strategies.seigneurial.basic import uniform
from strategies.seigneurial.features import FEATURES
from strategies.seigneurial.gatherer import gatherer
from strategies.seigneurial.linear import linear
from strategies.seigneurial.restrained import restrained
from strategies.seigneurial.restrictions import restrictions
from strategies.thinker import looking_policies

RECORDS = GAME.policy_records
SEARCHING = looking_policies(GAME)
LINEAR = Policy(linear, RECORDS, cached=True)
"""One function weighs moves for both roles."""

KIT = Kit(
    policies=MappingProxyType({
        "random": Policy(uniform, RECORDS, cached=True),
        "bailiff": Policy(bailiff, RECORDS, cached=True),
        "gatherer": Policy(gatherer, RECORDS, cached=True),
        "lord": LINEAR,
        "tenant": LINEAR,
        "both": LINEAR,
    } | SEARCHING),
    features=FEATURES,
    weighing=frozenset({"lord", "tenant", "both"}),
    searching=frozenset(SEARCHING),
    default={"lord": "overlord", "tenant": "freeholder"},
    skills={
        "family": {"lord": "collector", "tenant": "payer"},
        "club": {"lord": "bailiff", "tenant": "gatherer"},
        "search": "rollout",
    },
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
    roles={"bailiff": "lord", "gatherer": "tenant", "lord": "lord", "tenant": "tenant"},
)  # fmt: skip
