"""Kuhn poker: two players, three cards, one bet (Kuhn 1950)."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from simcore.kernel.compilation import kernel
from simcore.kernel.decisions import Decision, asking, choose
from simcore.kernel.records import layout, row_of
from simcore.kernel.streams import REDRAW, bounded, shuffle
from simcore.kernel.trace import has_room, tell
from simcore.rules.files import RuleSet, numbers_of

PLAYERS, CARDS = 2, ("jack", "queen", "king")
PASSIVE, ACTIVE = map(np.int64, range(2))  # moves: check or bet, fold or call
OPEN, AFTER_CHECK, ANSWER = map(np.int64, range(3))
BOTH = np.uint64(3)
DECISIONS = (
    Decision("open", "what the first player does", 2, ("check", "bet")),
    Decision("after_check", "what the second player does after a check", 2, ("check", "bet")),
    Decision("answer", "the answer to a bet", 2, ("fold", "call")),
)


class KuhnRules(RuleSet):
    """A rules file."""

    game: Literal["kuhn"]
    ante: Annotated[int, Field(ge=1, le=1000)]
    bet: Annotated[int, Field(ge=1, le=1000)]


RULES = numbers_of(KuhnRules)
ROW = row_of("chips")
STATE = layout(*asking(2), ("cards", np.int32, len(CARDS)), ("rows", ROW, PLAYERS))


@kernel
def start(rules, lineup, state, trace):
    """Deal a card to each player; the third stays hidden."""
    for number in range(len(CARDS)):
        state.cards[number] = number
    shuffle(state.rng, np.int64(0), state.cards, len(CARDS), len(CARDS))


@kernel
def step(rules, lineup, state, trace):
    """Play the whole hand."""
    pot, folded = rules.ante, np.int64(-1)
    bettor = np.int64(0)
    move = choose(rules, lineup, state, np.int64(0), OPEN, BOTH, 0, 0)
    tell(trace, state.cards[0], state.cards[1], move)
    if move == PASSIVE:
        bettor = np.int64(1)
        move = choose(rules, lineup, state, bettor, AFTER_CHECK, BOTH, 0, 0)
        tell(trace, move)
    if move == ACTIVE:
        answer = choose(rules, lineup, state, 1 - bettor, ANSWER, BOTH, 0, 1)
        if answer == ACTIVE:
            pot += rules.bet
        else:
            folded = 1 - bettor
        tell(trace, answer)
    has_room(trace)
    winner = np.int64(state.cards[1] > state.cards[0]) if folded < 0 else 1 - folded
    state.rows[winner].chips = pot
    state.rows[1 - winner].chips = -pot
    return False


@kernel
def redraw(rules, state, seat):
    """Deal the other card anew from the two that the seat does not hold."""
    own = state.cards[seat]
    low, high = np.int64(own == 0), 2 - np.int64(own == 2)
    swap = bounded(state.rng, REDRAW, np.int64(1 << 15), np.int64(0), 2)
    state.cards[1 - seat] = high if swap else low
    state.cards[2] = low if swap else high


@kernel
def settle(rules, lineup, state, trace):
    """Rank by chips; whoever gains them wins."""
    for seat in range(PLAYERS):
        row = state.rows[seat]
        row.place = 1 if row.chips > 0 else 2
        row.share60 = 60 if row.chips > 0 else 0
