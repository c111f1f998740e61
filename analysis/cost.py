"""About how long a question takes on this machine, from a few games of it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from analysis.data.declarations import load_declarations
from simcore.errors import UsageError
from simcore.rules.files import load_rules
from simcore.rules.levers import find_levers
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import default_threads
from strategies.kit import load_kit
from strategies.spec import under_rules
from strategies.tuning import retune
from strategies.tuning.plan import Budget, default_population
from strategies.tuning.search import FINAL_GAMES, SCORE_GAMES

ENOUGH, SAMPLE = 0.05, 100
"""Seconds of games from which a speed is estimated, and the largest number of deals of them."""

COMPARED = 100_000
"""Games of each version that a comparison plays by default, for each kind of players."""


_speeds: dict[tuple[Any, ...], float] = {}
"""Seconds a game by game, rules and players, as this process measured them."""


def seconds_a_game(spec: Spec) -> float:
    """Return about how long a game takes on one thread; each table is measured once."""
    key = spec.game.name, spec.rules.digest, spec.strategies
    if key not in _speeds:
        _speeds[key] = _measured(spec)
    return _speeds[key]


def _measured(spec: Spec) -> float:
    deals, took = 1, 0.0
    run_chunk(replace(spec, games=spec.games_per_deal), 0, spec.games_per_deal)  # so that kernels are there
    while True:
        games = deals * spec.games_per_deal
        began = time.perf_counter()
        run_chunk(replace(spec, games=games), 0, games)
        took = time.perf_counter() - began
        if took >= ENOUGH or deals >= SAMPLE:
            return took / games
        deals = min(4 * deals, SAMPLE)


def games_of(game: str, budget: Budget) -> float:
    """Return about how many games a tuning plays; a negative number means a tuning of that many seconds."""
    if budget.generations is None:
        return -(budget.seconds or 0.0)
    generation = default_population(len(load_kit(game).features)) * retune.GAMES
    return budget.generations * generation + 5 * FINAL_GAMES + 2 * SCORE_GAMES


def _learning(changed: Spec) -> float:
    """Return how many games it takes to tune the players of a run for its rules, once; 0 if nobody can be tuned."""
    return retune.steps(changed) * games_of(changed.game.name, Budget(generations=retune.GENERATIONS))


def of_compare(changed: Spec) -> tuple[float, float]:
    """Return about how many seconds `compare` takes by habit, and with players who learn the changed rules."""
    each = seconds_a_game(changed) / default_threads()
    habit = 2 * COMPARED * each
    learning = retune.TUNINGS * _learning(changed)
    return habit, habit + bool(learning) * habit + learning * each


def of_mend(spec: Spec) -> tuple[float, float]:
    """Return about how many seconds `mend` takes by habit, and with players who learn each change."""
    from analysis.mend.search import Effort

    declared = load_declarations(spec.game.name).levers
    try:
        levers = find_levers(spec.game, spec.rules, (spec.players,), (), declared)
    except UsageError:  # the rules allow no other value
        return 0.0, 0.0
    effort, each, first = Effort(), seconds_a_game(spec) / default_threads(), levers[0]
    value = first.text(first.low if first.value != first.low else first.high)
    changed = under_rules(spec, load_rules(spec.game, spec.rules, f"{first.key}={value}"))
    habit = effort.planned(levers) * each
    return habit, habit + effort.tunings * _learning(changed) * each
