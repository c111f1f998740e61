"""The policy `thinker`, for any game that says what a seat sees: look a little ahead, and judge by a learned value.

Like `rollout`, it tries every move on the same imagined tables.  It plays them for a few rounds, and a learned value
of what the seat then sees stands for the rest of the game.  It may try only the moves that its base likes best.  After
some tables the worse half of the moves is dropped, and so is a move that trails the best one by too many standard
errors of their difference, table by table, or one that is not worth more tables: it does as well as the best or the
base's own on each of them, or trails the base's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.kernel.compilation import apart, inlined, instantiate
from simcore.kernel.decisions import NONE, ONE, count_legal, first_legal, is_legal, look_of, next_legal
from simcore.kernel.intrinsics import legal_word, legal_words, record_at, set_legal_word
from simcore.kernel.lineup import ANSWERS, SEATS, UNIT
from simcore.kernel.pointers import Policy, call_policy
from strategies.moves import blunder_move, blunders, heated
from strategies.rollout import (
    CAUTION,
    HEAT,
    ROLLOUTS,
    ROUNDS,
    SEARCHED,
    WIN,
    begin_trials,
    heat,
    imagine,
    invite,
    invite_base,
    is_tried,
    rollout_policy,
    tell_answers,
)
from strategies.value import VALUE, appraise

if TYPE_CHECKING:
    from simcore.game import Game

HALVING, CANDIDATES, PATIENCE = map(np.int64, range(6, 9))
"""Indices of more settings among a member's weights: after how many tables each time the worse half is dropped; how
many moves are tried, 0 for all; after how many tables a move may be dropped as not worth more, 0 for never."""

CERTAIN, LIKELY = 2.5, 1.0
"""Standard errors by which a move may trail the best, and the base's own if the others are not worth more tables."""

LEAST_TABLES = np.int64(4)
"""Tables before which nothing is dropped for trailing the best."""

# Names that `instantiate` fills in for a game.
clock: Any = None
ticks: Any = None
judge: Any = None
look: Any = None
prospect: Any = None
sandbox_at: Any = None
value_at: Any = None
SHARE_UNIT = np.int64(60)


def thinker(rules, lineup, state, seat):
    """Return the move after which the seat's prospects are best."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    sandbox = sandbox_at(lineup.sandbox)
    entry = lineup.seated[seat]
    imagined = sandbox.lineup
    invite_base(imagined, lineup, lineup.bases[entry])
    usual = np.int64(call_policy(imagined.members[entry].policy, rules, imagined, state, seat))
    settings = lineup.members[entry].weights
    if not is_legal(state, usual) or lineup.asked > ANSWERS or not (settings[SEARCHED] >> state.decision) & 1:
        return usual
    begin_trials(sandbox, state)
    if 0 < settings[CANDIDATES] < count_legal(state):
        narrow(sandbox, rules, state, seat, imagined.members[entry].policy, settings[CANDIDATES])
    heat(imagined, settings[HEAT])
    tell_answers(imagined, lineup)
    last = settings[ROUNDS] * ticks(rules) + (0 if sandbox.starting else clock(sandbox.safe) + 1)
    guests = lineup.guests[entry].policy != NONE
    tables = settings[ROLLOUTS]
    done = np.int64(0)
    left = np.int64(2)
    while done < tables and left > 1:
        imagined.number = done
        if guests:
            for other in range(SEATS):
                if other != entry:
                    invite(imagined, lineup, other, lineup.guests[entry] if done & 1 else lineup.bases[entry])
                    imagined.members[other].temperature += settings[HEAT]
        move = first_legal(state)
        while move >= 0:
            if is_tried(sandbox, move):
                imagined.tried = move
                score = heated(lineup, state, seat, move, prospect(sandbox, rules, lineup, seat, last))
                sandbox.history[done, move] = score
                sandbox.gains[move] += score
                state.fault |= sandbox.trial.fault
            move = next_legal(state, move)
        done += 1
        left = drop_trailing(sandbox, state, usual, done, settings[PATIENCE])
        if left > 1 and done % settings[HALVING] == 0 and done < tables:
            left = drop_worse_half(sandbox, state, usual, left)
    best = leader_of(sandbox, state)
    if best == usual or not is_tried(sandbox, usual):
        return best
    caution = settings[CAUTION] / UNIT
    return best if is_behind(sandbox, usual, best, done, caution) else usual


def expect(sandbox, rules, lineup, seat, last):
    """Try a move at one imagined table; return what the seat may expect there, in 1/1024 point."""
    undecided = imagine(sandbox, rules, last, lineup.driver)
    member = lineup.members[lineup.seated[seat]]
    if undecided:
        look(rules, sandbox.trial, seat, sandbox.looked)
        return appraise(value_at(member.value), sandbox.looked)
    share, lead = judge(rules, sandbox.lineup, sandbox.trial, seat, sandbox.trace)
    return (member.weights[WIN] * share) // SHARE_UNIT + UNIT * lead


@apart
def narrow(sandbox, rules, state, seat, base, candidates):
    """Try only as many moves: the base's own, what it would do if that were not legal, and so on."""
    for _ in range(candidates):
        move = np.int64(call_policy(base, rules, sandbox.lineup, state, seat))
        if not is_legal(state, move):
            break
        set_legal_word(state, move >> 6, legal_word(state, move >> 6) & ~(ONE << np.uint64(move & 63)))
    for number in range(legal_words(state)):
        left_out = legal_word(state, number)
        set_legal_word(state, number, sandbox.tried[number])
        sandbox.tried[number] &= ~left_out


