"""Middle-Ages: the wrapper for restricted members of a line-up."""

from __future__ import annotations

import numpy as np

from simcore.games.middle_ages.state import CEMETERY, EVENT_CARDS, EVENTS
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.games.middle_ages.search import option_tile
from strategies.moves import NONE, ONE, later_moves
from strategies.restrained import decide_without

BLANK = np.uint8(EVENT_CARDS - 1)  # a kind of Event that does nothing, as long as no rules have so many


@inlined
def moves_to(rules, state, seat, domains):
    """The legal moves that take, reserve or take back a tile of some Domains."""
    found = NONE
    if domains == NONE or state.decision > CEMETERY:
        return found
    rest = state.legal
    while rest != NONE:
        move = lowest_bit(rest)
        domain = np.uint64(rules.tiles[option_tile(state, seat, move)].domain)
        found |= ((domains >> domain) & ONE) << np.uint64(move)
        rest = later_moves(rest)
    return found


@inlined
def hide(state, kinds):
    """Replace future Events that a seat does not know by blank ones."""
    for number in range(max(state.round - 1, 0) >> 2, EVENTS):
        if (kinds >> np.uint64(state.cards[number])) & ONE:
            state.cards[number] = BLANK


@kernel
def restrained(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only what it may do and know."""
    member = lineup.members[lineup.seated[seat]]
    cards = (state.cards[0], state.cards[1], state.cards[2], state.cards[3])
    hide(state, member.unseen)
    move = decide_without(rules, lineup, state, seat, moves_to(rules, state, seat, member.avoids))
    for number in range(EVENTS):
        state.cards[number] = cards[number]
    return move
