"""Does a seat see the same at any two redraws of a table?  `plain.py` asks this in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from equipoise.conformance.requirements import differences
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.looking import LOOKED, look_of
from simcore.kernel.memory import Memory

if TYPE_CHECKING:
    from equipoise.conformance.plain import Table

POINTS, REDRAWS = 10, 10
"""Safe points of a game at which every seat looks, and how often the table is redrawn for each look: 100 in all."""


def safe_points(table: Table, seed: int) -> list[np.record]:
    """Play a game and return the state at some of its safe points."""
    game, rules, memory = table.game, table.spec.rules_record, Memory(table.game)
    lineup, state = memory.seated(table.spec.lineup_record, table.spec.players), memory.state
    lineup["left"] = table.most_steps
    seat_lineup(lineup, table.spec.players, np.uint64(seed), np.int64(0), state["rng"])
    game.start(rules, lineup, state, memory.trace)
    found = [state.copy()]
    while game.step(rules, lineup, state, memory.trace) and len(found) < table.most_steps:
        found.append(state.copy())
    return [found[len(found) * number // POINTS] for number in range(POINTS)]


def wrong_looks(table: Table, seed: int) -> Iterator[str]:
    """Yield a sentence for every number that depends on what its seat cannot know, and if imagined tables repeat."""
    game, rules = table.game, table.spec.rules_record
    if game.search is None or game.search.look is None:
        return
    look, names = look_of(game), game.search.look.names
    drawn: list[np.record] = []
    seen: set[bytes] = set()
    for number, point in enumerate(safe_points(table, seed)):
        for seat in range(table.spec.players):
            here, there = np.zeros((2, LOOKED), np.int32)
            look(rules, point.copy(), np.int64(seat), here)
            seen.add(here.tobytes())
            for redraw in range(REDRAWS):
                world = table.imagine(point, point, seat, redraw)
                look(rules, world, np.int64(seat), there)
                for place in np.flatnonzero(here[: len(names)] != there[: len(names)]):
                    yield f"look: '{names[place]}' depends on what seat {seat + 1} cannot know"
                if number == seat == 0:
                    world["rng"] = point["rng"]
                    drawn.append(world)
    if game.redraw is not None and not any(list(differences(drawn[0], world)) for world in drawn[1:]):
        yield "redraw draws the same table each time"
    if len(seen) == 1:
        yield "look: every seat sees the same numbers throughout the game"
