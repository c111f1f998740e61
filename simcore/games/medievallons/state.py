"""Records of Médiévallons: rules, table, players, and the row that each seat leaves behind."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import Decision, asking
from simcore.kernel.events import EventKind
from simcore.kernel.records import layout

TYPES = 13
PLAYERS = 6
SLOTS = 8  # most guilds in front of a player, the winning one counted
COPIES = 15  # most cards of a type: a hand counts each in four bits
CARDS = TYPES * COPIES
DEALS = 3  # most deals of a match
LAID = 3  # guilds of which a row keeps the type
PHASES = 6
ACTIONS = 5

# Typed constants: a literal would make Numba compile a kernel anew for each of them.
(ARTISAN, ASSASSIN, JESTER, KNIGHT, STAR, MAGICIAN, MERCHANT, BEGGAR, MONK, NOBLE, PRIEST, ROGUE, WITCH) = map(
    np.int64, range(TYPES)
)

PLAY, LAY, REINFORCE, USE, PASS = map(np.int64, range(ACTIONS))

# What a policy is asked (state.decision); see `cards.py` for how a move is written.
ACTION, FIT, MEMBERS, JESTERS, TARGET, NAME, TAKE, GIVE, KEEP, GUILD, HIT, COPY = map(np.int64, range(12))

DECISIONS = (
    Decision("action", "4 * x + action: play or lay type x, reinforce or use the guild in place x", 4 * TYPES),
    Decision("fit", "4 * type of the cards that reinforce; 4 * JESTER: Jesters alone", 4 * TYPES),
    Decision("members", "cards of that type to lay or add", COPIES + 1),
    Decision("jesters", "Jesters to lay or add", COPIES + 1),
    Decision("target", "seat", PLAYERS),
    Decision("name", "4 * type that a Knight asks for", 4 * TYPES),
    Decision("take", "4 * type that a Priest takes", 4 * TYPES),
    Decision("give", "4 * type of the next card to give", 4 * TYPES),
    Decision("keep", "4 * type of the card that a Magician keeps", 4 * TYPES),
    Decision("guild", "8 * seat + place of the guild that an Assassin or Rogue attacks", 8 * PLAYERS),
    Decision("hit", "4 * type of the card that it takes from there", 4 * TYPES),
    Decision("copy", "8 * seat + place of the guild that a Witch copies", 8 * PLAYERS),
)
"""The kinds of decisions, and how their moves are numbered."""

GOES_ON, BY_GUILDS, BY_DECK, BY_LIMIT = map(np.int64, range(4))  # state.over
ON_NEED, LAST_CARD = map(np.int64, range(2))  # rules.deck_end

PHASE_OF = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5], np.int64)
"""The phase of a seat's first, second, ... turn; the last phase has no end."""

DEAL, ACTED, STANDING = map(np.int64, range(3))
EVENTS = (
    EventKind("deal", "a deal begins; turns are counted from the start again", ("deal",)),
    EventKind("action", "a seat acts: 0 play, 1 lay, 2 reinforce, 3 use, 4 pass", ("action",)),
    EventKind(
        "standing",
        "what a seat has once all have had a turn, and at the end of the deal",
        ("guilds", "members", "hand"),
    ),
)
MOST_TURNS = 8000  # for which rules may let a deal go on
MOST_NOTES = DEALS * (2 * MOST_TURNS + PLAYERS + 1)

