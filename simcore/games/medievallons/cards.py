"""Médiévallons: cards by type, the deck, what the seats remember, and the powers.

If a move is a type, its bit is 4 * type, because hands count the cards of each type in four bits.
"""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons import log
from simcore.games.medievallons.log import guild_of, hand_of, log_choice
from simcore.games.medievallons.state import (
    ACTION, ARTISAN, ASSASSIN, BEGGAR, BY_DECK, COPY, GIVE, GUILD, HIT, JESTER, KEEP, KNIGHT, LAST_CARD, MAGICIAN,
    MERCHANT, MONK, NAME, NOBLE, PLAYERS, PRIEST, ROGUE, STAR, TAKE, TARGET, WITCH,
)  # fmt: skip
from simcore.kernel import decisions
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.streams import SHUFFLE, bounded, shuffle_block
from simcore.kernel.trace import tell


ONE = np.uint64(1)
NONE = np.uint64(0)
TURN_LIMIT = 2
EACH = np.uint64(0x1111111111111)
_BYTES, _TOPS = np.uint64(0x0F0F0F0F0F0F0F), np.uint64(0x80808080808080)
_FIRSTS = np.uint64(0x01010101010101)
_4, _7, _8, _16, _32 = map(np.uint64, (4, 7, 8, 16, 32))
_BYTE, _COUNT = np.uint64(0xFF), np.uint64(15)
MIXED = 16  # cards that one block of chance brings to their place
MANY = 8  # decisions of a turn that one block of chance serves; the next ones have blocks behind those of all rounds
LATE = 1 << 12

# --- counts by type ---


@inlined
def one(kind):
    """One card of a type, as counts."""
    return ONE << np.uint64(4 * kind)


@inlined
def count(counts, kind):
    """Cards of a type."""
    return np.int64((counts >> np.uint64(4 * kind)) & _COUNT)


@inlined
def held(counts):
    """Types with a card, as moves."""
    pairs = counts | counts >> ONE
    return (pairs | pairs >> np.uint64(2)) & EACH


@inlined
def at_least(counts, number):
    """Types with at least this number of cards (1 to 15), as moves."""
    more = _TOPS - np.uint64(number) * _FIRSTS
    even = ((counts & _BYTES) + more) & _TOPS
    odd = (((counts >> _4) & _BYTES) + more) & _TOPS
    return even >> _7 | (odd >> _7) << _4


@inlined
def total(counts):
    """Cards of all types."""
    sums = (counts & _BYTES) + ((counts >> _4) & _BYTES)
    sums += sums >> _32
    sums += sums >> _16
    return np.int64((sums + (sums >> _8)) & _BYTE)


# --- decisions ---


@inlined
def choose(rules, lineup, state, seat, decision, legal):
    """Ask a seat for a move; a single legal move is played without asking."""
    if legal & (legal - ONE) == NONE:
        return lowest_bit(legal)
    return ask(rules, lineup, state, np.int64(seat), decision, legal)


@inlined
def ask(rules, lineup, state, seat, decision, legal):
    """Ask a seat for a move, at the next address of its random numbers."""
    step = np.int64(state.step)
    slot = (state.deal << 16) + (state.round if step < MANY else LATE + state.turn * 4 + (step >> 3))
    state.step = step + (2 if decision == ACTION else 1)
    return decisions.choose(rules, lineup, state, seat, decision, legal, slot, step & (MANY - 1))


# --- the deck ---


@apart
def mix(state):
    """Bring the next cards of the deck to their final place."""
    slot = np.int64(state.deal * 2 + state.yellow)
    shuffle_block(state.rng, slot, state.deck, np.int64(state.size), np.int64(state.ready) >> 4)
    state.ready = min(state.ready + MIXED, state.size)


@apart
def log_deck(state, trace):
    """Record the order of a new deck."""
    while state.ready < state.size:
        mix(state)
    tell(trace, log.SHUFFLE, state.yellow, state.size)
    for place in range(state.size):
        tell(trace, state.deck[place])


@apart
def turn_end_card(state, trace):
    """Make a new deck from the discards when the deck is empty, once, or end the deal."""
    if state.yellow or state.discards < 2:
        state.over = BY_DECK
        return
    state.yellow = 1
    state.at = 0
    state.ready = 0
    state.size = state.discards - 1
    for place in range(state.size):
        state.deck[place] = state.pile[place]
    state.pile[0] = state.pile[state.size]
    state.discards = 1
    if trace.on:
        log_deck(state, trace)
    else:
        mix(state)


