"""Seigneurial: what a seat sees and what it cannot know, chance, and what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.chance import Chance, Draws, END
from simcore.game import Search
from simcore.games.seigneurial.cards import (
    FIRST_DICE, FIRST_STREAM, GOAL_SLOT, HANDS, NONE, STOCKED, TENANT_SLOT, add_card, add_face, missing, put_under,
    remove_face, shuffle_ring, top,
)  # fmt: skip
from simcore.games.seigneurial.kernel import settle
from simcore.games.seigneurial.state import FACES, KINDS, LAY, LORD, NOTHING, PICK, TYPES, VALUES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import Look
from simcore.kernel.streams import DECISION, DICE, REDRAW, SHUFFLE, bounded


# --- What a seat sees at a safe point, in whole numbers; points are given in tenths ---


TENTHS = np.int64(10)
NEAR, CLOSE, WITHIN = 3, 6, 10

OF_TABLE = [
    "squares left",
    "squares left, squared",
    "one over squares left",
    "the next rent wins",
    "season",
    "step",
    "quarter",
    "the lord's cards",
    "half of the track is done",
    "rent asked for",
    "rent still missing",
    "rent obtained",
    "cards laid",
    "seats after the first tenant",
]
OF_PLAYER = [
    "points missing, negative",
    "one over points missing",
    "few points missing",
    "some points missing",
    "many points missing",
    "largest gap",
    "points",
    "points beyond the Objective",
    "resource cards",
    "points of wood",
    "points of fish",
    "points of grain",
    "zeros",
    "ill pawns",
    "favour",
    "cards",
    "an improved land",
    "the Objective is public",
]
OF_TYPE = np.int64(OF_PLAYER.index("points of wood"))


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the track, the season and the rent."""
    left = np.int64(rules.end - state.square)
    got = np.int64(state.got[0] + state.got[1] + state.got[2])
    out[0] = left
    out[1] = left * left
    out[2] = 1000 // (1 + left)
    out[3] = np.int64(left <= rules.step)
    out[4] = state.season
    out[5] = state.phase
    out[6] = state.quarter
    out[7] = state.players[LORD].cards
    out[8] = state.halfway
    out[9] = state.rent if state.phase > 0 else 0
    out[10] = max(np.int64(state.rent) - got, 0) if state.phase > 0 else 0
    out[11] = state.obtained if state.phase > 0 else 0
    out[12] = state.lays if state.phase > 0 else 0
    out[13] = (seat - state.first + rules.players) % rules.players if seat != LORD else 0


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a tenant; other hands and Objectives as far as everybody can guess them."""
    player = state.players[other]
    lacking, most, points, beyond = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for kind in range(TYPES):
        there, goal = np.int64(0), np.int64(0)
        if other != LORD:
            there = TENTHS * player.points[kind] if other == seat else guessed(rules, player, kind)
            goal = wanted(rules, player, kind, other == seat or player.revealed != 0)
        gap = max(goal - there, np.int64(0))
        lacking += gap
        most = max(most, gap)
        points += there
        beyond += max(there - goal, np.int64(0))
        out[at + OF_TYPE + kind] = there
    out[at] = -lacking
    out[at + 1] = 10000 // (10 + lacking)
    out[at + 2] = np.int64(lacking <= NEAR * TENTHS)
    out[at + 3] = np.int64(lacking <= CLOSE * TENTHS)
    out[at + 4] = np.int64(lacking <= WITHIN * TENTHS)
    out[at + 5] = most
    out[at + 6] = points
    out[at + 7] = beyond
    out[at + 8] = player.resources
    out[at + 12] = player.front[0] + player.front[1] + player.front[2]
    ill = np.int64(0)
    for pawn in range(rules.pawns):
        ill += np.int64(player.ill[pawn] > 0)
    out[at + 13] = ill
    out[at + 14] = player.favour
    out[at + 15] = player.cards
    out[at + 16] = np.int64(player.improved != NOTHING)
    out[at + 17] = player.revealed


@inlined
def guessed(rules, player, kind):
    """The points of a type in a hand that is not seen: its cards by the public ledger, each with the mean value."""
    cards, value = np.int64(0), np.int64(0)
    for number in range(1, VALUES):
        cards += rules.pile[number]
        value += number * rules.pile[number]
    return np.int64(player.ledger[kind]) * ((TENTHS * value) // max(cards, np.int64(1)))


@inlined
def wanted(rules, player, kind, open_goal):
    """The points of a type that an Objective asks for; on average over all Objectives if it is not known."""
    if open_goal:
        return TENTHS * rules.goal[player.objective, kind]
    total = np.int64(0)
    for goal in range(rules.goals):
        total += rules.goal[goal, kind]
    return (TENTHS * total) // max(np.int64(rules.goals), np.int64(1))


@kernel
def competes(rules, seat, other):
    """Whether a seat is another tenant; the lord stands among the numbers about the table."""
    return other != seat and other != LORD


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER), competes)


# --- What a seat cannot know, and what strategies need to look ahead ---


HIDDEN = np.int64(1 << 13)
"""The slot of the random numbers with which hidden cards are dealt again."""

REDRAWN = np.int64(1 << 15)
"""Slots for putting piles into another order, beyond those of the game's shuffles."""

