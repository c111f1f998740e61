"""Paired differences: sums over deals by card, slot and measure, and the tables made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.cards.outcomes import Measures
from analysis.data.results import interval
from analysis.data.source import Array
from analysis.stats.intervals import pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Floats, Moments
from analysis.stats.multiple_testing import adjust_within, p_values
from simcore.running.accumulator import Accumulator

ALL = "all"
CHANGED = "winner_changed"
TOGETHER = ("score", "spread", "margin")
"""Measures on which pairs of cards are judged; the first of `Measures.names`."""

DUST = 1e-9
"""Largest rounding error of the difference of two equal means."""


def told(moved: Array, se: Array, deals: Array, level: float) -> Floats:
    """Return the multiplier of the standard error in an interval; NaN unless the measure moved in `MIN_DEALS` deals.

    If nearly all differences are zero, their mean is far from normal and its standard error is unreliable.
    """
    return np.where((se > 0) & (moved >= MIN_DEALS), pointwise(level, deals), np.nan)


def tested(value: Array, moved: Array, se: Array, deals: Array) -> Floats:
    """Return p-values in the same way; 1 if the measure never moved."""
    return np.where((moved >= MIN_DEALS) | (moved == 0), p_values(value, se, deals), np.nan)


class Paired(Accumulator):
    """Sums over deals of paired differences, by card, slot and measure.

    cards, slots, measures: The number of each.
    """

    adds = ("deals", "moved", "sum", "square", "with_sum", "blank_sum", "with_square", "blank_square")

    def __init__(self, cards: int, slots: int, measures: int) -> None:
        self.deals: NDArray[np.int64] = np.zeros((cards, slots), np.int64)
        shape = (cards, slots, measures)
        self.sum, self.square, self.with_sum, self.blank_sum, self.with_square, self.blank_square = (
            np.zeros(shape) for _ in range(6)
        )
        self.moved: NDArray[np.int64] = np.zeros(shape, np.int64)
        self.joint = [Moments(2 * cards) for _ in range(measures)]

    def add(self, card: int, slot: NDArray[np.int64], with_card: Floats, without: Floats) -> None:
        """Add deals that hold a card.

        card: Index of the card.
        slot: Slot of the card in each deal.
        with_card, without: Deal means of the measures, shape (deals, measures).
        """
        difference = with_card - without
        difference[np.abs(difference) < DUST] = 0
        for number in range(self.deals.shape[1]):
            here = slot == number
            self.deals[card, number] += here.sum()
            self.moved[card, number] += (difference[here] != 0).sum(axis=0)
            for total, values in ((self.sum, difference), (self.with_sum, with_card), (self.blank_sum, without)):
                total[card, number] += values[here].sum(axis=0)
            for total, values in (
                (self.square, difference),
                (self.with_square, with_card),
                (self.blank_square, without),
            ):
                total[card, number] += (values[here] ** 2).sum(axis=0)

    def add_joint(self, held: NDArray[np.bool_], differences: Floats) -> None:
        """Add all deals, for the covariance between cards: shapes (deals, cards) and (deals, cards, measures)."""
        for number, moments in enumerate(self.joint):
            moments.add(np.hstack([differences[:, :, number], held]))


def effects_table(
    names: Sequence[str], slot: str, measures: Measures, paired: Paired, number: int | None, level: float
) -> pl.DataFrame:
    """Return the effects in one slot, or in all slots together."""

    def total(values: Array) -> Any:
        return values.sum(axis=1) if number is None else values[:, number]

    size = paired.sum.shape[2]
    deals = np.broadcast_to(total(paired.deals)[:, None], (len(names), size)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):

        def variance(summed: Array, squares: Array) -> Floats:
            found: Floats = np.maximum(total(squares) - total(summed) ** 2 / deals, 0) / (deals - 1)
            return np.where(deals > 1, found, np.nan)

        effect = total(paired.sum) / deals
        spread = variance(paired.sum, paired.square)
        apart = variance(paired.with_sum, paired.with_square) + variance(paired.blank_sum, paired.blank_square)
        se, gain = np.sqrt(spread / deals), apart / spread
        with_card, without = total(paired.with_sum) / deals, total(paired.blank_sum) / deals
    moved = total(paired.moved)
    constant = told(moved, se, deals, level)
    columns = {
        "card": np.repeat(names, size),
        "slot": np.repeat(slot, len(names) * size),
        "split": np.repeat(number is not None, len(names) * size),
        "measure": np.tile([*measures.kinds, CHANGED], len(names)),
        "by": np.tile([*measures.by, ""], len(names)),
        "group": np.tile([*measures.groups, ""], len(names)),
        "deals": deals.astype(np.int64).ravel(),
        "moved": moved.ravel(),
        "with_card": with_card.ravel(),
        "blank": without.ravel(),
        **{key: values.ravel() for key, values in interval("effect", effect, se, constant).items()},
        "variance_ratio": gain.ravel(),
        "p": tested(effect, moved, se, deals).ravel(),
    }
    return pl.DataFrame(columns)


def pairs_table(names: Sequence[tuple[str, str]], paired: Paired, level: float) -> pl.DataFrame:
    """Return the interactions of pairs of cards."""
    size = len(TOGETHER)
    deals = np.repeat(paired.deals, size, axis=1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = paired.sum[:, 0] / deals
        spread = np.maximum(paired.square[:, 0] - paired.sum[:, 0] ** 2 / deals, 0) / (deals - 1)
        se = np.sqrt(np.where(deals > 1, spread, np.nan) / deals)
    moved = paired.moved[:, 0]
    estimate = interval("interaction", value, se, told(moved, se, deals, level))
    columns = {
        "first": np.repeat([first for first, _ in names], size),
        "second": np.repeat([second for _, second in names], size),
        "measure": np.tile(TOGETHER, len(names)),
        "deals": deals.astype(np.int64).ravel(),
        "moved": moved.ravel(),
        **{key: item.ravel() for key, item in estimate.items()},
        "p": tested(value, moved, se, deals).ravel(),
    }
    return with_families(pl.DataFrame(columns), "measure")


def with_families(table: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Add p-values that are adjusted within families; the families differ in the values of some columns."""
    families = table.select(keys).rows()
    return table.with_columns(
        pl.Series(name, adjust_within(table["p"], families, method))
        for name, method in (("p_holm", "holm"), ("p_bh", "fdr_bh"))
    )


