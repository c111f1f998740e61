"""Médiévallons: what a seat sees at a safe point, in whole numbers."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.cards import at_least, count, guild_cards, one
from simcore.games.medievallons.kernel import members
from simcore.games.medievallons.model import TYPE_NAMES
from simcore.games.medievallons.state import JESTER, TYPES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import popcount
from simcore.kernel.looking import Look

GUILD_LEAD, MEMBER_LEAD = 8, 2
"""Points of a guild, and of a card in a guild; a card in hand counts as one point."""

OF_TABLE = ["cards left in the deck", "this is the last deck", "discards"]
OF_PLAYER = [
    "standing",
    "guilds",
    "members",
    "cards",
    "guilds that cannot lose a card",
    "Jesters in guilds",
    "turns until the next one",
    "types ready for a guild",
    "types that lack one card",
    "can lay a guild",
    "lacks one guild",
    "lacks one guild and can lay it",
]
OF_PLAYER += [f"{name} in hand" for name in TYPE_NAMES]
HAND = np.int64(OF_PLAYER.index("artisan in hand"))


@inlined
def standing(state, seat):
    """Points for what a seat holds."""
    player = state.players[seat]
    return GUILD_LEAD * player.guilds + MEMBER_LEAD * members(player) + player.cards


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table; a deck that is made again counts as time that is left."""
    out[0] = state.size - state.at + (0 if state.yellow else state.discards)
    out[1] = state.yellow
    out[2] = state.discards


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a player: its own hand, or the cards that the seat knows to be in another one."""
    player = state.players[other]
    hand = player.hand if other == seat else player.known[seat]
    jesters = count(hand, JESTER)
    fragile = np.int64(0)
    held = np.int64(0)
    for place in range(player.guilds):
        fragile += np.int64(guild_cards(player.guild[place]) <= rules.guild_size)
        held += player.guild[place].jesters
    ready = popcount(at_least(hand, rules.guild_size) & ~one(JESTER))
    nearly = popcount(at_least(hand, max(rules.guild_size - 1, 1)) & ~one(JESTER)) - ready
    lays = np.int64(ready > 0 or (nearly > 0 and jesters > 0))
    last = np.int64(rules.guilds_to_win - player.guilds <= 1)
    out[at] = standing(state, other)
    out[at + 1] = player.guilds
    out[at + 2] = members(player)
    out[at + 3] = player.cards
    out[at + 4] = fragile
    out[at + 5] = held
    out[at + 6] = (other - state.seat + rules.players) % rules.players
    out[at + 7] = ready
    out[at + 8] = nearly
    out[at + 9] = lays
    out[at + 10] = last
    out[at + 11] = last * lays
    for kind in range(TYPES):
        out[at + HAND + kind] = count(hand, kind)


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))
