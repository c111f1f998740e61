"""Seigneurial: resource cards between piles, hands and the table."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.log import log_move, of
from simcore.games.seigneurial.state import FACES, NOTHING, TYPES, VALUES
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.streams import DICE, bounded, decide

FIRST_STREAM = np.int64(5)
"""Random streams above those of the seats: one for the pile of each type."""

FIRST_DICE, HANDS, STOCKED = np.int64(1 << 14), np.int64(0), np.int64(1 << 15)
"""Slots of `DICE`: the first tenants of seasons, the cards drawn from hands (by season), and the lord's pile."""


@apart
def fill_piles(rules, state, trace):
    """Set up the piles of resource cards."""
    piles = state.resources
    for kind in range(TYPES):
        piles.left[kind] = rules.size
        piles.discarded[kind] = piles.drawn[kind] = 0
        for value in range(VALUES):
            piles.of[VALUES * kind + value] = rules.pile[value]
            piles.discards[VALUES * kind + value] = 0
        if trace.on:
            log.log_resources(trace, piles, kind)


@apart
def refill_pile(state, kind, trace):
    """Turn the discards of a type into its pile."""
    piles = state.resources
    piles.left[kind], piles.discarded[kind] = piles.discarded[kind], 0
    for face in range(VALUES * kind, VALUES * kind + VALUES):
        piles.of[face], piles.discards[face] = piles.discards[face], 0
    if trace.on:
        log.log_resources(trace, piles, kind)


@inlined
def can_draw(state, kind):
    """Whether there is a card of a type to draw."""
    return state.resources.left[kind] + state.resources.discarded[kind] > 0


@inlined
def draw_face(state, kind, trace):
    """Draw a card of a type from its pile, which is not empty or can be refilled."""
    piles = state.resources
    if piles.left[kind] == 0:
        refill_pile(state, kind, trace)
    number = np.int64(piles.drawn[kind])
    piles.drawn[kind] += 1
    left = decide(state.rng, FIRST_STREAM + kind, number >> 3, number & 7, np.int64(piles.left[kind]))
    face = np.int64(VALUES * kind)
    while left >= piles.of[face]:
        left -= piles.of[face]
        face += 1
    piles.of[face] -= 1
    piles.left[kind] -= 1
    return face


@inlined
def add_face(player, face):
    """Add a resource card to a hand."""
    player.hand[face] += 1
    player.points[face // VALUES] += face % VALUES
    player.resources += 1


@inlined
def remove_face(player, face):
    """Take a resource card out of a hand."""
    player.hand[face] -= 1
    player.points[face // VALUES] -= face % VALUES
    player.resources -= 1


@inlined
def discard_face(state, face):
    """Put a resource card on the discards of its type."""
    state.resources.discards[face] += 1
    state.resources.discarded[face // VALUES] += 1


@inlined
def forget_face(player, face):
    """Remove a card from the public ledger, because it goes to the table or the discards."""
    kind = face // VALUES
    player.ledger[kind] = max(player.ledger[kind] - 1, 0)


@kernel
def draw(rules, state, seat, kind, cards, why, trace):
    """Let a tenant draw cards of a type; a zero in front and, with the switch, a new zero end the draw."""
    player = state.players[seat]
    if player.front[kind] > 0:
        return
    for _ in range(cards):
        if not can_draw(state, kind):
            return
        face = draw_face(state, kind, trace)
        if face == VALUES * kind:
            player.front[kind] += 1
            state.rows[seat].zeros += 1
            log_move(trace, face, log.DECK, of(log.FRONT, seat), why)
            if rules.zero_stops_draw:
                return
        else:
            add_face(player, face)
            player.ledger[kind] += 1
            log_move(trace, face, log.DECK, of(log.HAND, seat), why)


@inlined
def discard_from(state, seat, face, why, trace):
    """Discard a resource card from a hand."""
    remove_face(state.players[seat], face)
    forget_face(state.players[seat], face)
    discard_face(state, face)
    log_move(trace, face, of(log.HAND, seat), log.DISCARD, why)


@inlined
def hand_over(state, giver, taker, face, trace):
    """Move a resource card from hand to hand; the ledger does not change."""
    remove_face(state.players[giver], face)
    add_face(state.players[taker], face)
    log_move(trace, face, of(log.HAND, giver), of(log.HAND, taker), log.BY_CARD)


@inlined
def clear_front(state, seat, kind, trace):
    """Discard a tenant's zeros of a type; return how many there were."""
    player = state.players[seat]
    zeros = np.int64(player.front[kind])
    for _ in range(zeros):
        discard_face(state, VALUES * kind)
        log_move(trace, VALUES * kind, of(log.FRONT, seat), log.DISCARD, log.MILLED)
    player.front[kind] = 0
    return zeros


@inlined
def dice(state, bound):
    """Draw from 0..bound-1 for a random event of this season."""
    state.dice += 1
    return bounded(state.rng, DICE, HANDS + np.int64(state.season), np.int64(state.dice), np.int64(bound))


@kernel
def random_face(state, seat):
    """A random resource card of a hand that is not empty, with all cards equally likely."""
    player = state.players[seat]
    left = dice(state, player.resources)
    face = np.int64(0)
    while left >= player.hand[face]:
        left -= player.hand[face]
        face += 1
    return face


@inlined
def faces(player):
    """The different faces in a hand, as moves."""
    found = np.uint64(0)
    for face in range(FACES):
        found |= np.uint64(player.hand[face] > 0) << np.uint64(face)
    return found


@inlined
def is_short(state, kind):
    """Whether points of a type are still missing from the demanded rent."""
    return state.got[kind] < state.demand[kind]


@inlined
def rent_short(state):
    """Whether the rent has been demanded and points of some type are still missing."""
    return is_short(state, 0) or is_short(state, 1) or is_short(state, 2)


@inlined
def in_order(rules, state, number):
    """The seat of the n-th tenant in the order of the season, counted from 0."""
    seat = np.int64(state.first) + number
    return seat if seat < rules.players else seat - (np.int64(rules.players) - 1)


@inlined
def nobody(state):
    """Record that nothing is aimed at anybody."""
    state.target = NOTHING
