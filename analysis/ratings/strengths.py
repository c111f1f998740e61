"""How strong each strategy is: conditional logit over all line-ups, seats told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from analysis.data.accumulate import fold
from analysis.data.results import Inputs, Note, Result, Unanswered, Verdict, interval
from analysis.data.source import Array
from analysis.data.sources import Data, cautions, shared_deals
from analysis.ratings.lineups import Outcomes, Patterns, numbers, open_company
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.logit import Fit, Model, Separated
from analysis.stats.moments import MIN_DEALS, Floats
from simcore.errors import UsageError, nearest

RESAMPLES = 500
MIN_WINS = 30
"""Wins below which the logarithm of a win share is far from normal."""


@dataclass(frozen=True, eq=False)
class Strengths(Result):
    """Strength of every strategy.

    Two strategies a and b in equal seats share the wins between them as exp(strength a) to exp(strength b).  Where
    seats have roles, a strategy is compared with the others of its role only, by the part that each takes of what the
    role wins, and the tables have a column `role`.

    Parameters
    ----------
    table
        One row a strategy, strongest first: `strength` (0 is the mean of all, or the reference), its error and interval
        from deals; `hessian_se`, which takes games for independent; `bootstrap_se` and ends of the percentile interval
        over resampled deals; `even_share`, its win share were one of each strategy at the table.
    seats
        One row a number of players and seat: `advantage`, 0 is the mean of the seats.
    reference
        The strategy whose strength is 0; None: the mean of all is.
    """

    seats: pl.DataFrame
    reference: str | None


def strengths(
    runs: Data | Sequence[Data],
    reference: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Strengths:
    """Return the strength of every strategy of one or several runs of the same rules.

    Parameters
    ----------
    runs
        One or several; player counts may differ.
    reference
        The strategy whose strength is set to 0 in the roles that it plays; the mean of all if None.
    level
        Confidence level of each interval.
    resamples
        Bootstrap resamples of the deals; 0 for none.
    seed
        Of the resampling.

    Raises
    ------
    UsageError
        If there are not two strategies, or the runs do not go together.
    """
    check_level(level)
    sources, members = open_company(runs, "strengths")
    names = list(dict.fromkeys(member.strategy for member in members))
    if reference is not None and reference not in names:
        raise UsageError(f"strengths: reference: no strategy '{reference}'{nearest(reference, names)}")
    inputs, found, notes = [], [], shared_deals(sources)
    for source in sources:
        patterns, counted = fold(
            source, ["strategy", source.share], partial(Patterns, source, numbers(source, members), len(members))
        )
        inputs.append(counted)
        found.append(patterns.decode())
        notes += cautions(source, counted)
    tables, seats, verdicts = [], [], []
    for role in dict.fromkeys(member.role for member in members):
        own = [member.strategy for member in members if member.role == role]
        first = next(at for at, member in enumerate(members) if member.role == role)
        places = {source.players: role.at(source.players) for source in sources}
        if len(own) < 2:
            continue
        if max(len(place) for place in places.values()) < 2:
            notes.append(Note("one_seat", {"role": role.title}))
            continue
        evidence = _Evidence([item.of(places[item.players], first) for item in found], len(own), places)
        table, by_seat, problems = _estimates(evidence, own, reference, level, resamples, seed)
        named = [pl.lit(role.name).alias("role")] if sources[0].asymmetric else []
        tables.append(table.select(*named, pl.all()))
        seats.append(by_seat.select(*named, pl.all()))
        verdicts.append(_verdict(table, tuple(inputs), role.title if named else ""))
        notes += problems
        for row in table.filter((pl.col("wins") > 0) & (pl.col("wins") < MIN_WINS)).iter_rows(named=True):
            notes.append(Note("few_wins", {"name": row["strategy"], "wins": MIN_WINS}))
    if not tables:
        lonely = next(note.values["role"] for note in notes if note.code == "one_seat")
        text = "strengths: {role} has one seat, so its strategies never meet; compare them in a tournament"
        raise Unanswered("one_seat", text, role=lonely)
    return Strengths(
        tuple(inputs), level, pl.concat(tables), tuple(verdicts), tuple(notes), pl.concat(seats), reference
    )


class _Evidence:
    """Outcomes of all runs in the form that the model takes."""

    def __init__(self, found: Sequence[Outcomes], strategies: int, places: Mapping[int, range]) -> None:
        """Take the outcomes of the seats of a role; `places` are those seats by number of players."""
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
        """Return wins by line-up and seat for so many deals of each run's patterns."""
        games = np.concatenate([count @ run.games for count, run in zip(counts, self.runs, strict=True)])
        wins = np.zeros(self.model.there.shape)
        np.add.at(wins, self.lineup, games[:, None] * self.share)
        return wins

    def observed(self) -> Floats:
        """Return wins as they were."""
        return self.wins_of([run.count.astype(np.float64) for run in self.runs])

    def deal_covariance(self, fit: Fit) -> Floats:
        """Return the covariance of the coefficients with deals as the unit (sandwich, Huber 1967, White 1982)."""
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
        """Return coefficients of fits to resampled deals, one row each; samples without a fit are left out."""
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
        """Return seats played, wins, and what the role won where the strategy sat with others, by strategy."""
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


