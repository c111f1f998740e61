"""Fief 2: set-up, turns with movement and trade, and the end.

A step is a phase: the safe points, at which nothing is in progress, lie between court, cards, revenue with purchases,
movement, and combat with the end of the turn.
"""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.cards import deal, play_hands, refill
from simcore.games.fief_2.combat import fight_all
from simcore.games.fief_2.court import end_regency, play_court
from simcore.games.fief_2 import log
from simcore.games.fief_2.log import CARDINAL, FREE, REBELS
from simcore.games.fief_2.pieces import (
    add_soldiers, agrees, decide, first_of, forts, give_title, has, is_banked, leave, pawns_of_others, pay_bank, pick,
    pick_or_none, rebel_points, scores_now, seat_at, settle_village, size_of, stand, stands_in, throw_away, titles_of,
    up_to,
)  # fmt: skip
from simcore.games.fief_2.state import (
    BUYS, BUY_CARDINAL, BUY_CASTLE, BUY_MILL, BUY_PRESS, BUY_SOLDIERS, BUY_TITLE, CARDINAL_TO, CASTLE_AT, COMBAT,
    COURT, END, ESCORT, FIXED, FORT, FROM_PHASES, LAST_SCORING, LORDS, MILL, MILL_AT, MOVEMENT, MOVE_LORD, NOBODY,
    NUMBER, ONE, PLACE, PLAY_CARDS, PRESS, PRESS_AT, PURCHASE, PURCHASES, REVENUE, SCORED, SETUP, SOLDIERS_AT,
    STANDING, STEP, TAKE, TITLE_REGION, TITLE_TO, TWO, VILLAGE, VILLAGES, ZERO,
)  # fmt: skip
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.ranking import rank_and_share
from simcore.kernel.trace import note, tell


# --- An empty table ---


@kernel
def clear(rules, state):
    """Clear the table for a new game."""
    state.turn = state.first = state.over = 0
    state.phase = SETUP
    state.shown = NOBODY
    state.village = state.lord = state.other = state.rival = state.goal = state.card = 0
    state.steps = state.escort = state.own_points = state.their_points = state.standing = state.tried_prince = 0
    clear_families(rules, state)
    clear_map(state)
    clear_lords(state)
    state.at = state.size = state.shuffles = state.discards = state.fresh = 0
    for region in range(state.owner.shape[0]):
        state.owner[region] = state.keeper[region] = state.weather[region] = NOBODY
        state.famine[region] = state.taille[region] = NOBODY
    for see in range(state.tithe.shape[0]):
        state.tithe[see] = state.tithed[see] = NOBODY


@kernel
def clear_families(rules, state):
    """Take everything from the families."""
    for seat in range(state.money.shape[0]):
        state.asked[seat] = state.candidate[seat] = state.rolled[seat] = 0
        state.voted[seat] = NOBODY
        state.money[seat] = state.score[seat] = state.last[seat] = 0
        state.held[seat] = state.troops[seat] = state.army[seat] = state.lords[seat] = state.cards[seat] = 0
        for place in range(state.hand.shape[1]):
            state.hand[seat, place] = 0
        clear_row(state.rows[seat])
    state.rolled[NOBODY] = 0
    state.side[0] = state.side[1] = state.inside = 0


@kernel
def clear_map(state):
    """Empty the villages."""
    for village in range(VILLAGES):
        state.holder[village] = state.revolt[village] = NOBODY
        state.outside[village] = state.unmoved[village] = state.rebels[village] = 0
        state.free_at[village] = state.captive_at[village] = state.kept[village] = state.earned[village] = 0
        for seat in range(state.soldiers.shape[1]):
            state.soldiers[village, seat] = 0
    state.castles = state.cities = state.mills = state.presses = state.revolts = 0
    state.stormy = state.hungry = 0


