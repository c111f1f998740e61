"""The ladder of skill as a grid: the results of tables of equal players, at each rung and between the rungs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.data.in_parallel import in_parallel
from analysis.data.results import Inputs
from analysis.data.sources import SpecSource
from analysis.data.store import digest_of, keep_plain, recall_plain
from analysis.stats.moments import Floats
from simcore.running.batch import Spec

PARTS = 4
"""Number of steps of the grid from one rung to the next."""

DRAWS = 200
"""Number of draws of the shares of each rung, which express the uncertainty of its simulated games."""

MIXED = (0.0, 0.0, 0.5, 1.0)
"""How far the shares of a table lie on the way from those of equal players to par; all equally likely beforehand."""

PRIOR = 1.0
"""Weight in games of the prior of a share of the wins, at each place."""

Tick = Callable[[int], None]
"""Function that is called with the number of games played since the last call."""


@dataclass(frozen=True)
class EqualTable:
    """The results of a table of equal players."""

    inputs: Inputs  # what was played
    won: tuple[float, ...]  # number of games won by each seat; a shared win counts in parts
    mean: float | None = None
    sd: float | None = None
    """mean, sd: Mean and standard deviation of a table's mean score; None in a game without a score."""

    @property
    def games(self) -> int:
        """Number of games that were played."""
        return self.inputs.games


@dataclass(frozen=True)
class Rung:
    """A level of skill."""

    names: tuple[str, ...]  # names of its strategies: one, or one for each role
    tables: dict[int, EqualTable]  # results by number of players

    @property
    def title(self) -> str:
        """Title of the level."""
        return " + ".join(self.names)


def play_table(spec: Spec, threads: int | None = None, tick: Tick = lambda games: None) -> EqualTable:
    """Return the results of the table of a specification, which is played once and then stored.

    spec: Specification with equal players, or one strategy for each role.
    threads: Number of threads.  If None, one for each processor.
    tick: Function that shows progress.
    """
    source = SpecSource(spec)
    inputs = source.inputs(spec.games, spec.games, 0)
    digest = digest_of(spec, "playtest")
    if (totals := recall_plain(digest)) is not None:
        tick(spec.games)
        return EqualTable(inputs, tuple(totals["won"]), totals["mean"], totals["sd"])
    score = spec.game.score
    names = [source.share, *([score] if score else [])]

    def read(stretch: range) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
        won, sums = np.zeros(spec.players), np.zeros(2)
        for _, columns in source.read(stretch, names):
            won += columns[source.share].sum(axis=0) / source.unit
            if score:
                mean = columns[score].mean(axis=1)
                sums += mean.sum(), (mean**2).sum()
        return len(stretch), won, sums

    won, sums = np.zeros(spec.players), np.zeros(2)
    for games, own, squares in in_parallel(read, source.stretches(), threads, travels=True):
        won, sums = won + own, sums + squares
        tick(games)
    mean = float(sums[0] / spec.games)
    sd = float(np.sqrt(max(sums[1] / spec.games - mean**2, 0.0)))
    table = EqualTable(inputs, tuple(won.tolist()), *((mean, sd) if score and sd > 0 else (None, None)))
    keep_plain(digest, {"won": table.won, "mean": table.mean, "sd": table.sd})
    return table


@dataclass(frozen=True, eq=False)
class Grid:
    """The ladder at some numbers of players."""

    rungs: Sequence[Rung]  # levels of skill, weakest first
    players: tuple[int, ...]  # numbers of players
    places: Sequence[dict[str, tuple[int, ...]]]  # for each number of players: the seats of every place that may win
    pars: Sequence[Floats]  # for each number of players: the share of the wins that each place is meant to have
    parts: int = PARTS  # number of steps from one rung to the next

    @cached_property
    def mixture(self) -> Floats:
        """The weight of each rung in each point of the grid, shape (points, rungs)."""
        last = len(self.rungs) - 1
        at = np.linspace(0, last, last * self.parts + 1)
        return np.asarray(np.maximum(1 - np.abs(at[:, None] - np.arange(last + 1)), 0))

    @property
    def points(self) -> int:
        """Number of points of the grid."""
        return len(self.mixture)

    def won(self, rung: Rung, table: int) -> Floats:
        """Return the wins of each place at a rung."""
        won = rung.tables[self.players[table]].won
        return np.array([sum(won[seat] for seat in seats) for seats in self.places[table].values()])

    def prior(self, table: int) -> Floats:
        """Return the parameters of the vague Dirichlet prior of shares around par."""
        par = self.pars[table]
        return PRIOR * len(par) * par

    @cached_property
    def rung_shares(self) -> list[Floats]:
        """The shares of the wins by table, shape (rungs, draws, places); the first draw is the mean."""
        chance = np.random.Generator(np.random.PCG64(1))
        found = []
        for table in range(len(self.players)):
            alpha = np.array([self.won(rung, table) + self.prior(table) for rung in self.rungs])
            drawn = chance.standard_gamma(alpha[:, None, :], (len(alpha), DRAWS, alpha.shape[1]))
            drawn[:, 0] = alpha
            found.append(np.maximum(drawn / drawn.sum(axis=2, keepdims=True), 1e-9))
        return found

    @cached_property
    def shares(self) -> list[Floats]:
        """The shares at every point, at tables of equal and of mixed players, shape (points, draws, places).

        Where people of unequal strength change seats, the seats win more alike than among equal players with the same
        mean score.  So in some draws the shares are halfway to par, or there.
        """
        mixed = np.sort(np.resize(MIXED, DRAWS))[None, :, None]
        found = (np.einsum("pr,rdc->pdc", self.mixture, shares) for shares in self.rung_shares)
        return [shares + mixed * (par - shares) for shares, par in zip(found, self.pars, strict=True)]

    @property
    def scored(self) -> bool:
        """Whether all tables have scores that vary."""
        return all(table.sd is not None for rung in self.rungs for table in rung.tables.values())

    def scores(self, mixture: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        """Return mean and standard deviation of a table's mean score, shape (points, tables), and its error.

        mixture: The weight of each rung in each point.  If None, the whole grid.
        """
        mix = self.mixture if mixture is None else mixture
        tables = [[rung.tables[players] for players in self.players] for rung in self.rungs]
        mean = np.array([[one.mean for one in row] for row in tables], np.float64)
        sd = np.array([[one.sd for one in row] for row in tables], np.float64)
        error = np.array([1 / np.sqrt(min(one.games for one in row)) for row in tables])
        return mix @ mean, mix @ sd, mix @ error
