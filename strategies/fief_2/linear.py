"""Fief 2: the linear policy: a weighted sum of the steward's advice and of features, by kind of decision."""

from __future__ import annotations

import numpy as np

from simcore.games.fief_2.state import (
    ACCEPT, ATTACK, BLANK, BUY, BUYS, BUY_CARDINAL, BUY_MILL, BUY_PRESS, BUY_SOLDIERS, BUY_TITLE, CARD_KINDS,
    CONSECRATE, DECISIONS_IN, DECISION_NAMES, DISCARD, MOVE_LORD, NOBODY, NUMBER, OPEN, PLACE, PLAY, PROPOSE, SPOUSE,
    STEP, TAKE, TARGET_ASSASSIN, TARGET_REVOLT, VILLAGES, VOTE, ZERO, set_of,
)  # fmt: skip
from simcore.games.fief_2.pieces import (
    forts,
    ground_of,
    has,
    lord_worth,
    own_free,
    points_inside,
    points_of,
    size_of,
)
from simcore.games.fief_2.cards import is_playable
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import first_legal, next_legal
from strategies.kit import places_of
from strategies.fief_2.features import ANY, INDEX, YES
from strategies.fief_2.outlook import all_held, industry, leader, others_in
from strategies.fief_2.steward import steward
from strategies.moves import NO_NOISE, blunder_move, blunders, heated_in_turn, random_move

LOWEST = np.int64(-(1 << 62))
MOST_ODDS = np.int64(8)
NEAREST = np.int64(VILLAGES)  # more than any way by road
BESIDE = np.int64(2)  # steps by road that count as near

ADVICE = np.array([INDEX[f"advice_{part}"] for part, asked in DECISIONS_IN.items() for _ in asked])
"""By kind of decision: position of the weight of the steward's advice."""

FOR_ANY = np.full(len(DECISION_NAMES), -1)
"""By kind of decision: position of the weight of anything but the first move; -1 if there is none."""

for _name, _place in {**{name: f"yes_{name}" for name in YES}, **{name: f"any_{name}" for name in ANY}}.items():
    FOR_ANY[DECISION_NAMES.index(_name)] = INDEX[_place]

WATCHING = set_of((VOTE, CONSECRATE, SPOUSE, TARGET_ASSASSIN, TARGET_REVOLT, ATTACK))
"""Kinds of decisions whose values depend on who leads, besides steps."""

CARDS = np.array([INDEX[f"play_{kind}"] for kind in CARD_KINDS])
PURCHASES = np.array([INDEX[f"buy_{what}"] for what in BUY])
"""By kind of card and of purchase: positions of their weights."""

(
    PLACE_LARGE, PLACE_INWARD, PLACE_CROWDED, PLACE_ROADS, PLACE_REMOTE, PLACE_REMOTE_LAST, PLACE_ALONE,
    PLACE_ALONE_LAST, PLACE_NEAR, PLACE_ROOM, PLACE_RANDOM, VOTE_OWN, VOTE_LEADER,
    VOTE_NONE, CONSECRATE_OWN, CONSECRATE_VOTED, CONSECRATE_LEADER, WED_KING, DISCARD_IDLE, TARGET_WORTH,
    TARGET_LEADER, BUY_VACANT, BUY_PAYBACK, BUY_RICH, BUY_LATE, BUY_WEAK, BUY_SCORING, BUY_NUMBER, MOVES, STEPS,
    STEP_FREE, STEP_REGION, STEP_LAST, STEP_RICH, STEP_STRONGER, STEP_WEAKER, STEP_OWN, STEP_FORT, STEP_LEADER,
    TAKES, TAKE_EMPTY, ATTACKS, ATTACK_REBELS, ATTACK_ODDS, ATTACK_HOLDER, ATTACK_FORT, ATTACK_LAST, ATTACK_RICH,
    ATTACK_LEADER,
) = places_of(
    INDEX,
    "place_large place_inward place_crowded place_roads place_remote place_remote_last place_alone place_alone_last "
    "place_near place_room place_random vote_own vote_leader vote_none "
    "consecrate_own consecrate_voted consecrate_leader wed_king discard_idle target_worth target_leader "
    "buy_cardinal_vacant buy_payback buy_soldiers_rich buy_soldiers_late buy_soldiers_weak buy_scoring number move "
    "step step_free step_region step_last step_rich step_stronger step_weaker step_own step_fort step_leader take "
    "take_empty attack attack_rebels attack_odds attack_holder attack_fort attack_last attack_rich attack_leader",
)  # fmt: skip


