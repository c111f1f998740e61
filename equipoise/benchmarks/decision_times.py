"""The time that decisions take: for every shipped strategy, and for every feature that a strategy weighs.

Seconds are processor time of this process, so that small differences can be seen although the machine does other work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from equipoise.benchmarks.speed import decisions_per_game, player, step, who_plays
from equipoise.benchmarks.timing import ROUNDS, Timing, games_for, interleave
from simcore.game import Game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from simcore.running.executors import FIRST_CHUNK
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.spec import assemble_spec, beside_defaults

NOTHING = ""


def _timed(specs: Mapping[str, Spec], seconds: float, tick: Callable[[], None]) -> dict[str, Timing]:
    tasks = {}
    for name, spec in specs.items():
        task = player(spec, 1)
        tasks[name] = task, games_for(task, seconds / ROUNDS, step(spec, FIRST_CHUNK))
        tick()
    return interleave(tasks, tick, timer=time.process_time)


def _entry(spec: Spec, timing: Timing) -> dict[str, Any]:
    asked = decisions_per_game(spec)
    return {
        "players": spec.players,
        "strategy": who_plays(spec),
        "games_per_second": timing.best,
        "games_per_second_median": timing.median,
        "decisions_per_game": asked,
        "nanoseconds_per_decision": 1e9 / (timing.best * asked),
    }


def strategies(specs: Sequence[Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure runs of one strategy each, side by side, on one thread.

    Parameters
    ----------
    specs
        The runs, each with a different strategy.
    seconds
        Total time of all repetitions of one run.
    tick
        Function that is called once when a run is ready, and after each of its `timing.ROUNDS` repetitions.
    """
    timings = _timed({who_plays(spec): spec for spec in specs}, seconds, tick)
    found = [_entry(spec, timings[who_plays(spec)]) for spec in specs]
    fastest = max(entry["games_per_second"] for entry in found)
    return [entry | {"ratio_to_fastest": entry["games_per_second"] / fastest} for entry in found]


def ablations(game: Game, players: int, name: str) -> dict[str, Spec]:
    """Return the run of a strategy (under the name ""), and for each feature the same run without its weight.

    For a table that is named by role, the strategy is the first one with weights.  The result is empty without one.
    """
    named = [load_strategy(game, one.rpartition("=")[2]) for one in name.split(",")]
    strategy = next((one for one in named if one.policy in load_kit(game.name).weighing), None)
    if strategy is None:
        return {}
    rules = load_rules(game)
    weighed = {feature: weight for feature, weight in strategy.weights_at(players).items() if weight}
    seated = {role: [load_strategy(game, one) for one in some] for role, some in beside_defaults(game, name).items()}
    found = {}
    for left_out in (NOTHING, *weighed):
        weights = {feature: weight for feature, weight in weighed.items() if feature != left_out}
        without = replace(strategy, weights=weights, by_players={})
        played = {
            role: [without if one.name == strategy.name else one for one in some] for role, some in seated.items()
        }
        found[left_out] = assemble_spec(game, players, played, rules, 1, "fixed", 1)
    return found


def features(specs: Mapping[str, Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Compare the time of a strategy with the times without each feature; see `ablations`.

    Without a feature, players play different games, so the cost of a feature is given per decision.

    specs: The runs from `ablations`.
    seconds, tick: As for `strategies`.
    """
    if not specs:
        return []
    timings = _timed(specs, seconds, tick)
    entries = {feature: _entry(spec, timings[feature]) for feature, spec in specs.items()}
    whole = entries.pop(NOTHING)
    return [
        entry
        | {
            "without": feature,
            "nanoseconds": whole["nanoseconds_per_decision"] - entry["nanoseconds_per_decision"],
            "share": 1 - entry["nanoseconds_per_decision"] / whole["nanoseconds_per_decision"],
        }
        for feature, entry in entries.items()
    ]
