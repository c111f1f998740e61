"""Médiévallons: records of rules, table and players, and the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore.game import Column
from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import layout
from simcore.kernel.trace import EventKind


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

BY_GUILDS, BY_DECK, BY_LIMIT = map(np.int64, range(1, 4))  # state.over
LAST_CARD = np.int64(1)  # rules.deck_end

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
    ("ending", np.int32, DEALS),  # by deal: 0 (not played), BY_GUILDS, BY_DECK
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
    ("over", np.int32),  # 0, or how the deal ended
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

TYPE_NAMES = (
    "artisan", "assassin", "jester", "knight", "star", "magician", "merchant", "beggar", "monk", "noble", "priest",
    "rogue", "witch",
)  # fmt: skip
"""The types in the booklet's order."""


# --- The columns of a run's table ---


ACTION_NAMES = ("play", "lay", "reinforce", "use", "pass")
ENDINGS = ("none", "guilds", "deck")
PHASE_NAMES = ("1-2", "3-4", "5-6", "7-9", "10-14", "15 on")
"""The player's own turns in each phase."""

GUILD_NAMES = ("first", "second", "third")


def _types(rules: Any) -> tuple[str, ...]:
    return ("none", *TYPE_NAMES)


def _endings(rules: Any) -> tuple[str, ...]:
    return ENDINGS


def _outcome() -> Iterator[Column]:
    meaning = "guilds on the table at the end; in a match of two players, 2 for each deal won and 1 for a deal shared"
    yield Column("points", "UInt8", meaning, "points", detail="minimal")
    yield Column("deals", "UInt8", "deals played: 1, or 2 to 3 in a match", "deals", detail="minimal")
    for deal in range(DEALS):
        meaning = f"win share of deal {deal + 1} in sixtieths; also 0 if it was not played"
        yield Column(f"won60_d{deal + 1}", "UInt8", meaning, "won60", deal, "minimal")
    for deal in range(DEALS):
        meaning = f"what ended deal {deal + 1}; none if it was not played"
        yield Column(f"ending_d{deal + 1}", "Enum", meaning, "ending", deal, "minimal", labels=_endings)
    for deal in range(DEALS):
        meaning = f"turns of all seats in deal {deal + 1}; 0 if it was not played"
        yield Column(f"turns_d{deal + 1}", "Int32", meaning, "turns", deal)


def _deals() -> Iterator[Column]:
    for deal in range(DEALS):
        for number, name in enumerate(GUILD_NAMES):
            meaning = f"type of the {name} guild that the seat laid in deal {deal + 1}"
            index = deal * LAID + number
            yield Column(f"{name}_d{deal + 1}", "Enum", meaning, "laid", index, labels=_types)
    for deal in range(DEALS):
        meaning = f"Jesters in the opening hand of deal {deal + 1}"
        yield Column(f"jesters_dealt_d{deal + 1}", "UInt8", meaning, "jesters_dealt", deal)
    yield Column("guilds", "UInt8", "guilds on the table at the end of the last deal", "guilds")
    yield Column("members", "UInt8", "cards in those guilds", "members")
    yield Column("hand", "UInt8", "cards in hand at that time", "hand")


def _cards() -> Iterator[Column]:
    for number, name in enumerate(TYPE_NAMES):
        yield Column(f"played_{name}", "Int32", f"{name.capitalize()} cards played as an action", "played", number)
    for number, name in enumerate(TYPE_NAMES):
        meaning = f"cards that came to the seat's hand through the power of {name.capitalize()}, whoever used it"
        yield Column(f"gained_{name}", "Int32", meaning, "gained", number)
    for number, name in enumerate(TYPE_NAMES):
        meaning = f"cards that left the seat's hand or guilds through the power of {name.capitalize()}, whoever used it"
        yield Column(f"lost_{name}", "Int32", meaning, "lost", number)
    yield Column("jesters_laid", "UInt8", "Jesters laid or added to guilds", "jesters_laid")


def _guilds() -> Iterator[Column]:
    yield Column("collapses", "UInt8", "own guilds that fell apart", "collapses")
    yield Column("exposed_1", "Int32", "own turns begun with one guild on the table", "exposed", 0)
    yield Column("exposed_2", "Int32", "own turns begun with more guilds on the table", "exposed", 1)
    meaning = "cards lost to Assassins and Rogues with {} on the table"
    yield Column("attacked_1", "Int32", meaning.format("one guild"), "attacked", 0)
    yield Column("attacked_2", "Int32", meaning.format("more guilds"), "attacked", 1)


def _phases() -> Iterator[Column]:
    for phase in range(len(PHASE_NAMES)):
        meaning = f"cards in hand when own turns of phase {phase + 1} began, summed"
        yield Column(f"hands_p{phase + 1}", "Int32", meaning, "hands", phase, "full")
    for number, action in enumerate(ACTION_NAMES):
        for phase in range(len(PHASE_NAMES)):
            meaning = f"own turns of phase {phase + 1} on which the action was to {action}"
            yield Column(f"{action}_p{phase + 1}", "Int32", meaning, "actions", phase * ACTIONS + number, "full")


COLUMNS = (*_outcome(), *_deals(), *_cards(), *_guilds(), *_phases())
