"""Fief 2: the court: ransoms, marriages, the election and consecration of a King."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import agrees, pick, pick_or_none, up_to
from simcore.games.fief_2.crown import crown_king, wed
from simcore.games.fief_2.holding import set_free, settle
from simcore.games.fief_2.log import log_paid
from simcore.games.fief_2.names import (
    MAJORITY,
    ACCEPT,
    CONSECRATE,
    FREE_TO,
    NOBODY,
    PROPOSE,
    RANSOM_ACCEPT,
    RANSOM_OFFER,
    SPOUSE,
    STAND,
    VOTE,
    ZERO,
)
from simcore.games.fief_2.pieces import first_of, has, seat_at, size_of
from simcore.games.fief_2.state import ELECTION
from simcore.kernel.compilation import kernel
from simcore.kernel.trace import note


@kernel
def play_court(rules, lineup, state, trace):
    """Play ransoms lord by lord, then marriages and, if there is no King, an election, in turn order."""
    captives = state.captive
    while captives:
        lord = first_of(captives)
        captives &= captives - 1
        if has(state.captive, lord):  # nobody else is freed with a lord
            ransom(rules, lineup, state, trace, lord)
    for number in range(rules.players):
        propose(rules, lineup, state, trace, seat_at(rules, state, number))
    if state.king < 0:
        elect(rules, lineup, state, trace)


@kernel
def ransom_of(rules, state, lord):
    """The price of a prisoner."""
    if (lord == state.king) | (lord == state.queen):
        return rules.ransom_crowned
    if (state.crowns[lord] != 0) | has(state.bishops, lord):
        return rules.ransom_titled
    return rules.ransom_lord


@kernel
def ransom(rules, lineup, state, trace, lord):
    """Let a prisoner's family offer a ransom, if it has the money, and let his captor accept it."""
    family, captor, price = state.family[lord], state.captor[lord], ransom_of(rules, state, lord)
    if state.money[family] < price:
        return
    state.lord, state.rival = lord, captor
    if not agrees(rules, lineup, state, trace, family, RANSOM_OFFER):
        return
    state.rival = family
    if not agrees(rules, lineup, state, trace, captor, RANSOM_ACCEPT):
        return
    sharers = state.captors[lord]
    share = price // size_of(sharers)
    rest = price - share * size_of(sharers)
    state.money[family] -= price
    while sharers:
        seat = first_of(sharers)
        sharers &= sharers - 1
        amount = share + (rest if seat == captor else ZERO)
        state.money[seat] += amount
        state.rows[seat].ransoms += amount
        log_paid(trace, family, seat, amount, RANSOM_ACCEPT)
    village = state.where[lord]
    if state.held[family]:
        village = pick(rules, lineup, state, trace, family, FREE_TO, state.held[family])
    set_free(state, trace, lord, village, RANSOM_ACCEPT)
    settle(rules, state, trace, village, RANSOM_ACCEPT)


@kernel
def suitors(rules, state):
    """Set of the lords who may marry."""
    found = np.int64(0)
    for seat in range(rules.players):
        lords = state.lords[seat] & ~state.bishops
        while lords:
            lord = first_of(lords)
            lords &= lords - 1
            if (state.spouse[lord] < 0) & (lord != state.darc):
                found |= 1 << lord
    return found


@kernel
def propose(rules, lineup, state, trace, seat):
    """Let a family propose a marriage to a lord of another family."""
    single = suitors(rules, state)
    men = up_to(rules.men)
    others = single & ~state.lords[seat]
    own = single & state.lords[seat]
    own &= (men if others & ~men else ZERO) | (~men if others & men else ZERO)
    lord = pick_or_none(rules, lineup, state, trace, seat, PROPOSE, own)
    if lord < 0:
        return
    state.lord = lord
    spouse = pick(rules, lineup, state, trace, seat, SPOUSE, others & (~men if lord < rules.men else men))
    state.other = spouse
    if agrees(rules, lineup, state, trace, state.family[spouse], ACCEPT):
        wed(rules, state, trace, lord, spouse, ACCEPT)


@kernel
def votes_of(state, seat):
    """The number of a family's free lords who have a title or a bishopric."""
    votes = np.int64(0)
    lords = state.lords[seat] & state.free
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        votes += np.int64((state.crowns[lord] != 0) | has(state.bishops, lord))
    return votes


@kernel
def eligible(rules, state, seat):
    """Set of a family's lords who may stand for King."""
    found = np.int64(0)
    lords = state.lords[seat] & state.free & up_to(rules.men) & ~state.bishops
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        if state.crowns[lord]:
            found |= 1 << lord
    return found


@kernel
def elect(rules, lineup, state, trace):
    """Let families stand, vote and consecrate."""
    state.standing = 0
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        lord = pick_or_none(rules, lineup, state, trace, seat, STAND, eligible(rules, state, seat))
        state.voted[seat] = NOBODY
        if lord >= 0:
            state.candidate[state.standing] = lord
            state.standing += 1
    if state.standing == 0:
        return
    every, first, second, best = ZERO, ZERO, ZERO, NOBODY
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        votes = votes_of(state, seat)
        every += votes
        if votes:
            choice = pick_or_none(rules, lineup, state, trace, seat, VOTE, up_to(state.standing))
            state.voted[seat] = state.candidate[choice] if choice >= 0 else NOBODY
    for place in range(state.standing):
        votes = votes_for(rules, state, state.candidate[place])
        if votes > first:
            first, second, best = votes, first, state.candidate[place]
        else:
            second = max(second, votes)
    if first == second or (rules.election == MAJORITY and 2 * first <= every):
        return
    state.lord = best
    blessing = ZERO
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        bishops = state.bishops & state.lords[seat] & state.free
        if bishops and agrees(rules, lineup, state, trace, seat, CONSECRATE):
            blessing += size_of(bishops) + size_of(bishops & state.cardinals)
    chosen = blessing >= rules.consecration
    note(trace, state.turn, state.family[best], ELECTION, best, first, np.int64(chosen))
    if chosen:
        state.rows[state.family[best]].elected += 1
        crown_king(rules, state, trace, best, CONSECRATE)


@kernel
def votes_for(rules, state, lord):
    """The number of votes for a candidate."""
    votes = np.int64(0)
    for seat in range(rules.players):
        if state.voted[seat] == lord:
            votes += votes_of(state, seat)
    return votes
