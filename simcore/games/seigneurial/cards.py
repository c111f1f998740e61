"""Seigneurial: the piles of tenants' cards, lord's cards and Objectives, and the hands that hold them."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.asking import NONE, ONE, tell
from simcore.games.seigneurial.log import GOAL_CARD, LORD_CARD, TENANT_CARD, log_move, of
from simcore.games.seigneurial.piles import STOCKED, dice
from simcore.games.seigneurial.state import DROP_CARD, KEEP, KEEP_OBJECTIVE, KINDS, LORD, NOTHING, SEEN, TYPES
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.streams import DICE, bounded, shuffle

TENANT_SLOT, GOAL_SLOT = np.int64(0), np.int64(1 << 14)
"""Slots of the shuffles: of the tenants' pile and its reshuffles, and of the Objectives."""

# --- piles ---


@inlined
def shuffle_ring(state, ring, slot):
    """Shuffle all cards of a ring that starts at its first place."""
    shuffle(state.rng, slot, ring.order, np.int64(ring.left), np.int64(ring.left))


@apart
def fill_ring(ring, copies, kinds):
    """Put some copies of each kind into an empty ring."""
    ring.head = ring.left = ring.discarded = ring.shuffles = 0
    for kind in range(kinds):
        ring.discards[kind] = 0
        for _ in range(copies[kind]):
            ring.order[ring.left] = np.uint8(kind)
            ring.left += 1


@apart
def set_up_cards(rules, state, trace):
    """Shuffle the tenants' cards, the lord's and the Objectives."""
    fill_ring(state.pile, rules.tenant.copies, KINDS)
    shuffle_ring(state, state.pile, TENANT_SLOT)
    goals = state.goals
    goals.head = goals.discarded = goals.shuffles = 0
    goals.left = rules.goals
    for kind in range(rules.goals):
        goals.order[kind] = np.uint8(kind)
    shuffle_ring(state, goals, GOAL_SLOT)
    stock = state.stock
    stock.left = stock.discarded = stock.drawn = 0
    for kind in range(KINDS):
        stock.order[kind] = rules.lord.copies[kind]
        stock.left += stock.order[kind]
        stock.discards[kind] = 0
    if trace.on:
        log.log_ring(trace, log.TENANT_PILE, state.pile)
        log.log_stock(trace, stock)
        log.log_ring(trace, log.GOAL_PILE, goals)


@inlined
def top(ring):
    """Take the top card of a ring that is not empty."""
    kind = np.int64(ring.order[ring.head])
    ring.head = ring.head + 1 if ring.head + 1 < ring.order.shape[0] else 0
    ring.left -= 1
    return kind


@inlined
def put_under(ring, kind):
    """Put a card under a ring."""
    place = np.int64(ring.head) + ring.left
    ring.order[place if place < ring.order.shape[0] else place - ring.order.shape[0]] = np.uint8(kind)
    ring.left += 1


@apart
def refill_ring(state, trace):
    """Shuffle the tenants' discards to make a new pile."""
    ring = state.pile
    ring.head = ring.left = ring.discarded = 0
    for kind in range(KINDS):
        for _ in range(ring.discards[kind]):
            ring.order[ring.left] = np.uint8(kind)
            ring.left += 1
        ring.discards[kind] = 0
    ring.shuffles += 1
    shuffle_ring(state, ring, TENANT_SLOT + np.int64(ring.shuffles))
    if trace.on:
        log.log_ring(trace, log.TENANT_PILE, ring)


@inlined
def top_tenant_card(state, trace):
    """Take the top card of the tenants' pile, which is not empty or can be refilled."""
    if state.pile.left == 0:
        refill_ring(state, trace)
    return top(state.pile)


# --- hands ---


@inlined
def add_card(player, kind):
    """Add a card of the role's table to a hand."""
    player.own[kind] += 1
    player.kinds |= ONE << np.uint64(kind)
    player.cards += 1


@inlined
def remove_card(player, kind):
    """Take a card of the role's table out of a hand."""
    player.own[kind] -= 1
    player.cards -= 1
    if player.own[kind] == 0:
        player.kinds &= ~(ONE << np.uint64(kind))


@inlined
def put_away(state, seat, kind):
    """Put a card of the seat's table on its discard pile."""
    if seat == LORD:
        state.stock.discards[kind] += 1
        state.stock.discarded += 1
    else:
        state.pile.discards[kind] += 1
        state.pile.discarded += 1


@inlined
def discard_card(state, seat, kind, why, trace):
    """Discard a card of the seat's table from its hand."""
    remove_card(state.players[seat], kind)
    put_away(state, seat, kind)
    log_move(trace, face_of(seat, kind), of(log.HAND, seat), log.DISCARD, why)


@inlined
def face_of(seat, kind):
    """The number in the log of a card of the seat's table."""
    return kind + (LORD_CARD if seat == LORD else TENANT_CARD)


@inlined
def cards_to_draw(state, seat):
    """The number of cards of the seat's table that can be drawn."""
    if seat == LORD:
        return np.int64(state.stock.left + state.stock.discarded)
    return np.int64(state.pile.left + state.pile.discarded)


