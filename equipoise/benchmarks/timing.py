"""Time tasks in turn, so that other work on the machine affects all of them equally."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

ROUNDS = 5

Name = TypeVar("Name", bound=Hashable)

Task = Callable[[int], object]
"""A function that plays a number of games."""


@dataclass
class Timing:
    """Seconds that equal repetitions of a task took."""

    games: int  # number of games in one repetition
    seconds: list[float] = field(default_factory=list)  # time of each repetition

    @property
    def best(self) -> float:
        """Games per second in the fastest repetition."""
        return self.games / min(self.seconds)

    @property
    def median(self) -> float:
        """Games per second in the median repetition."""
        return self.games / statistics.median(self.seconds)


def paired(above: Timing, below: Timing) -> float:
    """Return the median over rounds of the ratio of two tasks' paces in the same round."""
    scale = above.games / below.games
    return statistics.median(scale * slow / fast for fast, slow in zip(above.seconds, below.seconds, strict=True))


def clock(task: Callable[[], object], timer: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that a task takes, measured with a timer."""
    began = timer()
    task()
    return timer() - began


def games_for(task: Task, seconds: float, step: int) -> int:
    """Return a number of games, a multiple of `step` and at least one step, that takes about this time."""
    task(step)
    return step * max(1, math.ceil(seconds / clock(lambda: task(step))))


def interleave(
    tasks: Mapping[Name, tuple[Task, int]],
    tick: Callable[[], None],
    rounds: int = ROUNDS,
    timer: Callable[[], float] = time.perf_counter,
) -> dict[Name, Timing]:
    """Repeat tasks in turn; the order is rotated by one in each round.

    tasks: By name, each task and its number of games in each round.
    tick: Function that is called after each repetition; its time does not count.
    rounds: Number of repetitions of each task.
    timer: Function that returns the time.
    Returns dict: Timings by name.
    """
    timings = {name: Timing(games) for name, (_, games) in tasks.items()}
    names = list(tasks)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            task, games = tasks[name]
            timings[name].seconds.append(clock(lambda task=task, games=games: task(games), timer))  # type: ignore[misc]
            tick()
    return timings
