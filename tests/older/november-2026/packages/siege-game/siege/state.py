"""Siege: the records of a game under way."""

import numpy as np

from siege.rules import KINDS
from simcore.components.deck import MOST_CARDS, deck
from simcore.components.hand import hand
from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import layout

PLAYERS, UNIT, TYPES = 8, 840, len(KINDS)
WARLORD = 0  # the seat; all others are burghers
MOST = 5  # the demands of a kind are below this number
NOTHING = np.int64(TYPES)  # what a burgher answers who gives nothing

DEMAND, GIVE = map(np.int64, range(2))
DECISIONS = (
    Decision("demand", "units of grain + 5 * units of iron + 25 * units of stone", MOST**TYPES),
    Decision("give", "kind of which the burgher gives what is wanted; 3: nothing", TYPES + 1),
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
    ("given", np.int32, TYPES),  # cards given in this season; when the warlord is asked, in the one before
    ("deck", deck(MOST_CARDS)),
    ("hands", hand(TYPES), PLAYERS),  # hidden from all other seats
    ("rows", ROW, PLAYERS),
)
