"""Strengths of strategies from the games that they played, and who wins at whose tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Inputs, Note, Result, Unanswered, Verdict, interval, share_columns
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source, shared_deals
from analysis.ratings.fit import Fit, Residual, Strengths, in_errors
from analysis.ratings.people import strengths_of_people
from analysis.seats.shares import among_won
from analysis.stats.choice import LogitFit, Model, Separated
from analysis.stats.intervals import bonferroni, check_level, pointwise, share_interval
from analysis.stats.moments import MIN_DEALS, Floats, Ratios
from analysis.stats.multiple_testing import Tied, adjust, contenders, of_rates, overlapping, p_values, pick
from simcore.errors import UsageError, nearest
from simcore.judged import Role
from simcore.running.accumulator import Accumulator

# --- Who played with whom and who won: the games of one or several runs, summed over deals with equal outcomes ---


DECISIVE = ("policy", "temperature", "blunder", "weights", "players", "search", "forbids", "source_sha256")
"""Keys of a strategy's table that determine how it plays."""


@dataclass(frozen=True)
class Member:
    """A strategy in a role."""

    role: Role
    strategy: str


def listed(runs: Data | Sequence[Data]) -> Sequence[Data]:
    """Return one or several runs as a list."""
    return runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]


def open_lineups(runs: Data | Sequence[Data], what: str) -> tuple[list[Source], tuple[Member, ...]]:
    """Return the sources of some runs and the strategies that play in them, role by role.

    Raises UsageError if there is no run, games or rules differ, one name stands for two strategies, or no role has two
        strategies.
    """
    sources = [open_source(run) for run in listed(runs)]
    if not sources:
        raise UsageError(f"{what}: no runs given")
    known: dict[str, tuple[Any, str]] = {}
    for source in sources:
        first = sources[0]
        if source.spec.game.name != first.spec.game.name or source.spec.rules.digest != first.spec.rules.digest:
            raise Unanswered(
                "runs_differ",
                "{what}: {one} and {two} differ in game or rules",
                what=what,
                one=first.label,
                two=source.label,
            )
        for name, table in zip(source.spec.strategies, source.spec.strategy_tables, strict=False):
            decisive = {key: table.get(key) for key in DECISIVE}
            if known.setdefault(name, (decisive, source.label))[0] != decisive:
                raise Unanswered(
                    "two_strategies",
                    "{what}: '{name}' is one strategy in {one} and another in {two}; rename one",
                    what=what,
                    name=name,
                    one=known[name][1],
                    two=source.label,
                )
    cast = dict.fromkeys(Member(role, name) for source in sources for role, name in source.spec.cast)
    members = tuple(member for role in first.spec.game.roles for member in cast if member.role == role)
    if len(members) == len(first.spec.game.roles):
        names = " and ".join(f"'{member.strategy}'" for member in members)
        if len(members) == 1:
            text = "{what}: {names} is the only strategy; put two or more at the table"
            raise Unanswered("one_strategy", text, what=what, names=names)
        text = "{what}: {names} are the only strategies of their roles; put two at the table"
        raise Unanswered("one_strategy_by_role", text, what=what, names=names)
    return sources, members


def numbers(source: Source, members: Sequence[Member]) -> NDArray[np.int64]:
    """Return the number of the member for each seat and code of the strategy there, shape (players, strategies)."""
    places = np.array([members.index(Member(role, name)) for role, name in source.spec.cast])
    return np.where(source.members < 0, 0, places[source.members])


