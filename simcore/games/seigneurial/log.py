"""What a recorded game writes, with one kernel for each kind of event; `records.py` reads it back."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.state import PLACE, PLAYERS, TYPES, VALUES
from simcore.games.seigneurial.vocabulary import TYPE_NAMES
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.trace import put

(
    SHUFFLED, SEASON_BEGINS, MOVE, ACTION, EFFECT, ILL, FAVOUR_GIVEN, DRAWN, ADVANCED, SEASON_ENDS, END,
) = map(np.int64, range(11))  # fmt: skip

# Cards: faces of resource cards as they stand; kinds of the other tables above one of these.
TENANT_CARD, LORD_CARD, GOAL_CARD = map(np.int64, (100, 200, 300))

# Places: a zone, in the lowest four bits; above them the seat.
DECK, DISCARD, TABLE, HAND, FRONT, SIGHT = map(np.int64, range(6))
ZONES = ("deck", "discard", "table", "hand", "front", "seen")
SEATED = ZONES[3:]
"""Zones that each seat has for itself."""

# Why a card moves.
(DEAL, YEAR, HARVESTED, MILLED, CHURCHED, FAVOURED, UNPAID, BY_CARD, LIMIT, PLAYED, WINTERED, LAID, TAKEN, RENTED) = (
    map(np.int64, range(14))
)
WHY = (
    "deal", "year", "harvest", "mill", "church", "favour", "unpaid", "card", "limit", "played", "winter", "lay", "draw",
    "rent",
)  # fmt: skip

# Piles, after those of the types.
TENANT_PILE, LORD_PILE, GOAL_PILE = map(np.int64, range(TYPES, TYPES + 3))
PILES = (*TYPE_NAMES, "tenant", "lord", "objective")


@inlined
def of(zone, seat):
    """Return the code of a place in front of a seat, or in its hand."""
    return zone | np.int64(seat) << 4


@inlined
def log_move(trace, card, source, goal, why):
    """Log that a card moves from one place to another."""
    if trace.on:
        put_move(trace, card, source, goal, why)


@apart
def put_move(trace, card, source, goal, why):
    put(trace, MOVE)
    put(trace, card)
    put(trace, source)
    put(trace, goal)
    put(trace, why)


@inlined
def log_action(trace, seat, decision, first, second, third):
    """Log a seat's decision, with up to three values."""
    if trace.on:
        put_action(trace, seat, decision, np.int64(first), np.int64(second), np.int64(third))


@apart
def put_action(trace, seat, decision, first, second, third):
    put(trace, ACTION)
    put(trace, seat)
    put(trace, decision)
    put(trace, first)
    put(trace, second)
    put(trace, third)


@inlined
def log_fact(trace, code, seat, first, second):
    """Log an event of a seat with two values: an illness, favour, or a card that the lord drew."""
    if trace.on:
        put_fact(trace, code, np.int64(seat), np.int64(first), np.int64(second))


@apart
def put_fact(trace, code, seat, first, second):
    put(trace, code)
    put(trace, seat)
    put(trace, first)
    put(trace, second)


@apart
def log_squares(trace, seat, player):
    """Log the squares on which a tenant placed pawns, in this order."""
    squares = np.int64(0)
    for number in range(player.pawns):
        squares |= np.int64(player.placed[number]) << 3 * number
    log_action(trace, seat, PLACE, player.pawns, squares, 0)


@apart
def log_effect(rules, state, trace, effect, seats, what):
    """Log an effect on some seats, in order."""
    put(trace, EFFECT)
    put(trace, effect.op)
    tenants = np.int64(rules.players) - 1
    for number in range(PLAYERS):
        seat = 1 + (state.first - 1 + number) % tenants if number < tenants else np.int64(0)
        is_hit = number <= tenants and (seats >> np.uint64(seat)) & np.uint64(1) != np.uint64(0)
        put(trace, seat if is_hit else np.int64(-1))
    put(trace, what)
    put(trace, effect.n)


@apart
def log_resources(trace, piles, kind):
    """Log the cards of a type that are shuffled into its pile."""
    put(trace, SHUFFLED)
    put(trace, kind)
    for value in range(VALUES):
        put(trace, piles.of[VALUES * kind + value])


@apart
def log_ring(trace, pile, ring):
    """Log a shuffled pile, top card first."""
    put(trace, SHUFFLED)
    put(trace, pile)
    put(trace, ring.left)
    for number in range(ring.left):
        put(trace, ring.order[(ring.head + number) % ring.order.shape[0]])


@apart
def log_stock(trace, stock):
    """Log the lord's pile in the order of the table."""
    put(trace, SHUFFLED)
    put(trace, LORD_PILE)
    put(trace, stock.left)
    for kind in range(stock.order.shape[0]):
        for _ in range(stock.order[kind]):
            put(trace, kind)


@apart
def log_season_end(rules, state, trace):
    """Log the checksums of a season."""
    put(trace, SEASON_ENDS)
    put(trace, state.square)
    for seat in range(rules.players):
        player = state.players[seat]
        put(trace, player.points[0] + player.points[1] + player.points[2])
        put(trace, player.resources)
        put(trace, player.favour)
        put(trace, player.cards)
