"""Fief 2: set-up, turns and the end.

A step is a phase: the safe points, at which nothing is in progress, lie between court, cards, revenue with purchases,
movement, and combat with the end of the turn.
"""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import pick, up_to
from simcore.games.fief_2.battles import fight_all
from simcore.games.fief_2.court import play_court
from simcore.games.fief_2.crown import end_regency
from simcore.games.fief_2.deck import deal, refill
from simcore.games.fief_2.holding import settle as settle_village
from simcore.games.fief_2.holding import stand
from simcore.games.fief_2.log import FREE, OVER, REBELS, TURN_END, log_built, log_lord, log_paid, log_pawns, log_turn
from simcore.games.fief_2.movement import move_all
from simcore.games.fief_2.names import (
    FIXED,
    LAST_SCORING,
    COMBAT,
    COURT,
    END,
    FORT,
    FROM_PHASES,
    MOVEMENT,
    NOBODY,
    ONE,
    PLACE,
    PLAY_CARDS,
    PURCHASES,
    REVENUE,
    SETUP,
    ZERO,
)
from simcore.games.fief_2.pieces import add_soldiers, first_of, has, rebel_points, scores_now, size_of, titles_of
from simcore.games.fief_2.plays import play_hands
from simcore.games.fief_2.setup import clear
from simcore.games.fief_2.state import SCORED, STANDING, VILLAGE
from simcore.games.fief_2.trade import collect, trade
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.ranking import rank_and_share
from simcore.kernel.trace import note, put

WHY = FROM_PHASES + END


@kernel
def start(rules, lineup, state, trace):
    """Deal, and let every family place its castle."""
    clear(rules, state)
    log_turn(state, trace)
    deal(rules, state, trace)
    for number in range(rules.players):
        seat = np.int64(number)
        state.money[seat] = rules.start_money
        log_paid(trace, NOBODY, seat, rules.start_money, FROM_PHASES + SETUP)
        taken = np.int64(0)
        for other in range(rules.players):
            taken |= state.held[other]
        village = pick(rules, lineup, state, trace, seat, PLACE, up_to(rules.villages) & ~taken)
        state.castles |= 1 << village
        log_built(trace, village, FORT, ZERO, ONE, PLACE)
        add_soldiers(state, trace, village, seat, rules.start_soldiers, PLACE)
        lord = first_of(state.lords[seat])
        stand(state, lord, village)
        log_lord(trace, lord, seat, village, FREE, NOBODY, PLACE)
        settle_village(rules, state, trace, village, PLACE)
        state.rows[seat].first_village = village
    state.phase = COURT


@kernel
def step(rules, lineup, state, trace):
    """Play one phase; return whether the game goes on."""
    phase = state.phase
    if phase == COURT:
        state.turn += 1
        state.tried_prince = 0
        for seat in range(rules.players):
            state.asked[seat] = 0
        state.first = ZERO if rules.first_player == FIXED else (state.turn - 1) % rules.players
        log_turn(state, trace)
        play_court(rules, lineup, state, trace)
        state.phase = PLAY_CARDS
    elif phase == PLAY_CARDS:
        log_turn(state, trace)
        refill(rules, lineup, state, trace)
        play_hands(rules, lineup, state, trace)
        state.phase = REVENUE
    elif phase == REVENUE:
        log_turn(state, trace)
        collect(rules, state, trace)
        state.phase = PURCHASES
        log_turn(state, trace)
        trade(rules, lineup, state, trace)
        state.phase = MOVEMENT
    elif phase == MOVEMENT:
        log_turn(state, trace)
        move_all(rules, lineup, state, trace)
        state.phase = COMBAT
    else:
        log_turn(state, trace)
        fight_all(rules, lineup, state, trace)
        state.phase = END
        log_turn(state, trace)
        end_turn(rules, state, trace)
        state.phase = COURT
    return (state.over == 0) & (state.fault == 0)


@kernel
def end_turn(rules, state, trace):
    """End a turn: revolts grow, a regency may end, families may score, and the game may end."""
    revolts = state.revolts
    while revolts:
        village = first_of(revolts)
        revolts &= revolts - 1
        more = min(rules.revolt_growth, rules.rebels - rebel_points(state))
        if more > 0:
            state.rebels[village] += more
            log_pawns(trace, NOBODY, village, REBELS, more, WHY)
    for village in range(rules.villages):
        state.outside[village] = 0
    state.out_lords = 0
    if state.regency == state.turn:
        end_regency(rules, state, trace, WHY)
    if state.turn % rules.scoring_every == 0:
        for seat in range(rules.players):
            score_family(rules, state, trace, np.int64(seat))
    count_turn(rules, state, trace)
    if rules.title_victory and titles_win(rules, state):
        state.over = 1
    if state.turn == rules.turns:
        state.over = 1


