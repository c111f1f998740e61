"""Seigneurial: the rent, from the demand to the cards that the lord obtains."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.cards import (
    NONE, ONE, ask, ask_and_tell, ask_rent, discard_face, draw_lord_card, draw_tenant_card, faces, forget_face,
    in_order, is_short, random_face, remove_face, rent_short, rent_split, several,
)  # fmt: skip
from simcore.games.seigneurial.log import of
from simcore.games.seigneurial.state import FACES, LAY, LORD, NEXT, NOTHING, PICK, SET_RENT, SPLIT, STOP, TYPES, VALUES
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.lineup import forgoes
from simcore.kernel.trace import tell

FACES_OF_TYPE = np.uint64((1 << VALUES) - 1)
REWARD = np.int64(0)
"""The effect that a player may be forbidden: points of favour."""

# --- demand ---


@apart
def ask_for_rent(rules, lineup, state, trace):
    """Let the lord demand points of each type that sum to the rent."""
    rent = np.int64(rules.rent[state.after]) + state.changed
    state.rent = min(max(rent, rules.rent_limits[0]), rules.rent_limits[1])
    wood, fish = rent_split(np.int64(state.rent), ask_rent(rules, lineup, state))
    state.demand[0], state.demand[1], state.demand[2] = wood, fish, state.rent - wood - fish
    tell(trace, log.ACTION, LORD, SET_RENT, wood, fish, state.rent - wood - fish)
    state.rows[LORD].demanded += state.rent


# --- payment ---


@inlined
def asked_faces(state):
    """The faces of the demanded types, as moves."""
    found = NONE
    for kind in range(TYPES):
        if state.demand[kind] > 0:
            found |= FACES_OF_TYPE << np.uint64(VALUES * kind)
    return found


@inlined
def lay(rules, lineup, state, seat, asked, trace):
    """Let a tenant lay a card, or pass for the season."""
    player = state.players[seat]
    legal = faces(player) & asked | ONE << np.uint64(STOP)
    face = ask(rules, lineup, state, seat, LAY, legal)
    if face == STOP:
        player.passed = 1
        tell(trace, log.ACTION, seat, LAY, NOTHING)
        return
    tell(trace, log.ACTION, seat, LAY, face)
    remove_face(player, face)
    player.table[face] += 1
    player.laid[face // VALUES] += face % VALUES
    player.lays += 1
    tell(trace, log.MOVE, face, of(log.HAND, seat), log.TABLE, log.LAID)
    if rules.payment == 0:
        show_laid(state, player, face)


@inlined
def show_laid(state, player, face):
    """Show a card that was laid to everybody."""
    forget_face(player, face)
    state.got[face // VALUES] += face % VALUES


@apart
def pay_in_secret(rules, lineup, state, asked, trace):
    """Let each tenant in order lay any cards; then show them to everybody."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        while not state.players[seat].passed:
            lay(rules, lineup, state, seat, asked, trace)
    for seat in range(1, rules.players):
        player = state.players[seat]
        for face in range(FACES):
            for _ in range(player.table[face]):
                show_laid(state, player, np.int64(face))


@kernel
def pay(rules, lineup, state, trace):
    """Let the tenants lay cards."""
    asked = asked_faces(state)
    if rules.payment:
        pay_in_secret(rules, lineup, state, asked, trace)
    going = True
    while going:
        going = False
        for number in range(rules.players - 1):
            seat = in_order(rules, state, number)
            if not state.players[seat].passed:
                lay(rules, lineup, state, seat, asked, trace)
                going = True
    for seat in range(1, rules.players):
        player = state.players[seat]
        points = player.laid[0] + player.laid[1] + player.laid[2]
        state.lays += player.lays
        state.rows[seat].laid += points
        state.rows[LORD].laid += points


# --- favour ---


@apart
def split_points(rules, lineup, state, kind, trace):
    """Let the lord divide the demanded points of a type as favour; no tenant gets more than he laid."""
    state.type = kind
    for _ in range(state.demand[kind]):
        legal = NONE
        for seat in range(1, rules.players):
            player = state.players[seat]
            legal |= np.uint64(player.given[kind] < player.laid[kind]) << np.uint64(seat)
        seat = ask(rules, lineup, state, LORD, SPLIT, legal)
        if several(legal):
            tell(trace, log.ACTION, LORD, SPLIT, kind, seat)
        state.players[seat].given[kind] += 1


@kernel
def give_favour(rules, lineup, state, seat, points, trace):
    """Give a tenant points of favour; enough of them are exchanged for a card at once."""
    if forgoes(lineup, seat, REWARD):
        return
    player = state.players[seat]
    tell(trace, log.FAVOUR_GIVEN, seat, points)
    state.rows[seat].favour += points
    for _ in range(points):
        player.favour += 1
        if player.favour >= rules.favour_price:
            player.favour -= rules.favour_price
            before = state.rows[seat].cards
            draw_tenant_card(rules, lineup, state, seat, log.FAVOURED, trace)
            state.rows[seat].bought += state.rows[seat].cards - before


