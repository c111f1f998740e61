"""What the independent referees find in games of the simulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simcore.running.batch import Spec
from simcore.running.replay import replays


def violations(spec: Spec, games: int, check: Callable[[Sequence[Any]], list[str]]) -> list[str]:
    """Return what a referee finds in the first games of a run."""
    return [
        f"game {log.header['game_id']}: {message}"
        for played in replays(spec, 0, games)
        for log in played.logs
        for message in check([log.header, *log.records])
    ]
