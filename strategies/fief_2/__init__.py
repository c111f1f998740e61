"""Fief 2: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.fief_2 import GAME
from simcore.kernel.pointers import Policy
from strategies.fief_2.features import FEATURES
from strategies.fief_2.linear import linear
from strategies.fief_2.restrictions import restrained, restrictions
from strategies.fief_2.steward import noisy_steward, steward
from strategies.kit import Kit
from strategies.moves import uniform
from strategies.thinker import looking_policies

RECORDS = GAME.policy_records
RANDOM = Policy(uniform, RECORDS, cached=True)
STEWARD = Policy(steward, RECORDS, cached=True)
NOISY_STEWARD = Policy(noisy_steward, RECORDS, cached=True)
LINEAR = Policy(linear, RECORDS, cached=True)
SEARCHING = looking_policies(GAME)

KIT = Kit(
    policies=MappingProxyType({"random": RANDOM, "steward": STEWARD, "linear": LINEAR} | SEARCHING),
    noisy=MappingProxyType({"random": RANDOM, "steward": NOISY_STEWARD, "linear": LINEAR} | SEARCHING),
    features=FEATURES,
    weighing=frozenset({"linear"}),
    searching=frozenset(SEARCHING),
    default="champion",
    skills={"family": "steward", "club": "banker", "search": "thinker"},
    searched=(300, 60),
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
)
