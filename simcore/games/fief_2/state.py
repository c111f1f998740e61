"""Fief 2: the records that kernels touch.

Villages, regions, bishoprics, lords, seats and cards are numbered from 0.  A set of them is a word with one bit for
each.  All numbers have 64 bits, so that Numba compiles every kernel for one kind of number only.
"""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import asking
from simcore.kernel.events import EventKind
from simcore.games.fief_2.names import CARD_KINDS, CARDS, HAND, LORDS, PLAYERS, REGIONS, SEES, TURNS, VILLAGES
from simcore.kernel.records import layout

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
