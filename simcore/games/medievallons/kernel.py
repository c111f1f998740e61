"""Médiévallons: what a seat does on its turn, turns, deals and matches."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons import log
from simcore.games.medievallons.cards import (
    NONE, ONE, TURN_LIMIT, activate, at_least, choose, count, discard, draw, guild_cards, held, log_deck, mark_table,
    mix, one, remove, show_loss,
)  # fmt: skip
from simcore.games.medievallons.log import guild_of, hand_of
from simcore.games.medievallons.state import (
    ACTED, ACTION, ACTIONS, BY_GUILDS, BY_LIMIT, DEAL, DEALS, FIT, JESTER, JESTERS, LAID, LAY, MEMBERS, PASS, PHASE_OF,
    PLAY, REINFORCE, STANDING, USE,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.ranking import rank_and_share
from simcore.kernel.trace import NO_SEAT, has_room, note, tell


# --- What a seat does on its turn, and which cards that takes from its hand ---


@inlined
def actions(rules, player):
    """The legal actions of a seat, as moves."""
    hand = player.hand
    types = held(hand) & ~rules.blank
    jesters = wild(rules, hand)
    need = max(rules.guild_size - jesters, 1)
    lay = at_least(hand, need) & ~one(JESTER) & ~rules.blank
    lay |= one(JESTER) if jesters >= rules.guild_size else NONE
    legal = types | lay << ONE
    for place in range(player.guilds):
        kind = np.int64(player.guild[place].type)
        own = (types & (one(kind) | one(JESTER))) != NONE or (kind == JESTER and types != NONE)
        options = np.uint64(own) << np.uint64(REINFORCE) | np.uint64(kind != JESTER) << np.uint64(USE)
        legal |= options << np.uint64(4 * place)
    return legal


@inlined
def wild(rules, hand):
    """The number of Jesters in a hand that may stand for other cards: none if they are blank."""
    return np.int64(0) if rules.blank & one(JESTER) else count(hand, JESTER)


@inlined
def play_card(rules, lineup, state, seat, kind, trace):
    """Play a card: its power, then the discard pile."""
    state.rows[seat].played[kind] += 1
    tell(trace, log.DID, seat, PLAY, kind, 0, 1, 0)
    tell(trace, log.MOVE, kind, hand_of(seat), log.IN_PLAY | seat << 4, log.PLAYED)
    remove(state.players[seat], kind)
    show_loss(state, seat, kind, 1)
    state.in_play = one(kind)
    if kind != JESTER:
        activate(rules, lineup, state, seat, kind, trace)
    state.in_play = NONE
    if not state.over:
        discard(state, kind)
        tell(trace, log.MOVE, kind, log.IN_PLAY | seat << 4, log.DISCARD, log.DISCARDED)


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
            tell(trace, log.MOVE, kind, hand_of(seat), goal, why)
        for _ in range(jesters):
            tell(trace, log.MOVE, JESTER, hand_of(seat), goal, why)


@kernel
def lay(rules, lineup, state, seat, kind, trace):
    """Lay a guild; a player with enough guilds wins at once."""
    player = state.players[seat]
    state.kind = kind
    jokers = wild(rules, player.hand)
    members = np.int64(0)
    if kind != JESTER:
        own = count(player.hand, kind)
        members = ask_number(rules, lineup, state, seat, MEMBERS, max(rules.guild_size - jokers, 1), own)
    jesters = ask_number(rules, lineup, state, seat, JESTERS, max(rules.guild_size - members, 0), jokers)
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
    tell(trace, log.DID, seat, LAY, kind, state.laid, members, jesters)
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
    fits = held(player.hand) & ~rules.blank
    if kind != JESTER:
        fits &= one(kind) | one(JESTER)
    kind = choose(rules, lineup, state, seat, FIT, fits) >> 2
    state.kind = kind
    members = np.int64(0)
    least = np.int64(1)
    if kind != JESTER:
        members = ask_number(rules, lineup, state, seat, MEMBERS, 1, count(player.hand, kind))
        least = np.int64(0)
    jesters = ask_number(rules, lineup, state, seat, JESTERS, least, wild(rules, player.hand))
    after = kind if kind != JESTER else np.int64(guild.type)
    tell(trace, log.DID, seat, REINFORCE, after, guild.number, members, jesters)
    put_down(state, seat, place, kind, members, jesters, log.ADDED, trace)
    if after != JESTER:
        activate(rules, lineup, state, seat, after, trace)


@inlined
def use(rules, lineup, state, seat, place, trace):
    """Do the power of one of the player's own guilds."""
    guild = state.players[seat].guild[place]
    kind = np.int64(guild.type)
    tell(trace, log.DID, seat, USE, kind, guild.number, 0, 0)
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