@inlined
def take_top(state, trace):
    """Take the top card of the deck and return its type; -1 if the deal is over."""
    if state.at == state.ready:
        if state.ready < state.size:
            mix(state)
        else:
            turn_end_card(state, trace)
            if state.over:
                return np.int64(-1)
    kind = np.int64(state.deck[state.at])
    state.at += 1
    return kind


@inlined
def look_at_deck(rules, state, trace):
    """Check whether the last card is gone, if that ends the deal at once."""
    if rules.deck_end == LAST_CARD and state.at == state.size:
        turn_end_card(state, trace)


@apart
def draw(rules, state, seat, why, trace):
    """Draw a card into a hand and return its type, or -1 if the deck ended the deal before."""
    kind = take_top(state, trace)
    if kind >= 0:
        player = state.players[seat]
        player.hand += one(kind)
        player.cards += 1
        tell(trace, log.MOVE, kind, log.DECK, hand_of(seat), why)
        look_at_deck(rules, state, trace)
    return kind


@inlined
def discard(state, kind):
    """Put a card on the discard pile."""
    state.pile[state.discards] = np.uint8(kind)
    state.discards += 1


# --- hands, and what others know of them ---


@inlined
def remove(player, kind):
    """Remove a card of a type from a hand."""
    player.hand -= one(kind)
    player.cards -= 1


@inlined
def add(player, kind):
    """Put a card of a type into a hand."""
    player.hand += one(kind)
    player.cards += 1


@inlined
def show_gain(state, seat, kind):
    """Record that everybody saw a card of a type come to a hand."""
    for observer in range(PLAYERS):
        state.players[seat].known[observer] += one(kind)


@inlined
def forget(known, kind):
    """What is known of a hand that an own eye saw a card leave."""
    return known - (one(kind) if count(known, kind) > 0 else NONE)


@inlined
def show_loss(state, seat, kind, number):
    """Record that everybody saw some cards of a type leave a hand."""
    shift = np.uint64(4 * kind)
    for observer in range(PLAYERS):
        known = state.players[seat].known[observer]
        seen = min((known >> shift) & _COUNT, np.uint64(number))
        state.players[seat].known[observer] = known - (seen << shift)


@inlined
def hide_loss(state, seat, other, kind):
    """Record that a card left a hand, seen only by its seat and one other; to the others, it may have been any card."""
    player = state.players[seat]
    kept = forget(player.known[other], kind)
    for observer in range(PLAYERS):
        known = player.known[observer]
        player.known[observer] = known - held(known)
    player.known[other] = kept


@inlined
def hand_over(state, giver, receiver, kind):
    """Move a card from hand to hand, seen by those two."""
    remove(state.players[giver], kind)
    hide_loss(state, giver, receiver, kind)
    add(state.players[receiver], kind)
    state.players[receiver].known[giver] += one(kind)


# --- guilds ---


@inlined
def guild_cards(guild):
    """Cards in a guild."""
    return np.int64(guild.members) + np.int64(guild.jesters)


@inlined
def mark_table(state, seat):
    """Record which places of a seat hold a guild."""
    shift = np.uint64(8 * seat)
    state.table &= ~(_BYTE << shift)
    state.table |= ((ONE << np.uint64(state.players[seat].guilds)) - ONE) << shift


@kernel
def take_from_guild(state, seat, place, kind):
    """Take a card out of a guild."""
    guild = state.players[seat].guild[place]
    if kind == JESTER:
        guild.jesters -= np.uint8(1)
    else:
        guild.members -= np.uint8(1)
        if guild.members == 0:
            guild.type = np.uint8(JESTER)


@apart
def fall_apart(state, seat, place, trace):
    """Return the remaining cards of a guild to its owner's hand, and close the gap."""
    player = state.players[seat]
    guild = player.guild[place]
    source = log.guild_of(seat, guild.number)
    for _ in range(guild.members):
        add(player, np.int64(guild.type))
        show_gain(state, seat, np.int64(guild.type))
        tell(trace, log.MOVE, guild.type, source, hand_of(seat), log.COLLAPSE)
    for _ in range(guild.jesters):
        add(player, JESTER)
        show_gain(state, seat, JESTER)
        tell(trace, log.MOVE, JESTER, source, hand_of(seat), log.COLLAPSE)
    player.guilds -= 1
    for later in range(place, player.guilds):
        player.guild[later] = player.guild[later + 1]
    mark_table(state, seat)
    state.rows[seat].collapses += 1


# --- The powers ---


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
    tell(trace, log.MOVE, kind, hand_of(giver), hand_of(receiver), state.power)


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
        tell(trace, log.MOVE, kind, log.DISCARD, hand_of(seat), ARTISAN)


