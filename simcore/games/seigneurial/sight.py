"""Seigneurial: what a seat sees at a safe point, in whole numbers; points are given in tenths."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.state import LORD, NOTHING, TYPES, VALUES
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.looking import Look

TENTHS = np.int64(10)
NEAR, CLOSE, WITHIN = 3, 6, 10

OF_TABLE = [
    "squares left",
    "squares left, squared",
    "one over squares left",
    "the next rent wins",
    "season",
    "step",
    "quarter",
    "the lord's cards",
    "half of the track is done",
    "rent asked for",
    "rent still missing",
    "rent obtained",
    "cards laid",
    "seats after the first tenant",
]
OF_PLAYER = [
    "points missing, negative",
    "one over points missing",
    "few points missing",
    "some points missing",
    "many points missing",
    "largest gap",
    "points",
    "points beyond the Objective",
    "resource cards",
    "points of wood",
    "points of fish",
    "points of grain",
    "zeros",
    "ill pawns",
    "favour",
    "cards",
    "an improved land",
    "the Objective is public",
]
OF_TYPE = np.int64(OF_PLAYER.index("points of wood"))


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the track, the season and the rent."""
    left = np.int64(rules.end - state.square)
    got = np.int64(state.got[0] + state.got[1] + state.got[2])
    out[0] = left
    out[1] = left * left
    out[2] = 1000 // (1 + left)
    out[3] = np.int64(left <= rules.step)
    out[4] = state.season
    out[5] = state.phase
    out[6] = state.quarter
    out[7] = state.players[LORD].cards
    out[8] = state.halfway
    out[9] = state.rent if state.phase > 0 else 0
    out[10] = max(np.int64(state.rent) - got, 0) if state.phase > 0 else 0
    out[11] = state.obtained if state.phase > 0 else 0
    out[12] = state.lays if state.phase > 0 else 0
    out[13] = (seat - state.first + rules.players) % rules.players if seat != LORD else 0


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a tenant; other hands and Objectives as far as everybody can guess them."""
    player = state.players[other]
    lacking, most, points, beyond = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for kind in range(TYPES):
        there, goal = np.int64(0), np.int64(0)
        if other != LORD:
            there = TENTHS * player.points[kind] if other == seat else guessed(rules, player, kind)
            goal = wanted(rules, player, kind, other == seat or player.revealed != 0)
        gap = max(goal - there, np.int64(0))
        lacking += gap
        most = max(most, gap)
        points += there
        beyond += max(there - goal, np.int64(0))
        out[at + OF_TYPE + kind] = there
    out[at] = -lacking
    out[at + 1] = 10000 // (10 + lacking)
    out[at + 2] = np.int64(lacking <= NEAR * TENTHS)
    out[at + 3] = np.int64(lacking <= CLOSE * TENTHS)
    out[at + 4] = np.int64(lacking <= WITHIN * TENTHS)
    out[at + 5] = most
    out[at + 6] = points
    out[at + 7] = beyond
    out[at + 8] = player.resources
    out[at + 12] = player.front[0] + player.front[1] + player.front[2]
    ill = np.int64(0)
    for pawn in range(rules.pawns):
        ill += np.int64(player.ill[pawn] > 0)
    out[at + 13] = ill
    out[at + 14] = player.favour
    out[at + 15] = player.cards
    out[at + 16] = np.int64(player.improved != NOTHING)
    out[at + 17] = player.revealed


@inlined
def guessed(rules, player, kind):
    """The points of a type in a hand that is not seen: its cards by the public ledger, each with the mean value."""
    cards, value = np.int64(0), np.int64(0)
    for number in range(1, VALUES):
        cards += rules.pile[number]
        value += number * rules.pile[number]
    return np.int64(player.ledger[kind]) * ((TENTHS * value) // max(cards, np.int64(1)))


@inlined
def wanted(rules, player, kind, open_goal):
    """The points of a type that an Objective asks for; on average over all Objectives if it is not known."""
    if open_goal:
        return TENTHS * rules.goal[player.objective, kind]
    total = np.int64(0)
    for goal in range(rules.goals):
        total += rules.goal[goal, kind]
    return (TENTHS * total) // max(np.int64(rules.goals), np.int64(1))


@kernel
def competes(rules, seat, other):
    """Whether a seat is another tenant; the lord stands among the numbers about the table."""
    return other != seat and other != LORD


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER), competes)