# --- Turns, deals and matches ---


LAST_PHASE = np.int64(len(PHASE_OF) - 1)
NO_TYPE = np.int64(-1)

# --- set-up ---


@apart
def set_up(rules, state, trace):
    """Shuffle, deal the hands, begin the discard pile."""
    state.turn = 0
    state.seat = 0
    state.round = 0
    state.over = 0
    state.power = -1
    state.laid = 0
    state.table = NONE
    state.in_play = NONE
    state.yellow = 1 - rules.red
    state.at = 0
    state.ready = 0
    state.size = rules.cards
    for place in range(rules.cards):
        state.deck[place] = rules.deck[place]
    dealt = rules.hand_size * rules.players
    if trace.on:
        log_deck(state, trace)
    while state.ready <= dealt:
        mix(state)
    for seat in range(rules.players):
        state.players[seat] = state.no_player
        player = state.players[seat]
        hand = NONE
        for number in range(rules.hand_size):
            hand += one(np.int64(state.deck[number * rules.players + seat]))
        player.hand = hand
        player.cards = rules.hand_size
        state.rows[seat].jesters_dealt[state.deal] = count(hand, JESTER)
    if trace.on:
        for place in range(dealt):
            tell(trace, log.MOVE, state.deck[place], log.DECK, hand_of(place % rules.players), log.DEALT)
        tell(trace, log.MOVE, state.deck[dealt], log.DECK, log.DISCARD, log.SET_UP)
    state.pile[0] = state.deck[dealt]
    state.discards = 1
    state.at = dealt + 1


# --- turns ---


@inlined
def act(rules, lineup, state, seat, trace):
    """Let a seat act; return how many cards it draws afterwards, and why."""
    legal = actions(rules, state.players[seat])
    if legal == NONE:
        state.action = PASS
        tell(trace, log.DID, seat, PASS, NO_TYPE, 0, 0, 0)
        return np.int64(rules.pass_draws), log.PASSED
    do_action(rules, lineup, state, seat, choose(rules, lineup, state, seat, ACTION, legal), trace)
    return np.int64(rules.turn_draws), log.DRAWN


@inlined
def take_turn(rules, lineup, state, trace):
    """Play the turn of the seat whose turn it is."""
    has_room(trace)
    seat = np.int64(state.seat)
    player = state.players[seat]
    row = state.rows[seat]
    state.turn += 1
    state.step = 0
    row.hands[phase_of(state)] += player.cards
    row.exposed[0] += np.int64(player.guilds == 1)
    row.exposed[1] += np.int64(player.guilds > 1)
    draws, why = act(rules, lineup, state, seat, trace)
    end_turn(rules, state, seat, draws, why, trace)


@inlined
def phase_of(state):
    """The phase of the turn."""
    return PHASE_OF[min(np.int64(state.round), LAST_PHASE)]


@inlined
def end_turn(rules, state, seat, draws, why, trace):
    """Complete a turn after its action: draw, and go on to the next seat."""
    state.rows[seat].actions[phase_of(state) * ACTIONS + state.action] += 1
    note(trace, state.turn, player_in(state, seat), ACTED, state.action, 0, 0)
    state.power = -1
    for _ in range(draws):
        if state.over:
            return
        draw(rules, state, seat, why, trace)
    if state.over:
        return
    if trace.on:
        log_turn(rules, state, trace)
    if seat + 1 < rules.players:
        state.seat = seat + 1
    else:
        state.seat = 0
        state.round += 1
        if trace.noting:
            note_standing(rules, state, trace)


@inlined
def player_in(state, seat):
    """The seat whose row belongs to a player: in the second deal of a match, the two players have changed seats."""
    return seat ^ (np.int64(state.deal) & 1)


@apart
def note_standing(rules, state, trace):
    """Record what every player has."""
    for seat in range(rules.players):
        player = state.players[seat]
        note(
            trace, state.turn, player_in(state, np.int64(seat)), STANDING, player.guilds, members(player), player.cards
        )


