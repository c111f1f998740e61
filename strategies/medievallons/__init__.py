"""Médiévallons: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.medievallons import GAME
from simcore.games.medievallons.cards import at_least, count, guild_cards, held, one, total
from simcore.games.medievallons.state import (
    ACTION, ARTISAN, ASSASSIN, BEGGAR, COPY, FIT, GIVE, GUILD, HIT, JESTER, JESTERS, KEEP, KNIGHT, LAY, MAGICIAN,
    MEMBERS, MERCHANT, MONK, NAME, NOBLE, PASS, PLAY, PRIEST, REINFORCE, ROGUE, STAR, TAKE, TARGET, USE, WITCH,
)  # fmt: skip
from simcore.kernel.pointers import Policy
from strategies.kit import Kit
from strategies.medievallons.basic import collector, noisy_collector, uniform
from strategies.medievallons.features import FEATURES
from strategies.medievallons.linear import linear
from strategies.medievallons.restrained import restrained
from strategies.medievallons.restrictions import restrictions
from strategies.medievallons.worth import falls_apart, hidden_cards, known_matches, ready_guilds
from strategies.thinker import looking_policies

__all__ = [
    "ACTION", "ARTISAN", "ASKED", "ASSASSIN", "BEGGAR", "COPY", "FIT", "GIVE", "GUILD", "HIT", "JESTER", "JESTERS",
    "KEEP", "KIT", "KNIGHT", "LAY", "MAGICIAN", "MEMBERS", "MERCHANT", "MONK", "NAME", "NOBLE", "PASS", "PLAY",
    "PRIEST", "REINFORCE", "ROGUE", "STAR", "TAKE", "TARGET", "USE", "WITCH", "at_least", "collector", "count",
    "falls_apart", "guild_cards", "held", "hidden_cards", "known_matches", "one", "ready_guilds", "total",
]  # fmt: skip

ASKED = ("ACTION", "FIT", "MEMBERS", "JESTERS", "TARGET", "NAME", "TAKE", "GIVE", "KEEP", "GUILD", "HIT", "COPY")
"""The constants of `state.decision`, in the order of the game's decisions."""

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
    quick="quick_thinker",
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
)
