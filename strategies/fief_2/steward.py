"""Fief 2: the steward, whose choices are all defined by the rulings.

Ties go to the first option.  Functions called `choice_..` return a move; all others return what their names say.
"""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.pieces import up_to
from simcore.games.fief_2.state import (
    ACCEPT, ASK_GRACE, AS_PRINCE, ATTACK, BUYS, BUY_CARDINAL, BUY_CASTLE, BUY_MILL, BUY_PRESS, BUY_SOLDIERS, BUY_TITLE,
    CALM, CASTLE, CASTLE_AT, CLAIM_LORD, CONSECRATE, CONSENT, CROWN_NEW, DECISIONS_IN, DECISION_NAMES, DISCARD,
    ESCAPE_TO, ESCORT, FREE_TO, GRANT_GRACE, JOIN, JUSTICE, MOVE_LORD, NOBODY, NUMBER, OPEN, PLACE_LORD, PLAY, PROPOSE,
    RANSOM_ACCEPT, RANSOM_OFFER, SOLDIERS_AT, SORTIE, SPOUSE, STAND, STEP, TAKE, TARGET_OF, TITLE_REGION, TITLE_TO,
    VOTE, ZERO, set_of,
)  # fmt: skip
from simcore.games.fief_2.pieces import first_of, forts, ground_of, has, lord_worth, points_inside, points_of, size_of
from simcore.kernel.compilation import inlined, kernel
from strategies.fief_2.outlook import best_home, goal_of, is_whole, most_soldiers_at, spare_at, standing, step_towards
from strategies.fief_2.targets import choice_of_card, steward_target, to_discard
from strategies.moves import blunder_move, blunders

YES, NO = np.int64(1), np.int64(0)
DUES = np.int64(600)  # money from which soldiers are bought
KEPT = np.int64(500)  # and what is kept back
PER_VILLAGE = np.int64(4)
RICH = np.int64(2000)

TARGETING = set_of(TARGET_OF[TARGET_OF >= 0])
FIELD = set_of(
    DECISION_NAMES.index(asked.name) for part in ("trade", "movement", "combat") for asked in DECISIONS_IN[part]
)
"""Decisions on what a card is played, and those in the field."""


@kernel
def place_of(rules, state, items):
    """In the region with the fewest held villages, then the smallest: the village with the most neighbours there."""
    best, least = ZERO, np.int64(1 << 40)
    for region in range(rules.regions):
        free = items & rules.area[region]
        rank = size_of(rules.area[region] & ~items) * 64 + rules.size[region]
        if free and rank < least:
            best, least = np.int64(region), rank
    places = items & rules.area[best]
    village, most = NOBODY, NOBODY
    while places:
        place = first_of(places)
        places &= places - 1
        if rules.inward[place] > most:
            village, most = place, rules.inward[place]
    return village


# --- court ---


@inlined
def can_wed(state, lord):
    """Whether there is a King of another family who may marry."""
    return lord >= 0 and state.spouse[lord] < 0 and not has(state.bishops, lord)


@inlined
def to_propose(rules, state, seat, items):
    """The own King, or otherwise the first own woman if another family's King can marry."""
    king = state.king
    if king >= 0 and has(items, king):
        return king
    women = items & ~up_to(rules.men)
    other = king >= 0 and state.family[king] != seat
    return first_of(women) if women and other and can_wed(state, king) else NOBODY


@inlined
def to_wed(state, items):
    """Only the King, or for the King the first lord of the set."""
    return state.king if state.king >= 0 and has(items, state.king) else first_of(items)


@kernel
def worthiest(rules, state, items):
    """The lord who scores the most in a set that is not empty."""
    best, most = NOBODY, NOBODY
    while items:
        lord = first_of(items)
        items &= items - 1
        worth = lord_worth(rules, state, lord)
        if worth > most:
            best, most = lord, worth
    return best


@kernel
def choice_of_vote(rules, state, seat):
    """Vote for the own candidate, or otherwise for the one whose family has the lowest standing."""
    best, least = ZERO, np.int64(1 << 40)
    for place in range(state.standing):
        family = state.family[state.candidate[place]]
        if family == seat:
            return np.int64(place + 1)
        points = standing(rules, state, family)
        if points < least:
            best, least = np.int64(place + 1), points
    return best


# --- purchases ---