@inlined
def members(player):
    """The number of cards in all guilds of a player."""
    found = np.int64(0)
    for place in range(player.guilds):
        found += guild_cards(player.guild[place])
    return found


@apart
def log_turn(rules, state, trace):
    """Record the checksum of a turn."""
    tell(trace, log.TURN_END, state.seat, state.size - state.at, state.discards)
    for seat in range(rules.players):
        player = state.players[seat]
        tell(trace, player.guilds, members(player), player.cards)


@apart
def settle_deal(rules, state, trace):
    """Rank the seats by guilds, cards in them and cards in hand, and share the win of the deal."""
    tell(trace, log.END, state.over)
    for seat in range(rules.players):
        player = state.players[seat]
        row = state.rows[seat]
        row.guilds = player.guilds
        row.members = members(player)
        row.hand = player.cards
    if trace.noting:
        note_standing(rules, state, trace)
    rank_and_share(state, rules.players, ahead)
    for seat in range(rules.players):
        row = state.rows[seat]
        row.won60[state.deal] = row.share60
        row.ending[state.deal] = state.over
        row.turns[state.deal] = state.turn
        row.deals += 1
        tell(trace, row.guilds, row.members, row.hand, row.place, row.share60)


@kernel
def ahead(state, seat, other):
    """Whether a seat ranks better than another."""
    return rank(state.rows[seat]) > rank(state.rows[other])


@inlined
def rank(row):
    """The rank of a seat as a number: by guilds, then the cards in them, then the cards in hand."""
    return np.int64(row.guilds) << 32 | np.int64(row.members) << 16 | np.int64(row.hand)


# --- deals and matches ---


@inlined
def won(row):
    """The sixtieths won in all deals so far."""
    found = np.int64(0)
    for deal in range(DEALS):
        found += row.won60[deal]
    return found


@apart
def change_places(lineup, state):
    """Let two players change seats, so that the other one starts."""
    entry = lineup.seated[0]
    lineup.seated[0] = lineup.seated[1]
    lineup.seated[1] = entry
    state.spare = state.rows[0]
    state.rows[0] = state.rows[1]
    state.rows[1] = state.spare


@apart
def log_deal(rules, state, game, trace):
    """Record which deal of which game begins, and what the players have won in it so far."""
    first = state.deal & 1
    tell(trace, log.DEAL, game & 0x7FFF, game >> 15, state.deal, won(state.rows[first]), won(state.rows[1 - first]))


@kernel
def start(rules, lineup, state, trace):
    """Set up the only deal, or the first deal of a match."""
    for seat in range(rules.players):
        state.rows[seat] = state.no_row
    begin_deal(rules, lineup, state, np.int64(0), trace)


@apart
def begin_deal(rules, lineup, state, deal, trace):
    """Set up a deal; after each deal, the players of a match change seats."""
    state.deal = deal
    if deal > 0:
        change_places(lineup, state)
    if trace.on:
        log_deal(rules, state, lineup.game, trace)
    set_up(rules, state, trace)
    note(trace, 0, NO_SEAT, DEAL, deal, 0, 0)


@kernel
def step(rules, lineup, state, trace):
    """Play one turn; at the end of a deal, rank the seats and begin the next deal if the match is undecided."""
    if state.over:
        begin_deal(rules, lineup, state, np.int64(state.deal) + 1, trace)
    if state.turn >= rules.max_turns:
        state.over = BY_LIMIT
        state.fault = TURN_LIMIT
    else:
        take_turn(rules, lineup, state, trace)
    if not state.over:
        return True
    settle_deal(rules, state, trace)
    decided = 2 * max(won(state.rows[0]), won(state.rows[1])) > 60 * rules.deals
    return not decided and state.deal + 1 < rules.deals


@kernel
def settle(rules, lineup, state, trace):
    """Fill in the result of the game: that of the deal, or who won more of a match."""
    if rules.deals == 1:
        for seat in range(rules.players):
            row = state.rows[seat]
            row.share60 = row.won60[0]
            row.points = row.guilds
        return
    if state.deal & 1:
        change_places(lineup, state)
    lead = won(state.rows[0]) - won(state.rows[1])
    for player in range(2):
        row = state.rows[player]
        ahead_by = lead if player == 0 else -lead
        row.place = 2 if ahead_by < 0 else 1
        row.share60 = 60 if ahead_by > 0 else 30 if ahead_by == 0 else 0
        row.points = won(row) // 30
