"""The people, roles and seats of tables from elsewhere, each judged as if the others were equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import whole_columns
from analysis.data.results import Inputs, Note, Unanswered, Verdict, all_together, interval
from analysis.data.source import Source
from analysis.data.sources import cautions
from analysis.ratings.fit import Fit as Test
from analysis.ratings.fit import Strengths
from analysis.stats.choice import PRIOR, SEAT_PRIOR, Choice, Fit, Games
from analysis.stats.intervals import bonferroni, max_t_of
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import Tied

MOST_PEOPLE = 1000
"""Number of people who get a strength of their own, those with the most games first; the others share one."""

FEW_PEOPLE = 5
"""With fewer people, an interval is about these people and not about people: how much people differ is not known."""

OTHERS = "others"
CLUSTERS = ("deal", "group")
"""Columns of which equal values mean that games are alike; the first one that a table has counts."""

Codes = NDArray[np.int64]
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Effects:
    """The effects of seats, people and roles, fitted together."""

    fit: Fit  # the fit
    seats: tuple[range, ...]  # for each source: the numbers of its seats' effects
    names: tuple[str, ...]  # the names of the effects of people, then of roles, in order after those of the seats
    people: int  # how many of these are people
    times: Floats
    wins: Floats
    """times, wins: Seats played by, and wins of, each of these."""
    pooled: int  # number of people who share one effect
    inputs: tuple[Inputs, ...]  # the data

    @property
    def first(self) -> int:
        """Number of the first effect of a person or role."""
        return self.seats[-1].stop

    @property
    def few(self) -> int:
        """How many people there are, if so few that the intervals are about these people only; otherwise 0."""
        return self.people if self.people < FEW_PEOPLE else 0

    def constant(self, matrix: Floats, level: float) -> float:
        """Return the constant of simultaneous intervals, widened for few clusters."""
        from scipy.special import ndtr, stdtrit

        wide = max_t_of(matrix, level) if len(matrix) <= 8 else bonferroni(level)
        wide = bonferroni(level, len(matrix)) if np.isnan(wide) else wide
        return abs(float(stdtrit(max(self.fit.clusters - 1, 1), ndtr(-wide))))

    def even(self, number: int, level: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Return what each seat of a source would win among equal people: share, standard error, low and high."""
        own = self.seats[number]
        odds = np.exp(self.fit.effect[own.start : own.stop])
        share = odds / odds.sum()
        lines = np.zeros((len(own), len(self.fit.effect)))
        lines[:, own.start : own.stop] = np.diag(share) - np.outer(share, share)
        matrix = self.fit.variance(lines)
        error = np.sqrt(np.maximum(np.diag(matrix), 0))
        half = np.where(self.fit.tells(lines), self.constant(matrix, level) * error, np.nan)
        if self.inputs[number].deals < MIN_DEALS:
            half = np.full(len(own), np.nan)
        return share, error, np.clip(share - half, 0, 1), np.clip(share + half, 0, 1)


def judged_together(source: Source) -> bool:
    """Return whether a table names people, roles, groups or deals, so that its games are not simply independent."""
    origin = source.origin
    return origin is not None and bool(origin.people or origin.roles or origin.groups or origin.deals)


