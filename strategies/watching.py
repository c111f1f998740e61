"""Watch policies: does one change the game, raise an exception, or use what its seat cannot know?

A watched member of a line-up is played by a wrapper that shows the policy the table, compares the records before and
after, and asks again at a table on which everything that the seat cannot know (`Game.redraw`) was drawn again.  A
policy that looks ahead is also asked again after what its seat could not know was drawn again at the safe point from
which it plays on, where the seat could not tell.  The games are the same as without it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.kernel.compilation import inlined, instantiate
from simcore.kernel.decisions import (
    NONE,
    POLICY_RAISED,
    SAW_HIDDEN,
    TOO_MANY_OPTIONS,
    WROTE_RULES,
    WROTE_STATE,
    first_legal,
    next_legal,
    nothing_hidden,
)
from simcore.kernel.intrinsics import copy_record, record_at, same_record
from simcore.kernel.lineup import ANSWERS
from simcore.kernel.pointers import RAISED, Policy, call_policy
from simcore.kernel.streams import fork
from simcore.running.batch import Spec, run_chunk
from strategies.moves import noise_block, noise_slot
from strategies.rollout import HALT, imagine, tell_answers

if TYPE_CHECKING:
    from simcore.game import Game

WATCHED_DEALS = 8
"""Number of deals that are first played under watch, at the beginning of a run with a user's own policy."""

ELSEWHERE, AT_SAFE_POINT, COMPARED = map(np.int64, (0xFFF, 0xFFE, 0xFFD))
"""Numbers of tables that are drawn again; those of a search are numbered from 0."""

# Names that `instantiate` fills in for a game.
sandbox_at: Any = None
redraw: Any = None
draw_again: Any = None
is_fooled: Any = None
spare_scratch: Any = None
beyond_declared: Any = None
OPTIONS: Any = None
HIDES = False


@inlined
def accuse(lineup, state, entry, fault):
    """Record which member did what, unless a fault was recorded before."""
    if state.fault == 0:
        state.fault = fault
        lineup.culprit = entry


def watched(rules, lineup, state, seat):
    """Return the move of the watched policy; record a fault if it does what it must not."""
    sandbox = sandbox_at(lineup.sandbox)
    entry = lineup.seated[seat]
    policy = lineup.members[entry].watched
    if state.fault == 0 and beyond_declared(state):
        state.fault = TOO_MANY_OPTIONS
    copy_record(sandbox.seen, state)
    copy_record(sandbox.rules, rules)
    move = call_policy(policy, rules, lineup, state, seat)
    if move == RAISED:
        accuse(lineup, state, entry, POLICY_RAISED)
    copy_record(sandbox.seen.rng, state.rng)  # blocks of chance that are kept at hand
    spare_scratch(sandbox.seen, state)
    sandbox.seen.fault = state.fault
    if not same_record(sandbox.seen, state):
        copy_record(state, sandbox.seen)
        accuse(lineup, state, entry, WROTE_STATE)
    if not same_record(sandbox.rules, rules):
        copy_record(rules, sandbox.rules)
        accuse(lineup, state, entry, WROTE_RULES)
    if HIDES and state.fault == 0:
        copy_record(sandbox.elsewhere, state)
        draw_again(sandbox.elsewhere, rules, state, seat, ELSEWHERE)
        copy_record(sandbox.elsewhere.rng, state.rng)
        if call_policy(policy, rules, lineup, sandbox.elsewhere, seat) != move:
            accuse(lineup, state, entry, SAW_HIDDEN)
        if looks_ahead(sandbox, lineup, entry):
            copy_record(sandbox.seen, sandbox.safe)
            fooled = is_fooled(sandbox, rules, lineup, state, seat)
            if fooled and call_policy(policy, rules, lineup, state, seat) != move:
                accuse(lineup, state, entry, SAW_HIDDEN)
            copy_record(sandbox.safe, sandbox.seen)
    return move


def drawn_again(table, rules, state, seat, number):
    """Draw what a seat cannot know at a table from the stream with some number at its decision."""
    fork(table.rng, state.rng, noise_slot(state, seat), noise_block(state, 0) << 12 | number)
    redraw(rules, table, seat)


@inlined
def looks_ahead(sandbox, lineup, entry):
    """Whether a member plays on from the last safe point, and draws there what it cannot know."""
    member = lineup.members[entry]
    starts = sandbox.starting or lineup.asked > ANSWERS
    return lineup.noting and not starts and lineup.bases[entry].policy != NONE and member.sees == NONE


