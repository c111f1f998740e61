"""Fief 2: policies, features, and functions for a user's own policy."""

from __future__ import annotations

from types import MappingProxyType

from simcore.games.fief_2 import GAME
from simcore.games.fief_2.state import (
    ACCEPT, ASK_GRACE, AS_PRINCE, ATTACK, BUYS, BUY_CARDINAL, BUY_CASTLE, BUY_MILL, BUY_PRESS, BUY_SOLDIERS, BUY_TITLE,
    CALM, CARDINAL_TO, CASTLE, CASTLE_AT, CITY, CLAIM_LORD, CONSECRATE, CONSENT, CROWN_NEW, DISCARD, ESCAPE_TO, ESCORT,
    FREE_TO, GRANT_GRACE, JOIN, JUSTICE, MILL_AT, MOVE_LORD, NOBODY, NUMBER, OPEN, PLACE, PLACE_LORD, PLAY, PRESS_AT,
    PROPOSE, RANSOM_ACCEPT, RANSOM_OFFER, REGIONS, SOLDIERS_AT, SORTIE, SPOUSE, STAND, STEP, TAKE, TARGET_ASSASSIN,
    TARGET_BISHOP, TARGET_DARC, TARGET_ESCAPE, TARGET_FAMINE, TARGET_HARVEST, TARGET_PLAGUE, TARGET_REVOLT, TARGET_SUN,
    TARGET_TAILLE, TARGET_TITHE, TARGET_WEATHER, TITLE_REGION, TITLE_TO, VILLAGES, VOTE,
)  # fmt: skip
from simcore.games.fief_2.pieces import (
    first_of,
    forts,
    ground_of,
    guards,
    has,
    is_banked,
    lord_worth,
    own_free,
    pawns_of,
    pawns_of_others,
    points_inside,
    points_of,
    rebel_points,
    scores_now,
    size_of,
    stands_in,
    titles_of,
)
from simcore.kernel.pointers import Policy
from strategies.fief_2.features import FEATURES
from strategies.fief_2.linear import linear
from strategies.fief_2.outlook import (
    all_held,
    best_home,
    goal_of,
    industry,
    is_clear,
    is_whole,
    leader,
    most_soldiers_at,
    others_in,
    points_in,
    spare_at,
    standing,
    step_towards,
)
from strategies.fief_2.restrictions import restrained, restrictions
from strategies.fief_2.steward import noisy_steward, steward
from strategies.kit import Kit
from strategies.moves import uniform
from strategies.thinker import looking_policies

__all__ = [
    "ACCEPT", "ASKED", "ASK_GRACE", "AS_PRINCE", "ATTACK", "BUYS", "BUY_CARDINAL", "BUY_CASTLE", "BUY_MILL",
    "BUY_PRESS", "BUY_SOLDIERS", "BUY_TITLE", "CALM", "CARDINAL_TO", "CASTLE", "CASTLE_AT", "CITY", "CLAIM_LORD",
    "CONSECRATE", "CONSENT", "CROWN_NEW", "DISCARD", "ESCAPE_TO", "ESCORT", "FREE_TO", "GRANT_GRACE", "JOIN", "JUSTICE",
    "KIT", "MILL_AT", "MOVE_LORD", "NOBODY", "NUMBER", "OPEN", "PLACE", "PLACE_LORD", "PLAY", "PRESS_AT", "PROPOSE",
    "RANSOM_ACCEPT", "RANSOM_OFFER", "REGIONS", "SOLDIERS_AT", "SORTIE", "SPOUSE", "STAND", "STEP", "TAKE",
    "TARGET_ASSASSIN", "TARGET_BISHOP", "TARGET_DARC", "TARGET_ESCAPE", "TARGET_FAMINE", "TARGET_HARVEST",
    "TARGET_PLAGUE", "TARGET_REVOLT", "TARGET_SUN", "TARGET_TAILLE", "TARGET_TITHE", "TARGET_WEATHER", "TITLE_REGION",
    "TITLE_TO", "VILLAGES", "VOTE", "all_held", "best_home", "first_of", "forts", "goal_of", "ground_of", "guards",
    "has", "industry", "is_banked", "is_clear", "is_whole", "leader", "lord_worth", "most_soldiers_at", "others_in",
    "own_free", "pawns_of", "pawns_of_others", "points_in", "points_inside", "points_of", "rebel_points", "scores_now",
    "size_of", "spare_at", "standing", "stands_in", "step_towards", "steward", "titles_of",
]  # fmt: skip

ASKED = (
    "PLACE", "RANSOM_OFFER", "RANSOM_ACCEPT", "FREE_TO", "PROPOSE", "SPOUSE", "ACCEPT", "STAND", "VOTE", "CONSECRATE",
    "DISCARD", "CLAIM_LORD", "PLAY", "AS_PRINCE", "CONSENT", "PLACE_LORD", "CROWN_NEW", "TARGET_DARC", "TARGET_BISHOP",
    "TARGET_TITHE", "TARGET_TAILLE", "TARGET_PLAGUE", "TARGET_FAMINE", "TARGET_WEATHER", "TARGET_SUN", "TARGET_HARVEST",
    "TARGET_REVOLT", "TARGET_ASSASSIN", "TARGET_ESCAPE", "ESCAPE_TO", "JUSTICE", "BUYS", "TITLE_REGION", "TITLE_TO",
    "CARDINAL_TO", "CASTLE_AT", "MILL_AT", "PRESS_AT", "SOLDIERS_AT", "NUMBER", "MOVE_LORD", "ESCORT", "STEP", "TAKE",
    "CALM", "ATTACK", "JOIN", "SORTIE", "ASK_GRACE", "GRANT_GRACE",
)  # fmt: skip
"""The constants of `state.decision`, in the order of the game's decisions."""

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
    default="suzerain",
    skills={"family": "steward", "club": "banker", "search": "thinker"},
    quick="quick_thinker",
    searched=(300, 200),
    most=400,
    records=RECORDS,
    restrictions=restrictions,
    restrained=Policy(restrained, RECORDS, cached=True),
)
