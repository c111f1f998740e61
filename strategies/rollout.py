"""The policy `rollout`, for any game: try every move on imagined tables, and make the one that did best.

An imagined table begins as a copy of the real one at the last safe point.  The answers since then are repeated, so
that the game is where it was when the seat was asked; what the seat cannot know is drawn again; the seat makes the
move that is tried; and a base policy plays every seat to the end or for some rounds.  All moves are tried on the same
tables.  Chance comes from the address of the decision, so that a game is the same in every run.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.kernel.compilation import inlined, instantiate
from simcore.kernel.decisions import NONE, ONE, first_legal, is_legal, next_legal, nothing_hidden
from simcore.kernel.intrinsics import copy_record, legal_word, legal_words, lowest_bit, popcount, record_at
from simcore.kernel.lineup import ANSWERS, SEATS, UNIT
from simcore.kernel.pointers import Policy, call_driver, call_policy
from simcore.kernel.streams import fork
from strategies.moves import blunder_move, blunders, heated, noise_block, noise_slot

if TYPE_CHECKING:
    from simcore.game import Game

ROLLOUTS, ROUNDS, WIN, CAUTION, SEARCHED, HEAT = map(np.int64, range(6))
"""Indices of the settings among a member's weights: `SEARCHED` a set of decisions; `WIN`, `CAUTION`, `HEAT` in UNIT."""

NO_CAUTION = 0.0
HALT = np.int64(-2)
"""In place of a move to try: keep the table at the decision in `sandbox.elsewhere`, and who is asked in `number`."""

PATIENCE = 2.0
"""Standard errors by which a move may trail the best before it is dropped."""

# Names that `instantiate` fills in for a game.
redraw: Any = None
clock: Any = None
ticks: Any = None
judge: Any = None
sandbox_at: Any = None
SHARE_UNIT = np.int64(60)


def retell(rules, lineup, state, seat):
    """Repeat the next stored answer; at the decision itself, set up the imagined table and try a move."""
    if lineup.told < lineup.asked:
        lineup.told += 1
        return np.int64(lineup.answers[lineup.told - 1])
    if lineup.tried == HALT:
        if lineup.told == lineup.asked:
            lineup.told += 1
            lineup.number = seat
            copy_record(sandbox_at(lineup.sandbox).elsewhere, state)
        return HALT
    number = noise_block(state, np.int64(0)) << 12 | np.int64(lineup.number)
    fork(state.rng, state.rng, noise_slot(state, seat), number)
    if lineup.members[lineup.seated[seat]].sees == NONE:
        redraw(rules, state, seat)
    seat_base(lineup)
    return np.int64(lineup.tried)


def rollout(rules, lineup, state, seat):
    """Return the move whose imagined games turn out best for the seat."""
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
    heat(imagined, settings[HEAT])
    tell_answers(imagined, lineup)
    begin_trials(sandbox, state)
    last = settings[ROUNDS] * ticks(rules) + (0 if sandbox.starting else clock(sandbox.safe) + 1)
    for number in range(settings[ROLLOUTS]):
        imagined.number = number
        move = first_legal(state)
        while move >= 0:
            if move == usual or is_tried(sandbox, move):
                imagined.tried = move
                imagine(sandbox, rules, last, lineup.driver)
                share, lead = judge(rules, imagined, sandbox.trial, seat, sandbox.trace)
                score = (settings[WIN] * share) // SHARE_UNIT + UNIT * lead
                sandbox.scores[move] = heated(lineup, state, seat, move, score)
                state.fault |= sandbox.trial.fault
            move = next_legal(state, move)
        add_gains(sandbox, state, usual)
        if drop_losers(sandbox, state, usual) <= 1:
            break
    return best_move(sandbox, state, usual, settings[CAUTION] / UNIT)


@inlined
def invite_base(imagined, lineup, base):
    """Let a base play every seat of the imagined table, under the restrictions of the player of that seat."""
    for entry in range(SEATS):
        imagined.seated[entry] = lineup.seated[entry]
        invite(imagined, lineup, entry, base)


@inlined
def invite(imagined, lineup, entry, base):
    """Let a base play for one member of the line-up at the imagined table, under the restrictions of that member."""
    true = lineup.members[entry]
    member = imagined.members[entry]
    copy_record(member, base)
    member.avoids = true.avoids
    member.forgoes = true.forgoes
    member.unseen = true.unseen
    member.sees = true.sees
    if true.inner != NONE:
        member.inner = base.policy
        member.policy = true.watched if true.watched != NONE else true.policy
    imagined.bases[entry].policy = member.policy


