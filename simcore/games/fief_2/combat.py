"""Fief 2: the combat phase: sides, dice, losses, fights, and the exact odds of a fight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.games.fief_2.cards import CALM_NUMBER, SIDES, kill
from simcore.games.fief_2.court import die
from simcore.games.fief_2 import log
from simcore.games.fief_2.log import CALM_DIE, REBELS, log_losses
from simcore.games.fief_2.pieces import (
    add_soldiers, agrees, capture, first_of, forts, ground_of, guards, has, lord_worth, lose_kings_guard,
    lose_queens_guard, own_free, pawns_of, pawns_of_others, pay_bank, pick_or_none, points_inside, points_of, seat_at,
    set_holder, settle_village, stands_in, throw_away, up_to,
)  # fmt: skip
from simcore.games.fief_2.rules import pack
from simcore.games.fief_2.state import (
    ASK_GRACE, ATTACK, CALM, CAP, CASTLE, COMBAT, FIGHT, FROM_PHASES, GRANT_GRACE, GROUNDS, JOIN, MARRIAGE, MILL,
    NOBODY, ONE, OPEN, PRESS, RESULT, RUNS, SORTIE, TWO, ZERO,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.streams import DICE, WORD, block, bounded
from simcore.kernel.trace import note, tell
from simcore.rules.files import Rules


# --- Dice, totals and losses; exact odds are computed with the same functions as fights ---


THREE_DICE = np.uint64(216)
REJECTED = np.uint64((1 << 32) % 216)


@inlined
def dice_of(rules, points):
    """The number of dice that a side throws."""
    return 1 + np.int64(points >= rules.two_dice) + np.int64(points >= rules.three_dice)


@inlined
def total_of(rules, pips, with_darc):
    """The total of a throw."""
    total = pips + (rules.darc_bonus if with_darc else ZERO)
    return min(total, np.int64(18)) if rules.darc_over_18 == CAP else total


@inlined
def losses_of(rules, total, ground):
    """The points that a side on some ground loses to the other side's total."""
    return total // (rules.open_loss if ground == OPEN else rules.castle_loss if ground == CASTLE else rules.city_loss)


