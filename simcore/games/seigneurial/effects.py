"""Seigneurial: the effects of cards, what they need, where pawns stand, and when cards are played."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial import log
from simcore.games.seigneurial.cards import (
    NONE, ONE, ask, ask_and_tell, can_draw, cards_to_draw, clear_front, discard_from, draw, draw_lord_card,
    draw_tenant_card, drop_cards, face_of, faces, hand_over, in_order, is_short, new_objective, put_away, random_face,
    remove_card, rent_short, shift_move, shift_types, visit_church,
)  # fmt: skip
from simcore.games.seigneurial.log import of
from simcore.games.seigneurial.rent import give_favour
from simcore.games.seigneurial.state import (
    ACT, ADVANCE, BAR, BARTER, CARDS, CHANGE_RENT, CHOOSE, CHURCH, DRAW_MORE, DROP, FAVOUR, GAG, GAIN, HEAL, INSPECT,
    KINDS, LORD, LORD_CARDS, LORD_DROP, LOSE, MILL, NOTHING, OBJECTIVE, PART, PASS, PLACE, PLAY, RANDOM, REVEAL, SELF,
    SHELTER, SHIFT, SHIFT_POINTS, SICKEN, SQUARES, STOP, TAKE, TARGET, TENANT, THE_LORD, TRADE, TYPES, WAIVE, WARD,
    WHAT, YIELD,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from simcore.kernel.trace import tell


# --- What an effect needs, and at whom and what it can be aimed ---


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


# --- Pawns on squares, and what they do there ---


EACH_TYPE = np.uint64((1 << TYPES) - 1)
EACH_SQUARE = np.uint64((1 << SQUARES) - 1)
FROM_MILL = np.int64(99)
"""Value of `state.op`: the chosen type is that of a card drawn at the Mill."""

# --- positioning ---


@kernel
def place_pawns(rules, lineup, state, seat, trace):
    """Let a tenant place the healthy pawns; for pawns that are ill, one season of waiting is over."""
    player = state.players[seat]
    player.pawns = player.there = 0
    open_squares = EACH_SQUARE & ~np.uint64(player.barred)
    for pawn in range(rules.pawns):
        if player.ill[pawn] > 0:
            player.ill[pawn] -= 1
        elif open_squares != NONE:
            square = ask(rules, lineup, state, seat, PLACE, open_squares)
            open_squares &= ~(ONE << np.uint64(square))
            player.placed[player.pawns] = square
            player.pawns += 1
            player.there |= 1 << square
            state.rows[seat].squares[square] += 1
    if trace.on:
        log.log_squares(trace, seat, player)


# --- what a pawn does ---


@inlined
def land_cards(rules, player, land):
    """Cards that a pawn draws on a land."""
    cards = np.int64(rules.land_cards) + player.yields[land]
    if rules.improvement_needs_pawn and player.improved == land:
        cards += rules.improvement
    return min(max(cards, rules.yield_limits[0]), rules.yield_limits[1])


@apart
def grind(rules, lineup, state, seat, trace):
    """Discard a tenant's zeros, type by type, and let the tenant draw as many cards."""
    for kind in range(TYPES):
        zeros = clear_front(state, seat, kind, trace)
        if rules.mill_redraw == 0:
            if zeros > 0:
                draw(rules, state, seat, np.int64(kind), zeros, log.MILLED, trace)
        else:
            for _ in range(zeros):
                before, state.op = state.op, FROM_MILL
                chosen = ask(rules, lineup, state, seat, WHAT, EACH_TYPE)
                tell(trace, log.ACTION, seat, WHAT, chosen, 0)
                state.op = before
                draw(rules, state, seat, chosen, np.int64(1), log.MILLED, trace)


@kernel
def act(rules, lineup, state, seat, square, trace):
    """Carry out what one of a tenant's pawns does on a square."""
    player = state.players[seat]
    if is_barred(player, square):
        return
    if square == CHURCH:
        visit_church(rules, lineup, state, seat, trace)
    elif square == MILL:
        grind(rules, lineup, state, seat, trace)
    else:
        draw(rules, state, seat, square, land_cards(rules, player, square), log.HARVESTED, trace)


@kernel
def harvest(rules, lineup, state, trace):
    """Let all pawns act, tenant by tenant."""
    for number in range(rules.players - 1):
        seat = in_order(rules, state, number)
        player = state.players[seat]
        for pawn in range(player.pawns):
            act(rules, lineup, state, seat, np.int64(player.placed[pawn]), trace)
        if not rules.improvement_needs_pawn and player.improved != NOTHING:
            draw(rules, state, seat, np.int64(player.improved), np.int64(rules.improvement), log.HARVESTED, trace)


# --- The effects of cards ---


MAY_STOP = ONE << np.uint64(STOP)

# --- resource cards ---


@inlined
def part_with(rules, lineup, state, seat, legal, trace):
    """Let a tenant choose a resource card to give up; STOP for none."""
    face = ask(rules, lineup, state, seat, PART, legal)
    tell(trace, log.ACTION, seat, PART, NOTHING if face == STOP else face)
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
    tell(trace, log.ACTION, actor, SHIFT_POINTS, giver, taker, points)
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
        state.target = ask_and_tell(rules, lineup, state, actor, TARGET, seats, trace)
        seats = ONE << np.uint64(state.target)
    what = np.int64(effect.what)
    if what == CHOOSE:
        legal = NONE
        for seat in range(1, rules.players):
            if (seats >> np.uint64(seat)) & ONE != NONE:
                legal |= whats(rules, state, actor, np.int64(seat), effect)
        what = ask(rules, lineup, state, actor, WHAT, legal)
        tell(trace, log.ACTION, actor, WHAT, what, choices_of(op) > TYPES)
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


# --- The windows in which cards are played ---


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
    tell(trace, log.MOVE, face_of(seat, kind), of(log.HAND, seat), log.DISCARD, log.PLAYED)


@apart
def play_cards(rules, lineup, state, seat, trace):
    """Let a seat play cards one by one until it passes or can play none."""
    while True:
        kinds = playable(rules, state, seat)
        if kinds == NONE:
            return
        kind = ask(rules, lineup, state, seat, PLAY, kinds | ONE << np.uint64(PASS))
        tell(trace, log.ACTION, seat, PLAY, state.window, NOTHING if kind == PASS else face_of(seat, kind))
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
