"""Médiévallons: what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.game import Search
from simcore.games.medievallons import log
from simcore.games.medievallons.actions import do_action
from simcore.games.medievallons.cards import NONE, ONE, count, guild_cards, one, total
from simcore.games.medievallons.kernel import end_turn, settle_deal, take_turn
from simcore.games.medievallons.state import ACTION, JESTER, TYPES
from simcore.jit import inlined, kernel
from simcore.streams import shuffle

GUILD_LEAD, MEMBER_LEAD = 8, 2
"""Points that a guild, and a card in one, count beside a card in hand."""


@kernel
def resumable(state):
    """What to do with the turn; not what is asked while that is done."""
    return state.decision == ACTION


@inlined
def unseen_cards(rules, state, seat):
    """Cards by type that a seat sees nowhere and knows in no hand."""
    unseen = rules.copies - state.players[seat].hand
    for place in range(state.discards):
        unseen -= one(np.int64(state.pile[place]))
    for other in range(rules.players):
        player = state.players[other]
        unseen -= player.known[seat] if other != seat else NONE
        for place in range(player.guilds):
            guild = player.guild[place]
            unseen -= np.uint64(guild.members) << np.uint64(4 * np.int64(guild.type))
            unseen -= np.uint64(guild.jesters) << np.uint64(4 * JESTER)
    return unseen


@kernel
def redraw(rules, state, seat):
    """Shuffle what the seat does not see, and give the others what they hold of it; the rest is the deck."""
    unseen = unseen_cards(rules, state, seat)
    size = 0
    for kind in range(TYPES):
        for _ in range(count(unseen, kind)):
            state.deck[size] = np.uint8(kind)
            size += 1
    shuffle(state.rng, np.int64(state.deal * 2 + state.yellow), state.deck, size, size)
    at = 0
    for other in range(rules.players):
        player = state.players[other]
        if other != seat:
            known = player.known[seat]
            player.hand = known
            for _ in range(player.cards - total(known)):
                player.hand += ONE << np.uint64(4 * np.int64(state.deck[at]))
                at += 1
            for observer in range(rules.players):
                player.known[observer] = known
    state.at = at
    state.ready = size
    state.size = size


@kernel
def resume(rules, lineup, state, seat, move, rounds, trace):
    """Play on from an action, with `move` as the answer, for some rounds more, and rank the seats."""
    last = state.round + 1 + rounds
    do_action(rules, lineup, state, np.int64(seat), np.int64(move), trace)
    end_turn(rules, state, np.int64(seat), np.int64(rules.turn_draws), log.DRAWN, trace)
    while not state.over and state.round < last:
        take_turn(rules, lineup, state, trace)
    settle_deal(rules, state, trace)


@inlined
def standing(state, seat):
    """Points for what a seat holds."""
    player = state.players[seat]
    members = np.int64(0)
    for place in range(player.guilds):
        members += guild_cards(player.guild[place])
    return GUILD_LEAD * player.guilds + MEMBER_LEAD * members + player.cards


@kernel
def judge(rules, state, seat):
    """The win share of a seat in the deal, and its lead in points."""
    best = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            best = max(best, standing(state, other))
    return np.int64(state.rows[seat].won60[state.deal]), standing(state, seat) - best


SEARCH = Search(resumable=resumable, redraw=redraw, resume=resume, judge=judge)
