"""What a seat holds at the end, and the associated win share and score: by number held, empty kind and token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.cards.counterfactual import with_families
from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Note, Result, Verdict, interval, rate_columns
from analysis.data.source import Array, Block
from analysis.data.sources import Data, cautions, open_source
from analysis.games.middle_ages.columns import DOMAIN, HELD, TOKENS
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Contrasts, Floats, Ratios
from analysis.stats.multiple_testing import adjust, p_values, pick

OBSERVED = Note("observed")


@dataclass(frozen=True, eq=False, repr=False)
class Holdings(Result):
    """Win share and score by what seats hold at the end (an association, not an effect).

    Parameters
    ----------
    table
        One row for each kind and number held: `times` (number of seats), `par_normalised` win share, and `lead`, the
        final score minus the table's mean.
    empty
        One row for each kind: the `rate` of seats without it; `lead_empty`, `lead_held` and their difference `cost`
        (positive if an empty kind is associated with a lower score); and `share_cost`, the same for the win share
        divided by par.
    by_empty
        One row for each number of empty kinds: win share, lead, and the mean `penalty` paid.
    penalty_decides
        Share of games in which no winner would have been ahead if nobody had paid the penalty, with its interval.
    """

    empty: pl.DataFrame
    by_empty: pl.DataFrame
    penalty_decides: tuple[float, float | None, float | None]


def lead(score: Array) -> Floats:
    """Return final scores minus the table's mean, shape (games, players)."""
    return np.asarray(score - score.mean(axis=1, keepdims=True))


MOST = 32
"""Who holds more than so many of a kind counts as holding so many."""


def holdings(data: Data, level: float = 0.95) -> Holdings:
    """Return win share and score by what a seat holds at the end.

    Parameters
    ----------
    data
        A run (standard detail or more), a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run lacks the columns of Domains.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.holdings(run)
    >>> found.table.columns[:3]
    ['kind', 'held', 'times']
    """
    check_level(level)
    source = open_source(data)
    names = [source.share, source.scored("the worth of holdings"), *HELD.values(), "penalty"]
    source.require(names, "win share by what is held")

    def count(sums: Counts, block: Block) -> None:
        score = block[names[1]].astype(np.float64)
        share, ahead = source.shares(block) / source.par, lead(score)
        held = [block[column] for column in HELD.values()]
        for number, mine, ours in zip(held, sums.share, sums.lead, strict=True):
            cell = np.minimum(number, MOST - 1)
            mine.scatter(cell, share, block.per_deal)
            ours.scatter(cell, ahead, block.per_deal)
        bare = np.stack([number == 0 for number in held], axis=2).astype(np.float64)
        none = block.totals(bare.sum(axis=1))
        some = source.players * block.per_deal - none
        for contrasts, value in ((sums.empty_share, share), (sums.empty_lead, ahead)):
            without, with_ = (block.totals(np.einsum("gs,gsk->gk", value, where)) for where in (bare, 1 - bare))
            contrasts.add(with_, some, without, none)
        penalty = block["penalty"].astype(np.float64)
        for ratios, value in zip(sums.number, (share, ahead, penalty), strict=True):
            ratios.scatter(bare.sum(axis=2), value, block.per_deal)
        before = score + penalty
        first = before == before.max(axis=1, keepdims=True)
        turned = ~(first & (share > 0)).any(axis=1, keepdims=True)
        sums.decided.add(turned, per_deal=block.per_deal)

    kinds = len(HELD)

    def empty() -> Counts:
        sums: dict[str, Any] = {name: [Ratios(MOST) for _ in HELD] for name in ("share", "lead")}
        sums |= {name: Contrasts(kinds) for name in ("empty_share", "empty_lead")}
        sums |= {"number": [Ratios(kinds + 1) for _ in range(3)], "decided": Ratios(1)}
        return Counts(count, "analysis.games.middle_ages.holdings._Held", **sums)

    sums, inputs = accumulate(source, names, empty)
    table = pl.concat(
        _by_cell(share, ahead, level, source.players).select(
            pl.lit(label).alias("kind"), pl.Series("held", np.arange(MOST)), pl.all()
        )
        for label, share, ahead in zip(HELD, sums.share, sums.lead, strict=True)
    ).filter(pl.col("times") > 0)
    empty_kinds = _empty(sums, level)
    by_empty = _by_cell(sums.number[0], sums.number[1], level, source.players)
    paid = sums.number[2].cells()
    by_empty = by_empty.select(
        pl.Series("empty", np.arange(kinds + 1)), pl.all(), pl.Series("penalty", paid.value)
    ).filter(pl.col("times") > 0)
    cell = sums.decided.cells()
    low, high = rate_interval(cell.value, cell.se, cell.deals, level)
    known = cell.deals[0] >= MIN_DEALS
    decides = (float(cell.value[0]), float(low[0]) if known else None, float(high[0]) if known else None)
    verdicts = _verdicts(empty_kinds, decides, level)
    notes = (*cautions(source, inputs), OBSERVED)
    return Holdings((inputs,), level, table, verdicts, notes, empty_kinds, by_empty, decides)


def _by_cell(share: Ratios, ahead: Ratios, level: float, players: int) -> pl.DataFrame:
    cells, leads = share.cells(), ahead.cells()
    constant = pointwise(level, cells.deals)
    return pl.DataFrame(
        {
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
            **rate_columns("par_normalised", cells.value / players, cells.se / players, cells.deals, level, players),
            **interval("lead", leads.value, leads.se, constant),
        }
    )


