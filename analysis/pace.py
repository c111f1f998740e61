"""How fast games are played: measured on a few of them, so that progress can say how long all of them take."""

from __future__ import annotations

import time
from dataclasses import replace

from simcore.running.batch import Spec
from simcore.running.executors import execute

PROBE = 0.05
"""Seconds for which games are played to find out how long one takes."""


def seconds_per_game(spec: Spec) -> float:
    """Return about how many seconds one processor takes for a game of a run, from a few that are played.

    Compiling does not count, nor what other programs take.
    """
    games = spec.games_per_deal
    execute(replace(spec, games=1), 1)
    while True:
        began = time.process_time()
        execute(replace(spec, games=games), 1)
        took = time.process_time() - began
        if took >= PROBE or 4 * games > spec.games:
            return took / games
        games *= 4