@inlined
def worth_of_place(rules, state, weights, village):
    """The value of a village for the first castle."""
    region = rules.region[village]
    held = all_held(rules, state)
    remote = NEAREST if held else ZERO
    near = room = ZERO
    for other in range(rules.villages):
        way = rules.way[village, other]
        close = np.int64(way <= BESIDE and other != village)
        if has(held, other):
            remote = min(remote, way)
            near += close
        else:
            room += close
    worth = weights[PLACE_LARGE] * rules.size[region] + weights[PLACE_INWARD] * rules.inward[village]
    worth += weights[PLACE_ROADS] * size_of(rules.near[village]) + weights[PLACE_REMOTE] * remote
    worth += weights[PLACE_NEAR] * near + weights[PLACE_ROOM] * room
    last = size_of(held) == rules.players - 1
    if last:
        worth += weights[PLACE_REMOTE_LAST] * remote
    rivals = size_of(rules.area[region] & held)
    if rivals == 0:
        worth += weights[PLACE_ALONE] + (weights[PLACE_ALONE_LAST] if last else ZERO)
    return worth + weights[PLACE_CROWDED] * rivals


@inlined
def rival_of(rules, state, seat, weights, kind):
    """The leading family if the values of this decision depend on it; otherwise NOBODY."""
    if kind == STEP:
        theirs = (np.int64(state.legal) >> 1) & ~state.held[seat] & all_held(rules, state)
        return leader(rules, state, seat) if weights[STEP_LEADER] != 0 and theirs else NOBODY
    return leader(rules, state, seat) if has(WATCHING, kind) else NOBODY


@inlined
def worth_of_vote(state, seat, rival, weights, move):
    """The value of a vote."""
    if move == 0:
        return weights[VOTE_NONE]
    family = state.family[state.candidate[move - 1]]
    if family == seat:
        return weights[VOTE_OWN]
    return weights[VOTE_LEADER] if family == rival else ZERO


@inlined
def worth_of_blessing(state, seat, rival, weights):
    """The value of consecrating the winner of the election."""
    family = state.family[state.lord]
    worth = weights[CONSECRATE_VOTED] if state.voted[seat] == state.lord else ZERO
    if family == seat:
        return worth + weights[CONSECRATE_OWN]
    return worth + (weights[CONSECRATE_LEADER] if family == rival else ZERO)


@inlined
def worth_of_match(state, weights, kind, move):
    """The value of a marriage because it is the King's."""
    royal = (state.king >= 0) & (state.king == (move - 1 if kind == PROPOSE else state.lord))
    if kind == SPOUSE:
        royal |= (state.king >= 0) & (state.king == move - 1)
    elif kind == ACCEPT:
        royal |= (state.king >= 0) & (state.king == state.other)
    return weights[WED_KING] if royal else ZERO


@inlined
def worth_of_lord(rules, state, rival, weights, lord):
    """The value of choosing a lord."""
    worth = weights[TARGET_WORTH] * lord_worth(rules, state, lord) // 10
    return worth + (weights[TARGET_LEADER] if state.family[lord] == rival else ZERO)


@inlined
def largest_army(rules, state):
    """Points of soldiers of the family that has the most."""
    most = ZERO
    for seat in range(rules.players):
        most = max(most, state.army[seat])
    return most


@inlined
def worth_of_purchase(rules, state, seat, weights, what):
    """The value of a kind of purchase."""
    worth = weights[PURCHASES[what - 1]]
    turns = rules.turns - state.turn
    if what == BUY_MILL:
        worth += weights[BUY_PAYBACK] * (turns * rules.mill_income - rules.mill_price) // 100
    elif what == BUY_PRESS:
        worth += weights[BUY_PAYBACK] * (turns * rules.press_income - rules.press_price) // 100
    elif what == BUY_CARDINAL:
        worth += weights[BUY_VACANT] if state.king < 0 else ZERO
    elif what == BUY_SOLDIERS:
        worth += weights[BUY_WEAK] if state.army[seat] < largest_army(rules, state) else ZERO
        worth += weights[BUY_RICH] * state.money[seat] // 1000
        worth += weights[BUY_LATE] * state.turn * 10 // rules.turns
    if what != BUY_TITLE and what != BUY_CARDINAL and state.turn % rules.scoring_every == 0:
        worth += weights[BUY_SCORING]
    return worth


@kernel
def worth_of_step(rules, state, seat, rival, weights, village):
    """The value of entering a village."""
    area = rules.area[rules.region[village]]
    worth = weights[STEPS] + weights[STEP_REGION] * size_of(state.held[seat] & area)
    if area & ~state.held[seat] == 1 << village:
        worth += weights[STEP_LAST]
    holder = state.holder[village]
    if holder < 0:
        worth += weights[STEP_FREE]
    elif holder == seat:
        worth += weights[STEP_OWN]
    else:
        worth += weights[STEP_RICH] * industry(state, 1 << village)
        worth += weights[STEP_FORT] if has(forts(state), village) else ZERO
        worth += weights[STEP_LEADER] if holder == rival else ZERO
    theirs = others_in(rules, state, village, seat) + state.rebels[village]
    if theirs > 0:
        along = state.escort if state.steps else state.unmoved[state.village]
        worth += weights[STEP_STRONGER] if along + 1 >= 2 * theirs else weights[STEP_WEAKER]
    return worth