def _estimates(
    evidence: _Evidence,
    names: Sequence[str],
    reference: str | None,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[pl.DataFrame, pl.DataFrame, list[Note]]:
    """Return the two tables, and what is wrong if there are no strengths."""
    places = evidence.places
    count, kinds = len(names), sum(len(seats) for seats in places.values())
    deals = int(min(run.count.sum() for run in evidence.runs))
    played, won, sat = evidence.totals()
    base = {"strategy": list(names), "times": played.astype(np.int64), "wins": won}
    empty = np.full(count + kinds, np.nan)
    value, se, hessian, boot, low, high, even = empty, empty, empty, empty, empty, empty, empty[:count]
    problems: list[Note] = []
    try:
        fit = evidence.model.fit(evidence.observed())
    except Separated:
        problems += [Note("never_won", {"name": name}) for name, wins in zip(names, won, strict=True) if wins == 0]
        always = [name for name, wins, games in zip(names, won, sat, strict=True) if games > 0 and wins >= games]
        problems += [Note("always_won", {"name": name}) for name in always]
        problems = problems or [Note("unlinked_runs")]
    else:
        shift = np.eye(count + kinds)
        if reference in names:
            shift[:count, names.index(reference)] -= 1
        value = shift @ np.concatenate([fit.strength, fit.seat])
        se = np.sqrt(np.maximum(np.diag(shift @ evidence.deal_covariance(fit) @ shift.T), 0))
        hessian = np.sqrt(np.maximum(np.diag(shift @ fit.covariance @ shift.T), 0))
        again = evidence.resampled(fit, resamples if deals >= MIN_DEALS else 0, seed) @ shift.T
        if len(again) >= max(0.9 * resamples, 2):
            boot = again.std(axis=0, ddof=1)
            low, high = np.quantile(again, [(1 - level) / 2, (1 + level) / 2], axis=0)
        even = np.exp(fit.strength) / np.exp(fit.strength).sum()
    columns = {
        **interval("strength", value, se, pointwise(level, deals)),
        "hessian_se": hessian,
        "bootstrap_se": boot,
        "bootstrap_low": low,
        "bootstrap_high": high,
    }
    table = pl.DataFrame(base | {key: values[:count] for key, values in columns.items()} | {"even_share": even})
    renamed = {key.replace("strength", "advantage"): values[count:] for key, values in columns.items()}
    index = {
        "players": [players for players, seats in places.items() for _ in seats],
        "seat": [seat + 1 for seats in places.values() for seat in seats],
    }
    return table.sort("strength", descending=True), pl.DataFrame(index | renamed), problems


def _verdict(table: pl.DataFrame, inputs: tuple[Inputs, ...], title: str) -> Verdict:
    deals = sum(item.deals for item in inputs)
    known = table.filter(pl.col("strength_low").is_finite())
    within = "_role" if title else ""
    if known.is_empty():
        return Verdict(f"strengths_unknown{within}", "unknown", {"deals": deals, "role": title})
    best, worst = known.row(0, named=True), known.row(-1, named=True)
    values = {
        "best": best["strategy"], "worst": worst["strategy"], "even": best["even_share"], "role": title,
        "odds": float(np.exp(best["strength"] - worst["strength"])), "deals": deals, "strategies": len(known),
    }  # fmt: skip
    second = known.row(min(1, len(known) - 1), named=True)
    if second["strength_high"] > best["strength_low"] and len(known) > 2:
        values |= {"second": second["strategy"]}
        return Verdict(f"strengths_level{within}", "fact", values)
    return Verdict(f"strengths_best{within}", "fact", values)
