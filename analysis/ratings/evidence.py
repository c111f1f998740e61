"""Outcomes of one or several runs, in the form that the model of strengths needs, and how well the model fits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.data.source import Array
from analysis.ratings.fit import Residual, in_errors
from analysis.ratings.lineups import Outcomes
from analysis.stats.intervals import bonferroni, share_interval
from analysis.stats.logit import Fit, Model, Separated
from analysis.stats.moments import MIN_DEALS, Floats


class Evidence:
    """Outcomes of all runs, in the form that the model needs."""

    def __init__(self, found: Sequence[Outcomes], strategies: int, places: Mapping[int, range]) -> None:
        """Store the outcomes of the seats of a role; `places` gives those seats for each number of players."""
        self.places = dict(sorted(places.items()))
        sizes = [len(seats) for seats in self.places.values()]
        widest = max(sizes)
        offset = dict(zip(self.places, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))
        seatings, seats, self.wins, self.runs = [], [], [], []
        for outcomes in found:
            width = outcomes.seating.shape[1]
            pad = ((0, 0), (0, widest - width))
            seatings.append(np.pad(outcomes.seating, pad))
            seat = np.broadcast_to(np.arange(width) + offset[outcomes.players], outcomes.seating.shape)
            seats.append(np.pad(seat, pad, constant_values=-1))
            self.wins.append(np.pad(outcomes.share, pad))
            self.runs.append(outcomes)
        seating, place = np.vstack(seatings), np.vstack(seats)
        lineups, self.lineup = np.unique(np.hstack([seating, place]), axis=0, return_inverse=True)
        self.lineup = self.lineup.ravel()
        self.share = np.vstack(self.wins)
        self.model = Model(lineups[:, :widest], strategies, lineups[:, widest:], sizes)
        self.seating, self.place, self.strategies = seating, place, strategies

    def wins_of(self, counts: Sequence[Floats]) -> Floats:
        """Return wins by line-up and seat, given the number of deals of each pattern in each run."""
        games = np.concatenate([count @ run.games for count, run in zip(counts, self.runs, strict=True)])
        wins = np.zeros(self.model.there.shape)
        np.add.at(wins, self.lineup, games[:, None] * self.share)
        return wins

    def observed(self) -> Floats:
        """Return wins as they were played."""
        return self.wins_of([run.count.astype(np.float64) for run in self.runs])

    def deal_covariance(self, fit: Fit) -> Floats:
        """Return the sandwich covariance of the coefficients, with deals as the unit (Huber 1967, White 1982)."""
        chance = self.model.chances(self.model.reduce(fit))
        design = self.model.design[self.lineup]
        expected = self.share.sum(axis=1, keepdims=True) * chance[self.lineup]
        scores = np.einsum("ks,ksp->kp", self.share - expected, design)
        meat, first = np.zeros((scores.shape[1],) * 2), 0
        for run in self.runs:
            own = run.games @ scores[first : first + run.games.shape[1]]
            first += run.games.shape[1]
            deals = run.count.sum()
            centred = own - (run.count @ own) / deals
            meat += centred.T @ (centred * run.count[:, None]) * deals / max(deals - 1, 1)
        return np.asarray(fit.covariance @ meat @ fit.covariance)

    def resampled(self, fit: Fit, resamples: int, seed: int) -> Floats:
        """Return the coefficients of fits to resampled deals, one row for each; samples without a fit are left out."""
        chance = np.random.Generator(np.random.PCG64(seed))
        start, rows = self.model.reduce(fit), []
        for _ in range(resamples):
            counts = [
                chance.multinomial(run.count.sum(), run.count / run.count.sum()).astype(np.float64) for run in self.runs
            ]
            try:
                again = self.model.fit(self.wins_of(counts), start)
            except Separated:
                continue
            rows.append(np.concatenate([again.strength, again.seat]))
        return np.array(rows).reshape(len(rows), len(fit.strength) + len(fit.seat))

    def totals(self) -> tuple[Array, Floats, Floats]:
        """Return, for each strategy: seats played, wins, and the role's wins in games where it met other strategies."""
        games = np.concatenate([run.count @ run.games for run in self.runs])
        there = self.place >= 0
        played, won, sat = np.zeros(self.strategies), np.zeros(self.strategies), np.zeros(self.strategies)
        for strategy in range(self.strategies):
            here = (self.seating == strategy) & there
            played[strategy] = games @ here.sum(axis=1)
            won[strategy] = games @ (self.share * here).sum(axis=1)
            met = here.any(axis=1) & ~(here | ~there).all(axis=1)
            sat[strategy] = games @ (met * self.share.sum(axis=1))
        return played, won, sat

    def seated(self, run: Outcomes) -> tuple[int, ...]:
        """Return the strategies at the table of a run, in ascending order."""
        return tuple(sorted(run.seating[0].tolist()))

    def residuals(self, fit: Fit, names: Sequence[str]) -> list[Residual]:
        """Return each strategy's wins in each company, as seen and as expected by the model, with errors from deals."""
        chance = self.model.chances(self.model.reduce(fit))
        expected = self.share.sum(axis=1, keepdims=True) * chance[self.lineup]
        found, first = [], 0
        for run in self.runs:
            rows = slice(first, first + run.games.shape[1])
            first = rows.stop
            table = self.seated(run)
            label = " + ".join(
                f"{table.count(one)} {names[one]}" if table.count(one) > 1 else names[one]
                for one in dict.fromkeys(table)
            )
            deals, games = run.count.sum(), float((run.count @ run.games).sum())
            for one in dict.fromkeys(table):
                here = (self.seating[rows] == one) & (self.place[rows] >= 0)
                seen, model = ((values[rows] * here).sum(axis=1) for values in (self.share, expected))
                off = run.games @ (seen - model)
                mean = run.count @ off / deals
                spread = float(run.count @ (off - mean) ** 2) * deals / max(deals - 1, 1)
                z = float(in_errors(run.count @ off, spread**0.5, games)) if deals >= MIN_DEALS else np.nan
                won, due = (float(run.count @ run.games @ values) / games for values in (seen, model))
                found.append(Residual(label, names[one], won, due, z))
        return found

    def even(self, level: float) -> dict[int, tuple[float, float, float, int]]:
        """Return each strategy's wins at tables with one of each strategy, with the interval and the number of deals.

        The value is the strategy's part of what these seats won together.  The result is empty without such a table.
        """
        own = [run for run in self.runs if self.seated(run) == tuple(range(self.strategies))]
        if not own:
            return {}
        run = max(own, key=lambda item: int(item.count.sum()))
        deals = int(run.count.sum())
        total = run.games @ run.share.sum(axis=1)
        found = {}
        for one in range(self.strategies):
            won = run.games @ (run.share * (run.seating == one)).sum(axis=1)
            share = float(run.count @ won / (run.count @ total))
            off = won - share * total
            se = np.sqrt(float(run.count @ off**2) * deals / max(deals - 1, 1)) / float(run.count @ total)
            low, high = share_interval(share, se, deals, bonferroni(level, self.strategies))
            found[one] = share, float(low), float(high), deals
        return found