@kernel
def score_family(rules, state, trace, seat):
    """Let a family score."""
    row = state.rows[seat]
    points = scores_now(rules, state, seat)
    state.last[seat] = points
    state.score[seat] += points
    row.by_scoring[state.turn // rules.scoring_every - 1] = points
    source = row.from_source
    lords = state.lords[seat]
    bishops = size_of(lords & state.bishops) * rules.bishop_points
    cardinals = size_of(lords & state.cardinals) * rules.cardinal_points
    money = state.money[seat] // rules.money_each * rules.money_points
    king = rules.king_points if state.king >= 0 and has(lords, state.king) else ZERO
    queen = rules.queen_points if state.queen >= 0 and has(lords, state.queen) else ZERO
    prince = rules.prince_points if state.prince >= 0 and has(lords, state.prince) else ZERO
    titles = points - king - queen - prince - bishops - cardinals - money
    for number, part in enumerate((king, queen, prince, titles, bishops, cardinals, money)):
        source[number] += part
        if part:
            note(trace, state.turn, seat, SCORED, np.int64(number), part, ZERO)


@kernel
def count_turn(rules, state, trace):
    """Record the end of a turn for the rows, and log it."""
    for number in range(rules.players):
        seat = np.int64(number)
        row, lords = state.rows[seat], state.lords[seat]
        titles, villages = size_of(titles_of(rules, state, seat)), size_of(state.held[seat])
        row.most_money = max(np.int64(row.most_money), state.money[seat])
        row.king_turns += np.int64(state.king >= 0 and has(lords, state.king))
        row.queen_turns += np.int64(state.queen >= 0 and has(lords, state.queen))
        row.title_turns += titles
        row.village_turns += villages
        row.titles, row.villages = titles, villages
        note(trace, state.turn, seat, STANDING, state.score[seat], state.money[seat], villages)
    if trace.on:
        put(trace, TURN_END)
        put(trace, 4 * rules.players)
        for seat in range(rules.players):
            put(trace, state.money[seat])
            put(trace, state.army[seat])
            put(trace, state.score[seat])
            put(trace, state.rows[seat].titles)


@kernel
def titles_win(rules, state):
    """Whether the King's family, or it and the Queen's together, have won by their titles."""
    if state.king < 0:
        return False
    king = state.family[state.king]
    own = size_of(titles_of(rules, state, king))
    if own >= 3:
        state.rows[king].won_by_titles = 1
        return True
    if state.queen >= 0:
        queen = state.family[state.queen]
        if queen != king and own + size_of(titles_of(rules, state, queen)) >= 4:
            state.rows[king].won_by_titles = 1
            state.rows[queen].won_by_titles = 1
            return True
    return False


@inlined
def is_ahead(state, seat, other):
    """Whether a seat ranks better than another: won by titles, then score, last scoring, money."""
    one, two = state.rows[seat], state.rows[other]
    if one.won_by_titles | two.won_by_titles:
        return one.won_by_titles > two.won_by_titles
    if one.score != two.score:
        return one.score > two.score
    if one.last != two.last:
        return one.last > two.last
    return one.money > two.money


@kernel
def settle(rules, lineup, state, trace):
    """Fill the rows and rank the families."""
    for seat in range(rules.players):
        row = state.rows[seat]
        row.total, row.last, row.money = state.score[seat], state.last[seat], state.money[seat]
        row.score = row.last if rules.score == LAST_SCORING else row.total
        row.turns, row.held = state.turn, state.held[seat]
        row.lords, row.soldiers = size_of(state.lords[seat]), state.army[seat]
    rank_and_share(state, rules.players, is_ahead)
    if trace.noting:
        for village in range(rules.villages):
            kept, earned = state.kept[village], state.earned[village]
            note(trace, state.turn, state.holder[village], VILLAGE, np.int64(village), kept, earned)
    if trace.on:
        put(trace, OVER)
        put(trace, 5 * rules.players)
        for seat in range(rules.players):
            row = state.rows[seat]
            put(trace, row.total)
            put(trace, row.last)
            put(trace, row.money)
            put(trace, row.place)
            put(trace, row.share60)
