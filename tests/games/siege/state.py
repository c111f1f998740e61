"""Siege: the records of a game under way."""

import numpy as np

from siege.rules import KINDS
from simcore.decisions import Decision, asking
from simcore.records import layout

PLAYERS, UNIT, TYPES = 8, 840, len(KINDS)
WARLORD = 0  # the seat; all others are burghers
MOST = 4  # the demands of a kind are below this number
NOTHING = np.int64(TYPES)  # what a burgher answers who gives nothing
DEMAND, GIVE = map(np.int64, range(2))
DECISIONS = (
    Decision("demand", "units of each kind: those of kind k times MOST ** k, summed", MOST**TYPES),
    Decision("give", "kind of the cards to give, or NOTHING", TYPES + 1),
)

ROW = layout(
    ("strategy", np.int32),  # index in the line-up
    ("place", np.int32),  # 1 is best
    ("share840", np.int32),
    ("seasons", np.int32),
    ("demanded", np.int32),  # warlord: units in the whole game
    ("given", np.int32),  # burgher: cards in the whole game
    ("held", np.int32),  # burgher: cards in the hand at the end
    ("walls", np.int32),  # that stand at the end, 0 at the least
)

STATE = layout(
    *asking(MOST**TYPES),
    ("season", np.int32),
    ("walls", np.int32),
    ("supplies", np.int32),
    ("open", np.int32, TYPES),  # units demanded and not given yet
    ("last", np.int32, TYPES),  # cards given in the season before
    ("now", np.int32, TYPES),  # cards given in this season
    ("hands", np.int32, (PLAYERS, TYPES)),  # hidden from all other seats
    ("rows", ROW, PLAYERS),
)