@kernel
def castle_sites(rules, state, seat, items):
    """Those of some villages in regions without a fort that the family holds whole, with the title in the bank."""
    found = np.int64(0)
    for region in range(rules.regions):
        area = rules.area[region]
        if items & area != 0 and area & forts(state) == 0 and is_whole(rules, state, seat, region):
            found |= items & area
    return found


@kernel
def holds_whole(rules, state, seat):
    """Whether a family holds a whole region with the title in the bank."""
    found = False
    for region in range(rules.regions):
        found |= is_whole(rules, state, seat, region)
    return found


@kernel
def choice_of_buy(rules, state, seat, legal):
    """Title, first cardinal, or castle that a title needs; then stop to save, or mill, press, soldiers, castle."""
    if has(legal, BUY_TITLE):
        return BUY_TITLE
    if has(legal, BUY_CARDINAL) and state.lords[seat] & state.cardinals == 0:
        return BUY_CARDINAL
    if holds_whole(rules, state, seat):
        able = has(legal, BUY_CASTLE) and castle_sites(rules, state, seat, castle_places(rules, state, seat)) != 0
        return BUY_CASTLE if able else NO
    if has(legal, BUY_MILL):
        return BUY_MILL
    if has(legal, BUY_PRESS):
        return BUY_PRESS
    few = state.army[seat] < PER_VILLAGE * size_of(state.held[seat])
    if has(legal, BUY_SOLDIERS) and few and state.money[seat] >= DUES:
        return BUY_SOLDIERS
    return BUY_CASTLE if has(legal, BUY_CASTLE) and state.money[seat] >= RICH else NO


@kernel
def castle_places(rules, state, seat):
    """Set of the villages where a family may build a castle, without regard to money and pieces."""
    found = state.held[seat] & ~state.revolts & ~forts(state)
    places = found
    while places:
        place = first_of(places)
        places &= places - 1
        for other in range(rules.players):
            if other != seat and points_of(state, place, np.int64(other)) > 0:
                found &= ~(1 << place)
    return found


@kernel
def largest(rules, items):
    """The largest region of a set."""
    best, most = NOBODY, NOBODY
    while items:
        region = first_of(items)
        items &= items - 1
        if rules.size[region] > most:
            best, most = region, rules.size[region]
    return best


@kernel
def smallest(rules, items):
    """The smallest region of a set."""
    best, least = NOBODY, np.int64(1 << 40)
    while items:
        region = first_of(items)
        items &= items - 1
        if rules.size[region] < least:
            best, least = region, rules.size[region]
    return best


@kernel
def heir(rules, state, items):
    """The lord with the fewest titles; among equals, a man who is not a bishop."""
    best, least = NOBODY, np.int64(1 << 40)
    while items:
        lord = first_of(items)
        items &= items - 1
        plain = (lord < rules.men) & (not has(state.bishops, lord))
        rank = 2 * size_of(state.crowns[lord]) + (ZERO if plain else YES)
        if rank < least:
            best, least = lord, rank
    return best


@kernel
def most_lords_at(state, seat, items):
    """The village of a set with the most own free lords."""
    best, most = NOBODY, NOBODY
    while items:
        village = first_of(items)
        items &= items - 1
        lords = size_of(state.free_at[village] & state.lords[seat])
        if lords > most:
            best, most = village, lords
    return best


