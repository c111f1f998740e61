"""Two forms of one game, such as plain Python and kernels: are their results drawn from the same distributions?

The forms draw other random numbers, so no game of one is a game of the other.  The same players play many games of each
form, and the results of every seat are compared by the largest distance of their distribution functions.  By the
inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant (1990), which holds for any number of games, two
equal forms differ somewhere by more than `farthest_by_chance` with probability `WRONG` at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.conformance import Outcome
from equipoise.conformance.checks import SEED, Broken, require
from simcore.game import Game, load_game
from simcore.running.batch import Spec, run_chunk
from simcore.running.columns import columns, computed
from strategies.library import load_strategy, shipped_strategies
from strategies.spec import make_spec

WRONG = 1e-6
"""Largest probability that any comparison of two equal forms fails."""

GAMES, COMPILED_GAMES = 10_000, 100_000
"""Number of games of each table, in plain Python and in kernels."""

WHOLE = 840
"""Parts of a win: a multiple of those of every game."""

Results = Mapping[str, NDArray[np.float64]]
"""What came of games: arrays of shape (games, seats), by name."""


def compare_forms(game: str, twin: str) -> Iterator[Outcome]:
    """Play two forms of a game, and yield what came of each comparison."""
    one, other = load_game(game), load_game(twin)
    try:
        require(
            one.players == other.players, f"players: {one.name} is for {one.span}, and {other.name} for {other.span}"
        )
        known = set(shipped_strategies(other))
        names = [name for name in shipped_strategies(one) if name in known and _plays_everywhere(one, name)]
        require(names, f"strategies: {one.name} and {other.name} have none of the same name")
    except Broken as error:
        yield Outcome(f"It can be compared with {twin}", 0, str(error))
        return
    tables = [(players, name) for players in one.players for name in names]
    for players, name in tables:
        reason = difference(spec_of(one, players, name), spec_of(other, players, name), WRONG / len(tables))
        yield Outcome(f"Players of '{name}' get the same as in {twin}", players, reason)


def _plays_everywhere(game: Game, name: str) -> bool:
    strategy = load_strategy(game, name)
    return not strategy.role and strategy.search is None


def spec_of(game: Game, players: int, strategy: str) -> Spec:
    """Return a run in which all seats play one strategy, and every game is a deal of its own."""
    games = COMPILED_GAMES if game.compiled else GAMES
    return make_spec(game.name, players, strategy, seed=SEED, design="fixed", games=games)


def difference(one: Spec, other: Spec, wrong: float) -> str:
    """Return a sentence on the largest difference between two runs that chance does not explain; empty without one.

    wrong: Largest probability of a sentence if the games are equal.
    """
    mine, theirs = results_of(one), results_of(other)
    names = [name for name in mine if name in theirs]
    most = farthest_by_chance(one.games, other.games, wrong / (len(names) * one.players))
    found = [
        (*distance(mine[name][:, seat], theirs[name][:, seat]), name, seat)
        for name in names
        for seat in range(one.players)
    ]
    gap, value, here, there, name, seat = max(found)
    if gap <= most:
        return ""
    return (
        f"{name} of seat {seat + 1}: at most {value:g} in {here:.1%} of {one.games:,} games, and in {there:.1%} of "
        f"{other.games:,} games of {other.game.name}; chance explains {100 * most:.1f} points"
    )


def results_of(spec: Spec) -> Results:
    """Return the place, the share of the win, the score and every other number of the rows, by seat."""
    game = spec.game
    rows = run_chunk(spec, 0, spec.games).reshape(spec.games, spec.players)
    found: dict[str, Any] = {"place": rows["place"], "share of the win": rows[game.share] * (WHOLE // game.share_unit)}
    for column in columns(game, "full")[len(computed(game)) :]:
        if column.type != "Enum":
            values = rows[column.field] if column.index is None else rows[column.field][:, :, column.index]
            found["score" if column.name == game.score else column.name] = values / column.divisor
    return found


def farthest_by_chance(games: int, others: int, wrong: float) -> float:
    """Return the distance of two distribution functions that equal forms exceed with a probability of `wrong` at most.

    Examples
    --------
    >>> round(farthest_by_chance(100_000, 10_000, 1e-6), 3)
    0.036
    """
    return sum(math.sqrt(math.log(4 / wrong) / (2 * count)) for count in (games, others))


def distance(one: NDArray[Any], other: NDArray[Any]) -> tuple[float, float, float, float]:
    """Return the largest distance of two empirical distribution functions, where it is, and both functions there.

    Examples
    --------
    >>> distance(np.array([1, 2, 3, 4]), np.array([1, 1, 1, 4]))
    (0.5, 1.0, 0.25, 0.75)
    """
    values = np.union1d(one, other)
    parts = [np.searchsorted(np.sort(sample), values, side="right") / len(sample) for sample in (one, other)]
    gaps = np.abs(parts[0] - parts[1])
    at = int(gaps.argmax())
    return float(gaps[at]), float(values[at]), float(parts[0][at]), float(parts[1][at])
