"""Games that cannot differ: nothing is drawn by chance, and the players always choose alike."""

from __future__ import annotations

from contextlib import suppress

from simcore.errors import UsageError
from simcore.kernel.driver import Memory
from simcore.running.batch import Spec
from simcore.running.replay import replays

LOOKED = 20
"""Deals whose logs are read; they are asked for only if every deal ended alike."""


def same_game(spec: Spec) -> bool:
    """Return whether all games of a run are one game; with players who change seats, one in each rotation.

    A game in plain Python shows what it draws random numbers for; what any other game draws is in its log.
    """
    turns = spec.games_per_deal
    if spec.games < LOOKED * turns:
        return False
    if not spec.game.compiled:
        memory = Memory(spec.game)
        lineup = memory.seated(spec.lineup_record, spec.players)
        asked = (spec.rules_record, lineup, memory.trace, spec.seed, LOOKED, spec.players)
        if spec.game.play_batch.purposes(*asked):  # type: ignore[attr-defined]
            return False
    first = []
    with suppress(UsageError):  # a log that is too long
        for at, game in enumerate(replays(spec, 0, LOOKED * turns)):
            if at < turns:
                first.append(game.records)
            elif game.records != first[at % turns]:
                return False
        return True
    return False