class Patterns(Accumulator):
    """Number of deals for each pattern of their games: who sat where, and how the win was shared.

    source: Source of the games.
    number: Numbers of the members, as `numbers` returns them.
    strategies: Number of members.
    """

    WIDTH = 8
    """Largest number of seats that the code of a game can hold."""

    def __init__(self, source: Source, number: NDArray[np.int64], strategies: int) -> None:
        self.source, self.players, self.strategies, self.number = source, source.players, strategies, number
        self.radix = strategies ** np.arange(self.players, dtype=np.int64)
        self.small = np.uint8 if source.unit < 256 else np.uint16
        self.words = 1 + np.dtype(self.small).itemsize * self.WIDTH // 8
        self.codes: NDArray[np.int64] = np.zeros((0, source.spec.games_per_deal * self.words), np.int64)
        self.count: NDArray[np.int64] = np.zeros(0, np.int64)

    def add(self, block: Block) -> None:
        """Add a block of games."""
        seating = self.number[np.arange(self.players), block["strategy"]] @ self.radix
        shares = np.zeros((block.games, self.WIDTH), self.small)
        shares[:, : self.players] = block[self.source.share]
        codes = np.column_stack([seating, shares.view(np.int64)])
        self._take(codes.reshape(block.deals, -1), np.ones(block.deals, np.int64))

    def merge(self, other: Self) -> None:
        self._take(other.codes, other.count)

    def _take(self, codes: NDArray[np.int64], count: NDArray[np.int64]) -> None:
        every, number = np.concatenate([self.codes, codes]), np.concatenate([self.count, count])
        self.codes, place = np.unique(every, axis=0, return_inverse=True)
        self.count = np.bincount(place.ravel(), number, len(self.codes)).astype(np.int64)

    def decode(self) -> Outcomes:
        """Return the patterns as arrays."""
        per_deal = self.source.spec.games_per_deal
        codes, place = np.unique(self.codes.reshape(-1, self.words), axis=0, return_inverse=True)
        seating = codes[:, :1] // self.radix % self.strategies
        shares = np.ascontiguousarray(codes[:, 1:]).view(self.small)[:, : self.players]
        games = np.zeros((len(self.codes), len(codes)))
        np.add.at(games, (np.arange(len(self.codes))[:, None], place.reshape(len(self.codes), per_deal)), 1)
        return Outcomes(seating, shares.astype(np.float64) / self.source.unit, games, self.count, self.players)


@dataclass(frozen=True)
class Outcomes:
    """The counts of `Patterns`."""

    seating: Array  # who plays each seat in each outcome that a game may have, shape (outcomes, players)
    share: Floats  # each seat's share of the win in each outcome, shape (outcomes, players)
    games: Floats  # number of games with each outcome in a deal of each pattern, shape (patterns, outcomes)
    count: NDArray[np.int64]  # number of deals of each pattern, shape (patterns,)
    players: int  # number of players at the table

    def of(self, seats: range, first: int) -> Outcomes:
        """Return the counts for some adjacent seats only, with strategies numbered from `first` on."""
        part = slice(seats.start, seats.stop)
        return replace(self, seating=self.seating[:, part] - first, share=self.share[:, part])


# Outcomes of one or several runs, in the form that the model of strengths needs, and how well the model fits them.


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

    def deal_covariance(self, fit: LogitFit) -> Floats:
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

    def resampled(self, fit: LogitFit, resamples: int, seed: int) -> Floats:
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

    def residuals(self, fit: LogitFit, names: Sequence[str]) -> list[Residual]:
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


# --- The strength of each strategy, by a conditional logit over all line-ups with an effect for each seat ---


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
    * docs/reference/methods.md
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
    evidence: Evidence, names: Sequence[str], reference: str | None, level: float, resamples: int, seed: int
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


# --- Who beats whom: strategies in pairs, and each strategy in each company at the table ---


@dataclass(frozen=True, eq=False, repr=False)
class Matchups(Result):
    """Strategies against each other.

    Parameters
    ----------
    table
        One row for each ordered pair of strategies of one role: `ahead`, how often the strategy ends ahead of the
        opponent when both sit at the table (a tie counts as half); and `wins`, its part of the games that one of the
        two won.  0.5 is even for both.  The p-values `p`, `p_holm` and `p_bh` test whether `ahead` is one half.
    company
        One row for each company (who sat at the table) and strategy: win share per seat divided by par
        (`par_normalised`), and `score` if the game has one.

    In a game with roles, both tables have a column `role`.
    """

    company: pl.DataFrame

    def matrix(self, value: str = "ahead") -> pl.DataFrame:
        """Return a column of the table as a matrix, with strategies (of each role) in rows and opponents in columns."""
        index = ["role", "strategy"] if "role" in self.table.columns else "strategy"
        return self.table.pivot("opponent", index=index, values=value)


