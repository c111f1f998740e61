"""What else moved between two versions: the course of the game, strategies, cards, and columns of the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from analysis.course.fortunes import RATES
from analysis.data.results import interval
from analysis.data.sources import SpecSource
from analysis.measures.quantities import BY_STRATEGY, MEAN, OF_CARD, Quantities, cards_in, known_families
from analysis.measures.sampling import Estimand, Sampler, Sums
from analysis.stats.intervals import bonferroni, pointwise, widened
from analysis.stats.moments import MIN_DEALS
from analysis.stats.multiple_testing import adjust, p_values
from simcore.running.batch import Spec

GAMES, CARD_GAMES = 20_000, 8_000
"""Largest number of games of each version for all measures, and for the effects of cards."""

COURSE = ("score", "spread", "margin", "lead_changes", *RATES)
_NUMBERED = re.compile(r"_[a-z]?\d+$")
"""Ending of the names of columns in a series, such as one for each round."""


def what_moved(
    before: Sequence[Spec],
    after: Sequence[Spec],
    level: float,
    tick: Callable[[int], None] = lambda games: None,
) -> pl.DataFrame:
    """Return what else moved, largest first; see `Comparison.moved`.

    before, after: Two versions, each by the players of one tuning or of several, with strategies of the same names.
        The tunings share the deals, and the intervals hold the differences between them.
    level: Simultaneous confidence level of all intervals, because the largest changes are chosen.
    tick: Function that is called from time to time with the number of games of each version so far, at most `GAMES` +
        `CARD_GAMES`.
    """
    pairs = [(before[at % len(before)], after[at % len(after)]) for at in range(max(len(before), len(after)))]
    sides = [SpecSource(spec) for spec in pairs[0]]
    known = [known_families(side) for side in sides]
    families = [name for name in known[1] if name in known[0] and _wanted(name, sides[1])]
    quantities = Quantities(sides[1], families)
    estimands = [Estimand(item.family, item.member) for item in quantities.items if item.family in families]
    shares = {(item.family, item.member): item.is_share for item in quantities.items}
    cards = list(dict.fromkeys([*cards_in(sides[0]), *cards_in(sides[1])]))
    of_cards = [Estimand(family, member, card) for card in cards for family, member in judged_by(sides[1])]
    each = 1 - (1 - level) / max(len(estimands) + len(of_cards), 1)
    done = 0

    def played(asked: list[Estimand], named: Sequence[str], most: int) -> pl.DataFrame:
        nonlocal done
        several, part = [], max(_deals(after[0], most) // len(pairs), 1)
        for at, (old, new) in enumerate(pairs):
            sampler = Sampler(new, old, asked)
            several.append(sampler.play(range(at * part, (at + 1) * part), named, _after(done, tick)))
            done += part * new.games_per_deal
        return _rows(several, asked, shares, each)

    rows = played(estimands, (), GAMES)
    if of_cards:
        rows = pl.concat([rows, played(of_cards, cards, CARD_GAMES)])
    return rows.with_columns(pl.Series("p_holm", adjust(rows["p"], "holm"))).sort(
        pl.col("size").abs(), descending=True, nulls_last=True
    )


def _after(done: int, tick: Callable[[int], None]) -> Callable[[int], None]:
    return lambda games: tick(done + games)


def judged_by(source: SpecSource) -> list[tuple[str, str]]:
    """Return the measures by which cards are judged: the score or, without one, the wins of each camp or seat.

    If there are only two camps or seats, one is enough, because the other one loses what it gains.
    """
    if source.score:
        return [("score", "")]
    camps = [("win_share_by_camp", camp) for camp in source.spec.camps]
    seats = [("win_share_by_seat", f"seat-{seat + 1}") for seat in range(source.players)]
    found = camps or seats
    return found[:1] if len(found) == 2 else found


def _deals(spec: Spec, most: int) -> int:
    return max(min(spec.games, most) // spec.games_per_deal, 1)


def _wanted(family: str, source: SpecSource) -> bool:
    """Return whether a family adds something to the shares of the seats."""
    if family in COURSE or family.endswith(BY_STRATEGY):
        return not family.startswith(OF_CARD)
    column = family.removeprefix(MEAN)
    known = column in (source.share, source.score, "place")
    return family.startswith(MEAN) and not family.endswith("_by_seat") and not known and not _NUMBERED.search(column)


def _rows(
    several: Sequence[Sums], estimands: list[Estimand], shares: dict[tuple[str, str], bool], level: float
) -> pl.DataFrame:
    """Return a row for each estimand from the sums of each tuning."""
    values = np.array([sums.shift.values() for sums in several])
    now, then, shift = values[:, :3].mean(axis=0)
    error, count = np.sqrt((values[:, 3] ** 2).sum(axis=0)) / len(several), len(several)
    spread = values[:, 2].std(axis=0, ddof=1) / np.sqrt(count) if count > 1 else np.zeros(len(error))
    deals, moved = sum(sums.deals for sums in several), np.sum([sums.moved for sums in several], axis=0)
    told = (moved >= MIN_DEALS) & np.isfinite(shift)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = shift / np.sqrt(np.mean([sums.spread() for sums in several], axis=0))
    ends = interval("difference", shift, error, np.where(told, pointwise(level, deals), np.nan))
    low, high = widened(shift, ends["difference_low"], ends["difference_high"], spread, count, bonferroni(level))
    ends |= {"difference_se": np.hypot(error, spread), "difference_low": low, "difference_high": high}
    return pl.DataFrame(
        {
            "group": [_group(estimand) for estimand in estimands],
            "measure": [
                estimand.card or estimand.member or estimand.family.removeprefix(MEAN) for estimand in estimands
            ],
            "of": pl.Series([_whose(estimand) for estimand in estimands], dtype=pl.String),
            "family": [estimand.family for estimand in estimands],
            "is_share": [shares.get((estimand.family, estimand.member), False) for estimand in estimands],
            "before": then,
            "after": now,
            **ends,
            "size": np.where(told, size, np.nan),
            "changed": moved / np.maximum(deals, 1),
            "deals": deals,
            "p": np.where(told, p_values(shift, error, deals, spread, count), np.nan),
        }
    ).with_columns(pl.selectors.float().fill_nan(None))


def _whose(estimand: Estimand) -> str | None:
    """Return whose wins a card changes, such as "village" or "seat-2"; None if it is judged by the score."""
    return estimand.member or None if estimand.card else None


def _group(estimand: Estimand) -> str:
    if estimand.card:
        return "cards"
    if estimand.family.endswith(BY_STRATEGY):
        return "strategies"
    return "course" if estimand.family in COURSE else "columns"