@inlined
def die_at(dice, place):
    """One of three dice, from 1 to 6."""
    return 1 + (dice if place == 0 else dice // 6 if place == 1 else dice // 36) % 6


@inlined
def pips_of(dice, count):
    """The sum of the first dice of three."""
    pips = die_at(dice, ZERO)
    pips += die_at(dice, ONE) if count > 1 else ZERO
    return pips + (die_at(dice, TWO) if count > 2 else ZERO)


@inlined
def shown(dice, count):
    """The same dice as digits in base 7, for the log; 0 for a die that was not thrown."""
    digits = die_at(dice, ZERO)
    digits += 7 * die_at(dice, ONE) if count > 1 else ZERO
    return digits + (49 * die_at(dice, TWO) if count > 2 else ZERO)


@inlined
def throw(state, slot, number):
    """Throw three dice for each side, as numbers below 216; words that would favour some throws are drawn again."""
    words = block(state.rng, DICE, slot, ZERO, number)
    first, second = words[0] * THREE_DICE, words[1] * THREE_DICE
    attempt = ZERO
    while (first & WORD < REJECTED) | (second & WORD < REJECTED):
        attempt += 1
        words = block(state.rng, DICE, slot, attempt, number)
        first = words[0] * THREE_DICE if first & WORD < REJECTED else first
        second = words[1] * THREE_DICE if second & WORD < REJECTED else second
    return np.int64(first >> np.uint64(32)), np.int64(second >> np.uint64(32))


# --- The two sides of a fight: who fights, with how many points, and what they lose ---


ATTACKER, DEFENDER = map(np.int64, range(2))  # sides
WHY = FROM_PHASES + COMBAT


@inlined
def fighting_points(state, village, seat, inside):
    """Points with which a family fights."""
    return points_inside(state, village, seat) if inside else points_of(state, village, seat)


@inlined
def fighting_lords(state, village, seat, inside):
    """Set of the lords with which a family fights."""
    return own_free(state, village, seat) & (~state.out_lords if inside else np.int64(-1))


@kernel
def side_points(state, village, side):
    """Points of a side; a side without a family is the rebels."""
    seats = state.side[side]
    if seats == 0:
        return state.rebels[village]
    points = np.int64(0)
    while seats:
        points += fighting_points(state, village, first_of(seats), (side == DEFENDER) & (state.inside != 0))
        seats &= seats - 1
    return points


@kernel
def side_lords(state, village, side):
    """Set of the lords who fight on a side."""
    found = np.int64(0)
    seats = state.side[side]
    while seats:
        found |= fighting_lords(state, village, first_of(seats), (side == DEFENDER) & (state.inside != 0))
        seats &= seats - 1
    return found


@kernel
def speaker(rules, state, village, side, principal):
    """The family that decides for a side: the principal or, if it has no pawns left, the first ally that has some."""
    if stands_in(state, village, principal):
        return principal
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        if has(state.side[side], seat) and stands_in(state, village, seat):
            return seat
    return principal


# --- losses ---


@kernel
def next_to_die(rules, state, lords):
    """The lord of a set who dies first: those outside first, then the lowest worth, then the highest number."""
    if lords & state.out_lords:
        lords &= state.out_lords
    best, least = NOBODY, np.int64(1 << 40)
    while lords:
        lord = first_of(lords)
        lords &= lords - 1
        worth = lord_worth(rules, state, lord)
        if worth <= least:
            best, least = lord, worth
    return best


@kernel
def lose(rules, state, trace, village, seat, count, inside):
    """Take points from a family: soldiers, guards, then lords; return how many it had to lose."""
    lost = np.int64(0)
    while lost < count:
        outside = state.outside[village] if state.holder[village] == seat else ZERO
        soldiers = state.soldiers[village, seat] - (outside if inside else ZERO)
        left = count - lost
        if soldiers > 0:
            fallen = min(soldiers, left)
            add_soldiers(state, trace, village, seat, -fallen, WHY)
            if not inside and outside > 0:
                state.outside[village] = max(outside - fallen, ZERO)
            state.rows[seat].soldiers_lost += fallen
            lost += fallen
            continue
        lords = fighting_lords(state, village, seat, inside)
        if lords == 0:
            break
        if guards(state, lords) == 0:
            die(rules, state, trace, next_to_die(rules, state, lords), WHY)
            lost += 1
        elif state.queen >= 0 and has(lords, state.queen) and state.queens_guard > 0:
            fallen = min(state.queens_guard, left)
            lose_queens_guard(state, trace, fallen, WHY)
            lost += fallen
        else:
            fallen = min(state.kings_guard, left)
            lose_kings_guard(state, trace, fallen, WHY)
            lost += fallen
    return lost


@kernel
def lose_rebels(state, trace, village, count, why):
    """Remove rebels; without rebels, the revolt is over.  Return how many there were to remove."""
    lost = min(count, state.rebels[village])
    if lost > 0:
        state.rebels[village] -= lost
        tell(trace, log.PAWNS, NOBODY, village, REBELS, -lost, why)
        if state.rebels[village] == 0:
            state.revolts &= ~(1 << village)
            throw_away(state, trace, state.revolt[village], why)
            state.revolt[village] = NOBODY
    return lost


@kernel
def side_loses(rules, state, trace, village, side, principal, count):
    """Take points from a side, one at a time in turn if it has allies, the principal first; return how many."""
    seats = state.side[side]
    inside = (side == DEFENDER) & (state.inside != 0)
    if principal < 0:
        return lose_rebels(state, trace, village, count, WHY)
    if seats & (seats - 1) == 0:
        return lose(rules, state, trace, village, principal, count, inside)
    lost, found = ZERO, ONE
    while (lost < count) & (found > 0):
        found = lose(rules, state, trace, village, principal, ONE, inside)
        for number in range(rules.players):
            seat = seat_at(rules, state, number)
            if (seat != principal) & has(seats, seat) and lost + found < count:
                found += lose(rules, state, trace, village, seat, ONE, inside)
        lost += found
    return lost


@kernel
def surrender(rules, state, trace, village, side, captor):
    """Let a side surrender: its soldiers and guards die, and its lords become prisoners."""
    seats = state.side[side]
    inside = (side == DEFENDER) & (state.inside != 0)
    while seats:
        seat = first_of(seats)
        seats &= seats - 1
        lords = fighting_lords(state, village, seat, inside)
        soldiers = state.soldiers[village, seat] - (state.outside[village] if inside else ZERO)
        state.rows[seat].soldiers_lost += soldiers
        add_soldiers(state, trace, village, seat, -soldiers, GRANT_GRACE)
        while lords:
            lord = first_of(lords)
            lords &= lords - 1
            capture(state, trace, lord, captor, state.side[1 - side], GRANT_GRACE)


# --- One fight: ground, allies, rounds, grace, and who holds the village afterwards ---


ENDLESS = 2
"""A fault: a fight went on for too many rounds."""


@kernel
def are_joined(state, seat, other):
    """Whether a marriage joins two families."""
    found = False
    lords = state.lords[seat]
    while lords:
        spouse = state.spouse[first_of(lords)]
        lords &= lords - 1
        found |= spouse >= 0 and has(state.lords[other], spouse)
    return found


@kernel
def joined_to(state, seat, seats):
    """Whether a marriage joins a family to one of some others."""
    found = False
    while seats:
        found |= are_joined(state, seat, first_of(seats))
        seats &= seats - 1
    return found


@kernel
def ask_allies(rules, lineup, state, trace, village, attacker, defender):
    """In turn order, let families join a side if a marriage joins them to it and none joins them to the other side."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        if (seat == attacker) | (seat == defender) or not stands_in(state, village, seat):
            continue
        for side in range(2):
            principal = attacker if side == 0 else defender
            friend = principal >= 0 and are_joined(state, seat, principal)
            if friend and not joined_to(state, seat, state.side[1 - side]):
                state.village, state.rival = village, defender if side == 0 else attacker
                if agrees(rules, lineup, state, trace, seat, JOIN):
                    state.side[side] |= 1 << seat


@kernel
def asks_grace(rules, lineup, state, trace, village, side, own, other):
    """Let a side that has lords ask for grace, and the other side grant it; return whether it did."""
    if side_lords(state, village, side) == 0:
        return False
    asker = speaker(rules, state, village, side, own)
    judge = speaker(rules, state, village, 1 - side, other)
    state.village, state.rival = village, judge
    state.own_points = side_points(state, village, side)
    state.their_points = side_points(state, village, 1 - side)
    if not agrees(rules, lineup, state, trace, asker, ASK_GRACE):
        return False
    state.rival = asker
    if not agrees(rules, lineup, state, trace, judge, GRANT_GRACE):
        return False
    surrender(rules, state, trace, village, side, other)
    return True


@kernel
def choose_ground(rules, lineup, state, trace, village, attacker, defender):
    """The ground on which a defender fights; a defender with pawns inside and outside its fort may make a sortie."""
    state.inside = 0
    ground = ground_of(state, village)
    if defender < 0 or state.holder[village] != defender or ground == OPEN:
        return OPEN
    inside = points_inside(state, village, defender)
    if inside == 0:
        return OPEN
    if inside < points_of(state, village, defender):
        state.village, state.rival = village, attacker
        state.their_points = points_of(state, village, attacker)
        if agrees(rules, lineup, state, trace, defender, SORTIE):
            return OPEN
        state.inside = 1
    return ground


@apart
def fight(rules, lineup, state, trace, village, attacker, defender):
    """Fight to the end; the seat of rebels, as attackers or defenders, is NOBODY."""
    ground = choose_ground(rules, lineup, state, trace, village, attacker, defender)
    state.side[0] = 1 << attacker if attacker >= 0 else ZERO
    state.side[1] = 1 << defender if defender >= 0 else ZERO
    if rules.alliances == MARRIAGE and ground == OPEN:
        ask_allies(rules, lineup, state, trace, village, attacker, defender)
    slot = state.turn << 11 | village << 6 | (attacker + 1) << 3 | (defender + 1)
    number = state.rolled[defender]
    attack, defence = side_points(state, village, ATTACKER), side_points(state, village, DEFENDER)
    note(trace, state.turn, attacker, FIGHT, village, defender, ground)
    strength = (attack, defence)
    for _ in range(RUNS):
        dice, enemy_dice = throw(state, slot, number)
        number += 1
        thrown, enemy_thrown = dice_of(rules, attack), dice_of(rules, defence)
        darc, enemy_darc = False, False
        if state.darc >= 0 and has(state.free_at[village], state.darc):
            darc = has(side_lords(state, village, ATTACKER), state.darc)
            enemy_darc = has(side_lords(state, village, DEFENDER), state.darc)
        total = total_of(rules, pips_of(dice, thrown), darc)
        enemy_total = total_of(rules, pips_of(enemy_dice, enemy_thrown), enemy_darc)
        tell(trace, log.ROUND, village, attacker, defender, ground, attack, defence)
        tell(trace, shown(dice, thrown), shown(enemy_dice, enemy_thrown), total, enemy_total, 0, 0)
        end = trace.used
        lost = side_loses(rules, state, trace, village, ATTACKER, attacker, losses_of(rules, enemy_total, OPEN))
        enemy_lost = side_loses(rules, state, trace, village, DEFENDER, defender, losses_of(rules, total, ground))
        log_losses(trace, end, lost, enemy_lost)
        attack, defence = side_points(state, village, ATTACKER), side_points(state, village, DEFENDER)
        if (attack == 0) | (defence == 0):
            break
        if (attacker >= 0) & (defender >= 0):
            if asks_grace(rules, lineup, state, trace, village, DEFENDER, defender, attacker):
                defence = ZERO
                break
            if asks_grace(rules, lineup, state, trace, village, ATTACKER, attacker, defender):
                attack = ZERO
                break
    if (attack > 0) & (defence > 0):
        state.fault = ENDLESS
    state.rolled[defender] = number
    count_fight(state, attacker, defender, attack, defence)
    result = np.int64(attack > 0) | np.int64(defence > 0) << 1
    note(trace, state.turn, attacker, RESULT, strength[0], strength[1], result)
    taken = (defence == 0) & (attacker >= 0) & (defender >= 0)
    if taken and state.holder[village] == defender and stands_in(state, village, attacker):
        set_holder(rules, state, trace, village, attacker, WHY)
    settle_village(rules, state, trace, village, WHY)


@inlined
def count_fight(state, attacker, defender, attack, defence):
    """Count a fight in the rows of the families that fought it."""
    if attacker >= 0:
        state.rows[attacker].attacks += 1
        state.rows[attacker].won += np.int64((attack > 0) & (defence == 0))
    if defender >= 0:
        state.rows[defender].defences += 1
        state.rows[defender].held_out += np.int64((defence > 0) & (attack == 0))


# --- The combat phase: bishops calm revolts, families attack, and rebels attack in the end ---


CALMED = np.int64(4)
"""The number that a die and the conviction have to reach together."""


@kernel
def fight_all(rules, lineup, state, trace):
    """Let each family fight in its villages, and then rebels attack holders without a fort."""
    for number in range(rules.players):
        seat = seat_at(rules, state, number)
        contested = pawns_of_others(rules, state, seat) | state.revolts
        places = pawns_of(state, seat) & contested & ~state.stormy
        while places:
            visit(rules, lineup, state, trace, first_of(places), seat)
            places &= places - 1
            if state.fault:
                return
    angry = state.revolts & ~state.stormy & ~forts(state)
    while angry:
        village = first_of(angry)
        angry &= angry - 1
        rise(rules, lineup, state, trace, village)


@kernel
def visit(rules, lineup, state, trace, village, seat):
    """Let a family calm rebels and attack in a village."""
    bishops = own_free(state, village, seat) & state.bishops if has(state.revolts, village) else ZERO
    while bishops and has(state.revolts, village):
        calm(rules, lineup, state, trace, village, seat, first_of(bishops))
        bishops &= bishops - 1
    for against in range(state.rolled.shape[0]):
        state.rolled[against] = 0
    for _ in range(rules.attacks):
        foes = np.int64(has(state.revolts, village))
        for other in range(rules.players):
            friend = rules.alliances == MARRIAGE and are_joined(state, seat, np.int64(other))
            if other != seat and not friend and stands_in(state, village, other):
                foes |= 2 << other
        if foes == 0 or not stands_in(state, village, seat):
            return
        state.village = village
        foe = pick_or_none(rules, lineup, state, trace, seat, ATTACK, foes)
        if foe < 0:
            return
        fight(rules, lineup, state, trace, village, seat, foe - 1)


@kernel
def calm(rules, lineup, state, trace, village, seat, lord):
    """Let a bishop try to calm rebels; if he fails, they stone him to death."""
    price = rules.calm_price
    most = min(state.money[seat] // price, np.int64(3)) if price else np.int64(3)
    state.village, state.lord = village, lord
    points = pick_or_none(rules, lineup, state, trace, seat, CALM, up_to(most + 1))
    if points < 0:
        return
    if points * price > 0:
        pay_bank(state, trace, seat, points * price, CALM)
    thrown = 1 + bounded(state.rng, DICE, state.turn << 4 | lord, CALM_NUMBER, SIDES)
    tell(trace, log.CHANCE, CALM_DIE, lord, thrown)
    if thrown + points >= CALMED:
        lose_rebels(state, trace, village, state.rebels[village], CALM)
    else:
        kill(rules, state, trace, lord, CALM)


@kernel
def rise(rules, lineup, state, trace, village):
    """Let rebels attack the holder of a village; if none of the holder's pawns is left, the mill and the press burn."""
    holder = state.holder[village]
    if holder < 0:
        return
    state.rolled[holder] = 0
    fight(rules, lineup, state, trace, village, NOBODY, holder)
    if not stands_in(state, village, holder):
        if has(state.mills, village):
            state.mills &= ~(1 << village)
            tell(trace, log.BUILT, village, MILL, ONE, ZERO, WHY)
        if has(state.presses, village):
            state.presses &= ~(1 << village)
            tell(trace, log.BUILT, village, PRESS, ONE, ZERO, WHY)


# --- The exact odds of a fight, computed from the dice and losses of the kernel ---


THROWS = 216
MOST_POINTS = 200
PARTIES = ("attacker", "defender")


@kernel
def count_losses(rules, points, ground, with_darc, counts):
    """Count, over all throws of three dice, the points that one side takes from the other."""
    for dice in range(counts.shape[0]):
        counts[dice] = 0
    for dice in range(THROWS):
        total = total_of(rules, pips_of(np.int64(dice), dice_of(rules, points)), with_darc)
        counts[losses_of(rules, total, ground)] += 1


@dataclass(frozen=True)
class Odds:
    """The outcome of a fight to the end, without grace."""

    attacker: int
    defender: int
    """attacker, defender: Points, lords included."""
    ground: str  # where the defender stands: "open", "castle" or "city"
    darc: str  # side on which d'Arc fights, the last to die: "attacker", "defender" or "none"
    attacker_wins: float
    defender_wins: float
    both_gone: float
    """attacker_wins, defender_wins, both_gone: Probabilities."""
    rounds: float  # mean number of rounds
    attacker_left: float
    defender_left: float
    """attacker_left, defender_left: Mean number of points left; a side that is gone counts as 0."""


def odds(rules: Rules, attacker: int, defender: int, ground: str = "open", darc: str = "none") -> Odds:
    """Return the exact odds of a fight; see `all_odds`.

    Examples
    --------
    >>> from simcore.game import load_game
    >>> from simcore.rules.files import load_rules
    >>> round(odds(load_rules(load_game("fief-2")), 10, 6, "castle").attacker_wins, 5)
    0.85625
    """
    return all_odds(rules, [attacker], [defender], ground, darc)[0]


def all_odds(
    rules: Rules, attackers: Sequence[int], defenders: Sequence[int], ground: str = "open", darc: str = "none"
) -> list[Odds]:
    """Return the exact odds of every attacker against every defender.

    rules: Resolved rules of Fief 2.
    attackers, defenders: Points of both sides, lords included; 1 to 200.
    ground: Where the defender stands: "open", "castle" or "city".
    darc: Side on which d'Arc fights: "attacker", "defender" or "none".  She is the last to die.
    Raises UsageError if a side has too few or too many points, if ground or side are unknown, or if a fight never ends.
    """
    for side, numbers in zip(PARTIES, (attackers, defenders), strict=True):
        if not numbers:
            raise UsageError("give the points of a fight", side)
        for points in numbers:
            if not 1 <= points <= MOST_POINTS:
                raise UsageError(f"{points} points; give 1 to {MOST_POINTS}", side)
    if ground not in GROUNDS:
        raise UsageError(f"'{ground}' is not a kind of ground; give one of {', '.join(GROUNDS)}", "ground")
    if darc not in (*PARTIES, "none"):
        raise UsageError(f"'{darc}' is not a side; give one of {', '.join((*PARTIES, 'none'))}", "darc")
    most, most_other = max(attackers), max(defenders)
    taken = list(_rounds(rules, most, np.int64(GROUNDS.index(ground)), darc == "attacker"))
    given = list(_rounds(rules, most_other, OPEN, darc == "defender"))
    worth = np.zeros((most + 1, most_other + 1, 6))  # win, loss, both gone, rounds, points left of both sides
    worth[1:, 0, 0] = worth[0, 1:, 1] = worth[0, 0, 2] = 1
    worth[:, 0, 4], worth[0, :, 5] = np.arange(most + 1), np.arange(most_other + 1)
    for own in range(1, most + 1):
        for other in range(1, most_other + 1):
            worth[own, other] = _fight_on(worth, own, other, taken[own - 1], given[other - 1])
    return [Odds(own, other, ground, darc, *worth[own, other].tolist()) for own in attackers for other in defenders]


def _rounds(rules: Rules, most: int, ground: Any, with_darc: bool) -> Iterator[np.ndarray[Any, Any]]:
    """Yield, for 1, 2, ... points of a side, the probabilities of the losses that it inflicts."""
    record = pack(rules.values, 3)  # type: ignore[arg-type]
    counts = np.zeros(64, np.int64)
    for points in range(1, most + 1):
        count_losses(record, np.int64(points), ground, with_darc, counts)
        yield np.trim_zeros(counts, "b") / THROWS


def _fight_on(worth: Any, own: int, other: int, taken: Any, given: Any) -> Any:
    """Return the expected outcome of a fight from its next round on; rounds without losses only take time."""
    chances = given[:, None] * taken
    left = np.maximum(own - np.arange(len(given)), 0)
    over = np.maximum(other - np.arange(len(taken)), 0)
    idle, chances[0, 0] = chances[0, 0], 0
    if idle == 1:
        raise UsageError(
            f"[combat]: a fight of {own} points against {other} never ends; lower what losses are divided by"
        )
    found = (chances[:, :, None] * worth[left[:, None], over]).sum(axis=(0, 1))
    found[3] += 1
    return found / (1 - idle)