def _pairs(source: Source, number: NDArray[np.int64], strategies: int) -> Counts:
    """Return empty sums: for each deal and ordered pair of strategies of one role, who is ahead, and who wins."""
    roles = source.spec.roles
    pairs = [pair for pair in permutations(range(len(roles)), 2) if roles[pair[0]] is roles[pair[1]]]
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T

    def count(sums: Counts, block: Block) -> None:
        strategy = number[np.arange(source.players), block["strategy"]]
        place, share = block["place"], block[source.share].astype(np.float64)
        sums.share.scatter(strategy, share / (source.par * source.unit), block.per_deal)
        sums.unwon += int((share.sum(axis=1) == 0).sum())
        if source.score:
            sums.score.scatter(strategy, block[source.score], block.per_deal)
        apart = strategy[:, one] != strategy[:, other]
        cell = strategy[:, one] * strategies + strategy[:, other]
        mine, theirs = place[:, one], place[:, other]
        sums.ahead.scatter(cell, apart * np.where(mine == theirs, 0.5, mine < theirs), block.per_deal, apart)
        won, both = share[:, one], share[:, one] + share[:, other]
        sums.wins.scatter(cell, apart * won, block.per_deal, apart * both)

    sizes = {"ahead": strategies**2, "wins": strategies**2, "share": strategies, "score": strategies}
    sums: dict[str, Any] = {name: Ratios(size) for name, size in sizes.items()}
    sums |= {"unwon": 0, "later": {"unwon": 0}}  # games that nobody won, which older totals do not say
    return Counts(count, "analysis.ratings.strengths._Pairs", **sums)


def matchups(runs: Data | Sequence[Data], level: float = 0.95) -> Matchups:
    """Return who beats whom in one or several runs of the same rules.

    Parameters
    ----------
    runs
        One or several runs; their numbers of players may differ.
    level
        Confidence level of each interval in `table`, and of all rows of one company in `company` together.

    Raises
    ------
    UsageError
        If there are fewer than two strategies, or the runs cannot be combined.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies=["greedy", "random"], games=400)
    >>> eq.matchups(run).table.height
    2
    """
    check_level(level)
    sources, members = open_lineups(runs, "matchups")
    count, asymmetric = len(members), sources[0].asymmetric
    total, inputs, companies, notes = (Ratios(count**2), Ratios(count**2)), [], [], shared_deals(sources)
    for source in sources:
        wanted = [name for name in ("strategy", source.share, "place", source.score) if name]
        found, counted = accumulate(source, wanted, partial(_pairs, source, numbers(source, members), count))
        total[0].merge(found.ahead)
        total[1].merge(found.wins)
        inputs.append(counted)
        companies.append(_company(source, found, members, 1 - found.unwon / counted.games, level))
        notes += cautions(source, counted)
    ahead, wins = total[0].cells(), total[1].cells()
    p = p_values(ahead.value - 0.5, ahead.se, ahead.deals)
    upper = np.triu(np.ones((count, count), bool), 1).ravel()
    holm, screened = (_mirror(adjust(np.where(upper, p, np.nan), method), count) for method in ("holm", "fdr_bh"))
    names = [member.strategy for member in members]
    columns = {
        **({"role": np.repeat([member.role.name for member in members], count)} if asymmetric else {}),
        "strategy": np.repeat(names, count),
        "opponent": np.tile(names, count),
        "times": ahead.bottom.astype(np.int64),
        "deals": ahead.deals,
        **share_columns("ahead", ahead.value, ahead.se, ahead.deals, bonferroni(level)),
        "p": p,
        "p_holm": holm,
        "p_bh": screened,
        **share_columns("wins", wins.value, wins.se, wins.deals, bonferroni(level)),
    }
    table = pl.DataFrame(columns).filter(pl.col("times") > 0)
    if table.is_empty():
        text = "matchups: no two strategies of one role sat at one table; put two or more there"
        raise Unanswered("no_meeting", text)
    verdicts = _of_matchups(table, members, level)
    return Matchups(tuple(inputs), level, table, verdicts, tuple(notes), pl.concat(companies))


