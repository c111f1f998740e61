"""How fast games are played: measured on a few games, so that the progress can show how long all of them take."""

from __future__ import annotations

import json
import time
from dataclasses import replace

from simcore.running.batch import Spec
from simcore.running.executors import execute

PROBE = 0.02
"""Seconds for which games are played to find out how long one takes."""

_MEASURED: dict[tuple[str, ...], float] = {}


def seconds_per_game(spec: Spec) -> float:
    """Return about how many seconds one processor takes for a game of a run, measured on a few games.

    Compilation and other programs are not counted.  The same players are measured only once under the same rules.
    """
    players = json.dumps([spec.players, spec.design, spec.strategy_tables], sort_keys=True, default=str)
    key = (spec.game.name, spec.rules.digest, players)
    if key not in _MEASURED:
        _MEASURED[key] = _measured(spec)
    return _MEASURED[key]


def _measured(spec: Spec) -> float:
    games = spec.games_per_deal
    execute(replace(spec, games=1), 1)
    while True:
        began = time.process_time()
        execute(replace(spec, games=games), 1)
        took = time.process_time() - began
        if took >= PROBE or 4 * games > spec.games:
            return took / games
        games *= 4
