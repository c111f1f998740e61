"""Fief 2: the court and the crown: ransoms, marriages, elections, who reigns and who inherits."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2 import log
from simcore.games.fief_2.log import CARDINAL, DEAD, FIRST_TITLE, KING, PRINCE, QUEEN
from simcore.games.fief_2.pieces import (
    agrees, first_of, give_kept_titles, give_title, guard_king, guard_queen, has, leave, lord_worth, lose_kings_guard,
    lose_queens_guard, pick, pick_or_none, poorest_in_titles, seat_at, set_free, settle_village, size_of, throw_away,
    up_to,
)  # fmt: skip
from simcore.games.fief_2.state import (
    ACCEPT, CONSECRATE, DEATH, ELECTION, FREE_TO, MAJORITY, NOBODY, ONE, PROPOSE, RANSOM_ACCEPT, RANSOM_OFFER, SPOUSE,
    STAND, VOTE, ZERO,
)  # fmt: skip
from simcore.kernel.compilation import apart, kernel
from simcore.kernel.trace import note, tell


# --- Who reigns and who inherits: coronation, marriage of the King, regency, and the death of lords ---


@kernel
def crown_king(rules, state, trace, lord, why):
    """Make a lord King, with his guard and the titles that families keep; his wife may become Queen."""
    state.king = lord
    tell(trace, log.RED, KING, lord, NOBODY, why)
    guard_king(rules, state, trace, why)
    give_kept_titles(state, trace, NOBODY, lord, why)
    crown_wife(rules, state, trace, why)


@kernel
def crown_wife(rules, state, trace, why):
    """Make the King's wife Queen, if there is no Queen."""
    if state.king >= 0 and state.queen < 0 and state.spouse[state.king] >= 0:
        state.queen = state.spouse[state.king]
        tell(trace, log.RED, QUEEN, state.queen, NOBODY, why)
        guard_queen(rules, state, trace, why)


@kernel
def drop_queen(state, trace, why):
    """Return the Queen's card to the bank."""
    lose_queens_guard(state, trace, state.queens_guard, why)
    state.queen = NOBODY
    tell(trace, log.RED, QUEEN, NOBODY, NOBODY, why)


@kernel
def end_regency(rules, state, trace, why):
    """Give the Regent's card to the young King's wife, or return it to the bank."""
    state.regency = 0
    if state.queen >= 0 and state.spouse[state.king] != state.queen:
        drop_queen(state, trace, why)
    crown_wife(rules, state, trace, why)


@kernel
def pass_crown(rules, state, trace, lord, why):
    """Pass on the crown of a lord who dies, or return it to the bank."""
    if lord == state.king:
        lose_kings_guard(state, trace, state.kings_guard, why)
        heir = state.prince
        if heir >= 0:
            state.prince = NOBODY
            tell(trace, log.RED, PRINCE, NOBODY, NOBODY, why)
            if state.queen >= 0:
                state.regency = state.turn + rules.regency_turns
                state.rows[state.family[state.queen]].regencies += 1
            crown_king(rules, state, trace, heir, why)
        else:
            state.king = NOBODY
            state.regency = 0
            tell(trace, log.RED, KING, NOBODY, NOBODY, why)
            if state.queen >= 0:
                drop_queen(state, trace, why)
    elif lord == state.queen:
        drop_queen(state, trace, why)
        if state.regency:
            end_regency(rules, state, trace, why)
    elif lord == state.prince:
        state.prince = NOBODY
        tell(trace, log.RED, PRINCE, NOBODY, NOBODY, why)


@kernel
def pass_titles(state, trace, crowns, family, why):
    """Give a dead lord's titles to his family, or else to the King's or the Regent's; without these, they are kept."""
    heirs = state.lords[family]
    if heirs == 0 and state.king >= 0:
        heirs = state.lords[state.family[state.queen if state.regency else state.king]]
    while crowns:
        region = first_of(crowns)
        crowns &= crowns - 1
        if heirs:
            give_title(state, trace, region, poorest_in_titles(state, heirs), why)
        else:
            state.owner[region] = NOBODY
            state.keeper[region] = family
            tell(trace, log.RED, FIRST_TITLE + region, NOBODY, family, why)


@apart
def die(rules, state, trace, lord, why):
    """Let a lord die.  The caller has to settle the village."""
    family, bit = state.family[lord], np.int64(1) << lord
    note(trace, state.turn, family, DEATH, lord, why, lord_worth(rules, state, lord))
    tell(trace, log.LORD, lord, family, NOBODY, DEAD, NOBODY, why)
    state.rows[family].lords_lost += 1
    state.lords[family] &= ~bit
    throw_away(state, trace, lord, why)  # the card of a lord has his number
    if state.spouse[lord] >= 0:
        part(rules, state, trace, lord)
    if state.darc == lord:
        state.darc = NOBODY
        throw_away(state, trace, rules.darc_card, why)
    if state.see[lord] >= 0:
        see = state.see[lord]
        throw_away(state, trace, rules.bishop_card[see], why)
        if state.tithed[see] == lord:
            state.tithed[see] = NOBODY
        state.see[lord] = NOBODY
        state.bishops &= ~bit
    if has(state.cardinals, lord):
        state.cardinals &= ~bit
        tell(trace, log.RED, CARDINAL, NOBODY, NOBODY, why)
    pass_crown(rules, state, trace, lord, why)
    if has(state.free, lord):
        leave(state, lord)
    else:
        state.captive &= ~bit
        state.captive_at[state.where[lord]] &= ~bit
    state.family[lord] = NOBODY
    state.captor[lord] = NOBODY
    state.captors[lord] = 0
    crowns = state.crowns[lord]
    state.crowns[lord] = 0
    pass_titles(state, trace, crowns, family, why)


@kernel
def part(rules, state, trace, lord):
    """End a marriage because one of the two has died."""
    spouse = state.spouse[lord]
    man, woman = (lord, spouse) if lord < rules.men else (spouse, lord)
    tell(trace, log.MARRIED, man, woman, ZERO)
    state.spouse[lord] = NOBODY
    state.spouse[spouse] = NOBODY


@kernel
def wed(rules, state, trace, lord, spouse, why):
    """Marry two lords."""
    state.spouse[lord] = spouse
    state.spouse[spouse] = lord
    man, woman = (lord, spouse) if lord < rules.men else (spouse, lord)
    tell(trace, log.MARRIED, man, woman, ONE)
    if state.king == man:
        crown_wife(rules, state, trace, why)


# --- The court: ransoms, marriages, the election and consecration of a King ---


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
        tell(trace, log.PAID, family, seat, amount, RANSOM_ACCEPT)
    village = state.where[lord]
    if state.held[family]:
        village = pick(rules, lineup, state, trace, family, FREE_TO, state.held[family])
    set_free(state, trace, lord, village, RANSOM_ACCEPT)
    settle_village(rules, state, trace, village, RANSOM_ACCEPT)


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
