"""Games that say nothing about seats: all are one game, or all win or lose together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from simcore.errors import UsageError
from simcore.kernel.driver import Memory
from simcore.running.batch import Spec, rows_of
from simcore.running.replay import replays

LOOKED = 20
"""Deals whose logs are read; they are asked for only if every deal ended alike."""

CONTESTS = 10_000
"""Games of each run in which a contest is looked for; the first one ends the search."""


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


def require_contest(specs: Sequence[Spec]) -> None:
    """Raise `UsageError` if in every game of some runs all seats win or lose together."""
    for spec in specs:
        first, most = 0, min(spec.games, CONTESTS)
        while first < most:
            games = range(first, min(2 * first + 1, most))
            won = spec.judged.of_rows(rows_of(spec, games)).reshape(len(games), spec.players)
            if spec.judged.is_payoff or (won != won[:, :1]).any():
                return
            first = games.stop
    from analysis.data.results import all_together
    from analysis.data.sources import SpecSource

    raise all_together(SpecSource(specs[0]).label)
