"""Records of Seigneurial: rules, table, players, and the row that each seat leaves behind."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import Decision, asking
from simcore.kernel.events import EventKind
from simcore.kernel.records import layout

PLAYERS = 5
LORD = np.int64(0)  # seat of the lord; all others are tenants
TYPES = 3
VALUES = 5  # of resource cards: 0 to 4
FACES = TYPES * VALUES  # face of a resource card: 5 * type + value
SQUARES = 5  # the lands in the order of the types, then:
CHURCH, MILL = np.int64(3), np.int64(4)
PAWNS = 5  # most pawns of a tenant, one for each square
KINDS = 27  # most kinds of cards in a table; 27 stands for a pass
PILE = 120  # most cards of a tenant or lord pile
GOALS = 20  # most Objective cards
SEEN = 6  # most cards seen at the Church
EFFECTS = 3  # most effects of a card
WINDOWS, QUARTERS = 6, 4
MOST_RENT = 12
MOST_SEASONS = 1000
COURSE = 12  # seasons of which a row keeps how they ended
SHIFTED = 4  # most points that an effect shifts

SEASON, HARVEST, RENT, PAYMENT, DRAWS, PROGRESS = map(np.int64, range(WINDOWS))  # windows
SPRING, SUMMER, AUTUMN, WINTER = map(np.int64, range(QUARTERS))
NOTHING = np.int64(-1)
PASS = np.int64(KINDS)  # play no more cards
STOP = np.int64(FACES)  # lay or trade no more resource cards

# Operations of effects.  Those of the lord's cards have numbers of their own.
(
    GAIN, LOSE, TAKE, BARTER, TRADE, ACT, HEAL, SICKEN, BAR, YIELD, SHELTER, INSPECT, DRAW_MORE, FAVOUR, CARDS, DROP,
    GAG, WARD, WAIVE, REVEAL, OBJECTIVE, CHANGE_RENT, ADVANCE, SHIFT, LORD_CARDS, LORD_DROP,
) = map(np.int64, range(26))  # fmt: skip
SELF, TENANT, TENANTS, THE_LORD = map(np.int64, range(4))  # who
CHOOSE, OWNER, RANDOM = map(np.int64, range(5, 8))  # what, after the numbers of types and squares

# What a policy is asked (state.decision).
(
    PLAY, TARGET, WHAT, PART, SHIFT_POINTS, KEEP_OBJECTIVE, PAY_DUE, PLACE, KEEP, DROP_CARD, SET_RENT, LAY, SPLIT, NEXT,
    PICK, IMPROVE, CROWN,
) = map(np.int64, range(17))  # fmt: skip

DECISIONS = (
    Decision("play", "place of a card in its table; 27: no more cards", KINDS + 1),
    Decision("target", "seat at which an effect is aimed", PLAYERS),
    Decision("what", "type or land (0 wood, 1 fish, 2 grain), 3 Church, 4 Mill", SQUARES),
    Decision("part", "5 * type + value of a resource card to part with; 15: no more", FACES + 1),
    Decision("shift", "6 * (points - 1) + pair of types; see `shift_move`", 6 * SHIFTED),
    Decision("objective", "place of the Objective to keep", GOALS),
    Decision("winter", "0 refuses the winter due, 1 pays", 2),
    Decision("place", "square of the next pawn", SQUARES),
    Decision("keep", "place of the card to keep at the Church", KINDS),
    Decision("drop", "place of the card to discard", KINDS),
    Decision("rent", "place of the split among all splits of the rent; see `rent_move`", 91),
    Decision("lay", "5 * type + value of a resource card to lay; 15: no more this season", FACES + 1),
    Decision("split", "seat that gets a point of favour", PLAYERS),
    Decision("next", "seat from which the lord draws next", PLAYERS),
    Decision("pick", "5 * type + value of the card that the lord takes", FACES),
    Decision("improve", "land to improve", TYPES),
    Decision("crown", "seat that wins among equals", PLAYERS),
)
"""The kinds of decisions, and how their moves are numbered."""

GOES_ON, BY_TRACK, BY_OBJECTIVE, BY_LIMIT = map(np.int64, range(4))  # state.over

SEASON_NOTE, STANDING = map(np.int64, range(2))
EVENTS = (
    EventKind("season", "a season ends", ("square", "obtained", "rent")),
    EventKind("standing", "what a tenant has at the end of a season", ("missing", "points", "favour")),
)
MOST_NOTES = MOST_SEASONS * PLAYERS

EFFECT = layout(
    ("op", np.int32),
    ("who", np.int32),
    ("what", np.int32),  # type, square, CHOOSE, OWNER, RANDOM or NOTHING
    ("n", np.int32),
)
CARD = layout(
    ("effects", np.int32),  # how many
    ("effect", EFFECT, EFFECTS),
)
TABLE = layout(
    ("kinds", np.int32),
    ("copies", np.int32, KINDS),
    ("when", np.uint64, (WINDOWS, QUARTERS)),  # bits by kind: may be played in that window of that season
    ("card", CARD, KINDS),
)
ROW = layout(
    ("strategy", np.int32),  # index in the line-up
    ("place", np.int32),  # 1 is best
    ("share60", np.int32),  # win share in sixtieths
    ("ending", np.int32),  # BY_TRACK, BY_OBJECTIVE or BY_LIMIT
    ("seasons", np.int32),  # played
    ("square", np.int32),  # of the lord at the end
    ("half", np.int32),  # season in which the lord reached the middle, 0 never
    ("obtained", np.int32),  # lord: rents obtained
    ("failed", np.int32),  # lord: rents not obtained
    ("unpaid", np.int32),  # lord: seasons in which nobody laid a card
    ("demanded", np.int32),  # lord: points asked for
    ("draws", np.int32),  # lord: cards drawn from hands, tenant: cards drawn from the hand, kept or not
    ("taken", np.int32),  # the same: points kept
    ("laid", np.int32),  # tenant: points laid, lord: points laid by all
    ("objective", np.int32),  # tenant: 1 + Objective at the end
    ("changes", np.int32),  # tenant: Objectives exchanged
    ("points", np.int32, TYPES),  # tenant: points in hand at the end
    ("held", np.int32),  # tenant: their sum
    ("resources", np.int32),  # tenant: resource cards in hand at the end
    ("missing", np.int32),  # tenant: points that the Objective still asks for at the end
    ("refusals", np.int32),  # tenant: winters in which the tenant could pay and did not
    ("unable", np.int32),  # tenant: winters in which the tenant could not pay
    ("illnesses", np.int32),  # tenant: pawns that fell ill
    ("favour", np.int32),  # tenant: points of favour given
    ("bought", np.int32),  # tenant: cards got for favour
    ("zeros", np.int32),  # tenant: cards of value 0 drawn
    ("improved", np.int32),  # tenant: 1 + land improved, 0 none
    ("squares", np.int32, SQUARES),  # tenant: pawns placed, by square
    ("cards", np.int32),  # cards drawn, of the role's own table
    ("played", np.int32, KINDS),  # cards played, by place in the role's table
    ("course", np.int32, COURSE),  # by season: the lord's square at its end, or points missing from the Objective
)

# Wide fields stand first: gaps between fields would hold anything.
PLAYER = layout(
    ("kinds", np.uint64),  # kinds of the role's cards in hand, as bits
    ("hand", np.int32, FACES),  # resource cards by face
    ("points", np.int32, TYPES),  # in hand
    ("resources", np.int32),  # resource cards in hand
    ("front", np.int32, TYPES),  # zeros in front
    ("own", np.int32, KINDS),  # cards of the role's table in hand, by kind
    ("cards", np.int32),  # how many they are
    ("opened", np.int32, KINDS),  # in a window: copies that may still be played
    ("favour", np.int32),
    ("objective", np.int32),
    ("revealed", np.int32),  # 1 if the Objective is public
    ("improved", np.int32),  # land, NOTHING for none
    ("ledger", np.int32, TYPES),  # cards of value 1-4 drawn, less those gone to table or discard; public
    ("ill", np.int32, PAWNS),  # positionings that each pawn has still to wait
    ("placed", np.int32, PAWNS),  # squares of the pawns in the order placed
    ("pawns", np.int32),  # how many are placed
    # this season
    ("there", np.int32),  # bits by square: a pawn of the tenant's stands there
    ("barred", np.int32),  # bits by square
    ("yields", np.int32, TYPES),  # cards more or fewer from each land
    ("shelter", np.int32),
    ("inspected", np.int32),
    ("draws", np.int32),  # cards more or fewer that the lord may draw
    ("gagged", np.int32),
    ("warded", np.int32),
    ("waived", np.int32),
    ("plays", np.int32),  # cards played
    ("laid", np.int32, TYPES),  # points laid
    ("table", np.int32, FACES),  # cards laid, by face; what the lord draws and keeps is counted in his own
    ("lays", np.int32),  # cards laid
    ("passed", np.int32),
    ("given", np.int32, TYPES),  # points of favour
)

RING = layout(
    ("order", np.uint8, PILE),  # kinds; a ring
    ("head", np.int32),  # place of the top card
    ("left", np.int32),  # cards in the ring
    ("discards", np.int32, KINDS),  # by kind
    ("discarded", np.int32),
    ("shuffles", np.int32),  # how often the discards became the pile
)
STOCK = layout(
    ("order", np.int32, KINDS),  # by kind: a pile whose order never matters
    ("left", np.int32),
    ("discards", np.int32, KINDS),
    ("discarded", np.int32),
    ("drawn", np.int32),  # cards drawn so far: address of the next draw's chance
)
PILES = layout(
    ("of", np.int32, FACES),  # cards by face
    ("left", np.int32, TYPES),
    ("discards", np.int32, FACES),
    ("discarded", np.int32, TYPES),
    ("drawn", np.int32, TYPES),  # cards drawn so far: address of the next draw's chance
)

STATE = layout(
    *asking(91),  # `decision` is PLAY .. CROWN
    ("scratch", np.int64, 8),  # for policies: memory within one decision
    ("players", PLAYER, PLAYERS),
    ("no_player", PLAYER),  # blank
    ("asked", np.int32, PLAYERS),  # decisions of each seat in this season: address of the next one's chance
    ("dice", np.int32),  # random cards drawn from hands in this season: address of the next one's chance
    ("phase", np.int32),  # of the season: the step that comes next
    ("season", np.int32),  # from 1; 0 at set-up
    ("quarter", np.int32),  # SPRING .. WINTER
    ("first", np.int32),  # seat of the season's first tenant
    ("square", np.int32),
    ("halfway", np.int32),  # 1 once the middle was reached
    ("after", np.int32),  # 1: the rent and limit after the middle hold
    ("changed", np.int32),  # points more or fewer in this season's rent
    ("rent", np.int32),  # points asked for; 0 before the lord asks
    ("demand", np.int32, TYPES),
    ("got", np.int32, TYPES),  # points laid and kept
    ("lays", np.int32),  # cards laid
    ("keeps", np.int32),  # cards drawn and kept
    ("obtained", np.int32),
    ("over", np.int32),  # GOES_ON, or how the game ended
    ("winner", np.int32),  # seat, NOTHING for none
    # what is under way, for policies
    ("window", np.int32),  # NOTHING outside windows
    ("card", np.int32),  # kind of the card that is played, NOTHING for none
    ("op", np.int32),  # its effect
    ("n", np.int32),
    ("target", np.int32),  # seat at which it is aimed, NOTHING for all or none
    ("type", np.int32),  # SPLIT: type of the points
    ("owed", np.int32),  # winter: points still to pay
    ("seen", np.int32, SEEN),  # KEEP: kinds of the cards, KEEP_OBJECTIVE: Objectives
    ("order", np.int32, PLAYERS),  # seats in the order in which the lord calls them
    ("pool", np.int32, KINDS),  # cards that are dealt anew
    ("resources", PILES),
    ("pile", RING),  # of tenants' cards
    ("goals", RING),  # of Objectives; it has no discards
    ("stock", STOCK),  # of the lord's cards
    ("rows", ROW, PLAYERS),
    ("no_row", ROW),  # blank
    ("spare", np.int32),
)
