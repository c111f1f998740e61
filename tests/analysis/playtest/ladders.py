"""A ladder of two or three levels that is known without playing, and results that are drawn from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.data.results import Inputs
from analysis.playtest.posterior import HEADLINE, SCALES, Data, EqualTable, Grid, Rung, draw_scores, draw_wins

LEVELS = {"low": (0.2, 0.2, 0.25, 0.35), "middle": (0.3, 0.25, 0.25, 0.2), "high": (0.5, 0.25, 0.15, 0.1)}
MEANS = {"low": 100.0, "middle": 110.0, "high": 125.0}
GAMES = 20_000


def made_grid(names: tuple[str, ...] = tuple(LEVELS), scored: bool = True, games: int = GAMES) -> Grid:
    """Return the ladder at four players."""
    rungs = []
    for name in names:
        inputs = Inputs(
            games,
            games,
            label=name,
            game="middle-ages",
            players=4,
            strategies=(name,) * 4,
            design="fixed",
            seed=1,
            rules="base",
            rules_digest="",
            settings=(),
            detail="full",
        )
        won = tuple(games * share for share in LEVELS[name])
        scores = (MEANS[name], 15.0) if scored else (None, None)
        rungs.append(Rung((name,), {4: EqualTable(inputs, won, *scores)}))
    seats = {f"seat-{seat + 1}": (seat,) for seat in range(4)}
    return Grid(rungs, (4,), [seats], [np.full(4, 0.25)])


@dataclass(frozen=True)
class Truth:
    """Results, and what they were drawn from: a point of the grid, or None for none of these."""

    data: Data
    point: int | None
    shares: np.ndarray


def drawn(grid: Grid, chance: np.random.Generator, sizes: np.ndarray) -> Truth:
    """Draw a level or none of these as the posterior expects them beforehand, and results from it."""
    inside = chance.random() >= HEADLINE
    mean, sd, error = (part[:, 0] if part.ndim == 2 else part for part in grid.scores())
    if inside:
        at = int(chance.integers(grid.points))
        shares = grid.shares[0][at, int(chance.integers(1, grid.shares[0].shape[1]))]
        centre, spread = mean[at] + error[at] * sd[at] * chance.standard_normal(), sd[at]
    else:
        at = None
        shares = chance.dirichlet(grid.prior(0))
        ends = grid.scores(np.eye(len(grid.rungs)))[0][:, 0]
        usual = np.exp(np.log(grid.scores(np.eye(len(grid.rungs)))[1][:, 0]).mean())
        reach = max(1.0, np.ptp(ends) / 2 / usual)
        centre = (ends.max() + ends.min()) / 2 + reach * usual * chance.standard_normal()
        spread = usual * chance.choice(SCALES)
    won = draw_wins(chance, shares[None], sizes)
    scores = draw_scores(chance, np.array([centre]), np.array([spread]), sizes)[:, :, None, :]
    return Truth(Data([won], scores), at, shares)
