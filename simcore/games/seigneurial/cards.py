"""Seigneurial: piles and hands of all kinds of cards, and how a seat is asked."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.log import GOAL_CARD, LORD_CARD, TENANT_CARD, of
from simcore.games.seigneurial.state import (
    DROP_CARD, FACES, KEEP, KEEP_OBJECTIVE, KINDS, LORD, NOTHING, SEEN, SET_RENT, TYPES, VALUES,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.decisions import allow, choose, choose_legal, clear_legal
from simcore.kernel.streams import DICE, bounded, decide, shuffle
from simcore.kernel.trace import tell


# --- Resource cards between piles, hands and the table ---


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
            tell(trace, log.MOVE, face, log.DECK, of(log.FRONT, seat), why)
            if rules.zero_stops_draw:
                return
        else:
            add_face(player, face)
            player.ledger[kind] += 1
            tell(trace, log.MOVE, face, log.DECK, of(log.HAND, seat), why)


@inlined
def discard_from(state, seat, face, why, trace):
    """Discard a resource card from a hand."""
    remove_face(state.players[seat], face)
    forget_face(state.players[seat], face)
    discard_face(state, face)
    tell(trace, log.MOVE, face, of(log.HAND, seat), log.DISCARD, why)


@inlined
def hand_over(state, giver, taker, face, trace):
    """Move a resource card from hand to hand; the ledger does not change."""
    remove_face(state.players[giver], face)
    add_face(state.players[taker], face)
    tell(trace, log.MOVE, face, of(log.HAND, giver), of(log.HAND, taker), log.BY_CARD)


@inlined
def clear_front(state, seat, kind, trace):
    """Discard a tenant's zeros of a type; return how many there were."""
    player = state.players[seat]
    zeros = np.int64(player.front[kind])
    for _ in range(zeros):
        discard_face(state, VALUES * kind)
        tell(trace, log.MOVE, VALUES * kind, of(log.FRONT, seat), log.DISCARD, log.MILLED)
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


# --- How a seat is asked, and the moves that encode more than one number ---


NONE, ONE = np.uint64(0), np.uint64(1)


@inlined
def ask(rules, lineup, state, seat, decision, legal):
    """Let a seat choose one of some moves, given as bits; its decisions are numbered within the season."""
    number = np.int64(state.asked[seat])
    state.asked[seat] += 1
    slot = np.int64(state.season) << 6 | number >> 2
    return choose(rules, lineup, state, np.int64(seat), decision, legal, slot, (number & 3) << 1)


@inlined
def ask_and_tell(rules, lineup, state, seat, decision, legal, trace):
    """Do the same, and log it as a decision with one value."""
    move = ask(rules, lineup, state, seat, decision, legal)
    tell(trace, log.ACTION, seat, decision, move)
    return move


@inlined
def several(legal):
    """Whether there is a choice."""
    return legal & (legal - ONE) != NONE


@kernel
def ask_rent(rules, lineup, state):
    """Let the lord choose among all splits of the rent."""
    clear_legal(state)
    for move in range((state.rent + 1) * (state.rent + 2) // 2):
        allow(state, np.int64(move))
    number = np.int64(state.asked[0])
    state.asked[0] += 1
    slot = np.int64(state.season) << 6 | number >> 2
    return choose_legal(rules, lineup, state, np.int64(0), SET_RENT, slot, (number & 3) << 1)


@inlined
def rent_move(rent, wood, fish):
    """The move that asks for some wood and fish, and the rest in grain: splits are numbered by wood, then fish."""
    return np.int64(wood * (rent + 1) - wood * (wood - 1) // 2 + fish)


@inlined
def rent_split(rent, move):
    """The wood and the fish of a split of the rent."""
    wood = np.int64(0)
    while move > rent - wood:
        move -= rent - wood + 1
        wood += 1
    return wood, np.int64(move)


@inlined
def shift_move(giver, taker, points):
    """The move that shifts points of one type to another."""
    return np.int64(6 * (points - 1) + 2 * giver + (taker if taker < giver else taker - 1))


@inlined
def shift_types(move):
    """The two types of a shift: the one that is short, and the other one."""
    pair = move % 6
    giver = pair >> 1
    taker = pair & 1
    return np.int64(giver), np.int64(taker if taker < giver else taker + 1)


# --- The piles of tenants' cards, lord's cards and Objectives, and the hands that hold them ---


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
    tell(trace, log.MOVE, face_of(seat, kind), of(log.HAND, seat), log.DISCARD, why)


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
    tell(trace, log.MOVE, face_of(LORD, kind), log.DECK, of(log.HAND, LORD), why)


@kernel
def keep_limit(rules, lineup, state, seat, trace):
    """Let a tenant discard a card if the hand has too many."""
    player = state.players[seat]
    if player.cards > rules.hand_limit:
        kind = ask_and_tell(rules, lineup, state, seat, DROP_CARD, player.kinds, trace)
        discard_card(state, seat, kind, log.LIMIT, trace)


@kernel
def draw_tenant_card(rules, lineup, state, seat, why, trace):
    """Let a tenant draw a card, if there is one, and discard one if the hand has too many."""
    if cards_to_draw(state, seat) > 0:
        kind = top_tenant_card(state, trace)
        add_card(state.players[seat], kind)
        state.rows[seat].cards += 1
        tell(trace, log.MOVE, face_of(seat, kind), log.DECK, of(log.HAND, seat), why)
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
        tell(trace, log.MOVE, face_of(seat, kind), log.DECK, of(log.SIGHT, seat), log.CHURCHED)
    if seen == 0:
        return
    kept = ask_and_tell(rules, lineup, state, seat, KEEP, kinds, trace)
    add_card(state.players[seat], kept)
    state.rows[seat].cards += 1
    tell(trace, log.MOVE, face_of(seat, kept), of(log.SIGHT, seat), of(log.HAND, seat), log.CHURCHED)
    found = False
    for number in range(seen):
        kind = np.int64(state.seen[number])
        state.seen[number] = NOTHING
        if kind == kept and not found:
            found = True
        else:
            put_under(state.pile, kind)
            tell(trace, log.MOVE, face_of(seat, kind), of(log.SIGHT, seat), log.DECK, log.CHURCHED)
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
    tell(trace, log.MOVE, GOAL_CARD + kind, log.DECK, of(log.HAND, seat), log.DEAL)


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
        tell(trace, log.MOVE, GOAL_CARD + kind, log.DECK, of(log.HAND, seat), log.BY_CARD)
    kept = ask_and_tell(rules, lineup, state, seat, KEEP_OBJECTIVE, kinds, trace)
    for place in range(1 + drawn):
        kind = np.int64(state.seen[place])
        state.seen[place] = NOTHING
        if kind != kept:
            put_under(state.goals, kind)
            tell(trace, log.MOVE, GOAL_CARD + kind, of(log.HAND, seat), log.DECK, log.BY_CARD)
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
