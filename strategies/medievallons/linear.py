"""Médiévallons: the policy `linear`, a weighted sum of the features in `features.py`."""

from __future__ import annotations

import numpy as np

from simcore.games.medievallons.cards import NONE, count
from simcore.games.medievallons.state import (
    ACTION,
    ASSASSIN,
    COPY,
    FIT,
    GIVE,
    GUILD,
    HIT,
    JESTER,
    KEEP,
    LAY,
    MEMBERS,
    NAME,
    PLAY,
    REINFORCE,
    TAKE,
    TARGET,
)
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.intrinsics import lowest_bit
from strategies.medievallons.worth import (
    EXTRA_JESTERS, EXTRA_MEMBERS, FIT_JESTER, GIFT_GUILD, GIFT_KNOWN, HIT_JESTER, LAY_GUILDS, LAY_IT, LAY_JESTERS,
    LAY_READY, LAY_RIVALS, LAY_WINS, PLAY_IT, PREY_BREAKS, PREY_CARDS, PREY_GUILDS, PREY_HELD, REINFORCE_FRAGILE,
    REINFORCE_GUILDS, REINFORCE_IT, TARGET_CARDS, TARGET_GUILDS, TARGET_KNOWN, TARGET_NEXT, USE_IT, ZERO, card_score,
    chance_held, falls_apart, known_matches, look, loss_score, power_score, ready_guilds,
)  # fmt: skip
from strategies.moves import NO_NOISE, blunder_move, blunders, heated_in_turn, later_moves

LOWEST = np.int64(-(1 << 62))

# --- actions ---


@inlined
def play_score(rules, state, seat, sight, weights, kind):
    """Score of playing a card."""
    score = weights[PLAY_IT] + loss_score(rules, sight.laid, weights, state.players[seat].hand, kind)
    return score + power_score(state, sight, weights, kind)


@inlined
def lay_score(rules, state, seat, sight, weights, kind):
    """Score of laying a guild."""
    player = state.players[seat]
    number = count(player.hand, kind)
    ready = ready_guilds(rules, player.hand) - np.int64(kind != JESTER and number >= rules.guild_size)
    score = weights[LAY_IT] + weights[LAY_GUILDS] * player.guilds + weights[LAY_READY] * ready
    score += weights[LAY_JESTERS] * (number if kind == JESTER else max(rules.guild_size - number, ZERO))
    score += weights[LAY_RIVALS] * sight.guilds
    if player.guilds + 1 >= rules.guilds_to_win:
        return score + weights[LAY_WINS]
    return score + power_score(state, sight, weights, kind)


@inlined
def reinforce_score(rules, state, seat, sight, weights, place):
    """Score of adding the best card that fits to a guild."""
    player = state.players[seat]
    guild = player.guild[place]
    kind = np.int64(guild.type)
    score = weights[REINFORCE_IT] + weights[REINFORCE_GUILDS] * player.guilds
    score += weights[REINFORCE_FRAGILE] * np.int64(falls_apart(rules, guild))
    if kind == JESTER:
        return score
    if count(player.hand, kind) > 0:
        score += loss_score(rules, sight.laid, weights, player.hand, kind)
    else:
        score += loss_score(rules, sight.laid, weights, player.hand, JESTER) + weights[FIT_JESTER]
    return score + power_score(state, sight, weights, kind)


@inlined
def action_score(rules, state, seat, sight, weights, move):
    """Score of an action."""
    action = move & 3
    about = move >> 2
    if action == PLAY:
        return play_score(rules, state, seat, sight, weights, about)
    if action == LAY:
        return lay_score(rules, state, seat, sight, weights, about)
    if action == REINFORCE:
        return reinforce_score(rules, state, seat, sight, weights, about)
    kind = np.int64(state.players[seat].guild[about].type)
    return weights[USE_IT] + power_score(state, sight, weights, kind)


@inlined
def fit_score(rules, state, seat, sight, weights, kind):
    """Score of the type of the cards that reinforce a guild."""
    score = loss_score(rules, sight.laid, weights, state.players[seat].hand, kind)
    return score + (weights[FIT_JESTER] if kind == JESTER else power_score(state, sight, weights, kind))


