"""The posterior of the levels of the ladder, of "none of these", and of the shares of the wins."""

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

# --- The likelihood of results: of wins and of mean scores, both of which vary among groups ---


CORRELATIONS = (0.0, 0.01, 0.03, 0.1)
"""Correlations of the wins of two games of one group; all have the same prior probability.

At 25 % of the wins they mean that the shares of groups have standard deviations of 0, 4, 8 and 14 percentage points.
"""

SHIFTS = (0.0, 0.25, 0.5, 1.0)
"""Standard deviations of the mean score among groups, in those of a single game; with equal prior probabilities."""

SCALES = tuple(np.exp(np.linspace(-0.7, 0.7, 7)).tolist())
"""Standard deviations of the mean score for "none of these", in those of the ladder; with equal prior probabilities."""

OTHER_DRAWS = 4_096
"""Number of draws of the shares of the wins for "none of these"."""

TEMPER = 0.5
"""Fraction of the games that the proposal distribution of these draws uses, so that its tails are heavy enough."""


@dataclass(frozen=True, eq=False)
class Data:
    """Results of some tables, or of many such sets at once."""

    won: list[Floats]  # for each number of players: wins of each place by group, shape (sets, groups, places)
    scores: Floats | None = None
    """Number, sum and sum of squares of the mean scores by group and number of players, shape (sets, groups, tables,
    3); None if scores are not used."""

    @property
    def games(self) -> int:
        """Number of games of a set."""
        return round(sum(float(won[0].sum()) for won in self.won))


