"""Plays a game in plain Python, and asks its search at many decisions what it makes of them; prints what is wrong.

Run by `test_search.py` in a process without Numba, where a policy may look at, copy and change what it is given.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.batch import play_into
from simcore.game import load_game
from simcore.jit import COMPILED, Policy
from simcore.memory import Memory
from simcore.streams import fork
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.searching import TO_THE_END, Searching
from strategies.seating import lineup
from strategies.spec import make_spec

ONE_DEAL = {"medievallons": ("match=false",)}
"""Rules by which a game is over with what a search plays to its end."""

STEP = 5
"""Decisions for each that is looked at closely; all are resumed."""

SLOT = np.int64(0)


def examine(name: str, players: int) -> dict[str, Any]:
    """Return how many decisions were looked at, and which of them went wrong in which way."""
    game, kit = load_game(name), load_kit(name)
    search = game.search
    assert search is not None and not COMPILED
    default = kit.default_of(game.role_names[0])
    base = load_strategy(game, default)
    looking = Searching(base, rollouts=2, rounds=0, win=60.0, caution=0.0)
    policy = min(kit.searching)
    spec = make_spec(name, players, [default], "base", ONE_DEAL.get(name, ()), 29, "fixed")
    memory, other = Memory(game), Memory(game)
    searchers = other.seated(lineup(game, [Strategy(name, "looking", policy, search=looking)], players, "fixed"))
    usual = kit.policies[base.policy].choose
    usual = getattr(usual, "py_func", usual)
    asked: list[tuple[np.record, int, int]] = []
    found: dict[str, Any] = {"asked": 0, "foreseen": 0, "depends": [], "peeks": []}

    def imagine(state: np.record, source: np.record, seat: int, number: int) -> np.record:
        world: np.record = state.copy()
        fork(world["rng"], source["rng"], SLOT, np.int64(number))
        search.redraw(spec.rules_record, world, seat)
        return world

    def watch(rules: Any, seats: Any, state: Any, seat: int) -> int:
        here = state.copy()
        move = usual(rules, seats, state, seat)
        found["asked"] += 1
        number = len(asked)
        if search.resumable(here):
            asked.append((here.copy(), seat, int(move)))
        if len(asked) > number and number % STEP == 0:
            elsewhere = imagine(here, here, seat, 7)
            if imagine(here, here, seat, 0).tobytes() != imagine(elsewhere, here, seat, 0).tobytes():
                found["depends"].append(number)
            elsewhere["rng"] = here["rng"]
            choose = kit.policies[policy].choose
            if choose(rules, searchers, here, seat) != choose(rules, searchers, elsewhere, seat):
                found["peeks"].append(number)
        return int(move)

    seated = spec.lineup_record.copy()
    seated["members"]["policy"] = Policy(watch, kit.records).address
    rows = np.zeros(players, game.row_dtype)
    play_into(replace(spec, lineup_record=seated), np.arange(1), rows, memory)
    for here, seat, move in asked:
        search.resume(spec.rules_record, spec.lineup_record, here, seat, move, TO_THE_END, memory.trace)
        share60, lead = search.judge(spec.rules_record, here, seat)
        true = (rows["share60"][seat], search.judge(spec.rules_record, memory.state, seat)[1])
        found["foreseen"] += int((share60, lead) == true and (share60 == 0 or lead >= 0))
    return found | {"resumed": len(asked)}


if __name__ == "__main__":
    print(json.dumps({players: examine(sys.argv[1], players) for players in load_game(sys.argv[1]).players}))
