"""Fief 2: who reigns and who inherits: coronation, marriage of the King, regency, and the death of lords."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.holding import guard_king, guard_queen, leave
from simcore.games.fief_2.log import CARDINAL, DEAD, FIRST_TITLE, KING, PRINCE, QUEEN, log_lord, log_married, log_red
from simcore.games.fief_2.names import NOBODY, ONE, ZERO
from simcore.games.fief_2.pieces import (
    first_of,
    give_kept_titles,
    give_title,
    has,
    lord_worth,
    lose_kings_guard,
    lose_queens_guard,
    poorest_in_titles,
    throw_away,
)
from simcore.games.fief_2.state import DEATH
from simcore.kernel.compilation import apart, kernel
from simcore.kernel.trace import note


@kernel
def crown_king(rules, state, trace, lord, why):
    """Make a lord King, with his guard and the titles that families keep; his wife may become Queen."""
    state.king = lord
    log_red(trace, KING, lord, NOBODY, why)
    guard_king(rules, state, trace, why)
    give_kept_titles(state, trace, NOBODY, lord, why)
    crown_wife(rules, state, trace, why)


@kernel
def crown_wife(rules, state, trace, why):
    """Make the King's wife Queen, if there is no Queen."""
    if state.king >= 0 and state.queen < 0 and state.spouse[state.king] >= 0:
        state.queen = state.spouse[state.king]
        log_red(trace, QUEEN, state.queen, NOBODY, why)
        guard_queen(rules, state, trace, why)


@kernel
def drop_queen(state, trace, why):
    """Return the Queen's card to the bank."""
    lose_queens_guard(state, trace, state.queens_guard, why)
    state.queen = NOBODY
    log_red(trace, QUEEN, NOBODY, NOBODY, why)


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
            log_red(trace, PRINCE, NOBODY, NOBODY, why)
            if state.queen >= 0:
                state.regency = state.turn + rules.regency_turns
                state.rows[state.family[state.queen]].regencies += 1
            crown_king(rules, state, trace, heir, why)
        else:
            state.king = NOBODY
            state.regency = 0
            log_red(trace, KING, NOBODY, NOBODY, why)
            if state.queen >= 0:
                drop_queen(state, trace, why)
    elif lord == state.queen:
        drop_queen(state, trace, why)
        if state.regency:
            end_regency(rules, state, trace, why)
    elif lord == state.prince:
        state.prince = NOBODY
        log_red(trace, PRINCE, NOBODY, NOBODY, why)


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
            log_red(trace, FIRST_TITLE + region, NOBODY, family, why)


@apart
def die(rules, state, trace, lord, why):
    """Let a lord die.  The caller has to settle the village."""
    family, bit = state.family[lord], np.int64(1) << lord
    note(trace, state.turn, family, DEATH, lord, why, lord_worth(rules, state, lord))
    log_lord(trace, lord, family, NOBODY, DEAD, NOBODY, why)
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
        log_red(trace, CARDINAL, NOBODY, NOBODY, why)
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
    log_married(trace, man, woman, ZERO)
    state.spouse[lord] = NOBODY
    state.spouse[spouse] = NOBODY


@kernel
def wed(rules, state, trace, lord, spouse, why):
    """Marry two lords."""
    state.spouse[lord] = spouse
    state.spouse[spouse] = lord
    man, woman = (lord, spouse) if lord < rules.men else (spouse, lord)
    log_married(trace, man, woman, ONE)
    if state.king == man:
        crown_wife(rules, state, trace, why)
