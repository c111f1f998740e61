"""Seigneurial: the effects of cards."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.asking import NONE, ONE, ask, shift_move, shift_types, tell
from simcore.games.seigneurial.cards import draw_lord_card, draw_tenant_card, drop_cards, new_objective
from simcore.games.seigneurial.log import log_action
from simcore.games.seigneurial.needs import aims, choices_of, meets, whats
from simcore.games.seigneurial.piles import discard_from, draw, faces, hand_over, in_order, is_short, random_face
from simcore.games.seigneurial.rent import give_favour
from simcore.games.seigneurial.squares import act
from simcore.games.seigneurial.state import (
    ACT, ADVANCE, BAR, BARTER, CARDS, CHANGE_RENT, CHOOSE, DRAW_MORE, DROP, FAVOUR, GAG, GAIN, HEAL, INSPECT, LORD,
    LORD_CARDS, LOSE, NOTHING, OBJECTIVE, PART, RANDOM, REVEAL, SHELTER, SHIFT, SHIFT_POINTS, SICKEN,
    STOP, TAKE, TARGET, TENANT, TRADE, TYPES, WAIVE, WARD, WHAT, YIELD,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel

MAY_STOP = ONE << np.uint64(STOP)

# --- resource cards ---


@inlined
def part_with(rules, lineup, state, seat, legal, trace):
    """Let a tenant choose a resource card to give up; STOP for none."""
    face = ask(rules, lineup, state, seat, PART, legal)
    log_action(trace, seat, PART, NOTHING if face == STOP else face, 0, 0)
    return face


@inlined
def lose(rules, lineup, state, seat, how, n, trace):
    """Discard resource cards, chosen by the owner or at random."""
    player = state.players[seat]
    for _ in range(n):
        if player.resources == 0:
            return
        if how == RANDOM:
            face = random_face(state, seat)
        else:
            face = part_with(rules, lineup, state, seat, faces(player), trace)
        discard_from(state, seat, face, log.BY_CARD, trace)


@inlined
def take(state, actor, seat, n, trace):
    """Give the player of the card random resource cards of another player."""
    for _ in range(n):
        if state.players[seat].resources == 0:
            return
        hand_over(state, seat, actor, random_face(state, seat), trace)


@inlined
def barter(rules, lineup, state, actor, seat, n, trace):
    """Exchange a card that the player chooses for a random one, once or several times."""
    for _ in range(n):
        if state.players[actor].resources == 0 or state.players[seat].resources == 0:
            return
        own = part_with(rules, lineup, state, actor, faces(state.players[actor]), trace)
        other = random_face(state, seat)
        hand_over(state, seat, actor, other, trace)
        hand_over(state, actor, seat, own, trace)


@inlined
def trade(rules, lineup, state, seat, kind, n, trace):
    """Let a tenant discard cards and draw as many cards of a type."""
    player = state.players[seat]
    cards = np.int64(0)
    while cards < n and player.resources > 0:
        face = part_with(rules, lineup, state, seat, faces(player) | MAY_STOP, trace)
        if face == STOP:
            break
        discard_from(state, seat, face, log.BY_CARD, trace)
        cards += 1
    draw(rules, state, seat, kind, cards, log.BY_CARD, trace)


# --- pawns ---


@inlined
def heal(rules, player, n):
    """Let pawns recover, beginning with those that will be ill for the longest time."""
    for _ in range(n):
        worst = np.int64(0)
        for pawn in range(1, rules.pawns):
            if player.ill[pawn] > player.ill[worst]:
                worst = np.int64(pawn)
        player.ill[worst] = 0


@kernel
def sicken(rules, state, seat, positionings):
    """Let a healthy pawn fall ill; return whether there was one."""
    player = state.players[seat]
    for pawn in range(rules.pawns):
        if player.ill[pawn] == 0:
            player.ill[pawn] = positionings
            state.rows[seat].illnesses += 1
            return True
    return False


# --- the rent ---


@inlined
def shift(rules, lineup, state, actor, n, trace):
    """Let the player of the card move unmet points of a short type to another type."""
    legal = NONE
    for kind in range(TYPES):
        if is_short(state, kind):
            for points in range(1, min(n, np.int64(state.demand[kind] - state.got[kind])) + 1):
                for other in range(TYPES):
                    if other != kind:
                        legal |= ONE << np.uint64(shift_move(np.int64(kind), np.int64(other), points))
    move = ask(rules, lineup, state, actor, SHIFT_POINTS, legal)
    giver, taker = shift_types(move)
    points = move // 6 + 1
    log_action(trace, actor, SHIFT_POINTS, giver, taker, points)
    state.demand[giver] -= points
    state.demand[taker] += points


# --- all of them ---


@kernel
def on_resources(rules, lineup, state, actor, seat, op, what, n, trace):
    """Carry out an effect on resource cards."""
    if op == GAIN:
        draw(rules, state, seat, what, n, log.BY_CARD, trace)
    elif op == LOSE:
        lose(rules, lineup, state, seat, what, n, trace)
    elif op == TAKE:
        take(state, actor, seat, n, trace)
    elif op == BARTER:
        barter(rules, lineup, state, actor, seat, n, trace)
    else:
        trade(rules, lineup, state, seat, what, n, trace)


@kernel
def on_season(rules, state, seat, op, what, n):
    """Carry out an effect that lasts for the season, or one on pawns."""
    player = state.players[seat]
    if op == HEAL:
        heal(rules, player, n)
    elif op == SICKEN:
        sicken(rules, state, seat, n)
    elif op == BAR:
        player.barred |= 1 << what
    elif op == YIELD:
        player.yields[what] += n
    elif op == SHELTER:
        player.shelter = 1
    elif op == INSPECT:
        player.inspected = 1
    elif op == DRAW_MORE:
        player.draws += n
    elif op == GAG:
        player.gagged = 1
    elif op == WARD:
        player.warded = 1
    elif op == WAIVE:
        player.waived = 1
    elif op == REVEAL:
        player.revealed = 1


@kernel
def on_lord(rules, lineup, state, actor, op, n, trace):
    """Carry out an effect on the lord, the track or the rent."""
    if op == CHANGE_RENT:
        state.changed += n
    elif op == ADVANCE:
        state.square = min(max(state.square + n, 0), rules.end)
    elif op == SHIFT:
        shift(rules, lineup, state, actor, n, trace)
    elif op == LORD_CARDS:
        for _ in range(n):
            draw_lord_card(state, log.BY_CARD, trace)
    else:
        drop_cards(state, LORD, n, trace)


@kernel
def happen(rules, lineup, state, actor, seat, op, what, n, trace):
    """Apply an effect to one seat."""
    if op <= TRADE:
        on_resources(rules, lineup, state, actor, seat, op, what, n, trace)
    elif op == ACT:
        for _ in range(n):
            act(rules, lineup, state, seat, what, trace)
    elif op == FAVOUR:
        give_favour(rules, lineup, state, seat, n, trace)
    elif op == CARDS:
        for _ in range(n):
            draw_tenant_card(rules, lineup, state, seat, log.BY_CARD, trace)
    elif op == DROP:
        drop_cards(state, seat, n, trace)
    elif op == OBJECTIVE:
        new_objective(rules, lineup, state, seat, n, trace)
    elif op < CHANGE_RENT:
        on_season(rules, state, seat, op, what, n)
    else:
        on_lord(rules, lineup, state, actor, op, n, trace)


@inlined
def with_what(rules, state, actor, seats, effect, what):
    """Those of some seats that have what an effect needs after a type or square is chosen."""
    found = NONE
    for seat in range(1, rules.players):
        own = ONE << np.uint64(seat)
        if seats & own != NONE and meets(rules, state, actor, seat, np.int64(effect.op), what, np.int64(effect.n)):
            found |= own
    return found


@apart
def do_effect(rules, lineup, state, actor, effect, trace):
    """Aim an effect and apply it; it is skipped if nobody has what it needs."""
    seats = aims(rules, state, actor, effect)
    if seats == NONE:
        return
    op, n = np.int64(effect.op), np.int64(effect.n)
    state.op, state.n, state.target = op, n, NOTHING
    if effect.who == TENANT:
        state.target = tell(rules, lineup, state, actor, TARGET, seats, trace)
        seats = ONE << np.uint64(state.target)
    what = np.int64(effect.what)
    if what == CHOOSE:
        legal = NONE
        for seat in range(1, rules.players):
            if (seats >> np.uint64(seat)) & ONE != NONE:
                legal |= whats(rules, state, actor, np.int64(seat), effect)
        what = ask(rules, lineup, state, actor, WHAT, legal)
        log_action(trace, actor, WHAT, what, choices_of(op) > TYPES, 0)
        seats = with_what(rules, state, actor, seats, effect, what)
    if trace.on:
        log.log_effect(rules, state, trace, effect, seats, what)
    if seats & ONE != NONE:
        happen(rules, lineup, state, actor, LORD, op, what, n, trace)
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        if (seats >> np.uint64(seat)) & ONE != NONE:
            happen(rules, lineup, state, actor, seat, op, what, n, trace)
    state.op = state.target = NOTHING
