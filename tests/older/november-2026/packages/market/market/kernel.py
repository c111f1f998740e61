"""Market: the rules that a designer may change, the records of a game in progress, and the game.

In turn, each player takes a card from the market.  The n-th card of a kind is worth n points.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from simcore.components.deck import MOST_CARDS, add_cards, clear_deck, deck, redraw_deck, shuffle_deck
from simcore.components.hand import add_card, clear_hand, hand
from simcore.components.market import clear_market, fill_market, market, take_from_market
from simcore.kernel.decisions import Decision, allow, asking, choose_legal, clear_legal
from simcore.kernel.compilation import kernel
from simcore.kernel.records import layout, row_of
from simcore.rules.files import RuleSet, numbers_of
from simcore.kernel.trace import has_room, put

PLAYERS = 5
KINDS, PLACES = 5, 8  # kinds of cards, and the largest number of places in the market
TAKE = np.int64(0)  # the only kind of decision
DECISIONS = (Decision("take", "place of the market", PLACES),)


class MarketRules(RuleSet):
    """A rules file."""

    game: Literal["market"]
    copies: Annotated[int, Field(ge=1, le=MOST_CARDS // KINDS)]
    places: Annotated[int, Field(ge=1, le=PLACES)]
    rounds: Annotated[int, Field(ge=1, le=50)]


RULES = numbers_of(MarketRules)
ROW = row_of("points", "turns", share="share60")
STATE = layout(
    *asking(PLACES),
    ("turn", np.int32),  # turns taken by all players
    ("deck", deck(MOST_CARDS)),
    ("market", market(PLACES)),
    ("hands", hand(KINDS), PLAYERS),
    ("rows", ROW, PLAYERS),
)


@kernel
def points_of(state, seat, move):
    """Return the points that a move brings."""
    return state.hands[seat].of[state.market.card[move]] + 1


@kernel
def start(rules, lineup, state, trace):
    """Set up the deck, the market and the hands."""
    state.turn = 0
    clear_deck(state.deck)
    for kind in range(KINDS):
        add_cards(state.deck, kind, rules.copies)
    shuffle_deck(state.rng, state.deck, 0)
    clear_market(state.market)
    fill_market(state.rng, state.market, state.deck, 0, rules.places)
    for seat in range(rules.players):
        row = state.rows[seat]
        row.points, row.turns = 0, 0
        clear_hand(state.hands[seat])


@kernel
def step(rules, lineup, state, trace):
    """Take one turn; return whether the game goes on."""
    seat = np.int64(state.turn % rules.players)
    row = state.rows[seat]
    clear_legal(state)
    for place in range(rules.places):
        if state.market.card[place] >= 0:
            allow(state, place)
    move = choose_legal(rules, lineup, state, seat, TAKE, row.turns >> 3, row.turns & 7)
    points = points_of(state, seat, move)
    card = take_from_market(state.market, move)
    add_card(state.hands[seat], card)
    fill_market(state.rng, state.market, state.deck, 0, rules.places)
    if trace.on:
        put(trace, card)
        put(trace, points)
        has_room(trace)
    row.points += points
    row.turns += 1
    state.turn += 1
    left = state.deck.left + np.int64(np.max(state.market.card) >= 0)
    return left > 0 and state.turn < rules.rounds * rules.players and state.fault == 0


@kernel
def redraw(rules, state, seat):
    """Nobody knows the order of the deck; everything else is visible."""
    redraw_deck(state.rng, state.deck)
