"""Fief 2: names and numbers, the records that kernels touch, and the columns of a run's table.

Villages, regions, bishoprics, lords, seats and cards are numbered from 0.  A set of them is a word with one bit for
each.  All numbers have 64 bits, so that Numba compiles every kernel for one kind of number only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from simcore.components.aims import AIM
from simcore.game import Column
from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import fields, layout
from simcore.kernel.trace import EventKind


# --- Everything that has a name and a number: decisions, kinds of cards, phases, and their names in a log ---


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

BLANK, FIRST_OWN, OWN_CARDS = np.int64(len(CARD_KINDS)), np.int64(len(CARD_KINDS) + 1), 8
"""Kind of a card that can never be played; of the first of a designer's own; and how many kinds of these there may be.
"""

StandingName = Literal["score", "money", "villages", "titles", "lords", "soldiers"]
STANDINGS: tuple[str, ...] = get_args(StandingName)
SCORE_HELD, MONEY_HELD, VILLAGES_HELD, TITLES_HELD, LORDS_HELD, SOLDIERS_HELD, IN_TURN = map(np.int64, range(7))
"""What a card of a designer's own may compare; behind it, the place in turn order."""

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


# --- The records that kernels touch ---

OWN_CARD = layout(
    *fields(AIM),  # whom it hits, and in which turns
    ("money", np.int32),  # écus; negative: lost
    ("share", np.int32),  # percent of the écus that a family has; negative: lost
    ("per_village", np.int32),
    ("per_title", np.int32),
    ("per_lord", np.int32),
    ("per_soldier", np.int32),  # for each point
)

SOURCES = ("king", "queen", "prince", "titles", "bishops", "cardinals", "money")
"""The sources of points."""

BOUGHT = ("titles_bought", "cardinals_bought", "castles_bought", "mills_bought", "presses_bought", "soldiers_bought")
INCOMES = ("land", "industry", "tithe", "taille", "pension")

