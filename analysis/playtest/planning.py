"""What a number of games can show: the power to distinguish levels of skill, and the games that are still needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from analysis.playtest.drawing import draw_scores, draw_wins, groups_of
from analysis.playtest.evidence import Data, draw_other, log_mean, of_other_scores, of_wins
from analysis.playtest.ladder import Grid
from analysis.playtest.posterior import HEADLINE, Posterior, of_levels
from analysis.stats.intervals import POWER
from analysis.stats.moments import Floats

ODDS = 19.0
"""Two levels are distinguished if the results favour the true one by these odds, starting from even odds."""

SETS = 200
"""Number of simulated sets of results for each level and number of games."""

SIZES = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640)
"""Numbers of games that are tried in order to find enough."""

DECIDED = 0.05
"""The results agree with the simulation if "none of these" has at most this probability; they contradict it if the
probability is at least 1 minus this."""

MORE, MORE_SETS, MORE_DRAWS = (10, 20, 40, 80, 160, 320), 60, 512


def power(grid: Grid, games: int, groups: int, table: int = 0) -> pl.DataFrame:
    """Return one row for each pair of rungs: how often results of a number of games show from which rung they come.

    `winners` and `scores` are the probabilities of that, by winners alone and with the scores; the lower probability of
    the two true levels counts.  `enough_winners` and `enough_scores` are the numbers of games with which this succeeds
    nine times in ten, in groups of the same size; None if 640 games are too few.  `least` is the number of games after
    which the winners alone give odds of 19 to 1 on average if groups do not differ at all.

    grid: The ladder.
    games, groups: Number of games and of groups in the plan.
    table: Index of the number of players.
    """
    each = games / groups
    tried: dict[int, tuple[Floats, Floats | None]] = {
        size: _told(grid, table, size, max(1, round(size / each))) for size in SIZES
    }
    here = tried.get(games) or _told(grid, table, games, groups)
    rows = []
    for low in range(len(grid.rungs)):
        for high in range(low + 1, len(grid.rungs)):
            row: dict[str, Any] = {
                "players": grid.players[table],
                "weak": grid.rungs[low].title,
                "strong": grid.rungs[high].title,
                "neighbours": high == low + 1,
                "games": games,
            }
            for number, name in enumerate(("winners", "scores")):
                now = here[number]
                row[name] = None if now is None else float(min(now[low, high], now[high, low]))
                row[f"enough_{name}"] = next(
                    (
                        size
                        for size, one in tried.items()
                        if (own := one[number]) is not None and min(own[low, high], own[high, low]) >= POWER
                    ),
                    None,
                )
            row["least"] = _least(grid, table, low, high)
            rows.append(row)
    types = dict.fromkeys(("enough_winners", "enough_scores", "least"), pl.Int64) | {"scores": pl.Float64}
    return pl.DataFrame(rows, schema_overrides=types)


def _told(grid: Grid, table: int, games: int, groups: int) -> tuple[Floats, Floats | None]:
    """Return how often results of each rung favour it over each other rung, by winners alone and with scores."""
    count, sizes = len(grid.rungs), groups_of(games, groups)
    chance = np.random.Generator(np.random.PCG64([4, games, groups]))
    only = _alone(grid, table)
    wins, both = np.zeros((count, count)), np.zeros((count, count))
    mean, sd, _ = only.scores(np.eye(count)) if grid.scored else (np.zeros((count, 1)),) * 3
    for true in range(count):
        shares = only.rung_shares[0][true]
        made = draw_wins(chance, shares[chance.integers(0, len(shares), SETS)], sizes)
        found = of_levels(only, Data([made]), np.eye(count))
        wins[true] = (found[:, [true]] - found >= np.log(ODDS)).mean(axis=0)
        if grid.scored:
            scores = draw_scores(chance, np.full(SETS, mean[true, 0]), np.full(SETS, sd[true, 0]), sizes)
            found = of_levels(only, Data([made], scores[:, :, None, :]), np.eye(count))
            both[true] = (found[:, [true]] - found >= np.log(ODDS)).mean(axis=0)
    return wins, both if grid.scored else None


def _alone(grid: Grid, table: int) -> Grid:
    """Return the ladder at one of its numbers of players."""
    return Grid(grid.rungs, (grid.players[table],), [grid.places[table]], [grid.pars[table]], grid.parts)


def _least(grid: Grid, table: int, low: int, high: int) -> int | None:
    """Return the number of independent games after which winners give odds of 19 to 1 on average, in the worse case."""
    one, two = (grid.rung_shares[table][at, 0] for at in (low, high))
    told = min(float((one * np.log(one / two)).sum()), float((two * np.log(two / one)).sum()))
    return None if told < 1e-6 else int(np.ceil(np.log(ODDS) / told))


def more_games(posterior: Posterior) -> int | None:
    """Return about how many more games would decide whether the results agree with the simulation.

    Future games are drawn from the present posterior, in groups of the present size, at the most frequent number of
    players.  The number is enough if nine in ten of such futures are decided; None if 320 games are too few.
    """
    data = posterior.data
    table = int(np.argmax([won.sum() for won in data.won]))
    groups = max(int((data.won[table][0].sum(axis=1) > 0).sum()), 1)
    size = max(float(data.won[table].sum()) / groups, 1.0)
    for games in MORE:
        if _decided(posterior, table, groups_of(games, max(1, round(games / size)))) >= POWER:
            return games
    return None


def _decided(posterior: Posterior, table: int, sizes: Any) -> float:
    """Return how often results with some more games are decided."""
    grid, data = posterior.grid, posterior.data
    chance = np.random.Generator(np.random.PCG64([5, int(sizes.sum())]))
    levels, none = posterior.chances()
    truth = chance.choice(grid.points + 1, MORE_SETS, p=np.append(levels, none) / (levels.sum() + none))
    draws, weights = posterior.shares(table)
    other = draws[chance.choice(len(draws), MORE_SETS, p=weights)]
    shares = np.array([grid.shares[table][at, 0] if at < grid.points else other[n] for n, at in enumerate(truth)])
    future = draw_wins(chance, shares, sizes)
    won = []
    for number, known in enumerate(data.won):
        own = np.repeat(known, MORE_SETS, axis=0)
        more = future if number == table else np.zeros((MORE_SETS, len(sizes), known.shape[2]))
        won.append(np.concatenate([own, more], axis=1))
    scores = None if data.scores is None else _more_scores(posterior, table, sizes, truth, chance)
    made = Data(won, scores)
    inside = log_mean(of_levels(grid, made), 1)
    outside = _of_other(posterior, made)
    odds = outside + np.log(HEADLINE) - inside - np.log(1 - HEADLINE)
    after = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return float(((after <= DECIDED) | (after >= 1 - DECIDED)).mean())


def _more_scores(posterior: Posterior, table: int, sizes: Any, truth: Any, chance: np.random.Generator) -> Floats:
    """Return the known scores together with simulated scores of the future games."""
    grid, known = posterior.grid, posterior.data.scores
    assert known is not None
    mean, sd, _ = grid.scores()
    count, total, square = (float(known[0, :, table, part].sum()) for part in range(3))
    seen = total / max(count, 1)
    spread = np.sqrt(max(square / max(count, 1) - seen**2, 1e-9)) if count > 1 else float(sd[:, table].mean())
    inside = truth < grid.points
    at = np.minimum(truth, grid.points - 1)
    future = draw_scores(
        chance, np.where(inside, mean[at, table], seen), np.where(inside, sd[at, table], spread), sizes
    )
    more = np.zeros((len(truth), len(sizes), known.shape[2], 3))
    more[:, :, table] = future
    return np.concatenate([np.repeat(known, len(truth), axis=0), more], axis=1)


def _of_other(posterior: Posterior, made: Data) -> Floats:
    """Return the log-evidence of "none of these" for simulated sets of results."""
    grid = posterior.grid
    total = np.zeros((len(made.won[0]), 1))
    for table, won in enumerate(made.won):
        known = posterior.data.won[table][0].sum(axis=0)
        other = draw_other([grid.prior(table)], [known], MORE_DRAWS)
        total = total + log_mean(of_wins(other.shares[0], won) + other.weights[0][None, :, None], 1)
    found = log_mean(total, 1)
    if made.scores is None:
        return found
    rungs = grid.scores(np.eye(len(grid.rungs)))
    return found + of_other_scores(rungs[0], rungs[1], made.scores)
