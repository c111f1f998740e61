"""Who beats whom: strategies in pairs, and each strategy in each company at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Result, Unanswered, Verdict, interval, share_columns
from analysis.data.source import Block, Source
from analysis.data.sources import Data, cautions, shared_deals
from analysis.ratings.strengths import Member, numbers, open_lineups
from analysis.stats.intervals import bonferroni, check_level, pointwise
from analysis.stats.moments import MIN_DEALS, Floats, Ratios
from analysis.stats.multiple_testing import adjust, of_rates, p_values, pick


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
        if source.score:
            sums.score.scatter(strategy, block[source.score], block.per_deal)
        apart = strategy[:, one] != strategy[:, other]
        cell = strategy[:, one] * strategies + strategy[:, other]
        mine, theirs = place[:, one], place[:, other]
        sums.ahead.scatter(cell, apart * np.where(mine == theirs, 0.5, mine < theirs), block.per_deal, apart)
        won, both = share[:, one], share[:, one] + share[:, other]
        sums.wins.scatter(cell, apart * won, block.per_deal, apart * both)

    sizes = {"ahead": strategies**2, "wins": strategies**2, "share": strategies, "score": strategies}
    sums = {name: Ratios(size) for name, size in sizes.items()}
    return Counts(count, "analysis.ratings.matchups._Pairs", **sums)


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
        companies.append(_company(source, found, members, level))
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
    verdicts = _verdicts(table, members, level)
    return Matchups(tuple(inputs), level, table, verdicts, tuple(notes), pl.concat(companies))


def _mirror(values: Floats, count: int) -> Floats:
    """Give both orders of a pair the same adjusted p-value, because they are one test."""
    square = values.reshape(count, count)
    return np.asarray(np.where(np.isnan(square), square.T, square)).reshape(-1)


def _company(source: Source, found: Counts, members: Sequence[Member], level: float) -> pl.DataFrame:
    cast, seated = source.spec.cast, list(zip(source.spec.roles, source.spec.strategies, strict=True))
    here = [members.index(Member(role, name)) for role, name in cast]
    seats = [seated.count(member) for member in cast]
    share = found.share.cells()
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
        **share_columns("par_normalised", value, se, deals, bonferroni(level, len(here)), most),
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


def _verdicts(table: pl.DataFrame, members: Sequence[Member], level: float) -> tuple[Verdict, ...]:
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
    beats = table.filter((pl.col("ahead") > 0.5) & (pl.col("p_holm") < 0.05))
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