@inlined
def choice_of_number(state, seat, legal):
    """Buy what the money beyond 500 pays for, up to four points for each village, within the legal numbers."""
    gap = PER_VILLAGE * size_of(state.held[seat]) - state.army[seat]
    wanted = min((state.money[seat] - KEPT) // 100, gap)
    while wanted > 1 and not has(legal, wanted):
        wanted -= 1
    return max(wanted, YES)


# --- movement and combat ---


@kernel
def to_move(rules, state, seat, items):
    """The first lord who can lead soldiers to a goal."""
    while items:
        lord = first_of(items)
        items &= items - 1
        if goal_of(rules, state, seat, state.where[lord], True) >= 0:
            return lord
    return NOBODY


@kernel
def to_step(rules, state, seat):
    """The next village on the way to the goal."""
    village = state.village
    goal = goal_of(rules, state, seat, village, state.steps == 0)
    return step_towards(rules, state, seat, village, goal) if goal >= 0 else NOBODY


@inlined
def choice_of_take(state, seat, legal):
    """Take all soldiers that can be spared."""
    spare = max(spare_at(state, state.village, seat, state.steps == 0), ZERO)
    while not has(legal, spare):
        spare -= 1
    return spare


@kernel
def to_attack(rules, state, seat, items):
    """The first foe with at most half of the family's points; a third in a castle, and a quarter in a city."""
    village = state.village
    own = points_of(state, village, seat)
    while items:
        foe = first_of(items)
        items &= items - 1
        times = np.int64(2)
        if foe == 0:
            theirs = state.rebels[village]
        else:
            other = foe - 1
            theirs = points_of(state, village, other)
            ground = ground_of(state, village)
            if state.holder[village] == other and ground != OPEN and points_inside(state, village, other) > 0:
                times = np.int64(3) if ground == CASTLE else np.int64(4)
        if own >= times * theirs:
            return foe
    return NOBODY


# --- all of it ---


@kernel
def steward(rules, lineup, state, seat):
    """The steward's choice."""
    kind = np.int64(state.decision)
    legal = np.int64(state.legal)
    items = legal >> 1
    if has(FIELD, kind):
        return choice_in_the_field(rules, state, seat, kind, legal, items)
    if has(TARGETING, kind):
        card = rules.kind[state.card]
        return 1 + steward_target(rules, state, seat, card, items)
    if kind == PLAY:
        return choice_of_card(rules, state, seat, items)
    if kind == DISCARD:
        return 1 + to_discard(rules, state, seat)
    if (kind == PLACE_LORD) | (kind == FREE_TO):
        return 1 + best_home(state, seat, items)
    if kind == ESCAPE_TO:
        own = items & state.held[seat]
        return 1 + best_home(state, seat, own if own else items)
    if (kind == RANSOM_OFFER) | (kind == RANSOM_ACCEPT) | (kind == CONSENT) | (kind == AS_PRINCE):
        return YES
    if kind == PROPOSE:
        return 1 + to_propose(rules, state, seat, items)
    if kind == SPOUSE:
        return 1 + to_wed(state, items)
    if kind == ACCEPT:
        return np.int64((state.king >= 0) & ((state.lord == state.king) | (state.other == state.king)))
    if kind == STAND:
        return 1 + worthiest(rules, state, items)
    if kind == VOTE:
        return choice_of_vote(rules, state, seat)
    if kind == CONSECRATE:
        return np.int64(state.voted[seat] == state.lord)
    if kind == CLAIM_LORD:
        return 1 + first_of(items)
    if kind == CROWN_NEW:
        return 1 + smallest(rules, items)
    if kind == JUSTICE:
        return 1 + worthiest(rules, state, items) if state.goal == seat else NO
    return 1 + place_of(rules, state, items)


@kernel
def choice_in_the_field(rules, state, seat, kind, legal, items):
    """The steward's choice in purchases, movement and combat."""
    if kind == BUYS:
        return choice_of_buy(rules, state, seat, legal)
    if kind == TITLE_REGION:
        return 1 + largest(rules, items)
    if kind == TITLE_TO:
        return 1 + heir(rules, state, items)
    if kind == CASTLE_AT:
        needed = castle_sites(rules, state, seat, items)
        return 1 + most_soldiers_at(state, seat, needed if needed else items)
    if kind == SOLDIERS_AT:
        return 1 + most_lords_at(state, seat, items)
    if kind == NUMBER:
        return choice_of_number(state, seat, legal)
    if kind == MOVE_LORD:
        return 1 + to_move(rules, state, seat, items)
    if kind == STEP:
        return 1 + to_step(rules, state, seat)
    if kind == TAKE:
        return choice_of_take(state, seat, legal)
    if kind == ATTACK:
        return 1 + to_attack(rules, state, seat, items)
    if kind == CALM:
        return np.int64(4) if has(legal, np.int64(4)) else NO
    if kind == SORTIE:
        return np.int64(points_of(state, state.village, seat) >= 2 * state.their_points)
    if kind == ASK_GRACE:
        return np.int64(2 * state.own_points <= state.their_points)
    if kind == GRANT_GRACE:
        return YES
    if (kind == ESCORT) | (kind == JOIN):
        return NO
    return 1 + first_of(items)  # a cardinal, mill or press: the first


@kernel
def noisy_steward(rules, lineup, state, seat):
    """`steward` with blunders."""
    return blunder_move(state, seat) if blunders(lineup, state, seat) else steward(rules, lineup, state, seat)