_ROW = (
    ("strategy", 1),  # index in the line-up
    ("place", 1),  # 1 is best
    ("share60", 1),  # win share in sixtieths
    ("score", 1),  # what ranks the seats first: the sum of the scorings, or the last one
    ("total", 1),  # sum of the scorings
    ("last", 1),  # last scoring
    ("money", 1),  # at the end
    ("villages", 1),  # held at the end
    ("titles", 1),  # at the end, kept ones too
    ("turns", 1),  # played
    ("won_by_titles", 1),  # 1: the family won by its titles
    ("first_village", 1),  # of the first castle
    ("held", 1),  # villages held at the end, as a set of bits
    ("lords", 1),  # at the end, prisoners too
    ("soldiers", 1),  # at the end
    ("most_money", 1),  # at the end of a turn
    ("from_source", len(SOURCES)),  # score by source
    ("by_scoring", TURNS // 5),  # score by scoring, from the first on
    ("played", len(CARD_KINDS)),  # cards played, by kind
    ("bought", len(BOUGHT)),  # pieces bought; soldiers in points
    ("income", len(INCOMES)),  # écus, by source
    ("king_turns", 1),  # turns that ended with an own King
    ("queen_turns", 1),  # turns that ended with an own Queen or Regent
    ("title_turns", 1),  # titles, summed over the ends of turns
    ("village_turns", 1),  # villages, summed over the ends of turns
    ("attacks", 1),  # fights that the family began
    ("won", 1),  # of those, fights that it survived and the other did not
    ("defences", 1),  # fights that others began, rebels too
    ("held_out", 1),  # of those, fights that it survived and the other did not
    ("soldiers_lost", 1),  # points lost in fights
    ("lords_lost", 1),  # own lords that died
    ("captured", 1),  # own lords taken prisoner
    ("ransoms", 1),  # écus from ransoms
    ("elected", 1),  # own lords elected King
    ("regencies", 1),  # own Queens who became Regent
)
ROW = layout(
    *((name, np.int32) if count == 1 else (name, np.int32, count) for name, count in _ROW),
    *([("spare", np.int32)] * (sum(count for _, count in _ROW) % 2)),
)

STATE = layout(
    *asking(),
    ("turn", np.int64),  # 0 at set-up
    ("phase", np.int64),  # COURT..END
    ("first", np.int64),  # first player of the turn
    ("over", np.int64),  # 1 once the game has ended
    ("asked", np.int64, PLAYERS),  # decisions of a seat in this turn
    # What the decision at hand is about.
    ("village", np.int64),
    ("lord", np.int64),
    ("other", np.int64),  # another lord: who is proposed to, who was murdered
    ("rival", np.int64),  # another seat: captor, attacker, opponent, killer
    ("goal", np.int64),  # the village that `take` leads to; the victim's family at `justice`
    ("steps", np.int64),  # villages entered on this move
    ("escort", np.int64),  # soldiers that came along on this move
    ("card", np.int64),
    ("shown", np.int64),  # card in a hand that all have seen, as a Prince is proposed; else NOBODY
    ("own_points", np.int64),  # at ask_grace: points of the own side
    ("their_points", np.int64),  # at sortie and ask_grace: points of the other side
    ("standing", np.int64),  # candidates in the election
    ("candidate", np.int64, PLAYERS),  # lords, as they stood
    ("voted", np.int64, PLAYERS),  # by seat: lord voted for
    ("tried_prince", np.int64),  # 1: a Prince was proposed in this turn
    # Families.
    ("money", np.int64, PLAYERS),
    ("score", np.int64, PLAYERS),  # sum of the scorings
    ("last", np.int64, PLAYERS),  # last scoring
    ("held", np.int64, PLAYERS),  # set of villages
    ("troops", np.int64, PLAYERS),  # set of villages with own soldiers
    ("army", np.int64, PLAYERS),  # points of own soldiers
    ("lords", np.int64, PLAYERS),  # set of lords, prisoners too
    ("hand", np.int64, (PLAYERS, HAND)),  # cards as drawn; hidden from all other seats
    ("cards", np.int64, PLAYERS),  # in hand
    # Villages.
    ("holder", np.int64, VILLAGES),  # seat or NOBODY
    ("soldiers", np.int64, (VILLAGES, PLAYERS)),
    ("outside", np.int64, VILLAGES),  # the holder's soldiers outside
    ("unmoved", np.int64, VILLAGES),  # the mover's soldiers that have not moved in this turn
    ("rebels", np.int64, VILLAGES),  # points
    ("revolt", np.int64, VILLAGES),  # card of the revolt, or NOBODY
    ("free_at", np.int64, VILLAGES),  # set of free lords
    ("captive_at", np.int64, VILLAGES),  # set of prisoners
    ("castles", np.int64),  # sets of villages
    ("cities", np.int64),
    ("mills", np.int64),
    ("presses", np.int64),
    ("revolts", np.int64),
    # Lords.
    ("family", np.int64, LORDS),  # seat or NOBODY
    ("where", np.int64, LORDS),  # village
    ("captor", np.int64, LORDS),  # seat or NOBODY
    ("captors", np.int64, LORDS),  # set of the seats that share a ransom
    ("spouse", np.int64, LORDS),  # lord or NOBODY
    ("see", np.int64, LORDS),  # bishopric or NOBODY
    ("crowns", np.int64, LORDS),  # set of regions whose titles the lord has
    ("free", np.int64),  # sets of lords
    ("captive", np.int64),
    ("bishops", np.int64),
    ("cardinals", np.int64),
    ("moved", np.int64),
    ("out_lords", np.int64),
    ("darc", np.int64),  # lord or NOBODY, as the three below
    ("king", np.int64),
    ("queen", np.int64),
    ("prince", np.int64),
    ("regency", np.int64),  # turn at whose end it ends; 0: none
    ("kings_guard", np.int64),  # points
    ("queens_guard", np.int64),
    # Regions and bishoprics.
    ("owner", np.int64, REGIONS),  # lord who has the title, or NOBODY
    ("keeper", np.int64, REGIONS),  # seat that keeps the title, or NOBODY
    ("weather", np.int64, REGIONS),  # card of the bad weather, or NOBODY
    ("famine", np.int64, REGIONS),  # card of the famine, or NOBODY
    ("stormy", np.int64),  # set of the villages with bad weather
    ("hungry", np.int64),  # set of the villages with famine
    # What is kept for the table of events only.
    ("kept", np.int64, VILLAGES),  # turns in which somebody held a village as families collected
    ("earned", np.int64, VILLAGES),  # écus that a village, its mill and its press have paid
    ("tithe", np.int64, SEES),  # card in play, or NOBODY
    ("tithed", np.int64, SEES),  # bishop who collects it, or NOBODY once he is dead
    ("taille", np.int64, REGIONS),  # card in play, or NOBODY
    # Cards.
    ("deck", np.uint8, CARDS),  # top first; hidden
    ("at", np.int64),  # cards drawn from it
    ("size", np.int64),
    ("shuffles", np.int64),  # times that the discards became the deck
    ("discards", np.int64),  # set of cards
    ("fresh", np.int64),  # set of cards that the present deck was made of
    # The fight under way.
    ("side", np.int64, 2),  # sets of the seats that attack and that defend
    ("inside", np.int64),  # 1: the defender's pawns inside fight alone
    ("rolled", np.int64, PLAYERS + 1),  # rounds so far against seat or rebels (last), in this village and turn
    ("rows", ROW, PLAYERS),
)

FIGHT, RESULT, DEATH, ELECTION, PURCHASE, STANDING, SCORED, VILLAGE = map(np.int64, range(8))
EVENTS = (
    EventKind("fight", "a fight begins", ("village", "defender", "ground")),
    EventKind("result", "a fight ends: 1 attacker left, 2 defender, 3 both, 0 nobody", ("attack", "defence", "result")),
    EventKind("death", "a lord dies; the reason is a decision, 64 + a card or 96 + a phase", ("lord", "why", "worth")),
    EventKind("election", "an election: its seat's candidate wins; 1 if consecrated", ("lord", "votes", "king")),
    EventKind("purchase", "1 title, 2 cardinal, 3 castle, 4 mill, 5 press, 6 soldiers", ("what", "where", "number")),
    EventKind("standing", "the end of a turn", ("score", "money", "villages")),
    EventKind("scored", "points of a scoring, by source: 0 king, 1 queen, 2 prince, 3 titles, 4 bishops, 5 cardinals, "
              "6 money", ("source", "points")),
    EventKind("village", "at the end of a game: its holder, the turns in which it had one, and the écus that it paid",
              ("village", "held", "paid")),
)  # fmt: skip
MOST_NOTES = 1 << 15


# --- The columns of a run's table ---


def _villages(rules: Any) -> Sequence[str]:
    return [village.name for village in rules.map.villages()]


def _outcome() -> Iterator[Column]:
    yield Column("score", "Int32", "what ranks the seats: the sum of the scorings, or the last one", detail="minimal")
    yield Column("total", "Int32", "sum of the scorings", detail="minimal")
    yield Column("last", "Int32", "last scoring", detail="minimal")
    yield Column("money", "Int32", "écus at the end", detail="minimal")
    yield Column("villages", "UInt8", "villages held at the end", detail="minimal")
    yield Column("titles", "UInt8", "titles at the end, including kept ones", detail="minimal")
    yield Column("turns", "UInt8", "turns played", detail="minimal")
    yield Column("won_by_titles", "Boolean", "the family won by its titles", detail="minimal")


def _holdings() -> Iterator[Column]:
    yield Column("first_village", "Enum", "village of the first castle", labels=_villages)
    yield Column("held", "Int32", "villages held at the end, as a set: bit v is village v, in the order of the map")
    yield Column("lords", "UInt8", "lords at the end, including prisoners")
    yield Column("soldiers", "Int32", "points of soldiers at the end")
    yield Column("most_money", "Int32", "most écus at the end of a turn")
    for number, name in enumerate(SOURCES):
        yield Column(f"score_{name}", "Int32", f"points scored by {name}, all scorings", "from_source", number)
    for number in range(TURNS // 5):
        meaning = f"points of scoring {number + 1}; also 0 if there was none"
        yield Column(f"scoring_{number + 1}", "Int32", meaning, "by_scoring", number)


def _doings() -> Iterator[Column]:
    for number, name in enumerate(CARD_KINDS):
        yield Column(f"played_{name}", "Int32", f"{name} cards played", "played", number)
    for number, name in enumerate(BOUGHT):
        unit = "points of soldiers" if name == "soldiers_bought" else name.removesuffix("_bought")
        yield Column(name, "Int32", f"{unit} bought", "bought", number)
    for number, name in enumerate(INCOMES):
        yield Column(f"income_{name}", "Int32", f"écus collected by {name}", "income", number)


def _course() -> Iterator[Column]:
    yield Column("king_turns", "Int32", "turns that ended with an own King")
    yield Column("queen_turns", "Int32", "turns that ended with an own Queen or Regent")
    yield Column("title_turns", "Int32", "titles, summed over the ends of turns")
    yield Column("village_turns", "Int32", "villages held, summed over the ends of turns")
    yield Column("attacks", "Int32", "fights that the family began")
    yield Column("attacks_won", "Int32", "of those, fights after which it stood and the other side did not", "won")
    yield Column("defences", "Int32", "fights that others, or rebels, began against the family")
    yield Column("defences_won", "Int32", "of those, fights after which it stood and the attacker did not", "held_out")
    yield Column("soldiers_lost", "Int32", "points of soldiers lost in fights")
    yield Column("lords_lost", "Int32", "own lords that died")
    yield Column("captured", "Int32", "own lords taken prisoner")
    yield Column("ransoms", "Int32", "écus from ransoms")
    yield Column("elected", "Int32", "elections that made an own lord King")
    yield Column("regencies", "Int32", "own Queens who became Regent")


COLUMNS = (*_outcome(), *_holdings(), *_doings(), *_course())
