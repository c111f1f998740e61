"""Seigneurial: policies, features, and what a user's own policy may build on."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.seigneurial import GAME
from simcore.kernel.compilation import Policy
from strategies.kit import Kit
from strategies.rollout import rollout_policy
from strategies.seigneurial.bailiff import bailiff
from strategies.seigneurial.basic import uniform
from strategies.seigneurial.gatherer import gatherer

RECORDS = GAME.policy_records

KIT = Kit(
    policies=MappingProxyType({
        "random": Policy(uniform, RECORDS, cached=True),
        "bailiff": Policy(bailiff, RECORDS, cached=True),
        "gatherer": Policy(gatherer, RECORDS, cached=True),
        "rollout": rollout_policy(GAME),
    }),
    default={"lord": "bailiff", "tenant": "gatherer"},
    searching=frozenset({"rollout"}),
    records=RECORDS,
    roles={"bailiff": "lord", "gatherer": "tenant"},
)  # fmt: skip
