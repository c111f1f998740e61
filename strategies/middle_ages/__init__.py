"""Middle-Ages: policies, features, and what a user's own policy may build on."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.middle_ages.state import RULES, STATE
from simcore.jit import Policy
from simcore.lineup import LINEUP
from strategies.kit import Kit
from strategies.middle_ages.basic import greedy, noisy_greedy, uniform
from strategies.middle_ages.features import FEATURES
from strategies.middle_ages.linear import linear

RECORDS = (RULES, LINEUP, STATE)
RANDOM = Policy(uniform, RECORDS, cached=True)
GREEDY = Policy(greedy, RECORDS, cached=True)
NOISY_GREEDY = Policy(noisy_greedy, RECORDS, cached=True)
LINEAR = Policy(linear, RECORDS, cached=True)

KIT = Kit(
    policies=MappingProxyType({"random": RANDOM, "greedy": GREEDY, "linear": LINEAR}),
    noisy=MappingProxyType({"random": RANDOM, "greedy": NOISY_GREEDY, "linear": LINEAR}),
    features=FEATURES,
    weighing=frozenset({"linear"}),
    default="planner",
    records=RECORDS,
)