@kernel
def clear_lords(state):
    """Put all lords into the box."""
    for lord in range(LORDS):
        state.family[lord] = state.captor[lord] = state.spouse[lord] = state.see[lord] = NOBODY
        state.where[lord] = state.captors[lord] = state.crowns[lord] = 0
    state.free = state.captive = state.bishops = state.cardinals = state.moved = state.out_lords = 0
    state.darc = state.king = state.queen = state.prince = NOBODY
    state.regency = state.kings_guard = state.queens_guard = 0


@kernel
def clear_row(row):
    """Set all counts to zero."""
    row.total = row.last = row.money = row.score = row.villages = row.titles = row.turns = 0
    row.won_by_titles = row.first_village = row.held = row.lords = row.soldiers = row.most_money = 0
    row.king_turns = row.queen_turns = row.title_turns = row.village_turns = 0
    row.attacks = row.won = row.defences = row.held_out = 0
    row.soldiers_lost = row.lords_lost = row.captured = row.ransoms = row.elected = row.regencies = 0
    for number in range(row.from_source.shape[0]):
        row.from_source[number] = 0
    for number in range(row.by_scoring.shape[0]):
        row.by_scoring[number] = 0
    for number in range(row.played.shape[0]):
        row.played[number] = 0
    for number in range(row.bought.shape[0]):
        row.bought[number] = 0
    for number in range(row.income.shape[0]):
        row.income[number] = 0


# --- The movement of lords and of the soldiers that go with them ---


@kernel
def move_all(rules, lineup, state, trace):
    """Let every family move, in turn order."""
    for number in range(rules.players):
        move_family(rules, lineup, state, trace, seat_at(rules, state, number))


@inlined
def movable(rules, state, seat):
    """Set of a family's lords who can move now."""
    found = np.int64(0)
    lords = state.lords[seat] & state.free & ~state.moved
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        if not has(state.stormy, state.where[lord]):
            found |= 1 << lord
    return found


@inlined
def is_contested(rules, state, village, seat):
    """Whether there are rebels or other families' pawns in a village."""
    found = has(state.revolts, village)
    for other in range(rules.players):
        found |= (other != seat) & stands_in(state, village, other)
    return found


@kernel
def move_family(rules, lineup, state, trace, seat):
    """Let a family move its lords one by one."""
    for village in range(rules.villages):
        state.unmoved[village] = state.soldiers[village, seat]
    state.moved &= ~state.lords[seat]
    while True:
        able = movable(rules, state, seat)
        lord = pick_or_none(rules, lineup, state, trace, seat, MOVE_LORD, able)
        if lord < 0:
            return
        party = np.int64(1) << lord
        most = rules.steps
        state.lord = lord
        if lord == state.darc:
            most = rules.darc_steps
            others = able & state.free_at[state.where[lord]] & ~party
            if others and agrees(rules, lineup, state, trace, seat, ESCORT):
                party |= others
        state.moved |= party
        move_lord(rules, lineup, state, trace, seat, lord, party, most)


@kernel
def move_lord(rules, lineup, state, trace, seat, lord, party, most):
    """Let a lord move from village to village, with the lords and soldiers that come along."""
    state.escort = 0
    for done in range(most):
        village = state.where[lord]
        state.lord, state.village, state.steps = lord, village, done
        goal = pick_or_none(rules, lineup, state, trace, seat, STEP, rules.near[village])
        if goal < 0:
            return
        state.goal = goal
        along = state.unmoved[village] if done == 0 else state.escort
        taken = decide(rules, lineup, state, trace, seat, TAKE, up_to(along + 1))
        if done == 0:
            state.unmoved[village] -= taken
        state.escort = taken
        contested = is_contested(rules, state, goal, seat)
        outside = contested & (state.holder[goal] == seat) & has(forts(state), goal)
        add_soldiers(state, trace, village, seat, -taken, TAKE)
        add_soldiers(state, trace, goal, seat, taken, TAKE)
        walkers = party
        while walkers:
            walker = first_of(walkers)
            walkers &= walkers - 1
            leave(state, walker)
            stand(state, walker, goal)
            tell(trace, log.LORD, walker, seat, goal, FREE, NOBODY, STEP)
        if outside:
            state.outside[goal] += taken
            state.out_lords |= party
        settle_village(rules, state, trace, village, STEP)
        settle_village(rules, state, trace, goal, STEP)
        if contested | has(state.stormy, goal):
            return


