"""The policy `rollout`, for any game: try every move on imagined tables, and take the one that came out best.

An imagined table is a copy of the real one, with what the seat cannot know drawn anew.  All moves are tried on the
same tables, and a base policy plays every seat to the end or for some rounds.  Chance comes from the address of the
decision, so that a game is the same in every run.
"""

from __future__ import annotations

import numpy as np

from simcore.jit import call_policy, copy_record, inlined, kernel, lowest_bit
from simcore.lineup import SEATS, UNIT
from simcore.streams import fork
from strategies.moves import NONE, ONE, blunder_move, blunders, heated, later_moves, noise_block, noise_slot

ROLLOUTS, ROUNDS, WIN, CAUTION = map(np.int64, range(4))
"""Places of the settings among a member's weights; the last two in UNIT."""

NO_CAUTION = 0.0
PATIENCE = 2.0
"""Standard errors by which a move may trail the best before it is tried no more."""


@kernel
def search(resumable, redraw, resume, judge, bench, rules, lineup, state, seat):
    """The move whose imagined games come out best for the seat; the base's own where the game cannot be resumed."""
    entry = lineup.entry[seat]
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    seat_base(bench.lineup, lineup, lineup.bases[entry])
    usual = call_policy(bench.lineup.members[entry].policy, rules, bench.lineup, state, seat)
    if usual < 0 or state.legal & (ONE << np.uint64(usual & 63)) == NONE or not resumable(state):
        return usual
    tried = state.legal
    forget(bench, tried)
    settings = lineup.members[entry].weights
    for number in range(settings[ROLLOUTS]):
        imagine(redraw, bench, rules, state, seat, np.int64(number))
        rest = tried | ONE << np.uint64(usual)
        while rest != NONE:
            move = lowest_bit(rest)
            copy_record(bench.trial, bench.world)
            resume(rules, bench.lineup, bench.trial, seat, move, settings[ROUNDS], bench.trace)
            share60, lead = judge(rules, bench.trial, seat)
            score = (settings[WIN] * share60) // 60 + UNIT * lead
            bench.scores[move] = heated(lineup, state, seat, move, score)
            state.fault |= bench.trial.fault
            rest = later_moves(rest)
        add_gains(bench, tried, usual)
        tried = contenders(bench, tried, usual)
        if later_moves(tried) == NONE:
            break
    return best_move(bench, tried, usual, settings[CAUTION] / UNIT)


@inlined
def seat_base(imagined, lineup, base):
    """Let a base play every seat, kept to what the player of the seat is forbidden."""
    for entry in range(SEATS):
        member = imagined.members[entry]
        true = lineup.members[entry]
        imagined.entry[entry] = lineup.entry[entry]
        copy_record(member, base)
        member.avoids = true.avoids
        member.forgoes = true.forgoes
        member.unseen = true.unseen
        if true.inner != NONE:
            member.inner = base.policy
            member.policy = true.policy


@inlined
def imagine(redraw, bench, rules, state, seat, number):
    """Lay out the table as it might be."""
    copy_record(bench.world, state)
    fork(bench.world.rng, state.rng, noise_slot(state, seat), noise_block(state, np.int64(0)) << 12 | number)
    redraw(rules, bench.world, seat)


@inlined
def forget(bench, moves):
    """Forget what came of some moves."""
    while moves != NONE:
        move = lowest_bit(moves)
        bench.gains[move] = 0
        bench.squares[move] = 0.0
        moves = later_moves(moves)


@inlined
def add_gains(bench, moves, usual):
    """Take in by how much moves did better in this world than the usual one."""
    while moves != NONE:
        move = lowest_bit(moves)
        gain = bench.scores[move] - bench.scores[usual]
        bench.gains[move] += gain
        bench.squares[move] += np.float64(gain) * np.float64(gain)
        moves = later_moves(moves)


@inlined
def best_move(bench, moves, usual, caution):
    """The move that gained most over the usual one, and more than some standard errors; else the usual one."""
    best = np.int64(usual)
    most = np.int64(0)
    while moves != NONE:
        move = lowest_bit(moves)
        gain = bench.gains[move]
        if gain > most and np.float64(gain) * np.float64(gain) > caution * caution * bench.squares[move]:
            most = gain
            best = move
        moves = later_moves(moves)
    return best


@inlined
def contenders(bench, moves, usual):
    """The moves that do not trail the best by too many standard errors."""
    leader = best_move(bench, moves, usual, NO_CAUTION)
    kept = NONE
    while moves != NONE:
        move = lowest_bit(moves)
        gap = np.float64(bench.gains[leader] - bench.gains[move])
        if gap * gap <= PATIENCE * PATIENCE * (bench.squares[leader] + bench.squares[move]):
            kept |= ONE << np.uint64(move)
        moves = later_moves(moves)
    return kept