@apart
def draw_lord_card(state, why, trace):
    """Let the lord draw a card, if there is one."""
    stock = state.stock
    if stock.left == 0:
        if stock.discarded == 0:
            return
        for kind in range(KINDS):
            stock.order[kind], stock.discards[kind] = stock.discards[kind], 0
        stock.left, stock.discarded = stock.discarded, 0
        if trace.on:
            log.log_stock(trace, stock)
    stock.drawn += 1
    left = bounded(state.rng, DICE, STOCKED, np.int64(stock.drawn), np.int64(stock.left))
    kind = np.int64(0)
    while left >= stock.order[kind]:
        left -= stock.order[kind]
        kind += 1
    stock.order[kind] -= 1
    stock.left -= 1
    state.rows[LORD].cards += 1
    add_card(state.players[LORD], kind)
    log_move(trace, face_of(LORD, kind), log.DECK, of(log.HAND, LORD), why)


@kernel
def keep_limit(rules, lineup, state, seat, trace):
    """Let a tenant discard a card if the hand has too many."""
    player = state.players[seat]
    if player.cards > rules.hand_limit:
        kind = tell(rules, lineup, state, seat, DROP_CARD, player.kinds, trace)
        discard_card(state, seat, kind, log.LIMIT, trace)


@kernel
def draw_tenant_card(rules, lineup, state, seat, why, trace):
    """Let a tenant draw a card, if there is one, and discard one if the hand has too many."""
    if cards_to_draw(state, seat) > 0:
        kind = top_tenant_card(state, trace)
        add_card(state.players[seat], kind)
        state.rows[seat].cards += 1
        log_move(trace, face_of(seat, kind), log.DECK, of(log.HAND, seat), why)
        keep_limit(rules, lineup, state, seat, trace)


@apart
def visit_church(rules, lineup, state, seat, trace):
    """Let a tenant look at cards, keep one, and put the others under the pile."""
    seen = min(np.int64(rules.church_cards), cards_to_draw(state, seat))
    kinds = NONE
    for number in range(seen):
        kind = top_tenant_card(state, trace)
        state.seen[number] = kind
        kinds |= ONE << np.uint64(kind)
        log_move(trace, face_of(seat, kind), log.DECK, of(log.SIGHT, seat), log.CHURCHED)
    if seen == 0:
        return
    kept = tell(rules, lineup, state, seat, KEEP, kinds, trace)
    add_card(state.players[seat], kept)
    state.rows[seat].cards += 1
    log_move(trace, face_of(seat, kept), of(log.SIGHT, seat), of(log.HAND, seat), log.CHURCHED)
    found = False
    for number in range(seen):
        kind = np.int64(state.seen[number])
        state.seen[number] = NOTHING
        if kind == kept and not found:
            found = True
        else:
            put_under(state.pile, kind)
            log_move(trace, face_of(seat, kind), of(log.SIGHT, seat), log.DECK, log.CHURCHED)
    keep_limit(rules, lineup, state, seat, trace)


@kernel
def drop_cards(state, seat, number, trace):
    """Discard cards of the seat's table at random."""
    player = state.players[seat]
    for _ in range(number):
        if player.cards == 0:
            return
        left = dice(state, player.cards)
        kind = np.int64(0)
        while left >= player.own[kind]:
            left -= player.own[kind]
            kind += 1
        discard_card(state, seat, kind, log.BY_CARD, trace)


# --- Objectives ---


@inlined
def deal_objective(state, seat, trace):
    """Deal a tenant an Objective."""
    kind = top(state.goals)
    state.players[seat].objective = kind
    log_move(trace, GOAL_CARD + kind, log.DECK, of(log.HAND, seat), log.DEAL)


@apart
def new_objective(rules, lineup, state, seat, number, trace):
    """Let a tenant draw Objectives, keep one of these and the old one, and put the others under the pile."""
    player = state.players[seat]
    old = np.int64(player.objective)
    state.seen[0] = old
    kinds = ONE << np.uint64(old)
    drawn = min(number, np.int64(state.goals.left), SEEN - 1)
    for place in range(1, 1 + drawn):
        kind = top(state.goals)
        state.seen[place] = kind
        kinds |= ONE << np.uint64(kind)
        log_move(trace, GOAL_CARD + kind, log.DECK, of(log.HAND, seat), log.BY_CARD)
    kept = tell(rules, lineup, state, seat, KEEP_OBJECTIVE, kinds, trace)
    for place in range(1 + drawn):
        kind = np.int64(state.seen[place])
        state.seen[place] = NOTHING
        if kind != kept:
            put_under(state.goals, kind)
            log_move(trace, GOAL_CARD + kind, of(log.HAND, seat), log.DECK, log.BY_CARD)
    if kept != old:
        player.objective = kept
        player.revealed = 0
        state.rows[seat].changes += 1


@inlined
def missing(rules, player):
    """The points that a tenant's Objective still asks for."""
    found = np.int64(0)
    for kind in range(TYPES):
        found += max(rules.goal[player.objective, kind] - player.points[kind], 0)
    return found
