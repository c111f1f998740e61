"""Fief 2: what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.game import Search
from simcore.games.fief_2.kernel import settle
from simcore.games.fief_2.names import ZERO
from simcore.games.fief_2.pieces import first_of, has, scores_now, size_of
from simcore.games.fief_2.sight import LOOK, clock
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.streams import shuffle

OLD_SLOT, NEW_SLOT = map(np.int64, range(2))
"""Addresses of the two shuffles of what a seat does not see, in the streams of the imagined table."""

WIN = np.int64(60)


@kernel
def redraw(rules, state, seat):
    """Deal again what the seat does not see: the deck, and other hands as far as it cannot know their cards.

    Discards are open.  So cards drawn since the deck was last made are among those that went into it, and cards that
    were in hand before are not.  A lord proposed as Prince stays where he is, because everybody has seen him.
    """
    old, new = ZERO, ZERO
    for place in range(state.at, state.size):
        new |= 1 << np.int64(state.deck[place])
    for other in range(rules.players):
        if other != seat:
            for place in range(state.cards[other]):
                card = state.hand[other, place]
                if card != state.shown:
                    if has(state.fresh, card):
                        new |= 1 << card
                    else:
                        old |= 1 << card
    lay_out(state, old, OLD_SLOT)
    hand_out(rules, state, seat, old)
    lay_out(state, new, NEW_SLOT)
    state.at = hand_out(rules, state, seat, new)
    state.size = size_of(new)
    for place in range(state.size, rules.cards):
        state.deck[place] = 0


@inlined
def lay_out(state, cards, slot):
    """Shuffle some cards into the place of the deck."""
    size = size_of(cards)
    for place in range(size):
        state.deck[place] = np.uint8(first_of(cards))
        cards &= cards - 1
    shuffle(state.rng, slot, state.deck, size, size)


@inlined
def hand_out(rules, state, seat, cards):
    """Replace some cards in other hands by cards of the deck; return their number."""
    given = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            for place in range(state.cards[other]):
                if has(cards, state.hand[other, place]):
                    state.hand[other, place] = np.int64(state.deck[given])
                    given += 1
    return given


@kernel
def ended(state):
    """No game ends before its last step."""
    return False


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat, and its lead in points; before the end, as if all families scored now."""
    own, best = ZERO, ZERO
    for other in range(rules.players):
        points = state.score[other] + (ZERO if state.over else scores_now(rules, state, np.int64(other)))
        if other == seat:
            own = points
        else:
            best = max(best, points)
    if state.over:
        settle(rules, lineup, state, trace)
        return np.int64(state.rows[seat].share60), own - best
    share = ZERO if own < best else WIN if own > best else WIN // 2
    return share, own - best


SEARCH = Search(clock=clock, ended=ended, judge=judge, look=LOOK)