ROW = layout(
    ("strategy", np.int32),  # index in the line-up
    ("place", np.int32),  # 1 is best
    ("share60", np.int32),  # win share in sixtieths; of the match, where it is one
    ("points", np.int32),  # guilds on the table; in a match 2 for a deal won, 1 for one shared
    ("deals", np.int32),  # played
    ("won60", np.int32, DEALS),  # by deal: win share in sixtieths
    ("ending", np.int32, DEALS),  # by deal: GOES_ON (not played), BY_GUILDS, BY_DECK
    ("turns", np.int32, DEALS),  # by deal: turns of all seats
    ("laid", np.int32, DEALS * LAID),  # by deal: 1 + type of the first guilds laid, 0 none
    ("guilds", np.int32),  # on the table at the end of the last deal
    ("members", np.int32),  # cards in them
    ("hand", np.int32),  # cards in hand at that time
    ("played", np.int32, TYPES),  # cards played as an action
    ("gained", np.int32, TYPES),  # cards that came to hand, by the power that brought them
    ("lost", np.int32, TYPES),  # cards that left hand or guilds, by the power that took them
    ("jesters_laid", np.int32),  # in guilds, laid or added
    ("jesters_dealt", np.int32, DEALS),  # by deal: in the opening hand
    ("collapses", np.int32),  # own guilds that fell apart
    ("exposed", np.int32, 2),  # own turns begun with one guild, with more
    ("attacked", np.int32, 2),  # cards that Assassins and Rogues took from own guilds, while there was one, more
    ("hands", np.int32, PHASES),  # sum of the cards in hand when own turns began
    ("actions", np.int32, PHASES * ACTIONS),  # by phase: play, lay, reinforce, use, pass
)

GUILD_CARDS = layout(
    ("type", np.uint8),  # JESTER for Jesters alone
    ("members", np.uint8),  # cards of the type
    ("jesters", np.uint8),
    ("number", np.uint8),  # 1, 2, ... as laid in this deal, by whomever
)

PLAYER = layout(
    ("hand", np.uint64),  # cards by type, four bits each
    ("offer", np.uint64),  # cards set aside for a Merchant's partner, the same way; not in the hand any more
    ("known", np.uint64, PLAYERS),  # [s]: cards that seat s knows to be in this hand, four bits a type
    ("laid", np.int64),  # guilds laid in this deal
    ("cards", np.int32),  # in hand
    ("guilds", np.int32),  # on the table
    ("guild", GUILD_CARDS, SLOTS),  # in the order of laying
)

STATE = layout(
    *asking(),  # `decision` is ACTION .. COPY
    ("drawn", np.uint64),  # KEEP: what the Magician drew, four bits a type
    ("in_play", np.uint64),  # the card that is being played, four bits a type
    ("table", np.uint64),  # bit 8 * seat + place: a guild lies there
    ("power", np.int32),  # type whose power is running, -1 between powers
    ("action", np.int32),  # PLAY .. PASS, of this turn
    ("kind", np.int32),  # type that the action is about
    ("target", np.int32),  # seat that the power is aimed at
    ("guild", np.int32),  # REINFORCE, HIT: place of the guild
    ("owed", np.int32),  # GIVE: cards still to be chosen, this one counted
    ("step", np.int32),  # decisions of this turn so far
    ("laid", np.int32),  # guilds laid in this deal, by all
    ("over", np.int32),  # GOES_ON, or how the deal ended
    ("deal", np.int32),  # of the match, from 0
    ("turn", np.int32),  # 0 at set-up, then 1, 2, ...
    ("seat", np.int32),  # whose turn it is
    ("round", np.int32),  # turns that the seat had before this one
    ("yellow", np.int32),  # 1: the end card lies yellow side up
    ("at", np.int32),  # cards of the deck that are gone
    ("ready", np.int32),  # cards of the deck that are in their final place
    ("size", np.int32),  # cards of the deck when it was new
    ("discards", np.int32),
    ("deck", np.uint8, CARDS + 1),  # types, top first
    ("pile", np.uint8, CARDS + 1),  # types of the discard pile, top last
    ("scratch", np.int64, 64),  # for policies: memory within one decision
    ("players", PLAYER, PLAYERS),
    ("rows", ROW, PLAYERS),
    ("no_player", PLAYER),  # blank
    ("no_row", ROW),  # blank
    ("spare", ROW),
)
