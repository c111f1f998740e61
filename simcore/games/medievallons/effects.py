"""Médiévallons: the powers."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons import log
from simcore.games.medievallons.cards import (
    EACH, NONE, ONE, add, choose, count, discard, draw, fall_apart, guild_cards, hand_over, held, look_at_deck, one,
    remove, show_gain, show_loss, take_from_guild, take_top,
)  # fmt: skip
from simcore.games.medievallons.log import guild_of, hand_of, log_choice, log_move, log_power
from simcore.games.medievallons.state import (
    ARTISAN, ASSASSIN, BEGGAR, COPY, GIVE, GUILD, HIT, JESTER, KEEP, KNIGHT, MAGICIAN, MERCHANT, MONK, NAME, NOBLE,
    PRIEST, ROGUE, STAR, TAKE, TARGET, WITCH,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.streams import SHUFFLE, bounded

NOBODY = np.int64(-1)
FIRST_BEGGAR = np.int64(16)  # chance slots below are those of the decks


@inlined
def others(rules, seat):
    """All seats but one, as moves."""
    return ((ONE << np.uint64(rules.players)) - ONE) & ~(ONE << np.uint64(seat))


@inlined
def draw_some(rules, state, seat, number, why, trace):
    """Draw cards through the present power; stop if the deal ends."""
    for _ in range(number):
        kind = draw(rules, state, seat, why, trace)
        state.rows[seat].gained[state.power] += np.int64(kind >= 0)
        if state.over:
            break


@inlined
def draw_up(rules, state, seat, number, trace):
    """Draw until a hand has as many cards as it owes."""
    if state.players[seat].cards < number:
        draw_some(rules, state, seat, number - state.players[seat].cards, log.SHORT, trace)


@inlined
def ask_target(rules, lineup, state, seat, seats):
    """Let a seat choose another seat."""
    state.target = choose(rules, lineup, state, seat, TARGET, seats)
    return np.int64(state.target)


@inlined
def pass_card(state, giver, receiver, kind, trace):
    """Move a card from hand to hand through the present power, seen by those two seats."""
    hand_over(state, giver, receiver, kind)
    state.rows[giver].lost[state.power] += 1
    state.rows[receiver].gained[state.power] += 1
    log_move(trace, kind, hand_of(giver), hand_of(receiver), np.int64(state.power))


@inlined
def ask_gift(rules, lineup, state, seat, owed):
    """Let a seat choose a card to give."""
    state.owed = owed
    return choose(rules, lineup, state, seat, GIVE, held(state.players[seat].hand)) >> 2


@kernel
def artisan(state, seat, trace):
    """Take the top of the discard pile."""
    if state.discards > 0:
        state.discards -= 1
        kind = np.int64(state.pile[state.discards])
        add(state.players[seat], kind)
        show_gain(state, seat, kind)
        state.rows[seat].gained[ARTISAN] += 1
        log_move(trace, kind, log.DISCARD, hand_of(seat), ARTISAN)


@kernel
def attack(rules, lineup, state, seat, power, trace):
    """Take a card from a rival guild: Assassin to the discard pile, Rogue to the hand."""
    rivals = state.table & ~(np.uint64(0xFF) << np.uint64(8 * seat))
    if rivals == NONE:
        log_power(trace, seat, power, NOBODY, NOBODY, NOBODY)
        draw_some(rules, state, seat, 1, log.REPLACEMENT, trace)
        return
    chosen = choose(rules, lineup, state, seat, GUILD, rivals)
    target = chosen >> 3
    place = chosen & 7
    state.target = target
    state.guild = place
    guild = state.players[target].guild[place]
    inside = one(JESTER) if guild.jesters > 0 else NONE
    inside |= one(np.int64(guild.type)) if guild.members > 0 else NONE
    kind = choose(rules, lineup, state, seat, HIT, inside) >> 2
    log_power(trace, seat, power, target, np.int64(guild.number), kind)
    source = guild_of(target, guild.number)
    row = state.rows[target]
    row.lost[power] += 1
    row.attacked[1 if state.players[target].guilds > 1 else 0] += 1
    take_from_guild(state, target, place, kind)
    if power == ASSASSIN:
        discard(state, kind)
        log_move(trace, kind, source, log.DISCARD, power)
    else:
        add(state.players[seat], kind)
        show_gain(state, seat, kind)
        state.rows[seat].gained[power] += 1
        log_move(trace, kind, source, hand_of(seat), power)
    if guild_cards(guild) < rules.guild_size:
        fall_apart(state, target, place, trace)


@kernel
def knight(rules, lineup, state, seat, trace):
    """Name a player and a type; they give such a card if they hold one."""
    target = ask_target(rules, lineup, state, seat, others(rules, seat))
    kind = choose(rules, lineup, state, seat, NAME, EACH) >> 2
    log_power(trace, seat, KNIGHT, target, NOBODY, kind)
    victim = state.players[target]
    if count(victim.hand, kind) > 0:
        remove(victim, kind)
        show_loss(state, target, kind, 1)
        add(state.players[seat], kind)
        show_gain(state, seat, kind)
        state.rows[target].lost[KNIGHT] += 1
        state.rows[seat].gained[KNIGHT] += 1
        log_move(trace, kind, hand_of(target), hand_of(seat), KNIGHT)


@kernel
def star(rules, state, seat, trace):
    """Let everybody draw, beginning with the acting player."""
    log_power(trace, seat, STAR, NOBODY, NOBODY, NOBODY)
    drawer = seat
    for _ in range(rules.players):
        draw_some(rules, state, drawer, rules.star_draws, STAR, trace)
        if state.over:
            break
        drawer = drawer + 1 if drawer + 1 < rules.players else 0


@kernel
def magician(rules, lineup, state, seat, trace):
    """Draw some cards, keep one, discard the others in draw order."""
    log_power(trace, seat, MAGICIAN, NOBODY, NOBODY, NOBODY)
    drawn = NONE
    order = NONE
    for number in range(rules.magician_draws):
        kind = draw(rules, state, seat, MAGICIAN, trace)
        if kind >= 0:
            drawn += one(kind)
            order |= np.uint64(kind) << np.uint64(4 * number)
            state.rows[seat].gained[MAGICIAN] += 1
        if state.over:
            return
    state.drawn = drawn
    kept = choose(rules, lineup, state, seat, KEEP, held(drawn)) >> 2
    log_choice(trace, seat, log.KEPT, one(kept))
    waiting = True
    for number in range(rules.magician_draws):
        kind = np.int64((order >> np.uint64(4 * number)) & np.uint64(15))
        if waiting and kind == kept:
            waiting = False
        else:
            remove(state.players[seat], kind)
            discard(state, kind)
            state.rows[seat].lost[MAGICIAN] += 1
            log_move(trace, kind, hand_of(seat), log.DISCARD, MAGICIAN)


@kernel
def ask_offer(rules, lineup, state, seat, trace):
    """Let a seat choose the cards that it gives to its partner in the exchange; they leave its hand."""
    player = state.players[seat]
    for chosen in range(rules.merchant_cards):
        kind = ask_gift(rules, lineup, state, seat, rules.merchant_cards - chosen)
        remove(player, kind)
        player.offer += one(kind)
    log_choice(trace, seat, log.GIVEN, player.offer)


@kernel
def merchant(rules, lineup, state, seat, trace):
    """Exchange some cards with another player; each chooses what to give."""
    target = ask_target(rules, lineup, state, seat, others(rules, seat))
    log_power(trace, seat, MERCHANT, target, NOBODY, NOBODY)
    draw_up(rules, state, seat, rules.merchant_cards, trace)
    if state.over:
        return
    draw_up(rules, state, target, rules.merchant_cards, trace)
    if state.over:
        return
    ask_offer(rules, lineup, state, seat, trace)
    ask_offer(rules, lineup, state, target, trace)
    deliver(state, seat, target, trace)
    deliver(state, target, seat, trace)


@kernel
def deliver(state, giver, receiver, trace):
    """Hand over what a player has set aside."""
    offer = state.players[giver].offer
    state.players[giver].offer = NONE
    while offer != NONE:
        kind = lowest_bit(offer) >> 2
        offer -= one(kind)
        add(state.players[giver], kind)
        pass_card(state, giver, receiver, kind, trace)


@inlined
def richest(rules, state, seat):
    """The other seats with the largest hand, as moves; none if the player's own hand is larger than all."""
    most = np.int64(0)
    for other in range(rules.players):
        most = max(most, np.int64(state.players[other].cards)) if other != seat else most
    found = NONE
    for other in range(rules.players):
        found |= np.uint64((state.players[other].cards == most) & (other != seat)) << np.uint64(other)
    return found if state.players[seat].cards <= most else NONE


