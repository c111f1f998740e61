"""Time tasks side by side, so that whatever else the machine does hits all alike."""

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
"""Plays so many games."""


@dataclass
class Timing:
    """Seconds that equal repetitions of a task took.

    Parameters
    ----------
    games
        Games in one repetition.
    seconds
        By repetition.
    """

    games: int
    seconds: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """Games a second in the fastest repetition."""
        return self.games / min(self.seconds)

    @property
    def median(self) -> float:
        """Games a second in the median repetition."""
        return self.games / statistics.median(self.seconds)


def paired(above: Timing, below: Timing) -> float:
    """Return the median over rounds of one task's pace divided by another's in the same round."""
    scale = above.games / below.games
    return statistics.median(scale * slow / fast for fast, slow in zip(above.seconds, below.seconds, strict=True))


def clock(task: Callable[[], object], timer: Callable[[], float] = time.perf_counter) -> float:
    """Return how many seconds a task takes, by a timer."""
    began = timer()
    task()
    return timer() - began


def games_for(task: Task, seconds: float, step: int) -> int:
    """Return how many games, a multiple of `step`, take about so long; at least one step."""
    task(step)
    return step * max(1, math.ceil(seconds / clock(lambda: task(step))))


def interleave(
    tasks: Mapping[Name, tuple[Task, int]],
    tick: Callable[[], None],
    rounds: int = ROUNDS,
    timer: Callable[[], float] = time.perf_counter,
) -> dict[Name, Timing]:
    """Repeat tasks in turn, the order of each round turned by one.

    Parameters
    ----------
    tasks
        By name: the task, and how many games it plays in each round.
    tick
        Called after each repetition, which does not count its time.
    rounds
        How often each is repeated.
    timer
        What tells the time.

    Returns
    -------
    dict
        Timings by name.
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