def changed_table(table: pl.DataFrame, level: float) -> pl.DataFrame:
    """Return how often the winner changed, with intervals that are valid for rare changes."""
    low, high = rate_interval(table["effect"], table["effect_se"], table["deals"], level)
    return table.select(
        "card",
        "slot",
        "deals",
        pl.col("effect").alias(CHANGED),
        pl.col("effect_se").alias(f"{CHANGED}_se"),
        pl.Series(f"{CHANGED}_low", low),
        pl.Series(f"{CHANGED}_high", high),
    )


def contrasts_table(names: Sequence[str], measures: Measures, paired: Paired, level: float) -> pl.DataFrame:
    """Return effects relative to the mean effect of the other cards; no rows if there is only one card."""
    count = len(names)
    others = np.eye(count) - (1 - np.eye(count)) / max(count - 1, 1)
    top, bottom = np.hstack([np.eye(count), np.zeros_like(others)]), np.hstack([np.zeros_like(others), np.eye(count)])
    frames = []
    for number, moments in enumerate(paired.joint[: len(measures.names)]):
        mean, covariance = moments.ratios(top, bottom)
        value, deals, moved = others @ mean, moments.sum[count:], paired.moved[:, :, number].sum(axis=1)
        se = np.sqrt(np.maximum(np.diag(others @ covariance @ others.T), 0))
        columns = {
            "card": names,
            "measure": [measures.kinds[number]] * count,
            "by": [measures.by[number]] * count,
            "group": [measures.groups[number]] * count,
            "deals": deals.astype(np.int64),
            **interval("effect", value, se, told(moved, se, deals, level)),
            "p": tested(value, moved, se, deals),
        }
        frames.append(pl.DataFrame(columns))
    table = with_families(pl.concat(frames), "measure", "by")
    return table if count > 1 else table.clear()
