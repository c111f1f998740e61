"""How the table of a single game looks after each of its rounds."""

from __future__ import annotations

import numpy as np

from simcore.kernel.lineup import seat_lineup
from simcore.kernel.memory import Memory
from simcore.kernel.outside import call
from simcore.running.batch import Spec
from simcore.tabletop import Area, Moment

MOST_ROUNDS = 200
"""Number of rounds beyond which no tables are shown: they would make the page too long."""


def tables(spec: Spec, index: int) -> dict[int, tuple[Area, ...]]:
    """Return the table after each round of a game, by the number of the round, as somebody sees it who sees everything.

    spec: The run.
    index: Index of the game.
    Returns dict: Empty if the game does not say how its tables look or what counts its rounds, if it consists of
        several parts, such as the deals of a match, or if it has more than `MOST_ROUNDS` rounds.
    """
    game = spec.game
    if game.tabletop is None or game.search is None or not game.compiled:
        return {}
    memory = Memory(game)
    lineup, state, trace = memory.seated(spec.lineup_record, spec.players), memory.state, memory.trace
    seat_lineup(lineup, spec.players, np.uint64(spec.seed), np.int64(index), state["rng"])
    state["fault"] = trace["on"] = trace["noting"] = 0
    found: dict[int, tuple[Area, ...]] = {}
    goes_on, starting, number = True, 1, 0
    while goes_on and number <= MOST_ROUNDS:
        goes_on = bool(call(game.driver, spec.rules_record, lineup, state, trace, starting, number))
        moment = Moment(spec.rules.values, spec.rules_record, state)
        found[number] = tuple(game.tabletop.areas(moment))
        starting, number = 0, number + 1
    return {} if goes_on or state["fault"] else found