def _mirror(values: Floats, count: int) -> Floats:
    """Give both orders of a pair the same adjusted p-value, because they are one test."""
    square = values.reshape(count, count)
    return np.asarray(np.where(np.isnan(square), square.T, square)).reshape(-1)


def _company(source: Source, found: Counts, members: Sequence[Member], won: float, level: float) -> pl.DataFrame:
    """Return what each strategy at one table wins, given the share of the games that somebody won."""
    cast, seated = source.spec.cast, list(zip(source.spec.roles, source.spec.strategies, strict=True))
    here = [members.index(Member(role, name)) for role, name in cast]
    seats = [seated.count(member) for member in cast]
    share, scale = found.share.cells(), float(among_won(np.ones(1), won, source.judged)[0])
    most = 1 / np.array(
        [count * source.par[list(role.at(source.players))].min() for count, (role, _) in zip(seats, cast, strict=True)]
    )
    value, se, deals = share.value[here] / most, share.se[here] / most, share.deals[here]
    columns = {
        "company": [_label(source, seats)] * len(here),
        "players": [source.players] * len(here),
        **({"role": [role.name for role, _ in cast]} if source.asymmetric else {}),
        "strategy": [name for _, name in cast],
        "seats": seats,
        "times": share.bottom[here].astype(np.int64),
        "deals": deals,
        **share_columns("par_normalised", value, se, deals, bonferroni(level, len(here)), most / scale),
    }
    if source.score:
        score = found.score.cells()
        columns |= interval("score", score.value[here], score.se[here], pointwise(level, deals, len(here)))
    return pl.DataFrame(columns)


def _label(source: Source, seats: Sequence[int]) -> str:
    """Return who sat at the table, by role in a game with roles."""
    parts: dict[str, list[str]] = {}
    for (role, name), count in zip(source.spec.cast, seats, strict=True):
        parts.setdefault(role.title, []).append(f"{count} {name}" if count > 1 else name)
    if not source.asymmetric:
        return " + ".join(*parts.values())
    return "; ".join(f"{title}: {' + '.join(names)}" for title, names in parts.items())


def _of_matchups(table: pl.DataFrame, members: Sequence[Member], level: float) -> tuple[Verdict, ...]:
    """Say who beats all others, or that nobody does; in a game with roles, for each role."""
    if "role" not in table.columns:
        return (_verdict(table, [member.strategy for member in members], {}, level),)
    found = []
    for role in dict.fromkeys(member.role for member in members):
        rows = table.filter(pl.col("role") == role.name)
        if len(rows):
            names = [member.strategy for member in members if member.role == role]
            found.append(_verdict(rows, names, {"role": role.title}, level))
    return tuple(found)


def _verdict(table: pl.DataFrame, names: Sequence[str], values: dict[str, Any], level: float) -> Verdict:
    within = "_role" if values else ""
    if table["deals"].min() < MIN_DEALS:  # type: ignore[operator]
        return Verdict("matchups_unknown", "unknown")
    beats = table.filter((pl.col("ahead") > 0.5) & (pl.col("p_holm") < 1 - level))
    near = None
    masters = [name for name in names if beats.filter(pl.col("strategy") == name).height == len(names) - 1]
    if masters:
        rows = beats.filter(pl.col("strategy") == masters[0])
        near = pick(rows, "ahead", "opponent", level, "smallest", of_rates)
    if masters and near:
        values |= {
            "best": masters[0],
            "others": len(names) - 1,
            "closest": near.names,
            "example": near.row["opponent"],
            **near.ends("ahead"),
            "deals": near.row["deals"],
        }
        return Verdict(f"matchups_master{within}", "fact", values)
    values |= {"strategies": len(names), "decided": len(beats)}
    return Verdict(f"matchups_open{within}", "fact", values)
