"""Médiévallons: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.medievallons import GAME
from simcore.kernel.pointers import Policy
from strategies.kit import Kit
from strategies.medievallons.basic import collector, noisy_collector, uniform
from strategies.medievallons.features import FEATURES
from strategies.medievallons.linear import linear
from strategies.medievallons.restrained import restrained
from strategies.medievallons.restrictions import restrictions
from strategies.thinker import looking_policies

RECORDS = GAME.policy_records
RANDOM = Policy(uniform, RECORDS, cached=True)
COLLECTOR = Policy(collector, RECORDS, cached=True)
LINEAR = Policy(linear, RECORDS, cached=True)
SEARCHING = looking_policies(GAME)
NOISY_COLLECTOR = Policy(noisy_collector, RECORDS, cached=True)

KIT = Kit(
    policies=MappingProxyType({"random": RANDOM, "collector": COLLECTOR, "linear": LINEAR} | SEARCHING),
    noisy=MappingProxyType({"random": RANDOM, "collector": NOISY_COLLECTOR, "linear": LINEAR} | SEARCHING),
    features=FEATURES,
    weighing=frozenset({"linear"}),
    searching=frozenset(SEARCHING),
    default="champion",
    skills={"family": "collector", "club": "thief", "search": "thinker"},
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
)