# --- Revenue and purchases ---


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
        tell(trace, log.INCOME, seat, land, industry, tithe, taille, pension)
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
            tell(trace, log.RED, CARDINAL, place, NOBODY, CARDINAL_TO)
        elif what == BUY_CASTLE:
            place = pick(rules, lineup, state, trace, seat, CASTLE_AT, castles)
            pay_bank(state, trace, seat, rules.castle_price, CASTLE_AT)
            state.castles |= 1 << place
            tell(trace, log.BUILT, place, FORT, ZERO, ONE, CASTLE_AT)
        elif what == BUY_MILL:
            place = pick(rules, lineup, state, trace, seat, MILL_AT, mills)
            pay_bank(state, trace, seat, rules.mill_price, MILL_AT)
            state.mills |= 1 << place
            tell(trace, log.BUILT, place, MILL, ZERO, ONE, MILL_AT)
        elif what == BUY_PRESS:
            place = pick(rules, lineup, state, trace, seat, PRESS_AT, presses)
            pay_bank(state, trace, seat, rules.press_price, PRESS_AT)
            state.presses |= 1 << place
            tell(trace, log.BUILT, place, PRESS, ZERO, ONE, PRESS_AT)
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
        tell(trace, log.BUILT, city, FORT, ONE, TWO, TITLE_REGION)
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


# --- Set-up, turns and the end ---


WHY = FROM_PHASES + END


@kernel
def start(rules, lineup, state, trace):
    """Deal, and let every family place its castle."""
    clear(rules, state)
    tell(trace, log.TURN, state.turn, state.phase)
    deal(rules, state, trace)
    for number in range(rules.players):
        seat = np.int64(number)
        state.money[seat] = rules.start_money
        tell(trace, log.PAID, NOBODY, seat, rules.start_money, FROM_PHASES + SETUP)
        taken = np.int64(0)
        for other in range(rules.players):
            taken |= state.held[other]
        village = pick(rules, lineup, state, trace, seat, PLACE, up_to(rules.villages) & ~taken)
        state.castles |= 1 << village
        tell(trace, log.BUILT, village, FORT, ZERO, ONE, PLACE)
        add_soldiers(state, trace, village, seat, rules.start_soldiers, PLACE)
        lord = first_of(state.lords[seat])
        stand(state, lord, village)
        tell(trace, log.LORD, lord, seat, village, FREE, NOBODY, PLACE)
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
        tell(trace, log.TURN, state.turn, state.phase)
        play_court(rules, lineup, state, trace)
        state.phase = PLAY_CARDS
    elif phase == PLAY_CARDS:
        tell(trace, log.TURN, state.turn, state.phase)
        refill(rules, lineup, state, trace)
        play_hands(rules, lineup, state, trace)
        state.phase = REVENUE
    elif phase == REVENUE:
        tell(trace, log.TURN, state.turn, state.phase)
        collect(rules, state, trace)
        state.phase = PURCHASES
        tell(trace, log.TURN, state.turn, state.phase)
        trade(rules, lineup, state, trace)
        state.phase = MOVEMENT
    elif phase == MOVEMENT:
        tell(trace, log.TURN, state.turn, state.phase)
        move_all(rules, lineup, state, trace)
        state.phase = COMBAT
    else:
        tell(trace, log.TURN, state.turn, state.phase)
        fight_all(rules, lineup, state, trace)
        state.phase = END
        tell(trace, log.TURN, state.turn, state.phase)
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
            tell(trace, log.PAWNS, NOBODY, village, REBELS, more, WHY)
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
    tell(trace, log.TURN_END)
    for seat in range(rules.players):
        tell(trace, state.money[seat], state.army[seat], state.score[seat], state.rows[seat].titles)


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
    tell(trace, log.OVER)
    for seat in range(rules.players):
        row = state.rows[seat]
        tell(trace, row.total, row.last, row.money, row.place, row.share60)