def _empty(sums: Counts, level: float) -> pl.DataFrame:
    held, none, cost, se = sums.empty_lead.values()
    _, _, share_cost, share_se = sums.empty_share.values()
    _, some, _, without = sums.empty_lead.sum.T
    deals = sums.empty_lead.deals
    constant = pointwise(level, deals)
    p = p_values(cost, se, deals)
    return pl.DataFrame(
        {
            "kind": list(HELD),
            "deals": deals,
            "times": without.astype(np.int64),
            "rate": without / (some + without),
            "lead_empty": none,
            "lead_held": held,
            **interval("cost", cost, se, constant),
            **interval("share_cost", share_cost, share_se, constant),
            "p": p,
            "p_holm": adjust(p, "holm"),
            "p_bh": adjust(p, "fdr_bh"),
        }
    )


def _verdicts(
    empty: pl.DataFrame, decides: tuple[float, float | None, float | None], level: float
) -> tuple[Verdict, ...]:
    worst = pick(empty.filter(pl.col("cost_low").is_finite()), "cost", "kind", level)
    if worst is None:
        return (Verdict("holdings_unknown", "unknown", {"noun": DOMAIN}),)
    values = {
        "noun": DOMAIN,
        "kind": worst.names,
        "example": worst.row["kind"],
        "times": worst.row["times"],
        **worst.ends("cost", "cost_"),
    }
    found = [Verdict("holdings_empty", "fact", values)]
    if decides[1] is not None:
        found.append(Verdict("holdings_penalty", "fact", dict(zip(("rate", "low", "high"), decides, strict=True))))
    return tuple(found)


@dataclass(frozen=True, eq=False, repr=False)
class TokenValues(Result):
    """Win share and score by where seats lay their tokens (an association, not an effect).

    Parameters
    ----------
    table
        One row for each token, place and (if tokens show kinds) `shows`: the number of `times` a seat laid it, and the
        `rate`; the `lead` of seats with it; `value`, that lead minus the lead of seats without any such token there;
        `share_value`, the same for the win share divided by par; and p-values, with all rows of a token as a family.
    """


def token_values(data: Data, level: float = 0.95) -> TokenValues:
    """Return win share and score by the placement of tokens.

    Parameters
    ----------
    data
        A run in full detail, a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run lacks the columns of tokens.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.token_values(run)
    >>> found.table.columns[:3]
    ['token', 'place', 'shows']
    """
    check_level(level)
    source = open_source(data)
    rows, cells = [], []
    for token, columns in TOKENS.items():
        source.require(list(columns.values()), "the value of tokens")
        for place, column in columns.items():
            shows = source.labels(column)[1:] if source.is_enum(column) else ("",)
            rows += [(token, place, label) for label in shows]
            cells += [(column, code) for code in range(1, len(shows) + 1)]
    names = [source.share, source.scored("the worth of holdings"), *dict.fromkeys(column for column, _ in cells)]

    def count(sums: Counts, block: Block) -> None:
        def by_deal(value: Floats | float, where: list[tuple[str, int]]) -> Array:
            seats = [(value * (block[column] == code)).sum(axis=1) for column, code in where]
            return block.totals(np.column_stack(seats))

        ahead, share = lead(block[names[1]].astype(np.float64)), source.shares(block) / source.par
        laid, bare = by_deal(1.0, cells), by_deal(1.0, empty)
        for contrasts, value in ((sums.lead, ahead), (sums.share, share)):
            contrasts.add(by_deal(value, cells), laid, by_deal(value, empty), bare)

    empty, size = [(column, 0) for column, _ in cells], len(cells)
    sums, inputs = accumulate(source, names, lambda: Counts(count, lead=Contrasts(size), share=Contrasts(size)))
    ahead, _, value, se = sums.lead.values()
    _, _, share_value, share_se = sums.share.values()
    laid, bare = sums.lead.sum[:, 1], sums.lead.sum[:, 3]
    deals = np.where(laid > 0, sums.lead.deals, 0)
    constant = np.where(laid >= MIN_DEALS, pointwise(level, deals), np.nan)
    table = pl.DataFrame(rows, schema=["token", "place", "shows"], orient="row").with_columns(
        **{
            key: pl.Series(np.asarray(item))
            for key, item in {
                "times": laid.astype(np.int64),
                "rate": laid / (inputs.games * source.players),
                "without": bare.astype(np.int64),
                "deals": deals,
                "lead": ahead,
                **interval("value", value, se, constant),
                **interval("share_value", share_value, share_se, constant),
                "p": np.where(laid >= MIN_DEALS, p_values(value, se, deals), np.nan),
            }.items()
        }
    )
    table = with_families(table.filter(pl.col("times") > 0), "token")
    best = _best_token(table, level)
    table = table.drop("deals")
    notes = (*cautions(source, inputs), OBSERVED)
    return TokenValues((inputs,), level, table, (best,), notes)


def _best_token(table: pl.DataFrame, level: float) -> Verdict:
    best = pick(table.filter(pl.col("value_low").is_finite()), "value", "place", level) if len(table) else None
    if best is None:
        return Verdict("tokens_unknown", "unknown")
    values = {key: best.row[key] for key in ("token", "place", "shows", "times")}
    values |= {**best.ends("value", "value_"), "count": len(best.names), "of": best.of}
    return Verdict(f"tokens_{'best' if best.sole else 'level'}{'_shown' if best.row['shows'] else ''}", "fact", values)
