"""Seigneurial: how a tenant weighs moves, by the features in `features.py`."""

from __future__ import annotations

import numpy as np

from simcore.games.seigneurial.effects import card_of
from simcore.games.seigneurial.state import (
    ACT, BAR, CHURCH, DROP_CARD, IMPROVE, KEEP, KEEP_OBJECTIVE, LAY, MILL, PART, PASS, PAY_DUE, PLACE, PLAY,
    SHIFT_POINTS, STOP, TARGET, TYPES, VALUES, WHAT,
)  # fmt: skip
from simcore.games.seigneurial.state import OP_NAMES
from simcore.kernel.compilation import inlined, kernel
from strategies.kit import places_of
from strategies.seigneurial.bailiff import shift_all
from strategies.seigneurial.features import INDEX
from strategies.seigneurial.gatherer import beyond, is_open, is_spare, is_worth_playing, need, total_need

(
    IDLE, PLACE_NEED, PLACE_MET, PLACE_BLOCKED, PLACE_IMPROVED, PLACE_CHURCH, PLACE_ROOM, PLACE_MILL, PLACE_OTHER,
    LAY_CARD, LAY_VALUE, LAY_SPARE, LAY_OPEN, LAY_EXCESS, LAY_FAVOUR, LAY_FIRST, LAY_TRACK, LAY_COMPLETES, PART_CARD,
    PART_VALUE, PART_SPARE, PART_BEYOND, PAY, PAY_SPARE, PAY_NEAR, ROB_CARDS, ROB_LEDGER,
) = places_of(
    INDEX,
    "card_idle place_need place_met place_blocked place_improved place_church place_room place_mill place_other "
    "lay_card lay_value lay_spare lay_open lay_excess lay_favour lay_first lay_track lay_completes part_card "
    "part_value part_spare part_beyond pay_due pay_spare pay_near rob_cards rob_ledger",
)  # fmt: skip

CARD_OF = np.array([INDEX.get(f"card_{OP_NAMES[code]}", -1) for code in range(len(OP_NAMES))], np.int64)
"""Position of the weight of a tenant's card by the operation of its first effect; -1 if it has none."""

ZERO = np.int64(0)


@inlined
def card_score(rules, weights, seat, kind):
    """Worth of a card."""
    place = CARD_OF[card_of(rules, seat, kind).effect[0].op]
    return weights[place] if place >= 0 else ZERO


@inlined
def play_score(rules, state, weights, seat, kind):
    """Score of playing a card; a pass has the score 0."""
    idle = not is_worth_playing(rules, state, seat, kind)
    return card_score(rules, weights, seat, kind) + (weights[IDLE] if idle else ZERO)


@inlined
def square_score(rules, weights, player, square):
    """Score of a pawn on a square."""
    if square == CHURCH:
        return weights[PLACE_CHURCH] + weights[PLACE_ROOM] * max(rules.hand_limit - player.cards, 0)
    if square == MILL:
        score = ZERO
        for kind in range(TYPES):
            wanted = need(rules, player, kind) > 0
            score += player.front[kind] * (weights[PLACE_MILL] if wanted else weights[PLACE_OTHER])
        return score
    wanted = need(rules, player, square)
    score = weights[PLACE_NEED] * min(wanted, 4) + (weights[PLACE_MET] if wanted == 0 else ZERO)
    if not is_open(player, square):
        score += weights[PLACE_BLOCKED]
    return score + (weights[PLACE_IMPROVED] if player.improved == square else ZERO)


@inlined
def lay_score(rules, state, weights, player, face):
    """Score of laying a card; a pass has the score 0."""
    kind, value = face // VALUES, face % VALUES
    laid = np.int64(player.laid[kind] if rules.payment else state.got[kind])
    covered = min(max(state.demand[kind] - laid, 0), value)
    score = weights[LAY_CARD] + weights[LAY_VALUE] * value + weights[LAY_OPEN] * covered
    score += weights[LAY_EXCESS] * (value - covered) + weights[LAY_TRACK] * (rules.end - state.square)
    if is_spare(rules, player, face):
        score += weights[LAY_SPARE]
    before = player.favour + player.laid[0] + player.laid[1] + player.laid[2]
    if before % rules.favour_price + covered >= rules.favour_price:
        score += weights[LAY_FAVOUR]
    total = state.got[0] + state.got[1] + state.got[2]
    if total == 0:
        score += weights[LAY_FIRST]
    if total + covered >= state.rent:
        score += weights[LAY_COMPLETES]
    return score


@inlined
def part_score(rules, weights, player, face):
    """Score of giving up a card; stopping has the score 0."""
    score = weights[PART_CARD] + weights[PART_VALUE] * (face % VALUES)
    score += weights[PART_BEYOND] * beyond(rules, player, face // VALUES)
    return score + (weights[PART_SPARE] if is_spare(rules, player, face) else ZERO)


@inlined
def due_score(rules, weights, player):
    """Score of paying in winter; refusing has the score 0."""
    spare = ZERO
    for kind in range(TYPES):
        spare += max(beyond(rules, player, kind), 0)
    missing = total_need(rules, player, np.int64(player.objective))
    return weights[PAY] + weights[PAY_SPARE] * min(spare, rules.due) + weights[PAY_NEAR] * missing


@inlined
def target_score(rules, state, weights, seat, other):
    """Score of aiming at another tenant."""
    rival = state.players[other]
    wanted = ZERO
    for kind in range(TYPES):
        if need(rules, state.players[seat], kind) > 0:
            wanted += rival.ledger[kind]
    return weights[ROB_CARDS] * rival.resources + weights[ROB_LEDGER] * wanted


@kernel
def tenant_score(rules, state, weights, seat, move):
    """Score of a move of a tenant."""
    decision = state.decision
    player = state.players[seat]
    if decision == PLACE or (decision == WHAT and ((state.op == ACT) | (state.op == BAR))):
        return square_score(rules, weights, player, move)
    if decision == LAY:
        return ZERO if move == STOP else lay_score(rules, state, weights, player, move)
    if decision == PLAY:
        return ZERO if move == PASS else play_score(rules, state, weights, seat, move)
    if decision == PART:
        return ZERO if move == STOP else part_score(rules, weights, player, move)
    if decision == PAY_DUE:
        return ZERO if move == 0 else due_score(rules, weights, player)
    if (decision == WHAT) | (decision == IMPROVE):
        return need(rules, player, move) << 10
    if decision == TARGET:
        return target_score(rules, state, weights, seat, move)
    if decision == KEEP:
        return card_score(rules, weights, seat, move)
    if decision == DROP_CARD:
        return -card_score(rules, weights, seat, move)
    if decision == KEEP_OBJECTIVE:
        return -(total_need(rules, player, move) << 10)
    if decision == SHIFT_POINTS:
        return np.int64(move == shift_all(rules, state)) << 10
    return ZERO
