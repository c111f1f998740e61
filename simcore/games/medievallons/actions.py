"""Médiévallons: what a seat does on its turn, and which cards that takes from its hand."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons import log
from simcore.games.medievallons.cards import (
    NONE,
    ONE,
    at_least,
    choose,
    count,
    discard,
    held,
    mark_table,
    one,
    remove,
    show_loss,
)
from simcore.games.medievallons.effects import activate
from simcore.games.medievallons.log import guild_of, hand_of, log_action, log_move
from simcore.games.medievallons.state import BY_GUILDS, FIT, JESTER, JESTERS, LAID, LAY, MEMBERS, PLAY, REINFORCE, USE
from simcore.kernel.compilation import apart, inlined, kernel


@inlined
def actions(rules, player):
    """The legal actions of a seat, as moves."""
    hand = player.hand
    types = held(hand)
    jesters = count(hand, JESTER)
    need = max(rules.guild_size - jesters, 1)
    lay = at_least(hand, need) & ~one(JESTER)
    lay |= one(JESTER) if jesters >= rules.guild_size else NONE
    legal = types | lay << ONE
    for place in range(player.guilds):
        kind = np.int64(player.guild[place].type)
        own = (types & (one(kind) | one(JESTER))) != NONE or (kind == JESTER and types != NONE)
        options = np.uint64(own) << np.uint64(REINFORCE) | np.uint64(kind != JESTER) << np.uint64(USE)
        legal |= options << np.uint64(4 * place)
    return legal


@inlined
def play_card(rules, lineup, state, seat, kind, trace):
    """Play a card: its power, then the discard pile."""
    state.rows[seat].played[kind] += 1
    log_action(trace, seat, PLAY, kind, 0, 1, 0)
    log_move(trace, kind, hand_of(seat), log.IN_PLAY | seat << 4, log.PLAYED)
    remove(state.players[seat], kind)
    show_loss(state, seat, kind, 1)
    state.in_play = one(kind)
    if kind != JESTER:
        activate(rules, lineup, state, seat, kind, trace)
    state.in_play = NONE
    if not state.over:
        discard(state, kind)
        log_move(trace, kind, log.IN_PLAY | seat << 4, log.DISCARD, log.DISCARDED)


@inlined
def ask_number(rules, lineup, state, seat, decision, least, most):
    """Let a seat choose a number of cards."""
    legal = ((ONE << np.uint64(most + 1)) - ONE) & ~((ONE << np.uint64(least)) - ONE)
    return choose(rules, lineup, state, seat, decision, legal)


@apart
def put_down(state, seat, place, kind, members, jesters, why, trace):
    """Move cards of a type, then Jesters, from a hand to a guild."""
    player = state.players[seat]
    guild = player.guild[place]
    if members > 0:
        player.hand -= np.uint64(members) << np.uint64(4 * kind)
        show_loss(state, seat, kind, members)
        guild.type = np.uint8(kind)
        guild.members += np.uint8(members)
    if jesters > 0:
        player.hand -= np.uint64(jesters) << np.uint64(4 * JESTER)
        show_loss(state, seat, JESTER, jesters)
        guild.jesters += np.uint8(jesters)
        state.rows[seat].jesters_laid += jesters
    player.cards -= members + jesters
    goal = guild_of(seat, guild.number)
    if trace.on:
        for _ in range(members):
            log_move(trace, kind, hand_of(seat), goal, why)
        for _ in range(jesters):
            log_move(trace, JESTER, hand_of(seat), goal, why)


@kernel
def lay(rules, lineup, state, seat, kind, trace):
    """Lay a guild; a player with enough guilds wins at once."""
    player = state.players[seat]
    state.kind = kind
    wild = count(player.hand, JESTER)
    members = np.int64(0)
    if kind != JESTER:
        own = count(player.hand, kind)
        members = ask_number(rules, lineup, state, seat, MEMBERS, max(rules.guild_size - wild, 1), own)
    jesters = ask_number(rules, lineup, state, seat, JESTERS, max(rules.guild_size - members, 0), wild)
    place = np.int64(player.guilds)
    guild = player.guild[place]
    if player.laid < LAID:
        state.rows[seat].laid[state.deal * LAID + player.laid] = kind + 1
    player.laid += 1
    state.laid += 1
    player.guilds += 1
    guild.type = np.uint8(JESTER)
    guild.members = np.uint8(0)
    guild.jesters = np.uint8(0)
    guild.number = np.uint8(state.laid)
    log_action(trace, seat, LAY, kind, np.int64(state.laid), members, jesters)
    put_down(state, seat, place, kind, members, jesters, log.LAID, trace)
    mark_table(state, seat)
    if player.guilds >= rules.guilds_to_win:
        state.over = BY_GUILDS
    elif kind != JESTER:
        activate(rules, lineup, state, seat, kind, trace)


@kernel
def reinforce(rules, lineup, state, seat, place, trace):
    """Add cards to one of the player's own guilds, and do its power."""
    player = state.players[seat]
    guild = player.guild[place]
    state.guild = place
    kind = np.int64(guild.type)
    fits = held(player.hand)
    if kind != JESTER:
        fits &= one(kind) | one(JESTER)
    kind = choose(rules, lineup, state, seat, FIT, fits) >> 2
    state.kind = kind
    members = np.int64(0)
    least = np.int64(1)
    if kind != JESTER:
        members = ask_number(rules, lineup, state, seat, MEMBERS, 1, count(player.hand, kind))
        least = np.int64(0)
    jesters = ask_number(rules, lineup, state, seat, JESTERS, least, count(player.hand, JESTER))
    after = kind if kind != JESTER else np.int64(guild.type)
    log_action(trace, seat, REINFORCE, after, np.int64(guild.number), members, jesters)
    put_down(state, seat, place, kind, members, jesters, log.ADDED, trace)
    if after != JESTER:
        activate(rules, lineup, state, seat, after, trace)


@inlined
def use(rules, lineup, state, seat, place, trace):
    """Do the power of one of the player's own guilds."""
    guild = state.players[seat].guild[place]
    kind = np.int64(guild.type)
    log_action(trace, seat, USE, kind, np.int64(guild.number), 0, 0)
    activate(rules, lineup, state, seat, kind, trace)


@kernel
def do_action(rules, lineup, state, seat, move, trace):
    """Do what a seat chose to do."""
    action = move & 3
    about = move >> 2
    state.action = action
    if action == PLAY:
        play_card(rules, lineup, state, seat, about, trace)
    elif action == LAY:
        lay(rules, lineup, state, seat, about, trace)
    elif action == REINFORCE:
        reinforce(rules, lineup, state, seat, about, trace)
    else:
        use(rules, lineup, state, seat, about, trace)