# --- choices inside a power ---


@inlined
def target_score(rules, state, seat, weights, target):
    """Score of aiming at a player."""
    player = state.players[target]
    after = seat + 1 if seat + 1 < rules.players else 0
    score = weights[TARGET_GUILDS] * player.guilds + weights[TARGET_CARDS] * player.cards
    score += weights[TARGET_NEXT] * np.int64(target == after)
    return score + weights[TARGET_KNOWN] * known_matches(state, seat, target)


@inlined
def name_score(rules, state, seat, sight, weights, kind):
    """Score of asking a Knight's target for a type: the worth of the card times the chance that the target has it."""
    player = state.players[seat]
    score = card_score(rules, sight.laid, weights, player.hand, kind)
    return score * chance_held(state, seat, sight, np.int64(state.target), kind) >> 4


@inlined
def prey_score(rules, state, seat, weights, move):
    """Score of attacking a guild."""
    owner = state.players[move >> 3]
    guild = owner.guild[move & 7]
    cards = np.int64(guild.members) + np.int64(guild.jesters)
    score = weights[PREY_GUILDS] * owner.guilds + weights[PREY_CARDS] * cards
    score += weights[PREY_BREAKS] * np.int64(falls_apart(rules, guild))
    return score + weights[PREY_HELD] * count(state.players[seat].hand, np.int64(guild.type))


@inlined
def gift_score(rules, state, seat, sight, weights, kind):
    """Score of giving a card away."""
    score = loss_score(rules, sight.laid, weights, state.players[seat].hand, kind)
    receiver = np.int64(state.target if seat == state.seat else state.seat)
    player = state.players[receiver]
    score += weights[GIFT_GUILD] * count(sight.theirs, kind)
    return score + weights[GIFT_KNOWN] * count(player.known[seat], kind)


@inlined
def choice_score(rules, state, seat, sight, weights, move):
    """Score of a choice inside an action."""
    player = state.players[seat]
    decision = state.decision
    kind = move >> 2
    if decision == TARGET:
        return target_score(rules, state, seat, weights, move)
    if decision == GIVE:
        return gift_score(rules, state, seat, sight, weights, kind)
    if decision == NAME:
        return name_score(rules, state, seat, sight, weights, kind)
    if decision == TAKE:
        return card_score(rules, sight.laid, weights, player.hand, kind)
    if decision == KEEP:
        return card_score(rules, sight.laid, weights, player.hand - state.drawn, kind)
    if decision == GUILD:
        return prey_score(rules, state, seat, weights, move)
    if decision == HIT:
        if state.power == ASSASSIN:
            return weights[HIT_JESTER] * np.int64(kind == JESTER)
        return card_score(rules, sight.laid, weights, player.hand, kind)
    if decision == COPY:
        copied = np.int64(state.players[move >> 3].guild[move & 7].type)
        return power_score(state, sight, weights, copied)
    if decision == FIT:
        return fit_score(rules, state, seat, sight, weights, kind)
    fewest = lowest_bit(state.legal)
    if decision == MEMBERS:
        return weights[EXTRA_MEMBERS] * (move - fewest)
    return weights[EXTRA_JESTERS] * (move - fewest)


@kernel
def linear(rules, lineup, state, seat):
    """Return the move with the highest weighted sum of features; the first in board order among equals."""
    member = lineup.members[lineup.seated[seat]]
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = member.weights
    sight = look(rules, state, seat, weights)
    legal = state.legal
    best = ZERO
    most = LOWEST
    noise = NO_NOISE
    while legal != NONE:
        move = lowest_bit(legal)
        if state.decision == ACTION:
            score = action_score(rules, state, seat, sight, weights, move)
        else:
            score = choice_score(rules, state, seat, sight, weights, move)
        score, noise = heated_in_turn(lineup, state, seat, move, score, noise)
        if score > most:
            most = score
            best = move
        legal = later_moves(legal)
    return best
