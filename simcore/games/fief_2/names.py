"""Fief 2: everything that has a name and a number: decisions, kinds of cards, phases, and their names in a log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from simcore.kernel.decisions import Decision

PLAYERS, VILLAGES, REGIONS, SEES, LORDS, CARDS, HAND = 6, 24, 6, 4, 16, 62, 6
"""Largest numbers of seats, villages, regions, bishoprics, lords, blue cards, and cards in a hand."""

TURNS = 25  # most turns; an address of chance has room for 31
RUNS = 1000  # rounds after which a fight counts as faulty

NOBODY = np.int64(-1)
"""No seat, lord, village or region; as a side of a fight, the rebels."""

NONE, ZERO, ONE, TWO = np.int64(0), np.int64(0), np.int64(1), np.int64(2)

SETUP, COURT, PLAY_CARDS, REVENUE, PURCHASES, MOVEMENT, COMBAT, END = map(np.int64, range(8))
PHASES = ("setup", "court", "cards", "revenue", "purchases", "movement", "combat", "end")

(
    LORD_CARD, DARC_CARD, BISHOP_CARD, TITHE_CARD, TAILLE_CARD, PLAGUE_CARD, FAMINE_CARD, WEATHER_CARD, SUN_CARD,
    HARVEST_CARD, REVOLT_CARD, ASSASSIN_CARD, JUSTICE_CARD, ESCAPE_CARD,
) = map(np.int64, range(14))  # fmt: skip
CARD_KINDS = (
    "lord", "darc", "bishop", "tithe", "taille", "plague", "famine", "bad_weather", "sun", "good_harvest", "revolt",
    "assassination", "justice", "escape",
)  # fmt: skip

OPEN, CASTLE, CITY = map(np.int64, range(3))
GROUNDS = ("open", "castle", "city")

FORT, MILL, PRESS = map(np.int64, range(3))
BUILDINGS = ("fort", "mill", "press")

# Switches, as the position of their value: alliances, election, first_player, score, darc_over_18, title_loss.
MARRIAGE = MAJORITY = FIXED = LAST_SCORING = CAP = ONE
WITH_CITY = ZERO

BUY = ("title", "cardinal", "castle", "mill", "press", "soldiers")
BUY_TITLE, BUY_CARDINAL, BUY_CASTLE, BUY_MILL, BUY_PRESS, BUY_SOLDIERS = map(np.int64, range(1, 7))


@dataclass(frozen=True)
class Asked:
    """A kind of decision: its name, the meaning of a move, and how a log writes it."""

    name: str
    value: str
    meaning: str


DECISIONS_IN = {
    "court": (
        Asked("place", "less_one", "1 + village of the first castle"),
        Asked("ransom_offer", "yes", "1 to offer a ransom, 0 not to"),
        Asked("ransom_accept", "yes", "1 to accept a ransom, 0 not to"),
        Asked("free_to", "less_one", "1 + village to which a ransomed lord goes"),
        Asked("propose", "less_one", "0 for none, else 1 + own lord who proposes"),
        Asked("spouse", "less_one", "1 + lord to whom the proposal is made"),
        Asked("accept", "yes", "1 to accept a proposal, 0 not to"),
        Asked("stand", "less_one", "0 for none, else 1 + own lord who stands for King"),
        Asked("vote", "candidate", "0 for none, else 1 + number of the candidate, as they stood"),
        Asked("consecrate", "yes", "1 to consecrate the elected, 0 not to"),
    ),
    "cards": (
        Asked("discard", "card", "0 for none, else 1 + place in the hand"),
        Asked("claim_lord", "less_one", "0 for none, else 1 + lord in the discards"),
        Asked("play", "card", "0 for none, else 1 + place in the hand"),
        Asked("as_prince", "yes", "1 to play a lord as Prince, 0 not to"),
        Asked("consent", "yes", "1 to consent to a Prince, 0 not to"),
        Asked("place_lord", "less_one", "1 + village where a new lord stands"),
        Asked("crown_new", "less_one", "0 for none, else 1 + region whose title a new lord takes"),
        Asked("target_darc", "less_one", "1 + own woman who becomes d'Arc"),
        Asked("target_bishop", "less_one", "1 + own man who becomes bishop"),
        Asked("target_tithe", "less_one", "1 + bishopric"),
        Asked("target_taille", "less_one", "1 + region"),
        Asked("target_plague", "less_one", "1 + region"),
        Asked("target_famine", "less_one", "1 + region"),
        Asked("target_bad_weather", "less_one", "1 + region"),
        Asked("target_sun", "less_one", "1 + region"),
        Asked("target_good_harvest", "less_one", "1 + region"),
        Asked("target_revolt", "less_one", "1 + village"),
        Asked("target_assassination", "less_one", "1 + lord"),
        Asked("target_escape", "less_one", "1 + village of the prisoners"),
        Asked("escape_to", "less_one", "1 + village to which they escape"),
        Asked("justice", "less_one", "0 for none, else 1 + lord of the killer"),
    ),
    "trade": (
        Asked("buy", "buy", "0 to stop; 1 title, 2 cardinal, 3 castle, 4 mill, 5 press, 6 soldiers"),
        Asked("buy_title", "less_one", "1 + region"),
        Asked("title_to", "less_one", "1 + own lord who gets the title"),
        Asked("buy_cardinal", "less_one", "1 + own bishop"),
        Asked("buy_castle", "less_one", "1 + village"),
        Asked("buy_mill", "less_one", "1 + village"),
        Asked("buy_press", "less_one", "1 + village"),
        Asked("buy_soldiers", "less_one", "1 + village"),
        Asked("number", "number", "points of soldiers bought"),
    ),
    "movement": (
        Asked("lord", "less_one", "0 to stop, else 1 + lord who moves"),
        Asked("escort", "yes", "1 if the lords with d'Arc come along, 0 if not"),
        Asked("step", "less_one", "0 to stop, else 1 + neighbouring village"),
        Asked("take", "number", "points of soldiers that come along"),
    ),
    "combat": (
        Asked("calm", "less_one", "0 for no attempt, else 1 + points of conviction bought"),
        Asked("attack", "less_one", "0 for none, 1 for the rebels, else 1 + number of the seat, counted from 1"),
        Asked("join", "yes", "1 to join a fight, 0 not to"),
        Asked("sortie", "yes", "1 to fight in the open with those outside, 0 not to"),
        Asked("ask_grace", "yes", "1 to ask for grace, 0 not to"),
        Asked("grant_grace", "yes", "1 to grant it, 0 not to"),
    ),
}
"""The kinds of decisions by part of a turn; the first castle counts as court."""

ASKED = {asked.name: asked for group in DECISIONS_IN.values() for asked in group}
DECISION_NAMES = tuple(ASKED)
DECISIONS = tuple(Decision(asked.name, asked.meaning, opening=asked.name == "place") for asked in ASKED.values())
"""The kinds of decisions, and how their moves are numbered; every decision has at most 64 moves."""

(
    PLACE, RANSOM_OFFER, RANSOM_ACCEPT, FREE_TO, PROPOSE, SPOUSE, ACCEPT, STAND, VOTE, CONSECRATE, DISCARD, CLAIM_LORD,
    PLAY, AS_PRINCE, CONSENT, PLACE_LORD, CROWN_NEW, TARGET_DARC, TARGET_BISHOP, TARGET_TITHE, TARGET_TAILLE,
    TARGET_PLAGUE, TARGET_FAMINE, TARGET_WEATHER, TARGET_SUN, TARGET_HARVEST, TARGET_REVOLT, TARGET_ASSASSIN,
    TARGET_ESCAPE, ESCAPE_TO, JUSTICE, BUYS, TITLE_REGION, TITLE_TO, CARDINAL_TO, CASTLE_AT, MILL_AT, PRESS_AT,
    SOLDIERS_AT, NUMBER, MOVE_LORD, ESCORT, STEP, TAKE, CALM, ATTACK, JOIN, SORTIE, ASK_GRACE, GRANT_GRACE,
) = map(np.int64, range(len(ASKED)))  # fmt: skip

_TARGETS = [f"target_{kind}" for kind in CARD_KINDS]
TARGET_OF = np.array([DECISION_NAMES.index(name) if name in ASKED else -1 for name in _TARGETS])
"""By kind of card: the decision on what it is played; -1 if there is none."""

FROM_CARDS, FROM_PHASES = np.int64(64), np.int64(96)
"""Numbers of reasons: a kind of decision, 64 + a kind of card, or 96 + a phase."""


def set_of(numbers: Iterable[int | np.int64]) -> np.int64:
    """Return a set of small numbers, as kernels read it."""
    return np.int64(sum(1 << int(number) for number in numbers))


def why_name(why: int) -> str:
    """Return the name of a reason in a log."""
    if why >= FROM_PHASES:
        return PHASES[why - int(FROM_PHASES)]
    return CARD_KINDS[why - int(FROM_CARDS)] if why >= FROM_CARDS else DECISION_NAMES[why]
