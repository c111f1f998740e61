"""How fast games are played: measured on a few of them, so that progress can say how long all of them take."""

from __future__ import annotations

import time
from dataclasses import replace

from simcore.running.batch import Spec
from simcore.running.executors import execute

PROBE = 0.3
"""Seconds for which games are played to find out how long one takes."""


def seconds_per_game(spec: Spec, threads: int = 1, probe: float = PROBE, most: int = 2**31) -> float:
    """Return about how many seconds a game of a run takes, from a few that are played; compiling does not count.

    Parameters
    ----------
    spec
        The run.
    threads
        How many threads play.
    probe
        Seconds that playing takes at least, unless there are too few games.
    most
        About how many games to play at most.
    """
    games = spec.games_per_deal
    execute(replace(spec, games=1), 1)
    while True:
        began = time.perf_counter()
        execute(replace(spec, games=games), threads)
        took = time.perf_counter() - began
        if took >= probe or 4 * games > most:
            return took / games
        games *= 4