@inlined
def is_behind(sandbox, move, other, tables, patience):
    """Whether a move trails another by more than some standard errors of their mean difference over the tables."""
    gap = np.float64(sandbox.gains[other] - sandbox.gains[move]) / tables
    squares = 0.0
    for number in range(tables):
        off = np.float64(sandbox.history[number, other] - sandbox.history[number, move]) - gap
        squares += off * off
    return gap > 0.0 and gap * gap * tables * max(tables - 1, 1) > patience * patience * squares


@inlined
def is_alike(sandbox, move, other, tables):
    """Whether two moves did equally well at each of the tables."""
    differ = np.int64(0)
    for number in range(tables):
        differ += sandbox.history[number, move] != sandbox.history[number, other]
    return differ == 0


@inlined
def leader_of(sandbox, state):
    """The move that is tried and did best so far."""
    best = np.int64(-1)
    move = first_legal(state)
    while move >= 0:
        if is_tried(sandbox, move) and (best < 0 or sandbox.gains[move] > sandbox.gains[best]):
            best = move
        move = next_legal(state, move)
    return best


@inlined
def drop(sandbox, move):
    """Stop trying a move."""
    sandbox.tried[move >> 6] &= ~(ONE << np.uint64(move & 63))


@apart
def is_settled(sandbox, move, best, usual, tables):
    """Whether a move is not worth more tables: it is like the best or the base's own, or behind the latter."""
    if move != best and is_alike(sandbox, move, best, tables):
        return True
    if move == usual or not is_tried(sandbox, usual):
        return False
    return is_alike(sandbox, move, usual, tables) or is_behind(sandbox, move, usual, tables, LIKELY)


@inlined
def drop_trailing(sandbox, state, usual, tables, patience):
    """Drop the moves that are clearly behind the best or not worth more tables; return how many are left."""
    best = leader_of(sandbox, state)
    if is_tried(sandbox, usual) and sandbox.gains[usual] == sandbox.gains[best]:
        best = usual
    settled = 0 < patience <= tables
    left = np.int64(0)
    move = first_legal(state)
    while move >= 0:
        if is_tried(sandbox, move):
            trails = move != best and tables >= LEAST_TABLES and is_behind(sandbox, move, best, tables, CERTAIN)
            if trails or (settled and is_settled(sandbox, move, best, usual, tables)):
                drop(sandbox, move)
            else:
                left += 1
        move = next_legal(state, move)
    return left


@inlined
def drop_worse_half(sandbox, state, usual, left):
    """Drop the worse half of the moves that are left, but not the usual one; return how many are left then."""
    for _ in range(left // 2):
        worst = np.int64(-1)
        move = first_legal(state)
        while move >= 0:
            if move != usual and is_tried(sandbox, move) and (worst < 0 or sandbox.gains[move] < sandbox.gains[worst]):
                worst = move
            move = next_legal(state, move)
        if worst != leader_of(sandbox, state):
            drop(sandbox, worst)
            left -= 1
    return left


def thinker_policy(game: Game) -> Policy:
    """Return the policy `thinker` of a game, for its kit.

    Raises ValueError if the game does not say how to look ahead, or what a seat sees.
    """
    if game.search is None:
        raise ValueError(f"{game.name} does not say how to look ahead; see Game.search")
    ahead: dict[str, Any] = {"look": look_of(game), "judge": game.search.judge, "value_at": record_at(VALUE)}
    ahead |= {"SHARE_UNIT": np.int64(game.share_unit)}
    names: dict[str, Any] = {"clock": game.search.clock, "ticks": game.search.ticks}
    names |= {"sandbox_at": record_at(game.sandbox_dtype), "prospect": inlined(instantiate(expect, game.step, **ahead))}
    return Policy(instantiate(thinker, game.step, **names), game.policy_records, cached=True)


def looking_policies(game: Game) -> dict[str, Policy]:
    """Return the policies of a game that look ahead, by name, for its kit; `thinker` needs a look."""
    found = {"rollout": rollout_policy(game)}
    if game.search is not None and game.search.look is not None:
        found["thinker"] = thinker_policy(game)
    return found
