"""Seigneurial: what an effect needs, and at whom and what it can be aimed."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.asking import NONE, ONE
from simcore.games.seigneurial.cards import cards_to_draw
from simcore.games.seigneurial.piles import can_draw, rent_short
from simcore.games.seigneurial.state import (
    ACT, ADVANCE, BAR, BARTER, CARDS, CHANGE_RENT, CHOOSE, CHURCH, DRAW_MORE, DROP, FAVOUR, GAG, GAIN, HEAL, INSPECT,
    LORD, LORD_CARDS, LORD_DROP, LOSE, MILL, OBJECTIVE, REVEAL, SELF, SHELTER, SICKEN, SQUARES, TAKE, TENANT,
    THE_LORD, TRADE, TYPES, WAIVE, WARD, YIELD,
)  # fmt: skip
from simcore.kernel.compilation import inlined, kernel


@inlined
def ill_pawns(rules, player):
    """Pawns of a tenant that are ill."""
    found = 0
    for pawn in range(rules.pawns):
        found += np.int64(player.ill[pawn] > 0)
    return found


@inlined
def has_zero(player):
    """Whether a zero lies in front of a tenant."""
    return player.front[0] + player.front[1] + player.front[2] > 0


@inlined
def is_there(player, square):
    """Whether one of the tenant's pawns is on a square."""
    return (player.there >> square) & 1 != 0


@inlined
def is_barred(player, square):
    """Whether a square is closed to a tenant."""
    return (player.barred >> square) & 1 != 0


@inlined
def can_act(state, player, square):
    """Whether a pawn of a tenant would find something to do on a square."""
    if is_barred(player, square):
        return False
    if square == MILL:
        return has_zero(player)
    if square == CHURCH:
        return cards_to_draw(state, 1) > 0
    return can_draw(state, square)


@inlined
def can_aim(state, player):
    """Whether the lord could draw from a tenant now."""
    return rent_short(state) and player.resources > 0 and player.shelter == 0


@kernel
def meets(rules, state, actor, seat, op, what, n):
    """Whether a seat has what an effect needs, with the type or square that is chosen."""
    player = state.players[seat]
    if op == GAIN:
        return player.front[what] == 0 and can_draw(state, what)
    if (op == LOSE) | (op == TAKE):
        return player.resources > 0
    if op == BARTER:
        return player.resources > 0 and state.players[actor].resources > 0
    if op == TRADE:
        return player.resources > 0 and player.front[what] == 0
    if op == ACT:
        return can_act(state, player, what)
    if op == HEAL:
        return ill_pawns(rules, player) > 0
    if op == SICKEN:
        return ill_pawns(rules, player) < rules.pawns
    if op == BAR:
        return not is_barred(player, what)
    if op == YIELD:
        return is_there(player, what)
    if (op == SHELTER) | (op == DRAW_MORE):
        return can_aim(state, player)
    if op == INSPECT:
        return can_aim(state, player) and player.inspected == 0
    if (op == CARDS) | (op == LORD_CARDS):
        return cards_to_draw(state, seat) > 0
    if (op == DROP) | (op == LORD_DROP):
        return player.cards > 0
    if op == GAG:
        return player.gagged == 0
    if op == WARD:
        return player.warded == 0
    if op == WAIVE:
        return player.waived == 0
    if op == REVEAL:
        return player.revealed == 0
    if op == OBJECTIVE:
        return state.goals.left > 0
    if op == CHANGE_RENT:
        return state.rent == 0
    if op == ADVANCE:
        return state.square < rules.end if n > 0 else state.square > 0
    if op == FAVOUR:
        return True
    return rent_short(state)


@inlined
def choices_of(op):
    """The number of types or squares to choose from."""
    return SQUARES if (op == ACT) | (op == BAR) else TYPES


@kernel
def whats(rules, state, actor, seat, effect):
    """The types or squares with which an effect can be aimed at a seat, as bits; bit 0 for an effect without any."""
    op, n = np.int64(effect.op), np.int64(effect.n)
    if effect.what != CHOOSE:
        return np.uint64(meets(rules, state, actor, seat, op, np.int64(effect.what), n))
    found = NONE
    for what in range(choices_of(op)):
        found |= np.uint64(meets(rules, state, actor, seat, op, np.int64(what), n)) << np.uint64(what)
    return found


@inlined
def is_left_out(state, actor, seat, effect):
    """Whether a tenant is protected from an effect of somebody's card."""
    if actor == LORD:
        return state.players[seat].warded != 0
    return seat == actor and (effect.who == TENANT or effect.op == TAKE or effect.op == BARTER)


@kernel
def aims(rules, state, actor, effect):
    """The seats that an effect can be aimed at, as bits."""
    if effect.who == SELF or effect.who == THE_LORD:
        seat = np.int64(actor) if effect.who == SELF else LORD
        return ONE << np.uint64(seat) if whats(rules, state, actor, seat, effect) != NONE else NONE
    found = NONE
    for seat in range(1, rules.players):
        if not is_left_out(state, actor, seat, effect) and whats(rules, state, actor, np.int64(seat), effect) != NONE:
            found |= ONE << np.uint64(seat)
    return found


@inlined
def card_of(rules, seat, kind):
    """A card of a seat's table."""
    return rules.lord.card[kind] if seat == LORD else rules.tenant.card[kind]


@kernel
def is_playable(rules, state, seat, kind):
    """Whether there is what the first effect of a card needs."""
    card = card_of(rules, seat, kind)
    return card.effects > 0 and aims(rules, state, seat, card.effect[0]) != NONE