def seems_the_same(sandbox, rules, lineup, state, seat):
    """Draw again what a seat could not know at the last safe point; return whether its decision looks the same to it.

    The game is played on to the decision with the same chance and the same answers.  The seat cannot tell this table
    from the true one if both are the same once what it cannot know is drawn again, from the same stream.
    """
    draw_again(sandbox.safe, rules, state, seat, AT_SAFE_POINT)
    copy_record(sandbox.safe.rng, sandbox.seen.rng)
    imagined = sandbox.lineup
    tell_answers(imagined, lineup)
    imagined.sandbox = lineup.sandbox
    imagined.tried = HALT
    imagined.number = -1  # unless the decision comes
    imagine(sandbox, rules, 0, lineup.driver)
    copy_record(sandbox.trial, state)
    draw_again(sandbox.trial, rules, state, seat, COMPARED)
    draw_again(sandbox.elsewhere, rules, state, seat, COMPARED)
    copy_record(sandbox.trial.rng, sandbox.elsewhere.rng)
    spare_scratch(sandbox.trial, sandbox.elsewhere)
    return imagined.number == seat and same_record(sandbox.trial, sandbox.elsewhere)


@inlined
def nothing_declared(state):
    """A game that does not declare its decisions."""
    return False


@inlined
def last_legal(state):
    """Return the last legal move."""
    last = first_legal(state)
    move = last
    while move >= 0:
        last = move
        move = next_legal(state, move)
    return last


def too_many(state):
    """Return whether the decision is not declared, or has a move beyond those declared."""
    kind = np.int64(state.decision)
    return kind < 0 or kind >= OPTIONS.shape[0] or last_legal(state) >= OPTIONS[kind]


@inlined
def no_scratch(seen, state):
    """A game whose state has no memory for policies."""


@inlined
def own_scratch(seen, state):
    """Let a policy write to `state.scratch`."""
    for number in range(state.scratch.shape[0]):
        seen.scratch[number] = state.scratch[number]


@cache
def watching(game: Game, cached: bool = True) -> Policy:
    """Return the policy that watches others in a game; see `Policy` for `cached`."""
    options = np.array([decision.options for decision in game.decisions], np.int64)
    declared = inlined(instantiate(too_many, game.step, OPTIONS=options)) if game.decisions else nothing_declared
    drawing = inlined(instantiate(drawn_again, game.step, redraw=game.redraw or nothing_hidden))
    shared = {
        "draw_again": drawing,
        "spare_scratch": own_scratch if "scratch" in (game.state_dtype.names or ()) else no_scratch,
    }
    names = shared | {
        "beyond_declared": declared,
        "sandbox_at": record_at(game.sandbox_dtype),
        "is_fooled": inlined(instantiate(seems_the_same, game.step, **shared)),
        "HIDES": game.redraw is not None,
    }
    return Policy(instantiate(watched, game.step, **names), game.policy_records, cached=cached)


def under_watch(spec: Spec) -> Spec:
    """Return a run with the same games, whose policies are watched.

    Playing it raises `simcore.errors.KernelFault` for the first policy that changes the state or the rules, raises an
    exception, makes an illegal move, or chooses differently when what its seat cannot know is drawn again.
    """
    record = spec.lineup_record.copy()
    if not spec.game.compiled:
        record["members"]["watched"] = 1
        return replace(spec, lineup_record=record)
    address = watching(spec.game).address
    for member in record["members"][: spec.players]:
        member["watched"], member["policy"] = member["policy"], address
    return replace(spec, lineup_record=record)


def watch_first_deals(spec: Spec, deals: int = WATCHED_DEALS) -> None:
    """Play the first deals of a run under watch.

    Raises KernelFault if a policy does what it must not; the message names the policy, what it did, and the command
        that shows the game.
    """
    run_chunk(under_watch(spec), 0, min(spec.games, deals * spec.games_per_deal))


def has_own_policy(spec: Spec) -> bool:
    """Return whether a user's own policy sits at the table, or is the base of a player who looks ahead.

    In a game in plain Python, all policies are such.
    """
    if not spec.game.compiled:
        return True
    searches = [table.get("search", {}) for table in spec.strategy_tables]
    tables = [*spec.strategy_tables, *(search.get(part, {}) for search in searches for part in ("base", "guest"))]
    return any("source_sha256" in table for table in tables)
