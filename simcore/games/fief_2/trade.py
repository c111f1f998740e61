"""Fief 2: revenue and purchases."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.asking import decide, pick, up_to
from simcore.games.fief_2.log import CARDINAL, log_built, log_income, log_red
from simcore.games.fief_2.names import (
    BUY_CARDINAL, BUY_CASTLE, BUY_MILL, BUY_PRESS, BUY_SOLDIERS, BUY_TITLE, BUYS, CARDINAL_TO, CASTLE_AT, FORT,
    FROM_PHASES, MILL, MILL_AT, NOBODY, NUMBER, ONE, PRESS, PRESS_AT, REVENUE, SOLDIERS_AT, TITLE_REGION, TITLE_TO,
    TWO, ZERO,
)  # fmt: skip
from simcore.games.fief_2.pieces import (
    add_soldiers,
    first_of,
    forts,
    give_title,
    is_banked,
    pawns_of_others,
    pay_bank,
    seat_at,
    size_of,
    throw_away,
    titles_of,
)
from simcore.games.fief_2.state import PURCHASE
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.trace import note

# --- revenue ---


@inlined
def industry_income(rules, state, villages):
    """The income from mills and presses in some villages."""
    mills, presses = size_of(state.mills & villages), size_of(state.presses & villages)
    return mills * rules.mill_income + presses * rules.press_income


@kernel
def collect(rules, state, trace):
    """Let every family collect from land, industry, tithes, tailles and pensions; tithes and tailles are discarded."""
    held, tithed = np.int64(0), np.int64(0)
    for seat in range(rules.players):
        held |= state.held[seat]
    for see in range(rules.sees):
        tithed |= rules.diocese[see] if state.tithed[see] >= 0 else ZERO
    for seat in range(rules.players):
        quiet = state.held[seat] & ~state.revolts
        land = size_of(quiet) * rules.land
        industry = industry_income(rules, state, quiet & ~state.hungry & ~tithed)
        tithe, taille, pension = ZERO, ZERO, ZERO
        for see in range(rules.sees):
            if state.tithed[see] >= 0 and state.family[state.tithed[see]] == seat:
                tithe += industry_income(rules, state, rules.diocese[see] & held & ~state.revolts & ~state.hungry)
        titles = titles_of(rules, state, np.int64(seat))
        for region in range(rules.regions):
            if state.taille[region] >= 0 and (titles >> region) & 1 != 0:
                taille += rules.size[region] * rules.taille_income
        if state.king >= 0 and state.family[state.king] == seat:
            pension += rules.king_pension
        if state.queen >= 0 and state.family[state.queen] == seat:
            pension += rules.regent_pension if state.regency else rules.queen_pension
        state.money[seat] += land + industry + tithe + taille + pension
        income = state.rows[seat].income
        income[0] += land
        income[1] += industry
        income[2] += tithe
        income[3] += taille
        income[4] += pension
        log_income(trace, np.int64(seat), land, industry, tithe, taille, pension)
    if trace.noting:
        count_villages(rules, state)
    for see in range(rules.sees):
        if state.tithe[see] >= 0:
            throw_away(state, trace, state.tithe[see], FROM_PHASES + REVENUE)
            state.tithe[see] = state.tithed[see] = NOBODY
    for region in range(rules.regions):
        if state.taille[region] >= 0:
            throw_away(state, trace, state.taille[region], FROM_PHASES + REVENUE)
            state.taille[region] = NOBODY


@kernel
def count_villages(rules, state):
    """Record for the table of events which villages are held, and what each pays to anybody."""
    for village in range(rules.villages):
        if state.holder[village] >= 0:
            state.kept[village] += 1
            if not (state.revolts >> village) & 1:
                fed = (1 << village) & ~state.hungry
                state.earned[village] += rules.land + industry_income(rules, state, fed)


# --- purchases ---


@kernel
def titles_for_sale(rules, state, seat):
    """Set of the regions whose titles a family can buy now."""
    found = np.int64(0)
    if state.lords[seat]:
        for region in range(rules.regions):
            area = rules.area[region]
            price = rules.title_price * rules.size[region]
            whole = (area & ~state.held[seat] == 0) & (area & forts(state) != 0)
            if whole & (state.money[seat] >= price) and is_banked(state, region):
                found |= 1 << region
    return found


@kernel
def cardinals_for_sale(rules, state, seat):
    """Set of the own bishops who can become cardinal now."""
    if (state.money[seat] < rules.cardinal_price) | (size_of(state.cardinals) >= rules.cardinals):
        return ZERO
    return state.lords[seat] & state.bishops & ~state.cardinals


@inlined
def sites(state, quiet, money, price, built, limit, taken):
    """Set of the villages where a building can be built, if one is left and there is enough money."""
    return quiet & ~taken if (money >= price) & (size_of(built) < limit) else ZERO


@inlined
def barracks(rules, state, seat):
    """Set of the forts where a family can buy soldiers now."""
    able = (state.money[seat] >= rules.soldier_price) & (state.army[seat] < rules.soldiers)
    return state.held[seat] & forts(state) if able else ZERO


@kernel
def purchase(rules, lineup, state, trace, seat):
    """Let a family buy until it stops."""
    others = pawns_of_others(rules, state, seat)
    for _ in range(rules.purchases):
        quiet = state.held[seat] & ~state.revolts & ~others
        money = state.money[seat]
        titles = titles_for_sale(rules, state, seat)
        bishops = cardinals_for_sale(rules, state, seat)
        castles = sites(state, quiet, money, rules.castle_price, state.castles, rules.castles, forts(state))
        mills = sites(state, quiet, money, rules.mill_price, state.mills, rules.mills, state.mills)
        presses = sites(state, quiet, money, rules.press_price, state.presses, rules.presses, state.presses)
        places = barracks(rules, state, seat)
        moves = 1 | np.int64(titles != 0) << BUY_TITLE | np.int64(bishops != 0) << BUY_CARDINAL
        moves |= np.int64(castles != 0) << BUY_CASTLE | np.int64(mills != 0) << BUY_MILL
        moves |= np.int64(presses != 0) << BUY_PRESS | np.int64(places != 0) << BUY_SOLDIERS
        what = decide(rules, lineup, state, trace, seat, BUYS, moves)
        if what == 0:
            return
        place, number = NOBODY, ONE
        if what == BUY_TITLE:
            place = buy_title(rules, lineup, state, trace, seat, titles)
        elif what == BUY_CARDINAL:
            place = pick(rules, lineup, state, trace, seat, CARDINAL_TO, bishops)
            pay_bank(state, trace, seat, rules.cardinal_price, CARDINAL_TO)
            state.cardinals |= 1 << place
            log_red(trace, CARDINAL, place, NOBODY, CARDINAL_TO)
        elif what == BUY_CASTLE:
            place = pick(rules, lineup, state, trace, seat, CASTLE_AT, castles)
            pay_bank(state, trace, seat, rules.castle_price, CASTLE_AT)
            state.castles |= 1 << place
            log_built(trace, place, FORT, ZERO, ONE, CASTLE_AT)
        elif what == BUY_MILL:
            place = pick(rules, lineup, state, trace, seat, MILL_AT, mills)
            pay_bank(state, trace, seat, rules.mill_price, MILL_AT)
            state.mills |= 1 << place
            log_built(trace, place, MILL, ZERO, ONE, MILL_AT)
        elif what == BUY_PRESS:
            place = pick(rules, lineup, state, trace, seat, PRESS_AT, presses)
            pay_bank(state, trace, seat, rules.press_price, PRESS_AT)
            state.presses |= 1 << place
            log_built(trace, place, PRESS, ZERO, ONE, PRESS_AT)
        else:
            place = pick(rules, lineup, state, trace, seat, SOLDIERS_AT, places)
            number = buy_soldiers(rules, lineup, state, trace, seat, place)
        state.rows[seat].bought[what - 1] += number
        note(trace, state.turn, seat, PURCHASE, what, place, number)


@kernel
def buy_title(rules, lineup, state, trace, seat, titles):
    """Buy a title for an own lord; the region's strongest castle becomes its city."""
    region = pick(rules, lineup, state, trace, seat, TITLE_REGION, titles)
    state.goal = region
    lord = pick(rules, lineup, state, trace, seat, TITLE_TO, state.lords[seat])
    pay_bank(state, trace, seat, rules.title_price * rules.size[region], TITLE_REGION)
    give_title(state, trace, region, lord, TITLE_TO)
    if state.cities & rules.area[region] == 0:
        castles = state.castles & rules.area[region]
        city = first_of(castles)
        while castles:
            village = first_of(castles)
            castles &= castles - 1
            if state.soldiers[village, seat] > state.soldiers[city, seat]:
                city = village
        state.castles &= ~(1 << city)
        state.cities |= 1 << city
        log_built(trace, city, FORT, ONE, TWO, TITLE_REGION)
    return region


@kernel
def most_soldiers(rules, state, seat):
    """Largest number of points of soldiers that a family can buy now."""
    room = rules.soldiers - state.army[seat]
    return min(room, state.money[seat] // rules.soldier_price) if rules.soldier_price else room


@kernel
def buy_soldiers(rules, lineup, state, trace, seat, village):
    """Buy points of soldiers in a fort; return their number."""
    state.village = village
    most = most_soldiers(rules, state, seat)
    number = decide(rules, lineup, state, trace, seat, NUMBER, up_to(most + 1) & ~ONE)
    pay_bank(state, trace, seat, rules.soldier_price * number, NUMBER)
    add_soldiers(state, trace, village, seat, number, NUMBER)
    return number


@kernel
def trade(rules, lineup, state, trace):
    """Let every family buy, in turn order."""
    for number in range(rules.players):
        purchase(rules, lineup, state, trace, seat_at(rules, state, number))
