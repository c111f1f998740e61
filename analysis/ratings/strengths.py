"""The strength of each strategy, by a conditional logit over all line-ups with an effect for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.results import Inputs, Note, Unanswered, Verdict, interval
from analysis.data.sources import Data, cautions, open_source, shared_deals
from analysis.ratings.evidence import Evidence
from analysis.ratings.fit import Fit
from analysis.ratings.lineups import Patterns, listed, numbers, open_lineups
from analysis.ratings.people import strengths_of_people
from analysis.ratings.result import Strengths
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.logit import Separated
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.picking import Tied, contenders, overlapping
from simcore.errors import UsageError, nearest

RESAMPLES = 500
MIN_WINS = 30
"""Number of wins below which the logarithm of a win share is far from normal."""


def strengths(
    runs: Data | Sequence[Data],
    reference: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Strengths:
    """Estimate the strength of every strategy in one or several runs of the same rules.

    Parameters
    ----------
    runs
        One or several; player counts may differ.  For tables from elsewhere, the people who played take the place of
        the strategies; see `analysis.ratings.people`.
    reference
        The strategy whose strength is set to 0 in the roles that it plays.  If None, the mean strength is 0.
    level
        Confidence level of each interval.
    resamples
        Number of bootstrap resamples of the deals; 0 for none.
    seed
        Random seed of the resampling.

    Raises
    ------
    UsageError
        If there are fewer than two strategies, or the runs cannot be combined.
    Unanswered
        If every role with two strategies has only one seat, so that its strategies never meet.

    References
    ----------
    * docs/statistics.md
    * Plackett, R. L. (1975). The analysis of permutations. Applied Statistics 24.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies=["greedy", "random"], games=400)
    >>> eq.strengths(run, resamples=0).table.select("strategy").to_series().to_list()
    ['greedy', 'random']
    """
    check_level(level)
    opened = [open_source(run) for run in listed(runs)]
    if any(source.origin for source in opened):
        return strengths_of_people(opened, level)
    sources, members = open_lineups(runs, "strengths")
    names = list(dict.fromkeys(member.strategy for member in members))
    if reference is not None and reference not in names:
        raise UsageError(f"strengths: reference: no strategy '{reference}'{nearest(reference, names)}")
    inputs, found, notes = [], [], shared_deals(sources)
    for source in sources:
        patterns, counted = accumulate(
            source, ["strategy", source.share], partial(Patterns, source, numbers(source, members), len(members))
        )
        inputs.append(counted)
        found.append(patterns.decode())
        notes += cautions(source, counted)
    tables, seats, fits, verdicts = [], [], [], []
    for role in dict.fromkeys(member.role for member in members):
        own = [member.strategy for member in members if member.role == role]
        first = next(at for at, member in enumerate(members) if member.role == role)
        places = {source.players: role.at(source.players) for source in sources}
        if len(own) < 2:
            continue
        if max(len(place) for place in places.values()) < 2:
            notes.append(Note("one_seat", {"role": role.title}))
            continue
        evidence = Evidence([item.of(places[item.players], first) for item in found], len(own), places)
        said = _estimates(evidence, own, reference, level, resamples, seed)
        table, by_seat, problems = said.table, said.seats, said.problems
        named = [pl.lit(role.name).alias("role")] if sources[0].asymmetric else []
        tables.append(table.select(*named, pl.all()))
        seats.append(by_seat.select(*named, pl.all()))
        verdicts += _verdicts(table, said, tuple(inputs), role.title if named else "")
        fits.append(said.fit.table().select(*named, pl.all()))
        notes += problems
        for row in table.filter((pl.col("wins") > 0) & (pl.col("wins") < MIN_WINS)).iter_rows(named=True):
            notes.append(Note("few_wins", {"name": row["strategy"], "wins": MIN_WINS}))
    if not tables:
        lonely = next(note.values["role"] for note in notes if note.code == "one_seat")
        text = "strengths: {role} has one seat, so its strategies never meet; compare them in a tournament"
        raise Unanswered("one_seat", text, role=lonely)
    return Strengths(
        tuple(inputs),
        level,
        pl.concat(tables),
        tuple(verdicts),
        tuple(notes),
        pl.concat(seats),
        pl.concat(fits),
        reference,
    )


@dataclass(frozen=True)
class _Found:
    """The estimates for one role: two tables, the fit, the odds of the first against the last, and problems."""

    table: pl.DataFrame
    seats: pl.DataFrame
    fit: Fit
    odds: tuple[float, float, float]
    even: dict[str, tuple[float, float, float, int]]
    problems: list[Note]


def _estimates(
    evidence: Evidence,
    names: Sequence[str],
    reference: str | None,
    level: float,
    resamples: int,
    seed: int,
) -> _Found:
    """Return the estimates for one role; the tables contain nulls if there are no strengths."""
    places = evidence.places
    count, kinds = len(names), sum(len(seats) for seats in places.values())
    deals = int(min(run.count.sum() for run in evidence.runs))
    played, won, sat = evidence.totals()
    base = {"strategy": list(names), "times": played.astype(np.int64), "wins": won}
    empty = np.full(count + kinds, np.nan)
    value, se, hessian, boot, low, high = empty, empty, empty, empty, empty, empty
    even_share, even_by = np.full(count, np.nan), pl.Series([None] * count, dtype=pl.String)
    even = evidence.even(level)
    test, odds = Fit((), level), (np.nan, np.nan, np.nan)
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
        covariance = evidence.deal_covariance(fit)
        value = shift @ np.concatenate([fit.strength, fit.seat])
        se = np.sqrt(np.maximum(np.diag(shift @ covariance @ shift.T), 0))
        hessian = np.sqrt(np.maximum(np.diag(shift @ fit.covariance @ shift.T), 0))
        again = evidence.resampled(fit, resamples if deals >= MIN_DEALS else 0, seed) @ shift.T
        if len(again) >= max(0.9 * resamples, 2):
            boot = again.std(axis=0, ddof=1)
            low, high = np.quantile(again, [(1 - level) / 2, (1 + level) / 2], axis=0)
        test = Fit(evidence.residuals(fit, names), level)
        odds = _odds(fit.strength, covariance[:count, :count], deals, level)
        if not test.rejected and any(len(seats) == count for seats in places.values()):
            even_share = np.exp(fit.strength) / np.exp(fit.strength).sum()
            even_by = pl.Series(["model"] * count)
        if not test.tested and not even:
            problems.append(Note("fit_untested"))
    if even:
        even_share, even_by = np.array([even[one][0] for one in range(count)]), pl.Series(["played"] * count)
    columns = {
        **interval("strength", value, se, pointwise(level, deals)),
        "hessian_se": hessian,
        "bootstrap_se": boot,
        "bootstrap_low": low,
        "bootstrap_high": high,
    }
    own = {key: values[:count] for key, values in columns.items()}
    table = pl.DataFrame(base | own | {"even_share": even_share, "even_by": even_by})
    renamed = {key.replace("strength", "advantage"): values[count:] for key, values in columns.items()}
    index = {
        "players": [players for players, seats in places.items() for _ in seats],
        "seat": [seat + 1 for seats in places.values() for seat in seats],
    }
    named = {names[one]: ends for one, ends in even.items()}
    return _Found(table.sort("strength", descending=True), pl.DataFrame(index | renamed), test, odds, named, problems)


def _odds(strength: Floats, covariance: Floats, deals: int, level: float) -> tuple[float, float, float]:
    """Return the odds of the strongest against the weakest, with an interval that allows for choosing the two."""
    best, worst = int(strength.argmax()), int(strength.argmin())
    line = np.zeros(len(strength))
    line[best] += 1
    line[worst] -= 1
    pairs = len(strength) * (len(strength) - 1) // 2
    half = float(pointwise(level, deals, pairs)) * np.sqrt(max(float(line @ covariance @ line), 0.0))
    log = float(strength[best] - strength[worst])
    return float(np.exp(log)), float(np.exp(log - half)), float(np.exp(log + half))


def _verdicts(table: pl.DataFrame, found: _Found, inputs: tuple[Inputs, ...], title: str) -> list[Verdict]:
    """Say who is strongest: as played, and by the model unless the data reject it."""
    deals = sum(item.deals for item in inputs)
    known = table.filter(pl.col("strength_low").is_finite())
    within = "_role" if title else ""
    if known.is_empty():
        return [Verdict(f"strengths_unknown{within}", "unknown", {"deals": deals, "role": title})]
    best, worst = known.row(0, named=True), known.row(-1, named=True)
    count = np.full(len(known), deals)
    picked = contenders(known["strength"].to_numpy(), known["strength_se"].to_numpy(), count, found.fit.level)
    values = {
        "best": best["strategy"],
        "worst": worst["strategy"],
        "role": title,
        "deals": deals,
        "strategies": len(known),
        "odds": found.odds[0],
        "low": found.odds[1],
        "high": found.odds[2],
        "count": len(picked),
        "names": tuple(known["strategy"].gather(picked)),
        "largest": Tied(known["strategy"].gather(picked)),
        **found.fit.values,
    }
    said = []
    if best["strategy"] in found.even:
        top = max(found.even, key=lambda name: found.even[name][0])
        share, low, high, played = found.even[top]
        columns = zip(*(found.even[name][:3] for name in found.even), strict=True)
        ends = {"best": top, "even": share, "low": low, "high": high, "deals": played}
        level = overlapping(list(found.even), *columns)
        code = "strengths_even" if len(level) == 1 else "strengths_even_level"
        said.append(Verdict(f"{code}{within}", "fact", values | ends | {"names": level}))
    if found.fit.rejected:
        return [*said, Verdict(f"strengths_misfit{within}", "fact", values)]
    how = "level" if len(picked) > 1 and len(known) > 2 else "best"
    said.append(Verdict(f"strengths_{how}{within}", "fact", values))
    if best["even_by"] == "model":
        said.append(Verdict(f"strengths_model{within}", "fact", values | {"even": best["even_share"]}))
    return said