@inlined
def heat(imagined, degrees):
    """Let everybody at the imagined table err by a temperature, in UNIT, in addition to their own."""
    for entry in range(SEATS):
        imagined.members[entry].temperature += degrees


@inlined
def seat_base(imagined):
    """Let the base decide from now on."""
    for entry in range(SEATS):
        imagined.members[entry].policy = imagined.bases[entry].policy


@inlined
def tell_answers(imagined, lineup):
    """Pass on the answers since the last safe point."""
    imagined.retell = lineup.retell
    imagined.asked = lineup.asked
    for number in range(lineup.asked):
        imagined.answers[number] = lineup.answers[number]


@inlined
def imagine(sandbox, rules, last, driver):
    """Play an imagined table from the last safe point: the answers, the move, and on until the clock shows `last`.

    Return whether the game is still undecided.
    """
    imagined = sandbox.lineup
    copy_record(sandbox.trial, sandbox.safe)
    imagined.told = 0
    for entry in range(SEATS):
        imagined.seated[entry] = sandbox.seated[entry]
        imagined.members[entry].policy = imagined.retell
    return call_driver(driver, rules, imagined, sandbox.trial, sandbox.trace, sandbox.starting, last) != 0


@inlined
def begin_trials(sandbox, state):
    """Start trying all legal moves, and clear earlier results."""
    for number in range(legal_words(state)):
        sandbox.tried[number] = legal_word(state, number)
    move = first_legal(state)
    while move >= 0:
        sandbox.gains[move] = 0
        sandbox.squares[move] = 0.0
        move = next_legal(state, move)


@inlined
def is_tried(sandbox, move):
    """Return whether a move is still being tried."""
    return (sandbox.tried[move >> 6] >> np.uint64(move & 63)) & ONE != NONE


@inlined
def add_gains(sandbox, state, usual):
    """Record by how much each move being tried did better on this table than the usual one."""
    for number in range(legal_words(state)):
        rest = sandbox.tried[number]
        while rest != NONE:
            move = number * 64 + np.int64(lowest_bit(rest))
            gain = sandbox.scores[move] - sandbox.scores[usual]
            sandbox.gains[move] += gain
            sandbox.squares[move] += np.float64(gain) * np.float64(gain)
            rest &= rest - ONE


@inlined
def best_move(sandbox, state, usual, caution):
    """Return the move that gained most over the usual one, if by more than some standard errors; else the usual one."""
    best = np.int64(usual)
    most = np.int64(0)
    for number in range(legal_words(state)):
        rest = sandbox.tried[number]
        while rest != NONE:
            move = number * 64 + np.int64(lowest_bit(rest))
            gain = sandbox.gains[move]
            if gain > most and np.float64(gain) * np.float64(gain) > caution * caution * sandbox.squares[move]:
                most = gain
                best = move
            rest &= rest - ONE
    return best


@inlined
def drop_losers(sandbox, state, usual):
    """Drop the moves that trail the best by too many standard errors; return how many are left."""
    leader = best_move(sandbox, state, usual, NO_CAUTION)
    left = np.int64(0)
    for number in range(legal_words(state)):
        rest = sandbox.tried[number]
        kept = NONE
        while rest != NONE:
            move = number * 64 + np.int64(lowest_bit(rest))
            gap = np.float64(sandbox.gains[leader] - sandbox.gains[move])
            if gap * gap <= PATIENCE * PATIENCE * (sandbox.squares[leader] + sandbox.squares[move]):
                kept |= ONE << np.uint64(move & 63)
            rest &= rest - ONE
        sandbox.tried[number] = kept
        left += np.int64(popcount(kept))
    return left


def rollout_policy(game: Game) -> Policy:
    """Return the policy `rollout` of a game, for its kit.

    Raises ValueError if the game declares no `search`.
    """
    if game.search is None:
        raise ValueError(f"{game.name} does not say how to look ahead; see Game.search")
    names: dict[str, Any] = {"clock": game.search.clock, "ticks": game.search.ticks, "judge": game.search.judge}
    names |= {"sandbox_at": record_at(game.sandbox_dtype), "SHARE_UNIT": np.int64(game.share_unit)}
    return Policy(instantiate(rollout, game.step, **names), game.policy_records, cached=True)


@cache
def retelling(game: Game) -> Policy:
    """Return the policy that repeats the answers of a game, for a line-up in which a player looks ahead."""
    names = {"redraw": game.redraw or nothing_hidden, "sandbox_at": record_at(game.sandbox_dtype)}
    return Policy(instantiate(retell, game.step, **names), game.policy_records, cached=True)
