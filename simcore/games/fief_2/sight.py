"""Fief 2: what a seat sees at a safe point, in whole numbers."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.names import COURT, ZERO
from simcore.games.fief_2.pieces import first_of, forts, has, is_banked, scores_now, size_of, titles_of
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.looking import Look

OF_TABLE = ["turns left", "scorings left", "phase", "a regency", "rebels' villages"]
OF_PLAYER = [
    "score if it kept scoring as now",
    "score",
    "scores now",
    "money",
    "soldiers",
    "villages",
    "mills and presses",
    "forts",
    "lords",
    "titles",
    "titles within reach",
    "titles one village away",
    "titles two villages away",
    "captives",
    "own lords captive",
    "the King",
    "the Queen",
    "bishops",
    "cardinals",
    "cards in hand",
    "seats after the first player",
]
REGION = np.int64(OF_PLAYER.index("titles within reach"))
CAPTIVES = np.int64(OF_PLAYER.index("captives"))


@kernel
def clock(state):
    """The number of finished turns."""
    return state.turn - np.int64(state.over == 0 and state.phase != COURT)


@inlined
def scorings_left(rules, state):
    """The number of scorings to come."""
    return ZERO if state.over else rules.turns // rules.scoring_every - clock(state) // rules.scoring_every


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table."""
    out[0] = rules.turns - clock(state)
    out[1] = scorings_left(rules, state)
    out[2] = state.phase
    out[3] = np.int64(state.regency > 0)
    out[4] = size_of(state.revolts)


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a family; only its cards are hidden, and none of them is counted here by kind."""
    lords, held = state.lords[other], state.held[other]
    points = scores_now(rules, state, other)
    out[at] = state.score[other] + points * scorings_left(rules, state)
    out[at + 1] = state.score[other]
    out[at + 2] = points
    out[at + 3] = state.money[other]
    out[at + 4] = state.army[other]
    out[at + 5] = size_of(held)
    out[at + 6] = size_of(state.mills & held) + size_of(state.presses & held)
    out[at + 7] = size_of(forts(state) & held)
    out[at + 8] = size_of(lords & state.free)
    out[at + 9] = size_of(titles_of(rules, state, other))
    see_regions(rules, state, held, out, at + REGION)
    see_captives(state, other, out, at + CAPTIVES)
    out[at + 15] = np.int64(state.king >= 0 and has(lords, state.king))
    out[at + 16] = np.int64(state.queen >= 0 and has(lords, state.queen))
    out[at + 17] = size_of(lords & state.bishops)
    out[at + 18] = size_of(lords & state.cardinals)
    out[at + 19] = state.cards[other]
    out[at + 20] = (other - state.first + rules.players) % rules.players


@inlined
def see_regions(rules, state, held, out, at):
    """Write how many titles of the bank a family could buy, and how many lack one village or two."""
    out[at] = 0
    out[at + 1] = 0
    out[at + 2] = 0
    for region in range(rules.regions):
        if is_banked(state, region) and rules.area[region] & held:
            away = size_of(rules.area[region] & ~held)
            if away < 3:
                out[at + away] += 1


@inlined
def see_captives(state, other, out, at):
    """Write how many lords a family has captured, and how many of its own are prisoners."""
    out[at] = 0
    out[at + 1] = size_of(state.lords[other] & state.captive)
    lords = state.captive
    while lords:
        out[at] += np.int64(state.captor[first_of(lords)] == other)
        lords &= lords - 1


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))
