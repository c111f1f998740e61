"""Do redrawn tables differ, and does a seat see the same at any two of them?  `plain.py` asks this in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from equipoise.conformance.requirements import differences
from simcore.kernel.decisions import LOOKED, look_of, nothing_hidden
from simcore.kernel.driver import Memory
from simcore.kernel.lineup import seat_lineup

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
    """Yield a sentence if imagined tables repeat, and for every number that depends on what its seat cannot know."""
    game, rules, seats = table.game, table.spec.rules_record, range(table.spec.players)
    points = safe_points(table, seed)
    hides = game.redraw not in (None, nothing_hidden)
    if hides and not any(_differ(table, point, seat) for point in points for seat in seats):
        yield "redraw draws the same table each time"
    if game.search is None or game.search.look is None:
        return
    look, names = look_of(game), game.search.look.names
    seen: set[bytes] = set()
    for point in points:
        for seat in seats:
            here, there = np.zeros((2, LOOKED), np.int32)
            look(rules, point.copy(), np.int64(seat), here)
            seen.add(here.tobytes())
            for redraw in range(REDRAWS):
                look(rules, table.imagine(point, point, seat, redraw), np.int64(seat), there)
                for place in np.flatnonzero(here[: len(names)] != there[: len(names)]):
                    yield f"look: '{names[place]}' depends on what seat {seat + 1} cannot know"
    if len(seen) == 1:
        yield "look: every seat sees the same numbers throughout the game"


def _differ(table: Table, point: np.record, seat: int) -> bool:
    """Whether tables that are redrawn for a seat differ in more than their random numbers."""
    first, *others = (table.imagine(point, point, seat, redraw) for redraw in range(REDRAWS))
    for world in others:
        world["rng"] = first["rng"]
    return any(list(differences(first, world)) for world in others)