def log_mean(values: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Return the logarithm of the mean of numbers whose logarithms are given."""
    most = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - most).mean(axis=axis)) + np.squeeze(most, axis))


def of_wins(shares: Floats, won: Floats) -> Floats:
    """Return the log-likelihood of wins, shape (sets, levels, correlations).

    Each group has shares of its own, which follow a Dirichlet distribution around those of the level.  A shared win
    counts in parts.

    shares: Shares of the wins at some levels, shape (levels, places).
    won: Wins of each place by group, shape (sets, groups, places).
    """
    from scipy.special import gammaln

    found = np.zeros((len(won), len(shares), len(CORRELATIONS)))
    sets, _, count = won.shape
    sizes = won.sum(axis=2)
    values, codes = np.unique(won, return_inverse=True)  # few, for groups win a few games each
    codes = codes.reshape(won.shape) + len(values) * np.arange(sets)[:, None, None]
    often = [
        np.bincount(codes[:, :, place].ravel(), minlength=sets * len(values)).reshape(sets, -1).astype(np.float64)
        for place in range(count)
    ]
    for number, correlation in enumerate(CORRELATIONS):
        if not correlation:
            found[:, :, number] = won.sum(axis=1) @ np.log(shares).T
            continue
        strength = 1 / correlation - 1
        alpha = strength * shares
        known = gammaln(alpha)
        for place in range(count):
            rise = gammaln(alpha[:, place, None] + values) - known[:, place, None]
            found[:, :, number] += often[place] @ rise.T
        found[:, :, number] -= (gammaln(strength + sizes) - gammaln(strength)).sum(axis=1)[:, None]
    return found


def of_scores(mean: Floats, sd: Floats, error: Floats, scores: Floats) -> Floats:
    """Return the log-likelihood of mean scores, shape (sets, levels).

    Scores are normal around the mean of the group, and the means of groups are normal around that of the level, which
    is itself estimated with an error.

    mean, sd: Mean and standard deviation at each level by number of players, shape (levels, tables).
    error: Standard error of the level's mean, in standard deviations, shape (levels,).
    """
    count, total, square = (scores[:, None, :, :, part] for part in range(3))  # (sets, 1, groups, tables)
    centre, spread = mean[None, :, None, :], sd[None, :, None, :]
    size = count.sum(axis=3)  # (sets, 1, groups)
    off = ((total - count * centre) / spread).sum(axis=3)
    squared = ((square - 2 * centre * total + count * centre**2) / spread**2).sum(axis=3)
    scale = (count * np.log(spread)).sum(axis=(2, 3)) + count.sum(axis=(2, 3)) * np.log(2 * np.pi) / 2
    found = []
    for shift in SHIFTS:
        wide = 1 + size * shift**2
        weight, pull = (size / wide).sum(axis=2), (off / wide).sum(axis=2)
        common = 1 + error**2 * weight
        form = (squared - shift**2 * off**2 / wide).sum(axis=2) - error**2 * pull**2 / common
        found.append(-scale - (form + np.log(wide).sum(axis=2) + np.log(common)) / 2)
    return log_mean(np.array(found), 0)


@dataclass(frozen=True, eq=False)
class Other:
    """The alternative "none of these": any shares of the wins around par, and any mean score near those of the
    ladder.
    """

    shares: list[Floats]  # draws of the shares by table, shape (draws, places)
    weights: list[Floats]  # logarithms of the importance weights of the draws


def draw_other(priors: list[Floats], won: list[Floats], draws: int = OTHER_DRAWS) -> Other:
    """Return importance draws of shares for "none of these", concentrated near the results.

    priors: For each number of players: parameters of the Dirichlet prior.
    won: Observed wins of each place, shape (places,).
    """
    from scipy.special import gammaln

    chance = np.random.Generator(np.random.PCG64(2))
    shares, weights = [], []
    for prior, known in zip(priors, won, strict=True):
        proposal = prior + TEMPER * known
        drawn = np.maximum(chance.dirichlet(proposal, draws), 1e-12)
        constants = gammaln(prior.sum()) - gammaln(prior).sum() - gammaln(proposal.sum()) + gammaln(proposal).sum()
        shares.append(drawn)
        weights.append(constants - TEMPER * (np.log(drawn) @ known))
    return Other(shares, weights)


def of_other_scores(mean: Floats, sd: Floats, scores: Floats) -> NDArray[np.float64]:
    """Return the log-likelihood of mean scores for "none of these", shape (sets,).

    mean, sd: Mean and standard deviation at each rung by number of players, shape (rungs, tables).
    """
    middle = (mean.max(axis=0) + mean.min(axis=0)) / 2
    usual = np.exp(np.log(sd).mean(axis=0))
    reach = max(1.0, float(((mean.max(axis=0) - mean.min(axis=0)) / 2 / usual).max()))
    each = [of_scores(middle[None], usual[None] * scale, np.array([reach / scale]), scores)[:, 0] for scale in SCALES]
    return log_mean(np.array(each), 0)


# --- The ladder of skill as a grid: the results of tables of equal players, at each rung and between the rungs ---


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


# --- The posterior of the levels of the ladder, of "none of these", and of the shares of the wins ---


HEADLINE = 0.2
"""Prior probability of "none of these"."""

PRIORS = (0.05, HEADLINE, 0.5)
"""The prior probabilities of "none of these" for which results are shown."""


def of_levels(grid: Grid, data: Data, mixture: Floats | None = None) -> Floats:
    """Return the log-evidence of some levels, shape (sets, levels), with each rung's shares at their best estimate.

    data: Results, of many sets at once.
    mixture: The weight of each rung in each level.  If None, the whole grid.
    """
    mix = grid.mixture if mixture is None else mixture
    wins = sum(of_wins(mix @ shares[:, 0], won) for shares, won in zip(grid.rung_shares, data.won, strict=True))
    found = log_mean(np.asarray(wins), 2)
    return found if data.scores is None else found + of_scores(*grid.scores(mix), data.scores)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior given one set of results."""

    grid: Grid  # the ladder
    data: Data  # one set of results

    @cached_property
    def _wins(self) -> list[Floats]:
        """The log-likelihood of the wins by table, shape (points, draws, correlations)."""
        found = []
        for shares, won in zip(self.grid.shares, self.data.won, strict=True):
            flat = of_wins(shares.reshape(-1, shares.shape[2]), won)[0]
            found.append(flat.reshape(*shares.shape[:2], -1))
        return found

    @cached_property
    def _other(self) -> tuple[list[Floats], list[Floats]]:
        """The draws for "none of these" by table, and their weighted log-likelihood, shape (draws, correlations)."""
        known = [won[0].sum(axis=0) for won in self.data.won]
        other = draw_other([self.grid.prior(table) for table in range(len(known))], known)
        values = [
            of_wins(shares, won)[0] + weights[:, None]
            for shares, weights, won in zip(other.shares, other.weights, self.data.won, strict=True)
        ]
        return other.shares, values

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """The log-evidence of wins, (tables, points, correlations), and of "none of these", (tables, correlations)."""
        return np.array([log_mean(one, 1) for one in self._wins]), np.array(
            [log_mean(one, 0) for one in self._other[1]]
        )

    @cached_property
    def _scores(self) -> tuple[Floats, float]:
        """The log-evidence of the scores, for every point and for "none of these"."""
        if self.data.scores is None:
            return np.zeros(self.grid.points), 0.0
        rungs = self.grid.scores(np.eye(len(self.grid.rungs)))
        own = of_scores(*self.grid.scores(), self.data.scores)[0]
        return own, float(of_other_scores(rungs[0], rungs[1], self.data.scores)[0])

    @cached_property
    def evidence(self) -> tuple[Floats, float]:
        """The log-evidence of every point of the grid, and of "none of these"."""
        levels, other = self._tables
        return (
            log_mean(levels.sum(axis=0), 1) + self._scores[0],
            float(log_mean(other.sum(axis=0), 0)) + self._scores[1],
        )

    def chances(self, none: float = HEADLINE) -> tuple[Floats, float]:
        """Return the posterior probability of every point of the grid, and of "none of these".

        none: Prior probability of "none of these"; all points share the rest equally.
        """
        levels, other = self.evidence
        whole = np.append(levels + np.log((1 - none) / len(levels)), other + np.log(none))
        weights = np.exp(whole - whole.max())
        weights /= weights.sum()
        return weights[:-1], float(weights[-1])

    @cached_property
    def given_ladder(self) -> Floats:
        """The posterior probability of every point of the grid if the ladder holds."""
        levels = self.evidence[0]  # as far below "none of these" as they may be
        weights = np.exp(levels - levels.max())
        return np.asarray(weights / weights.sum())

    def rungs(self, none: float = HEADLINE) -> Floats:
        """Return the probability of every rung; a point between two rungs counts in part for both."""
        return np.asarray(self.chances(none)[0] @ self.grid.mixture)

    def shares(self, table: int) -> tuple[Floats, Floats]:
        """Return draws of the shares of the wins at one number of players, and their weights.

        They come from the winners alone, with the vague prior of "none of these".  Scores say how well people play, but
        not who wins: at a table of unequal people, the seats may win alike though the mean score is that of a level at
        which they do not.

        table: Index of the number of players.
        """
        draws, values = self._other[0][table], log_mean(self._other[1][table], 1)
        weights = np.exp(values - values.max())
        return draws, weights / weights.sum()

    def ranges(self, table: int, level: float) -> tuple[Floats, Floats]:
        """Return low and high ends of each place's share of the wins at one number of players.

        They are those of the draws, which allow for differences among groups, or those of Clopper and Pearson, where
        these are wider: the vague prior draws extreme shares towards par, so its intervals alone would miss them.

        table: Index of the number of players.
        level: Probability with which each range holds, whatever the shares are.
        """
        from scipy.special import betaincinv

        draws, weights = self.shares(table)
        won = self.data.won[table][0].sum(axis=0)
        lost, tail = won.sum() - won, (1 - level) / 2
        found = np.array([quantiles(part, weights, (tail, 1 - tail)) for part in draws.T])
        least = np.where(won > 0, betaincinv(np.maximum(won, 1e-9), lost + 1, tail), 0.0)
        most = np.where(lost > 0, betaincinv(won + 1, np.maximum(lost, 1e-9), 1 - tail), 1.0)
        return np.minimum(found[:, 0], least), np.maximum(found[:, 1], most)


def quantiles(values: Floats, weights: Floats, at: tuple[float, ...]) -> list[float]:
    """Return quantiles of weighted draws."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return [float(values[order][min(int(np.searchsorted(reached, one)), len(values) - 1)]) for one in at]


# --- Simulated results of tables whose level is known: for power, for predictions, and to check the posterior ---


def groups_of(games: int, groups: int) -> NDArray[np.int64]:
    """Return the number of games of each group, as even as possible."""
    ends = np.linspace(0, games, groups + 1).astype(np.int64)
    return np.asarray(ends[1:] - ends[:-1])


def draw_wins(chance: np.random.Generator, shares: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return wins of each place by group, shape (sets, groups, places); the correlation of each set is drawn.

    shares: Shares of the wins in each set, shape (sets, places).
    """
    correlation = chance.choice(CORRELATIONS, len(shares))
    strength = 1 / np.maximum(correlation, 1e-6) - 1
    alpha = np.repeat((strength[:, None] * shares)[:, None, :], len(sizes), axis=1)
    own = np.maximum(chance.standard_gamma(alpha), 1e-300)
    own = np.where(correlation[:, None, None] > 0, own / own.sum(axis=2, keepdims=True), shares[:, None, :])
    return np.asarray(chance.multinomial(sizes[None, :], own), np.float64)


def draw_scores(chance: np.random.Generator, mean: Floats, sd: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return number, sum and sum of squares of mean scores by group, shape (sets, groups, 3).

    mean, sd: Mean and standard deviation of a table's mean score, by set.
    """
    shift = chance.choice(SHIFTS, len(mean))[:, None] * sd[:, None] * chance.standard_normal((len(mean), len(sizes)))
    count = np.broadcast_to(sizes, shift.shape).astype(np.float64)
    total = count * (mean[:, None] + shift) + np.sqrt(count) * sd[:, None] * chance.standard_normal(shift.shape)
    within = sd[:, None] ** 2 * chance.chisquare(np.maximum(count - 1, 1e-9))
    square = np.where(count > 0, total**2 / np.maximum(count, 1) + np.where(count > 1, within, 0), 0)
    return np.stack([count, total, square], axis=2)