@kernel
def beggar(rules, lineup, state, seat, trace):
    """Take a random card from the largest other hand; a player whose own hand is the largest draws one."""
    seats = richest(rules, state, seat)
    if seats == NONE:
        log_power(trace, seat, BEGGAR, NOBODY, NOBODY, NOBODY)
        draw_some(rules, state, seat, 1, BEGGAR, trace)
        return
    target = ask_target(rules, lineup, state, seat, seats)
    log_power(trace, seat, BEGGAR, target, NOBODY, NOBODY)
    draw_up(rules, state, target, 1, trace)
    if state.over:
        return
    slot = FIRST_BEGGAR + (state.deal << 13) + state.turn
    left = bounded(state.rng, SHUFFLE, slot, np.int64(0), np.int64(state.players[target].cards))
    pass_card(state, target, seat, nth_card(state.players[target].hand, left), trace)


@inlined
def nth_card(counts, number):
    """The type of the n-th of some cards, counted from 0 in booklet order."""
    kind = np.int64(0)
    left = number - count(counts, kind)
    while left >= 0:
        kind += 1
        left -= count(counts, kind)
    return kind


@kernel
def noble(rules, lineup, state, seat, trace):
    """Let each of the next players give a card of their choice; for each missing player, draw a card."""
    log_power(trace, seat, NOBLE, NOBODY, NOBODY, NOBODY)
    giver = seat
    for number in range(rules.noble_givers):
        giver = giver + 1 if giver + 1 < rules.players else 0
        if number + 1 >= rules.players:
            draw_some(rules, state, seat, 1, NOBLE, trace)
        else:
            draw_up(rules, state, giver, 1, trace)
            if not state.over:
                kind = ask_gift(rules, lineup, state, giver, 1)
                log_choice(trace, giver, log.GIVEN, one(kind))
                pass_card(state, giver, seat, kind, trace)
        if state.over:
            return