@inlined
def worth_of_escort(state, seat, weights, count):
    """The value of taking a number of soldiers along."""
    worth = weights[TAKES] * count
    village = state.village
    if state.holder[village] == seat and state.soldiers[village, seat] == count:
        worth += weights[TAKE_EMPTY] if own_free(state, village, seat) & ~(1 << state.lord) == 0 else ZERO
    return worth


@kernel
def worth_of_attack(rules, state, seat, rival, weights, foe):
    """The value of attacking rebels (0) or a seat (numbered from 1)."""
    village = state.village
    own = points_of(state, village, seat)
    if foe == 0:
        return weights[ATTACK_REBELS] + weights[ATTACK_ODDS] * min(own // max(state.rebels[village], 1), MOST_ODDS)
    other = foe - 1
    theirs = points_of(state, village, other)
    worth = weights[ATTACKS] + weights[ATTACK_ODDS] * min(own // max(theirs, 1), MOST_ODDS)
    if state.holder[village] == other:
        worth += weights[ATTACK_HOLDER]
        if ground_of(state, village) != OPEN and points_inside(state, village, other) > 0:
            worth += weights[ATTACK_FORT]
        if rules.area[rules.region[village]] & ~state.held[seat] == 1 << village:
            worth += weights[ATTACK_LAST]
        worth += weights[ATTACK_RICH] * (industry(state, 1 << village) + has(forts(state), village))
    return worth + (weights[ATTACK_LEADER] if other == rival else ZERO)


@kernel
def worth_of(rules, state, seat, rival, weights, kind, move):
    """The value of a move in 1/1024, without the steward's advice; the rival is that of `rival_of`."""
    if kind == STEP:
        return worth_of_step(rules, state, seat, rival, weights, move - 1) if move else ZERO
    if kind == TAKE:
        return worth_of_escort(state, seat, weights, move)
    if kind == BUYS:
        return worth_of_purchase(rules, state, seat, weights, move) if move else ZERO
    if kind == MOVE_LORD:
        return weights[MOVES] if move else ZERO
    if kind == NUMBER:
        return weights[BUY_NUMBER] * move
    if kind == PLAY:
        card = rules.kind[state.hand[seat, move - 1]] if move else BLANK
        return weights[CARDS[card]] if card < BLANK else ZERO
    if kind == ATTACK:
        return worth_of_attack(rules, state, seat, rival, weights, move - 1) if move else ZERO
    if kind == VOTE:
        return worth_of_vote(state, seat, rival, weights, move)
    if kind == PLACE:
        return worth_of_place(rules, state, weights, move - 1)
    if (kind == SPOUSE) | (kind == TARGET_ASSASSIN):
        worth = worth_of_lord(rules, state, rival, weights, move - 1)
        return worth + (worth_of_match(state, weights, kind, move) if kind == SPOUSE else ZERO)
    if kind == TARGET_REVOLT:
        return weights[TARGET_LEADER] if has(state.held[rival], move - 1) else ZERO
    if move == 0:
        return ZERO
    worth = weights[FOR_ANY[kind]] if FOR_ANY[kind] >= 0 else ZERO
    if kind == CONSECRATE:
        worth += worth_of_blessing(state, seat, rival, weights)
    elif (kind == PROPOSE) | (kind == ACCEPT):
        worth += worth_of_match(state, weights, kind, move)
    elif kind == DISCARD:
        worth += ZERO if is_playable(rules, state, seat, state.hand[seat, move - 1]) else weights[DISCARD_IDLE]
    return worth


@kernel
def linear(rules, lineup, state, seat):
    """Return the best move by the weights, with blunders and the noise of a temperature."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    weights = lineup.members[lineup.seated[seat]].weights
    kind = np.int64(state.decision)
    advice = steward(rules, lineup, state, seat)
    rival = rival_of(rules, state, seat, weights, kind)
    drawn = random_move(state, seat) if kind == PLACE else NOBODY
    move = best = first_legal(state)
    most, noise = LOWEST, NO_NOISE
    trust = weights[ADVICE[kind]]
    while move >= 0:
        worth = worth_of(rules, state, seat, rival, weights, kind, move)
        worth += trust if move == advice else ZERO
        worth += weights[PLACE_RANDOM] if move == drawn else ZERO
        worth, noise = heated_in_turn(lineup, state, seat, move, worth, noise)
        if worth > most:
            best, most = move, worth
        move = next_legal(state, move)
    return best
