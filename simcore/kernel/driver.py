"""Playing of complete games, for any game: seat the line-up, set up, take steps to the end, settle, and store results.

Before the set-up and before every step there is a *safe point*: nothing is in progress, so that a strategy that looks
ahead can take the state at that point, repeat the same answers up to the present decision, and play on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simcore.kernel.compilation import cached_kernel, copy_record, inlined, kernel, record_at
from simcore.kernel.decisions import TOO_MANY_NOTES
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.templates import instantiate

if TYPE_CHECKING:
    from simcore.game import Game

# Names that `instantiate` fills in for a game.
start: Any = None
step: Any = None
settle: Any = None
sandbox_at: Any = None
HAS_FACTS = False
MOST_NOTES = 0


@kernel
def keep(sandbox, lineup, state, starting):
    """Store the state at a safe point, for strategies that look ahead from there."""
    sandbox.starting = starting
    copy_record(sandbox.safe, state)
    for seat in range(lineup.seated.shape[0]):
        sandbox.seated[seat] = lineup.seated[seat]
    lineup.asked = 0


def play_batch(rules, lineup, state, rows, facts, trace, seed, games):
    """Play the games with some indices into `rows`; return how many ended without a fault.

    Stops early, without a fault, if there might be no room for the notes of the next game.
    """
    players = rules.players
    sandbox = sandbox_at(lineup.sandbox)
    for i in range(games.shape[0]):
        if trace.noting and trace.noted + MOST_NOTES > trace.notes.shape[0]:
            return i
        first_note = trace.noted
        trace.game = i
        state.fault = 0
        seat_lineup(lineup, players, seed, games[i], state.rng)
        if lineup.noting:
            keep(sandbox, lineup, state, 1)
        start(rules, lineup, state, trace)
        goes_on = True
        while goes_on:
            if lineup.noting:
                keep(sandbox, lineup, state, 0)
            goes_on = step(rules, lineup, state, trace)
        settle(rules, lineup, state, trace)
        if trace.noted - first_note > MOST_NOTES:
            state.fault = TOO_MANY_NOTES
        if state.fault:
            return i
        for seat in range(players):
            state.rows[seat].strategy = lineup.seated[seat]
            rows[i * players + seat] = state.rows[seat]
        if HAS_FACTS:
            facts[i] = state.facts
    return games.shape[0]


def batch_of(game: Game) -> Callable[..., int]:
    """Return the compiled function that plays batches of a game."""
    step = inlined(getattr(game.step, "py_func", game.step))  # a call each turn would show
    names = {"start": game.start, "step": step, "settle": game.settle, "sandbox_at": record_at(game.sandbox_dtype)}
    facts = game.facts_dtype is not None
    return cached_kernel(instantiate(play_batch, game.step, **names, HAS_FACTS=facts, MOST_NOTES=game.most_notes))