@kernel
def priest(rules, lineup, state, seat, trace):
    """See a hand, take a card, give a card."""
    target = ask_target(rules, lineup, state, seat, others(rules, seat))
    log_power(trace, seat, PRIEST, target, NOBODY, NOBODY)
    draw_up(rules, state, target, 1, trace)
    if state.over:
        return
    victim = state.players[target]
    victim.known[seat] = victim.hand
    taken = choose(rules, lineup, state, seat, TAKE, held(victim.hand)) >> 2
    log_choice(trace, seat, log.TAKEN, one(taken))
    pass_card(state, target, seat, taken, trace)
    given = ask_gift(rules, lineup, state, seat, 1)
    log_choice(trace, seat, log.GIVEN, one(given))
    pass_card(state, seat, target, given, trace)


@kernel
def copied_power(rules, lineup, state, seat, trace):
    """The power that a Witch copies: that of a guild, or otherwise of the top card of the deck; -1 for none."""
    options = NONE
    places = state.table
    while places != NONE:
        place = lowest_bit(places)
        places &= places - ONE
        kind = state.players[place >> 3].guild[place & 7].type
        options |= np.uint64((kind != JESTER) & (kind != WITCH)) << np.uint64(place)
    if options != NONE:
        chosen = choose(rules, lineup, state, seat, COPY, options)
        guild = state.players[chosen >> 3].guild[chosen & 7]
        log_power(trace, seat, WITCH, NOBODY, np.int64(guild.number), NOBODY)
        return np.int64(guild.type)
    log_power(trace, seat, WITCH, NOBODY, NOBODY, NOBODY)
    kind = take_top(state, trace)
    if kind < 0:
        return NOBODY
    discard(state, kind)
    log_move(trace, kind, log.DECK, log.DISCARD, WITCH)
    look_at_deck(rules, state, trace)
    nothing = (kind == JESTER) | (kind == WITCH) | (state.over != 0)
    return NOBODY if nothing else kind


@apart
def activate(rules, lineup, state, seat, power, trace):
    """Do a power."""
    state.power = power
    if power == WITCH:
        power = copied_power(rules, lineup, state, seat, trace)
        if power < 0:
            return
        state.power = power
    if power == ARTISAN:
        log_power(trace, seat, power, NOBODY, NOBODY, NOBODY)
        artisan(state, seat, trace)
    elif (power == ASSASSIN) | (power == ROGUE):
        attack(rules, lineup, state, seat, power, trace)
    elif power == KNIGHT:
        knight(rules, lineup, state, seat, trace)
    elif power == STAR:
        star(rules, state, seat, trace)
    elif power == MAGICIAN:
        magician(rules, lineup, state, seat, trace)
    elif power == MERCHANT:
        merchant(rules, lineup, state, seat, trace)
    elif power == BEGGAR:
        beggar(rules, lineup, state, seat, trace)
    elif power == MONK:
        log_power(trace, seat, power, NOBODY, NOBODY, NOBODY)
        draw_some(rules, state, seat, rules.monk_draws, MONK, trace)
    elif power == NOBLE:
        noble(rules, lineup, state, seat, trace)
    elif power == PRIEST:
        priest(rules, lineup, state, seat, trace)
