"""How fast games are played, on one thread and on all."""

from __future__ import annotations

import ctypes
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from equipoise.benchmarks.timing import ROUNDS, Task, games_for, interleave, paired
from simcore.game import Game
from simcore.homes import home
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import CHUNK, PART_SIZES, SLOW_PART, execute

COUNTED = 1000
"""Number of games in which decisions are counted."""

STEP = PART_SIZES[0] // 4
"""Number of games in the last parts of a run, which is the unit in which threads share the work."""

LONGER = 2
"""Factor by which a task on several threads is made longer, so that the threads end together."""

_POLICY = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 5, ctypes.c_ssize_t)
"""How kernels call each other: pointers to the result and to an exception, the arguments; 0 means success."""


def player(spec: Spec, threads: int) -> Task:
    """Return a task that plays games as `simulate --format none` does, totals and digest included."""
    return lambda games: execute(replace(spec, games=games), threads)


def who_plays(spec: Spec) -> str:
    """Return the names of the strategies of a run: one if all seats are symmetric, otherwise one for each role."""
    return ", ".join(dict.fromkeys(spec.strategies))


def seated_by(spec: Spec) -> str:
    """Return the strategies of a run as a yardstick names them: one name, or "role=name,..." in a game with roles."""
    if len(set(spec.strategies)) == 1:
        return spec.strategies[0]
    return ",".join(f"{role.name}={spec.strategies[role.at(spec.players)[0]]}" for role in spec.game.roles)


def step(spec: Spec, games: int) -> int:
    """Return the number of games for one step of `games`; it is smaller if players look ahead."""
    return SLOW_PART // 4 if spec.searches else games


def decisions_per_game(spec: Spec, games: int | None = None) -> float:
    """Return how often a game asks a strategy to choose between two or more legal moves.

    Every policy is replaced by one that counts a call and passes it on.
    """
    asked, games = 0, games or step(spec, COUNTED)

    def counting(address: int) -> Any:
        policy = _POLICY(address)

        def choose(*arguments: int) -> int:
            nonlocal asked
            asked += 1
            return int(policy(*arguments))

        return _POLICY(choose)

    lineup = spec.lineup_record.copy()
    members = lineup["members"]
    counters = [counting(int(members[entry]["policy"])) for entry in range(spec.players)]
    for entry, counter in enumerate(counters):
        members[entry]["policy"] = ctypes.cast(counter, ctypes.c_void_p).value
    run_chunk(replace(spec, lineup_record=lineup), 0, games)
    return asked / games


def yardstick(game: Game) -> dict[str, Any]:
    """Return the game's reference figures from its `yardstick.toml`; empty if it has none."""
    file = home(game.name).configs / "yardstick.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def speed(specs: Sequence[Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure runs of one strategy each on one thread.

    specs: The runs.
    seconds: Total time of all repetitions of one run.
    tick: Function that is called once when a run is ready, and after each of its `timing.ROUNDS` repetitions.
    """
    tasks = {}
    for number, spec in enumerate(specs):
        task = player(spec, 1)
        tasks[number] = task, games_for(task, seconds / ROUNDS, step(spec, CHUNK))
        tick()
    timings = interleave(tasks, tick)
    found = []
    for number, spec in enumerate(specs):
        asked = decisions_per_game(spec)
        timing, strategy = timings[number], who_plays(spec)
        reference = yardstick(spec.game).get("games_per_second", {}).get(seated_by(spec), {}).get(str(spec.players))
        found.append(
            {
                "players": spec.players,
                "strategy": strategy,
                "games_per_second": timing.best,
                "games_per_second_median": timing.median,
                "decisions_per_game": asked,
                "decisions_per_second": asked * timing.best,
                "yardstick_games_per_second": reference,
                "ratio_to_yardstick": timing.best / reference if reference else None,
            }
        )
    return found


def scaling(specs: Sequence[Spec], threads: int, seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Compare all threads with one thread, on the same number of games per thread."""
    found = []
    for spec in specs:
        one, many = player(spec, 1), player(spec, threads)
        games = games_for(one, LONGER * seconds / ROUNDS, step(spec, STEP))
        timings = interleave({1: (one, games), threads: (many, games * threads)}, tick)
        found.append(
            {
                "players": spec.players,
                "strategy": who_plays(spec),
                "threads": threads,
                "games_per_second": timings[threads].best,
                "games_per_second_median": timings[threads].median,
                "games_per_second_one_thread": timings[1].best,
                "ratio": timings[threads].best / timings[1].best,
                "ratio_median": paired(timings[threads], timings[1]),
            }
        )
    return found
