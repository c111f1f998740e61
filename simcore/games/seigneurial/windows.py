"""Seigneurial: the windows in which cards are played."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.asking import NONE, ONE, ask
from simcore.games.seigneurial.cards import face_of, put_away, remove_card
from simcore.games.seigneurial.effects import do_effect
from simcore.games.seigneurial.log import log_action, log_move, of
from simcore.games.seigneurial.needs import card_of, is_playable
from simcore.games.seigneurial.piles import in_order
from simcore.games.seigneurial.state import KINDS, LORD, NOTHING, PASS, PLAY
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit


@inlined
def allowed(rules, state, seat):
    """The kinds of cards in a seat's hand that may be played in the window, as bits."""
    table = rules.lord if seat == LORD else rules.tenant
    return state.players[seat].kinds & table.when[state.window, state.quarter]


@inlined
def is_silent(rules, state, seat):
    """Whether a seat may play no more cards this season."""
    player = state.players[seat]
    return seat != LORD and (player.gagged != 0 or player.plays >= rules.plays)


@kernel
def playable(rules, state, seat):
    """The kinds of cards that a seat can play, as moves."""
    found = NONE
    if is_silent(rules, state, seat):
        return found
    rest = allowed(rules, state, seat)
    while rest != NONE:
        kind = np.int64(lowest_bit(rest))
        rest &= rest - ONE
        if state.players[seat].opened[kind] > 0 and is_playable(rules, state, seat, kind):
            found |= ONE << np.uint64(kind)
    return found


@apart
def play(rules, lineup, state, seat, kind, trace):
    """Play a card; it leaves the hand before its effects, and is discarded after them."""
    player = state.players[seat]
    player.opened[kind] -= 1
    player.plays += 1
    state.rows[seat].played[kind] += 1
    remove_card(player, kind)
    state.card = kind
    card = card_of(rules, seat, kind)
    for number in range(card.effects):
        do_effect(rules, lineup, state, seat, card.effect[number], trace)
    state.card = NOTHING
    put_away(state, seat, kind)
    log_move(trace, face_of(seat, kind), of(log.HAND, seat), log.DISCARD, log.PLAYED)


@apart
def play_cards(rules, lineup, state, seat, trace):
    """Let a seat play cards one by one until it passes or can play none."""
    while True:
        kinds = playable(rules, state, seat)
        if kinds == NONE:
            return
        kind = ask(rules, lineup, state, seat, PLAY, kinds | ONE << np.uint64(PASS))
        log_action(trace, seat, PLAY, state.window, NOTHING if kind == PASS else face_of(seat, kind), 0)
        if kind == PASS:
            return
        play(rules, lineup, state, seat, kind, trace)


@apart
def play_window(rules, lineup, state, trace):
    """Let the lord and the tenants, in order, play cards that they held when the window opened."""
    for seat in range(rules.players):
        player = state.players[seat]
        for kind in range(KINDS):
            player.opened[kind] = player.own[kind]
    if rules.window_order == 0:
        play_cards(rules, lineup, state, LORD, trace)
    for number in range(rules.players - 1):
        play_cards(rules, lineup, state, in_order(rules, state, number), trace)
    if rules.window_order:
        play_cards(rules, lineup, state, LORD, trace)


@kernel
def open_window(rules, lineup, state, window, trace):
    """Open a window if anybody holds a card for it."""
    state.window = window
    held = NONE
    for seat in range(rules.players):
        held |= allowed(rules, state, seat)
    if held != NONE:
        play_window(rules, lineup, state, trace)
    state.window = NOTHING