@kernel
def reward(rules, lineup, state, trace):
    """Give favour for the cards laid of each type."""
    for kind in range(TYPES):
        if state.got[kind] > state.demand[kind]:
            split_points(rules, lineup, state, np.int64(kind), trace)
        elif state.got[kind] > 0:
            for seat in range(1, rules.players):
                player = state.players[seat]
                player.given[kind] = player.laid[kind]
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        player = state.players[seat]
        points = np.int64(player.given[0]) + player.given[1] + player.given[2]
        if points > 0:
            give_favour(rules, lineup, state, seat, points, trace)


# --- draws from hands ---


@inlined
def limit(rules, state, seat):
    """The number of cards that the lord may draw from a hand."""
    cards = np.int64(rules.draws[state.after]) + state.players[seat].draws
    return min(max(cards, rules.draw_limits[0]), rules.draw_limits[1])


@kernel
def draw_from(rules, lineup, state, seat, trace):
    """Let the lord draw a card from a hand; he keeps it if its type is short, and otherwise returns it."""
    player = state.players[seat]
    if player.inspected:
        state.target = seat
        face = ask_and_tell(rules, lineup, state, LORD, PICK, faces(player), trace)
        state.target = NOTHING
    else:
        face = random_face(state, seat)
    kept = is_short(state, face // VALUES)
    tell(trace, log.DRAWN, seat, face, kept)
    state.rows[seat].draws += 1
    state.rows[LORD].draws += 1
    if kept:
        remove_face(player, face)
        forget_face(player, face)
        state.players[LORD].table[face] += 1
        state.got[face // VALUES] += face % VALUES
        state.keeps += 1
        state.rows[seat].taken += face % VALUES
        state.rows[LORD].taken += face % VALUES
        tell(trace, log.MOVE, face, of(log.HAND, seat), log.TABLE, log.TAKEN)


@inlined
def measure(rules, player):
    """What a tenant laid, in the measure that decides the order of the draws."""
    return player.lays if rules.least else player.laid[0] + player.laid[1] + player.laid[2]


@kernel
def call_next(rules, lineup, state, called, trace):
    """The tenant from whom the lord draws next, who laid the least; 0 if there is none."""
    least = np.int64(1 << 30)
    tied = NONE
    for seat in range(1, rules.players):
        player = state.players[seat]
        free = player.resources > 0 and player.shelter == 0 and limit(rules, state, seat) > 0
        if free and (called >> seat) & 1 == 0:
            laid = np.int64(measure(rules, player))
            if laid < least:
                least, tied = laid, NONE
            if laid == least:
                tied |= ONE << np.uint64(seat)
    if tied == NONE:
        return np.int64(0)
    seat = ask(rules, lineup, state, LORD, NEXT, tied)
    if several(tied):
        tell(trace, log.ACTION, LORD, NEXT, seat)
    return seat


@kernel
def draw_on(rules, lineup, state, seat, cards, trace):
    """Let the lord draw some cards from a hand, while the rent is short."""
    for _ in range(cards):
        if rent_short(state) and state.players[seat].resources > 0:
            draw_from(rules, lineup, state, seat, trace)


@apart
def collect(rules, lineup, state, trace):
    """Let the lord draw from hands while the rent is short."""
    called = np.int64(0)
    callers = 0
    while rent_short(state):
        seat = call_next(rules, lineup, state, called, trace)
        if seat == 0:
            break
        called |= np.int64(1) << seat
        state.order[callers] = seat
        callers += 1
        draw_on(rules, lineup, state, seat, limit(rules, state, seat) if rules.second_draw else 1, trace)
    if rules.second_draw == 0:
        for number in range(2, rules.draw_limits[1] + 1):
            for place in range(callers):
                seat = np.int64(state.order[place])
                if limit(rules, state, seat) >= number:
                    draw_on(rules, lineup, state, seat, 1, trace)


@kernel
def clear_table(rules, state, trace):
    """Discard all cards that were laid or kept; if nothing was paid, the lord draws cards."""
    for seat in range(rules.players):
        player = state.players[seat]
        if player.lays > 0 or seat == LORD:
            for face in range(FACES):
                for _ in range(player.table[face]):
                    discard_face(state, face)
                    tell(trace, log.MOVE, face, log.TABLE, log.DISCARD, log.RENTED)
                player.table[face] = 0
    if state.lays == 0 and (rules.unpaid == 0 or state.keeps == 0):
        for _ in range(rules.unpaid_cards):
            draw_lord_card(state, log.UNPAID, trace)
    state.rows[LORD].unpaid += np.int64(state.lays == 0)