@kernel
def attack(rules, lineup, state, seat, power, trace):
    """Take a card from a rival guild: Assassin to the discard pile, Rogue to the hand."""
    rivals = state.table & ~(np.uint64(0xFF) << np.uint64(8 * seat))
    if rivals == NONE:
        tell(trace, log.POWER, seat, power, NOBODY, NOBODY, NOBODY)
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
    tell(trace, log.POWER, seat, power, target, guild.number, kind)
    source = guild_of(target, guild.number)
    row = state.rows[target]
    row.lost[power] += 1
    row.attacked[1 if state.players[target].guilds > 1 else 0] += 1
    take_from_guild(state, target, place, kind)
    if power == ASSASSIN:
        discard(state, kind)
        tell(trace, log.MOVE, kind, source, log.DISCARD, power)
    else:
        add(state.players[seat], kind)
        show_gain(state, seat, kind)
        state.rows[seat].gained[power] += 1
        tell(trace, log.MOVE, kind, source, hand_of(seat), power)
    if guild_cards(guild) < rules.guild_size:
        fall_apart(state, target, place, trace)


@kernel
def knight(rules, lineup, state, seat, trace):
    """Name a player and a type; they give such a card if they hold one."""
    target = ask_target(rules, lineup, state, seat, others(rules, seat))
    kind = choose(rules, lineup, state, seat, NAME, EACH) >> 2
    tell(trace, log.POWER, seat, KNIGHT, target, NOBODY, kind)
    victim = state.players[target]
    if count(victim.hand, kind) > 0:
        remove(victim, kind)
        show_loss(state, target, kind, 1)
        add(state.players[seat], kind)
        show_gain(state, seat, kind)
        state.rows[target].lost[KNIGHT] += 1
        state.rows[seat].gained[KNIGHT] += 1
        tell(trace, log.MOVE, kind, hand_of(target), hand_of(seat), KNIGHT)


@kernel
def star(rules, state, seat, trace):
    """Let everybody draw, beginning with the acting player."""
    tell(trace, log.POWER, seat, STAR, NOBODY, NOBODY, NOBODY)
    drawer = seat
    for _ in range(rules.players):
        draw_some(rules, state, drawer, rules.star_draws, STAR, trace)
        if state.over:
            break
        drawer = drawer + 1 if drawer + 1 < rules.players else 0


@kernel
def magician(rules, lineup, state, seat, trace):
    """Draw some cards, keep one, discard the others in draw order."""
    tell(trace, log.POWER, seat, MAGICIAN, NOBODY, NOBODY, NOBODY)
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
            tell(trace, log.MOVE, kind, hand_of(seat), log.DISCARD, MAGICIAN)


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
    tell(trace, log.POWER, seat, MERCHANT, target, NOBODY, NOBODY)
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
        tell(trace, log.POWER, seat, BEGGAR, NOBODY, NOBODY, NOBODY)
        draw_some(rules, state, seat, 1, BEGGAR, trace)
        return
    target = ask_target(rules, lineup, state, seat, seats)
    tell(trace, log.POWER, seat, BEGGAR, target, NOBODY, NOBODY)
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
    tell(trace, log.POWER, seat, NOBLE, NOBODY, NOBODY, NOBODY)
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
    tell(trace, log.POWER, seat, PRIEST, target, NOBODY, NOBODY)
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
        tell(trace, log.POWER, seat, WITCH, NOBODY, guild.number, NOBODY)
        return np.int64(guild.type)
    tell(trace, log.POWER, seat, WITCH, NOBODY, NOBODY, NOBODY)
    kind = take_top(state, trace)
    if kind < 0:
        return NOBODY
    discard(state, kind)
    tell(trace, log.MOVE, kind, log.DECK, log.DISCARD, WITCH)
    look_at_deck(rules, state, trace)
    nothing = (kind == JESTER) | (kind == WITCH) | (state.over != 0)
    return NOBODY if nothing else kind


@apart
def activate(rules, lineup, state, seat, power, trace):
    """Do a power."""
    state.power = power
    if rules.idle & one(power):
        return
    if power == WITCH:
        power = copied_power(rules, lineup, state, seat, trace)
        if power < 0 or (rules.blank | rules.idle) & one(power):
            return
        state.power = power
    if power == ARTISAN:
        tell(trace, log.POWER, seat, power, NOBODY, NOBODY, NOBODY)
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
        tell(trace, log.POWER, seat, power, NOBODY, NOBODY, NOBODY)
        draw_some(rules, state, seat, rules.monk_draws, MONK, trace)
    elif power == NOBLE:
        noble(rules, lineup, state, seat, trace)
    elif power == PRIEST:
        priest(rules, lineup, state, seat, trace)