def effects(sources: Sequence[Source]) -> Effects:
    """Return the effects of seats, people and roles in some tables of the same game.

    P(i wins) ~ exp(seat + person + role): each is judged as if the other two were equal.  Errors are clustered by
    person, unless there are only a few, and by game or, if the table has them, by deal or group.

    Raises Unanswered if nobody competed in any game.
    """
    rows, inputs = [], []
    for source in sources:
        wanted = [name for name in ("player", "role", *CLUSTERS) if name in source.available]
        columns, counted = whole_columns(source, [source.share, *wanted])
        rows.append(columns)
        inputs.append(counted)
    seats, at = [], 0
    for source in sources:
        size = source.players if source.origin is not None and source.origin.seats else 1
        size = len(source.camps) or size
        seats.append(range(at, at + size))
        at += size
    people, persons, pooled = _numbered(sources, rows, "player", MOST_PEOPLE)
    roles, parts, _ = _numbered(sources, rows, "role", MOST_PEOPLE)
    names = (*people, *roles)
    games, times, wins, clusters = [], np.zeros(len(names)), np.zeros(len(names)), 0
    for source, own, seated, person, part in zip(sources, rows, seats, persons, parts, strict=True):
        won = own[source.share].astype(np.float64) / source.unit
        shape = won.shape
        camps = list(source.camps.values())
        if camps:  # who wins together has each all of the win
            won = np.stack([won[:, camp].sum(axis=1) for camp in camps for _ in camp], axis=1)
            won = won[:, np.argsort([seat for camp in camps for seat in camp])]
        chosen = [np.broadcast_to(np.arange(shape[1]) % len(seated) + seated.start, shape)]
        for codes, start in ((person, 0), (part, len(people))):
            if codes is not None:
                chosen.append(codes + at + start)
                times += np.bincount((codes + start).ravel(), minlength=len(names))
                wins += np.bincount((codes + start).ravel(), won.ravel(), minlength=len(names))
        cluster, count = _clusters(own, shape[0])
        decided = np.ones(len(won), bool)
        if source.origin is not None and source.origin.together:  # nobody competed where all won or lost
            decided = won.max(axis=1) > won.min(axis=1)
        one = Games(
            np.stack(chosen, axis=2)[decided],
            won[decided],
            (cluster + clusters)[decided],
            None if person is None or len(people) < FEW_PEOPLE else person[decided],
        )
        games.append(_by_camp(one, camps, seated.start) if camps else one)
        clusters += count
    if not sum(len(one.won) for one in games):
        raise all_together(sources[0].label)
    families = [*(len(own) for own in seats), *([len(people)] if people else []), *([len(roles)] if roles else [])]
    priors = [SEAT_PRIOR] * len(seats) + [PRIOR] * (len(families) - len(seats))
    fit = Choice(games, families, priors).fit()
    return Effects(fit, tuple(seats), names, len(people), times, wins, pooled, tuple(inputs))


def _by_camp(seats: Games, camps: Sequence[Sequence[int]], first: int) -> Games:
    """Return games between camps, given those between seats: a camp is as strong as its members on average.

    first: Number of the effect of the first camp.
    """
    games, _, count = seats.effects.shape
    widest = max(map(len, camps))
    found = np.zeros((games, len(camps), 1 + widest * (count - 1)), np.int64)
    weight = np.zeros(found.shape)
    for number, camp in enumerate(camps):
        members = seats.effects[:, list(camp), 1:].reshape(games, len(camp) * (count - 1))
        found[:, number, 0], weight[:, number, 0] = first + number, 1
        found[:, number, 1 : 1 + members.shape[1]] = members
        weight[:, number, 1 : 1 + members.shape[1]] = 1 / len(camp)
    won = np.stack([seats.won[:, camp[0]] for camp in camps], axis=1)
    return Games(found, won, seats.cluster, None, weight)


def _numbered(
    sources: Sequence[Source], rows: Sequence[Columns], name: str, most: int
) -> tuple[tuple[str, ...], list[Codes | None], int]:
    """Return the names of a column in all tables together, most frequent first, and the number of each row's name."""
    often: dict[str, int] = {}
    found: list[tuple[tuple[str, ...], Codes] | None] = []
    for source, columns in zip(sources, rows, strict=True):
        if name not in columns:
            found.append(None)
            continue
        labels, codes = source.labels(name), columns[name].astype(np.int64)
        found.append((labels, codes))
        for label, count in zip(labels, np.bincount(codes.ravel(), minlength=len(labels)).tolist(), strict=True):
            often[label] = often.get(label, 0) + count
    order = sorted((name for name, count in often.items() if count), key=lambda name: -often[name])
    pooled = len(order) - most + 1 if len(order) > most else 0
    shared = OTHERS
    while shared in often:  # the name of a person
        shared = f"({shared})"
    names = (*order[: most - 1], shared) if pooled else tuple(order)
    number = {name: min(at, len(names) - 1) for at, name in enumerate(order)}
    codes_of = [
        None if item is None else np.array([number.get(label, 0) for label in item[0]])[item[1]] for item in found
    ]
    return names, codes_of, pooled


def _clusters(columns: Columns, games: int) -> tuple[Codes, int]:
    """Return the number of each game's cluster, and how many there are."""
    for name in CLUSTERS:
        if name in columns:
            values, numbers = np.unique(columns[name][:, 0], return_inverse=True)
            return numbers.astype(np.int64), len(values)
    return np.arange(games), games