SQUARE_POINTS, FAR = 3, 1 << 20
"""Points of an Objective that a square counts for which the lord has yet to go; more than any Objective asks for."""

# --- chance ---


@inlined
def drawn(state, bound):
    """Draw from 0..bound-1 for the imagined table."""
    state.scratch[0] += 1
    return bounded(state.rng, REDRAW, HIDDEN, np.int64(state.scratch[0]), np.int64(bound))


# --- resource cards ---


@inlined
def is_known(state, seat, other):
    """Whether a seat knows a tenant's hand: its own, or one from which the lord is choosing."""
    return other == seat or (state.decision == PICK and other == state.target)


@inlined
def unlay(rules, state, seat):
    """Return the cards that others laid in secret to their hands; the number of these cards stays known."""
    for other in range(1, rules.players):
        player = state.players[other]
        if other != seat and rules.payment and state.decision == LAY:
            for face in range(FACES):
                for _ in range(player.table[face]):
                    add_face(player, np.int64(face))
                player.table[face] = 0


@inlined
def relay(rules, state, seat):
    """Let others lay as many cards in secret again, of the demanded types as far as they have any."""
    for other in range(1, rules.players):
        player = state.players[other]
        if other != seat and rules.payment and state.decision == LAY:
            for kind in range(TYPES):
                player.laid[kind] = 0
            for _ in range(player.lays):
                face = any_face(state, player, True)
                if face == NOTHING:
                    face = any_face(state, player, False)
                remove_face(player, face)
                player.table[face] += 1
                player.laid[face // VALUES] += face % VALUES


@inlined
def any_face(state, player, asked):
    """A random resource card of a hand, or of its demanded types; NOTHING if there is none."""
    cards = np.int64(0)
    for face in range(FACES):
        if not asked or state.demand[face // VALUES] > 0:
            cards += player.hand[face]
    if cards == 0:
        return NOTHING
    left = drawn(state, cards)
    for face in range(FACES):
        if not asked or state.demand[face // VALUES] > 0:
            if left < player.hand[face]:
                return np.int64(face)
            left -= player.hand[face]
    return NOTHING


@kernel
def share_types(state, rules, seat):
    """Find how many cards of each type the hands that a seat does not see can hold, from what is public.

    The ledger shows this except for cards that went from hand to hand: those are dealt at random.  The numbers
    are in the first words of `hand`, instead of the cards.
    """
    total = 0
    for kind in range(TYPES):
        cards = np.int64(0)
        claimed = np.int64(0)
        for other in range(1, rules.players):
            if not is_known(state, seat, other):
                player = state.players[other]
                for face in range(VALUES * kind, VALUES * kind + VALUES):
                    cards += player.hand[face]
                    state.resources.of[face] += player.hand[face]
                    player.hand[face] = 0
                claimed += player.ledger[kind]
        state.scratch[1 + kind] = cards
        total += cards
    for other in range(1, rules.players):
        if not is_known(state, seat, other):
            claim(state, state.players[other])
    for other in range(1, rules.players):
        if not is_known(state, seat, other):
            fill(state, state.players[other])


@inlined
def claim(state, player):
    """Give a hand the types that it holds by the ledger, as far as it has room and there are such cards."""
    room = np.int64(player.resources)
    for kind in range(TYPES):
        cards = min(np.int64(player.ledger[kind]), state.scratch[1 + kind], room)
        player.hand[VALUES * kind] = cards
        state.scratch[1 + kind] -= cards
        room -= cards


@inlined
def fill(state, player):
    """Fill the rest of a hand with any types that are left."""
    held = player.hand[0] + player.hand[VALUES] + player.hand[2 * VALUES]
    for _ in range(player.resources - held):
        left = drawn(state, state.scratch[1] + state.scratch[2] + state.scratch[3])
        kind = np.int64(0)
        while left >= state.scratch[1 + kind]:
            left -= state.scratch[1 + kind]
            kind += 1
        state.scratch[1 + kind] -= 1
        player.hand[VALUES * kind] += 1


@inlined
def deal_values(state, player):
    """Draw the cards of a hand, whose types are known, from the hidden cards."""
    piles = state.resources
    for kind in range(TYPES):
        cards = np.int64(player.hand[VALUES * kind])
        player.hand[VALUES * kind] = 0
        player.points[kind] = 0
        for _ in range(cards):
            positive = np.int64(0)
            for face in range(VALUES * kind + 1, VALUES * kind + VALUES):
                positive += piles.of[face]
            left = drawn(state, positive)
            face = VALUES * np.int64(kind) + 1
            while left >= piles.of[face]:
                left -= piles.of[face]
                face += 1
            piles.of[face] -= 1
            player.hand[face] += 1
            player.points[kind] += face % VALUES


@inlined
def redraw_resources(rules, state, seat):
    """Deal again the resource cards that a seat does not see."""
    unlay(rules, state, seat)
    share_types(state, rules, seat)
    for other in range(1, rules.players):
        if not is_known(state, seat, other):
            deal_values(state, state.players[other])
    relay(rules, state, seat)


# --- the other cards ---


@inlined
def pick_kind(state, pool, cards):
    """Draw a random card from a pool, in which cards are counted by kind."""
    left = drawn(state, cards)
    kind = np.int64(0)
    while left >= pool[kind]:
        left -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@inlined
def give_back(player, pool):
    """Put a hand of the role's cards into a pool; the number of cards stays known."""
    for kind in range(KINDS):
        pool[kind] += player.own[kind]
        player.own[kind] = 0
    player.kinds = NONE


@inlined
def deal_hand(state, player, pool, size):
    """Deal a hand as many cards as it had; all of them count as held since the window opened."""
    cards = np.int64(player.cards)
    player.cards = 0
    for number in range(cards):
        add_card(player, pick_kind(state, pool, size - number))
    for kind in range(KINDS):
        player.opened[kind] = player.own[kind]
    return size - cards


@inlined
def redraw_lord(state):
    """Deal the lord's hand again."""
    stock, lord = state.stock, state.players[LORD]
    give_back(lord, stock.order)
    deal_hand(state, lord, stock.order, np.int64(stock.left) + lord.cards)


@inlined
def redraw_tenant_cards(rules, state, seat):
    """Deal the hands of the other tenants again, and shuffle the rest."""
    ring, pool = state.pile, state.pool
    pool[:] = 0
    size = np.int64(ring.left)
    for _ in range(size):
        pool[top(ring)] += 1
    for other in range(1, rules.players):
        if other != seat:
            size += state.players[other].cards
            give_back(state.players[other], pool)
    for other in range(1, rules.players):
        if other != seat:
            size = deal_hand(state, state.players[other], pool, size)
    stack(state, ring, pool, TENANT_SLOT)


@inlined
def redraw_objectives(rules, state, seat):
    """Deal again the Objectives that a seat does not know, and shuffle the rest."""
    ring, pool = state.goals, state.pool
    pool[:] = 0
    size = np.int64(ring.left)
    for _ in range(size):
        pool[top(ring)] += 1
    for other in range(1, rules.players):
        if other != seat and not state.players[other].revealed:
            pool[state.players[other].objective] += 1
            size += 1
    for other in range(1, rules.players):
        if other != seat and not state.players[other].revealed:
            state.players[other].objective = pick_kind(state, pool, size)
            size -= 1
    stack(state, ring, pool, GOAL_SLOT)


@inlined
def stack(state, ring, pool, slot):
    """Make a shuffled pile from the cards of a pool."""
    ring.order[:] = 0
    ring.head = ring.left = 0
    for kind in range(KINDS):
        for _ in range(pool[kind]):
            put_under(ring, kind)
        pool[kind] = 0
    shuffle_ring(state, ring, slot | REDRAWN)


@inlined
def hide_row(row):
    """Remove from a tenant's row what others cannot know: the missing points, why no due was paid, a new Objective."""
    row.course[:] = 0
    row.refusals += row.unable
    row.unable = row.changes = 0


@kernel
def redraw(rules, state, seat):
    """Draw again all cards that a seat does not see: hands, Objectives and piles."""
    state.scratch[:] = 0
    for other in range(1, rules.players):
        if other != seat:
            hide_row(state.rows[other])
    redraw_resources(rules, state, seat)
    if seat != LORD:
        redraw_lord(state)
    redraw_tenant_cards(rules, state, seat)
    redraw_objectives(rules, state, seat)
    state.scratch[:] = 0


@kernel
def clock(state):
    """The number of seasons played."""
    return np.int64(state.season - (state.phase > 0))


@kernel
def ended(state):
    """Whether the game is over."""
    return state.over != 0


@inlined
def least_missing(rules, state, seat):
    """The fewest points that any tenant's Objective still asks for, without the tenant of a seat."""
    least = np.int64(FAR)
    for other in range(1, rules.players):
        if other != seat:
            least = min(least, missing(rules, state.players[other]))
    return least


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat, and its lead in points: how much nearer to winning it is than the best opponent."""
    settle(rules, lineup, state, trace)
    track = SQUARE_POINTS * max(np.int64(rules.end) - state.square, 0)
    rival = least_missing(rules, state, seat)
    if seat == LORD:
        return np.int64(state.rows[seat].share60), rival - track
    return np.int64(state.rows[seat].share60), min(rival, track) - missing(rules, state.players[seat])


SEARCH = Search(clock=clock, ended=ended, judge=judge, look=LOOK)


# --- Where chance comes from ---


CHANCE = (
    Chance("resource_piles", (Draws(DECISION, range(FIRST_STREAM, END)), Draws(REDRAW, range(FIRST_STREAM, END)))),
    Chance("tenant_pile", (Draws(SHUFFLE, range(TENANT_SLOT, GOAL_SLOT)),)),
    Chance("objective_pile", (Draws(SHUFFLE, range(GOAL_SLOT, END)),)),
    Chance("lord_pile", (Draws(DICE, range(STOCKED, END)),)),
    Chance("first_tenant", (Draws(DICE, range(FIRST_DICE, STOCKED)),)),
    Chance("random_cards", (Draws(DICE, range(HANDS, FIRST_DICE)),)),
)
