"""Play a game in plain Python, check what strategies that look ahead rely on, and print what is wrong.

`test_search.py` runs this in a process without Numba, where a policy can read, copy and change its arguments.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.game import Game, load_game
from simcore.kernel.compilation import COMPILED
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.memory import Memory
from simcore.kernel.pointers import Policy
from simcore.kernel.streams import fork
from simcore.running.batch import Spec, play_into
from strategies.kit import load_kit
from strategies.spec import make_spec

STEP = 11
"""One in this number of decisions and safe points is examined; a prime, so that every seat has its turn."""

SLOT = np.int64(0)
SEED = 29


def examine(name: str, players: int) -> dict[str, Any]:
    """Return the numbers of decisions and safe points that were examined, and what went wrong at which of them."""
    assert not COMPILED
    game = load_game(name)
    spec = make_spec(name, players, seed=SEED, games=1)
    rows = np.zeros(players, game.row_dtype)
    found = hidden(game, spec, rows)
    safe, same = resumed(game, spec, rows)
    return found | {"safe": safe, "foreseen": same, "judged": judged(game, spec)}


def hidden(game: Game, spec: Spec, rows: Any) -> dict[str, Any]:
    """Play a game into `rows`, and find decisions at which a redrawn table depends on hidden information."""
    found: dict[str, Any] = {"asked": 0, "depends": []}
    members = spec.lineup_record["members"]["policy"].tolist()

    def imagine(state: np.record, source: np.record, seat: int, number: int) -> np.record:
        world: np.record = state.copy()
        fork(world["rng"], source["rng"], SLOT, np.int64(number))
        if game.redraw is not None:
            game.redraw(spec.rules_record, world, seat)
        return world

    def watch(rules: Any, lineup: Any, state: Any, seat: int) -> int:
        here = state.copy()
        if found["asked"] % STEP == 0:
            elsewhere = imagine(here, here, seat, 7)
            if imagine(here, here, seat, 0).tobytes() != imagine(elsewhere, here, seat, 0).tobytes():
                found["depends"].append(found["asked"])
        found["asked"] += 1
        return call(members[lineup["seated"][seat]], rules, lineup, state, seat)

    seated = spec.lineup_record.copy()
    seated["members"]["policy"] = Policy(watch, load_kit(game.name).records).address
    play_into(replace(spec, lineup_record=seated), np.arange(1), rows, Memory(game))
    return found


def call(address: int, *arguments: Any) -> int:
    """Call a policy."""
    from simcore.kernel.pointers import call_policy

    return int(call_policy(address, *arguments))


def resumed(game: Game, spec: Spec, rows: Any) -> tuple[int, int]:
    """Play on from copies of the state at safe points; return how many were tried, and how many ended as the game did.

    If a copy ends differently, the state lacks something that the game needs.
    """
    memory, rules = Memory(game), spec.rules_record
    lineup, state = memory.seated(spec.lineup_record, spec.players), memory.state
    seat_lineup(lineup, spec.players, np.uint64(SEED), np.int64(0), state["rng"])
    tried: list[tuple[Any, Any]] = []
    steps = 0
    game.start(rules, lineup, state, memory.trace)
    goes_on = True
    while goes_on:
        if steps % STEP == 0:
            tried.append((state.copy(), lineup["seated"].copy()))
        steps += 1
        goes_on = game.step(rules, lineup, state, memory.trace)
    return len(tried), sum(ends_alike(game, spec, rows, *pair) for pair in tried)


def judged(game: Game, spec: Spec) -> float:
    """Play an imagined game to its end, unsettled; return the part of the win that its judge gives away."""
    memory, rules = Memory(game), spec.rules_record
    lineup, state = memory.seated(spec.lineup_record, spec.players), memory.state
    seat_lineup(lineup, spec.players, np.uint64(SEED), np.int64(0), state["rng"])
    game.start(rules, lineup, state, memory.trace)
    while game.step(rules, lineup, state, memory.trace):
        pass
    if game.search is None:
        return 1.0
    shares = [game.search.judge(rules, lineup, state.copy(), seat, memory.trace)[0] for seat in range(spec.players)]
    return sum(map(int, shares)) / game.share_unit


def ends_alike(game: Game, spec: Spec, rows: Any, state: Any, entry: Any) -> bool:
    """Return whether a game that is continued from a safe point ends as before."""
    memory = Memory(game)
    lineup = memory.seated(spec.lineup_record, spec.players)
    lineup["seated"] = entry
    while game.step(spec.rules_record, lineup, state, memory.trace):
        pass
    game.settle(spec.rules_record, lineup, state, memory.trace)
    own = state["rows"][: spec.players].copy()
    own["strategy"] = lineup["seated"][: spec.players]
    return bool(own.tobytes() == rows.tobytes())


if __name__ == "__main__":
    print(json.dumps({players: examine(sys.argv[1], players) for players in load_game(sys.argv[1]).players}))