def strengths_of_people(sources: Sequence[Source], level: float) -> Strengths:
    """Return how strong people are in equal seats, or roles in equal hands.

    level: Confidence level of each interval.
    Raises Unanswered if the tables name neither people nor roles, or nobody competed.
    """
    found = effects(sources)
    if not found.names:
        raise Unanswered("no_people", "{run}: the table names no players", run=sources[0].label)
    part = slice(0, found.people) if found.people else slice(0, len(found.names))
    notes = [note for source, one in zip(sources, found.inputs, strict=True) for note in cautions(source, one)]
    table, roles = (_table(found, own, level) for own in (part, slice(found.people, len(found.names))))
    if found.pooled:
        notes.append(Note("people_pooled", {"count": found.pooled, "most": MOST_PEOPLE - 1}))
    seats = pl.DataFrame(
        {
            "players": [source.players for source, own in zip(sources, found.seats, strict=True) for _ in own],
            "seat": [number for own in found.seats for number in range(1, len(own) + 1)],
            "advantage": found.fit.effect[: found.first],
        }
    )
    verdict = _verdict(table, found, part, level)
    return Strengths(
        found.inputs, level, table, (verdict,), tuple(dict.fromkeys(notes)), seats, Test((), level).table(), None, roles
    )


def _table(found: Effects, own: slice, level: float) -> pl.DataFrame:
    """Return a row for each person or role, strongest first."""
    size = own.stop - own.start
    lines = np.zeros((size, len(found.fit.effect)))
    lines[:, found.first + own.start : found.first + own.stop] = np.eye(size) - 1 / max(size, 1)
    matrix = found.fit.variance(lines) if size else np.zeros((0, 0))
    error = np.sqrt(np.maximum(np.diag(matrix), 0))
    value = lines @ found.fit.effect
    games = min((item.deals for item in found.inputs), default=0)
    from scipy.special import stdtrit

    wide = abs(float(stdtrit(max(found.fit.clusters - 1, 1), (1 - level) / 2)))
    told = found.fit.tells(lines) & (games >= MIN_DEALS)
    nothing = pl.Series([None] * size, dtype=pl.Float64)
    columns = {
        "strategy": found.names[own],
        "times": found.times[own].astype(np.int64),
        "wins": found.wins[own],
        "seen": found.wins[own] / np.maximum(found.times[own], 1),
        **interval("strength", value, error, np.where(told, wide, np.nan)),
        "bootstrap_se": nothing,
        "even_share": nothing,
    }
    return pl.DataFrame(columns, schema_overrides={"strategy": pl.String}).sort("strength", descending=True)


def _verdict(table: pl.DataFrame, found: Effects, part: slice, level: float) -> Verdict:
    """Say who is strongest, or who cannot be distinguished from the strongest."""
    kind = "people" if found.people else "roles"
    games = sum(item.games for item in found.inputs)
    if games < MIN_DEALS or len(table) < 2:
        return Verdict(f"{kind}_unknown", "unknown", {"games": games})
    order = [part.start + found.names[part].index(name) for name in table["strategy"]]
    lines = np.zeros((len(order) - 1, len(found.fit.effect)))
    lines[:, found.first + order[0]] = 1
    lines[np.arange(len(order) - 1), found.first + np.array(order[1:])] -= 1
    from scipy.special import ndtr, stdtrit

    error = np.sqrt(np.maximum(np.diag(found.fit.variance(lines)), 0))
    pairs = len(order) * len(lines) // 2  # of which the best and the worst are one
    wide, widest = np.abs(
        stdtrit(max(found.fit.clusters - 1, 1), ndtr([-bonferroni(level, count) for count in (len(lines), pairs)]))
    ).tolist()
    gap = lines @ found.fit.effect
    if not found.fit.tells(lines[-1:])[0]:
        return Verdict(f"{kind}_together", "unknown", {"games": games})
    tied = [0, *(at for at, off in enumerate(gap - wide * error, 1) if off <= 0)]
    row, last = table.row(0, named=True), table.row(-1, named=True)
    values = {
        "best": row["strategy"],
        "worst": last["strategy"],
        "of": len(table),
        "games": games,
        "count": len(tied),
        "names": tuple(table["strategy"].gather(tied)),
        "largest": Tied(table["strategy"].gather(tied)),
        "odds": float(np.exp(gap[-1])),
        "low": float(np.exp(gap[-1] - widest * error[-1])),
        "high": float(np.exp(gap[-1] + widest * error[-1])),
    }
    if len(tied) == len(table):
        return Verdict(f"{kind}_alike", "unclear", values)
    return Verdict(f"{kind}_best" if len(tied) == 1 else f"{kind}_level", "fact", values)
