"""Middle-Ages: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.middle_ages import GAME
from simcore.games.middle_ages.state import (
    BARRACKS,
    CEMETERY,
    CHURCH,
    DOMAINS,
    EVENTS,
    EXTRA,
    FIELD,
    LORD,
    LOSS,
    MARKET,
    MILL,
    PALACE,
    PLOT,
    RAMPART,
    ROUNDS,
    SCOUT,
    VILLAGE,
)
from simcore.kernel.pointers import Policy
from strategies.kit import Kit
from strategies.middle_ages.basic import greedy, noisy_greedy, uniform
from strategies.middle_ages.features import FEATURES
from strategies.middle_ages.linear import linear
from strategies.middle_ages.restrained import restrained
from strategies.middle_ages.restrictions import restrictions
from strategies.thinker import looking_policies
from simcore.games.middle_ages.search import counted_tiles, lane, option_tile, raids, slot_rate, worth

__all__ = [
    "ASKED", "BARRACKS", "CEMETERY", "CHURCH", "DOMAINS", "EVENTS", "EXTRA", "FIELD", "KIT", "LORD", "LOSS", "MARKET",
    "MILL", "PALACE", "PLOT", "RAMPART", "ROUNDS", "SCOUT", "VILLAGE", "counted_tiles", "greedy", "lane", "option_tile",
    "raids", "slot_rate", "worth",
]  # fmt: skip

ASKED = ("LORD", "SCOUT", "CEMETERY", "EXTRA", "PLOT", "LOSS")
"""The constants of `state.decision`, in the order of the game's decisions."""

RECORDS = GAME.policy_records
RANDOM = Policy(uniform, RECORDS, cached=True)
GREEDY = Policy(greedy, RECORDS, cached=True)
NOISY_GREEDY = Policy(noisy_greedy, RECORDS, cached=True)
LINEAR = Policy(linear, RECORDS, cached=True)
SEARCHING = looking_policies(GAME)

KIT = Kit(
    policies=MappingProxyType({"random": RANDOM, "greedy": GREEDY, "linear": LINEAR} | SEARCHING),
    noisy=MappingProxyType({"random": RANDOM, "greedy": NOISY_GREEDY, "linear": LINEAR} | SEARCHING),
    features=FEATURES,
    weighing=frozenset({"linear"}),
    default="champion",
    skills={"family": "greedy", "club": "planner", "search": "thinker"},
    quick="quick_thinker",
    most=3_200,
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
    searching=frozenset(SEARCHING),
)
