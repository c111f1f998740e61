"""The claims of the simulation that the results of real games contradict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from analysis.playtest.drawing import draw_wins
from analysis.playtest.evidence import SHIFTS, Data
from analysis.playtest.ladder import Grid
from analysis.stats.moments import Floats
from analysis.stats.multiple_testing import adjust

PREDICTED, MOST_PREDICTED = 4_000, 200_000
"""Number of simulated sets of results for each level and number of players, at least and at most."""

SCORE = "score"


def contradicted(grid: Grid, data: Data, level: float) -> pl.DataFrame:
    """Return one row for each claim: what the simulation says about a place or the score, and what was observed.

    A claim is contradicted if results at least as extreme would be too rare at that level of skill, with Holm's
    correction for all claims.  Differences between groups are allowed for as in the posterior.

    grid: The ladder.
    data: One set of results.
    level: Probability that no true claim is called contradicted.
    """
    sets = _sets(grid, level)
    rows = [row for table in range(len(grid.players)) for row in _of_table(grid, data, table, level, sets)]
    adjusted = adjust([row["p"] for row in rows], "holm")
    return pl.DataFrame(
        [row | {"p_holm": float(p), "contradicted": bool(p < 1 - level)} for row, p in zip(rows, adjusted, strict=True)]
    )


def _sets(grid: Grid, level: float) -> int:
    """Return how many sets of results are simulated: enough that any one of this many claims can be contradicted."""
    claims = len(grid.rungs) * sum(len(own) + 1 for own in grid.places)
    return min(max(PREDICTED, round(4 * claims / (1 - level))), MOST_PREDICTED)


def _of_table(grid: Grid, data: Data, table: int, level: float, sets: int) -> Iterator[dict[str, Any]]:
    """Yield the claims about one number of players."""
    won = data.won[table][0]
    sizes, seen = won.sum(axis=1), won.sum(axis=0)
    whole = np.maximum(np.rint(sizes), 0).astype(np.int64)
    games = sizes.sum()
    chance = np.random.Generator(np.random.PCG64(3))
    for number, rung in enumerate(grid.rungs):
        head = {"players": grid.players[table], "rung": number, "level": rung.title}
        shares = grid.rung_shares[table][number]
        drawn = shares[chance.integers(0, len(shares), sets)]
        made = draw_wins(chance, drawn, whole).sum(axis=1)
        ends = np.quantile(made / games, ((1 - level) / 2, (1 + level) / 2), axis=0)
        for place, name in enumerate(grid.places[table]):
            yield head | {
                "what": name,
                "simulated": float(shares[0, place]),
                "low": float(ends[0, place]),
                "high": float(ends[1, place]),
                "seen": float(seen[place] / games),
                "p": _two_sided(made[:, place], float(seen[place])),
            }
        if data.scores is not None and data.scores[0, :, table, 0].any():
            yield head | _of_score(grid, data.scores[0, :, table], table, number, level)


def _two_sided(made: Floats, seen: float) -> float:
    """Return the two-sided p-value of observed results by simulated ones."""
    below = (made <= seen + 1e-9).sum() + 1
    above = (made >= seen - 1e-9).sum() + 1
    return float(min(1.0, 2 * min(below, above) / (len(made) + 1)))


def _of_score(grid: Grid, scores: Floats, table: int, number: int, level: float) -> dict[str, Any]:
    """Return the claim about the mean score of a table."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    mean, sd, error = (
        float(part[0, table] if part.ndim == 2 else part[0])
        for part in grid.scores(np.eye(len(grid.rungs))[number : number + 1])
    )
    count, total = scores[:, 0], scores[:, 1]
    games = count.sum()
    spread = [np.sqrt((count**2).sum() * shift**2 / games**2 + 1 / games + error**2) * sd for shift in SHIFTS]
    seen = float(total.sum() / games)

    def outside(distance: float) -> float:
        return float(np.mean([2 * ndtr(-distance / one) for one in spread]))

    half = brentq(lambda distance: outside(distance) - (1 - level), 0, 10 * max(spread))
    return {
        "what": SCORE,
        "simulated": mean,
        "low": mean - half,
        "high": mean + half,
        "seen": seen,
        "p": outside(abs(seen - mean)),
    }
