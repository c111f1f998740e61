"""What a recorded deal writes, with one kernel for each kind of event; `records.py` reads it back."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.model import TYPE_NAMES
from simcore.kernel.compilation import apart, inlined
from simcore.kernel.trace import put

SHUFFLE, MOVE, DID, POWER, CHOICE, TURN_END, END = map(np.int64, range(7))
DEAL = np.int64(-2)
"""Begins the words of a deal; no other word is below -1."""

# Places of a card: a zone, in the lowest four bits; above them the seat, above it the number of the guild.
DECK, DISCARD, HAND, TABLE, IN_PLAY = map(np.int64, range(5))
ZONES = ("deck", "discard", "hand", "guild", "play")

# Why a card moves, beside the power (0..12) that moves it.
(DEALT, SET_UP, PLAYED, LAID, ADDED, DISCARDED, DRAWN, PASSED, SHORT, REPLACEMENT, COLLAPSE) = map(
    np.int64, range(13, 24)
)
WHY = (
    *TYPE_NAMES, "deal", "setup", "play", "lay", "reinforce", "discard", "draw", "pass", "short", "replacement",
    "collapse",
)  # fmt: skip

KEPT, TAKEN, GIVEN = map(np.int64, range(3))
CHOICES = ("keep", "take", "give")


@inlined
def hand_of(seat):
    return HAND | seat << 4


@inlined
def guild_of(seat, number):
    return TABLE | seat << 4 | np.int64(number) << 8


@inlined
def log_move(trace, kind, source, goal, why):
    """Log that a card of a type moves from one place to another."""
    if trace.on:
        put_move(trace, kind, source, goal, why)


@apart
def put_move(trace, kind, source, goal, why):
    put(trace, MOVE)
    put(trace, kind)
    put(trace, source)
    put(trace, goal)
    put(trace, why)


@inlined
def log_action(trace, seat, action, kind, guild, members, jesters):
    """Log an action: the type, the guild's number (0 for none), and the cards and Jesters that leave the hand."""
    if trace.on:
        put_action(trace, seat, action, kind, np.int64(guild), np.int64(members), np.int64(jesters))


@apart
def put_action(trace, seat, action, kind, guild, members, jesters):
    put(trace, DID)
    put(trace, seat)
    put(trace, action)
    put(trace, kind)
    put(trace, guild)
    put(trace, members)
    put(trace, jesters)


@inlined
def log_power(trace, seat, power, target, guild, kind):
    """Log that a power begins; -1 means that it has no such value."""
    if trace.on:
        put_power(trace, seat, power, target, guild, kind)


@apart
def put_power(trace, seat, power, target, guild, kind):
    put(trace, POWER)
    put(trace, seat)
    put(trace, power)
    put(trace, target)
    put(trace, guild)
    put(trace, kind)


@inlined
def log_choice(trace, seat, choice, counts):
    """Log a choice inside a power: cards by type, four bits each."""
    if trace.on:
        put_choice(trace, seat, choice, counts)


@apart
def put_choice(trace, seat, choice, counts):
    put(trace, CHOICE)
    put(trace, seat)
    put(trace, choice)
    for kind in range(13):
        put(trace, np.int64((counts >> np.uint64(4 * kind)) & np.uint64(15)))
