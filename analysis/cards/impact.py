"""Three estimates of the effect of each chance card, next to each other, and the games that each estimate needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np
import polars as pl

from analysis.cards.counterfactual import (
    ALL,
    DEALS,
    Counterfactual,
    Measures,
    counterfactual,
    superlative,
    with_families,
)
from analysis.data.accumulate import accumulate
from analysis.data.declarations import declared
from analysis.data.results import Note, Result, Unanswered, Verdict, interval
from analysis.data.source import Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import Floats
from analysis.stats.multiple_testing import p_values
from analysis.stats.regression import arm_mean
from simcore.running.accumulator import Accumulator

# --- The effect of a card, estimated from the games as played: randomised exposure, and the naive rate ---


@dataclass(frozen=True, eq=False, repr=False)
class Exposure(Result):
    """The effect of every card, from games that held it and games that did not.

    Cards are drawn at random, so the comparison is unbiased.  But when a card is not drawn, another card is in its
    place. So the effects are relative to the mean of the other cards, like `Counterfactual.contrasts`, and not to a
    blank.

    Parameters
    ----------
    table
        One row for each card and measure: the numbers of deals, `deals_with` and `deals_without` the card; `effect`,
        the difference adjusted by Lin's (2013) regression, with HC3 standard errors of deal means and p-values as in
        `Counterfactual.table`; `difference`, the plain difference in means; and `naive`, the mean over the games that
        held the card, with a standard error that treats games as independent.
    """

    def effects(self, measure: str = "score") -> pl.DataFrame:
        """Return the effects of all cards on one measure of the whole table, largest first."""
        found = self.table.filter((pl.col("measure") == measure) & (pl.col("by") == ""))
        return found.sort(pl.col("effect").abs(), descending=True, nulls_last=True)


class _Hands(Accumulator):
    """Sums over the deals that drew the same cards, in any order."""

    def __init__(self, source: Source, columns: tuple[str, ...], measures: Measures) -> None:
        self.columns, self.measures = columns, measures
        self.radix = len(source.labels(columns[0])) ** np.arange(len(columns), dtype=np.int64)
        self.codes = np.zeros(0, np.int64)
        self.sums: Floats = np.zeros((0, 1 + 3 * len(measures.names)))

    def add(self, block: Block) -> None:
        """Add a block of games."""
        drawn = np.sort(np.stack([block[name][:: block.per_deal, 0] for name in self.columns], axis=1), axis=1)
        values = self.measures.of(block)
        means = block.totals(values) / block.per_deal
        ones = np.ones((len(means), 1))
        self._take(drawn @ self.radix, np.hstack([ones, means, means**2, block.totals(values**2)]))

    def merge(self, other: Self) -> None:
        self._take(other.codes, other.sums)

    def _take(self, codes: np.ndarray[tuple[int], np.dtype[np.int64]], sums: Floats) -> None:
        every = np.concatenate([self.codes, codes])
        self.codes, place = np.unique(every, return_inverse=True)
        rows = np.vstack([self.sums, sums])
        columns = [np.bincount(place, rows[:, number], len(self.codes)) for number in range(rows.shape[1])]
        self.sums = np.stack(columns, axis=1)

    def held(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Return which cards each hand holds, shape (hands, cards)."""
        base = int(self.radix[1]) if len(self.radix) > 1 else int(self.codes.max(initial=0)) + 1
        drawn = self.codes[:, None] // self.radix % base
        return np.asarray((drawn[:, :, None] == np.arange(base)).any(axis=1))


def exposure(data: Data, level: float = 0.95) -> Exposure:
    """Estimate the effect of every card by comparing the deals that held it with those that did not.

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game has no such cards, or the run cannot be read.

    References
    ----------
    * docs/reference/methods.md
    * Lin, W. (2013). Agnostic notes on regression adjustments to experimental data. Annals of Applied
      Statistics 7.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> eq.exposure(run).table.columns[:3]
    ['card', 'measure', 'by']
    """
    check_level(level)
    source = open_source(data)
    deck = declared(source.declarations.cards, "cards of chance", source.spec.game.title)
    if not deck.columns:
        raise Unanswered(
            "cards_unrecorded",
            "{game} does not record which deals held a {noun}; use counterfactual",
            game=source.spec.game.title,
            noun=deck.noun,
        )
    source.scored("exposure")
    measures = Measures(source)
    names = [*measures.columns, *deck.columns]
    source.require(names, "the effect of cards")
    hands, inputs = accumulate(source, names, lambda: _Hands(source, deck.columns, measures))
    labels = source.labels(deck.columns[0])
    copies = deck.copies(source.values)
    cards = [number for number, name in enumerate(labels) if copies[name] > 0]
    presence = _presence([copies[labels[card]] for card in cards], len(deck.columns))
    frames = [
        _card(labels[card], number, hands, cards, presence, measures, source.spec.games_per_deal, level)
        for number, card in enumerate(cards)
    ]
    table = with_families(pl.concat(frames), "measure", "by")
    notes = (*cautions(source, inputs), Note("against_other_cards"))
    return Exposure((inputs,), level, table, (_verdict(table, deck.noun, level),), notes)


def _presence(copies: list[int], slots: int) -> Floats:
    """Return the probability that card f is drawn, given that card e is not or is: shape (2, cards e, cards f)."""
    deck = sum(copies)
    every = comb(deck, slots)
    absent = np.array([comb(deck - count, slots) / every for count in copies])
    found = np.zeros((2, len(copies), len(copies)))
    for e, own in enumerate(copies):
        for f, other in enumerate(copies):
            neither = comb(deck - own - other, slots) / every if e != f else absent[e]
            found[0, e, f] = (absent[e] - neither) / absent[e] if absent[e] > 0 else np.nan
            found[1, e, f] = (1 - absent[e] - absent[f] + neither) / (1 - absent[e])
    return found


def _card(
    name: str,
    number: int,
    hands: _Hands,
    cards: list[int],
    presence: Floats,
    measures: Measures,
    per_deal: int,
    level: float,
) -> pl.DataFrame:
    """Return one card's rows."""
    held, size = hands.held()[:, cards], len(measures.names)
    others = [index for index in range(len(cards)) if index != number]
    adjusted, plain, deals = [], [], []
    naive: tuple[Floats, Floats] = (np.full(size, np.nan),) * 2
    for arm in (0, 1):
        sums = hands.sums[held[:, number] == bool(arm)]
        count, total, squares, games = sums[:, 0], *np.split(sums[:, 1:], 3, axis=1)
        covariates = held[held[:, number] == bool(arm)][:, others] - presence[arm, number, others]
        adjusted.append(arm_mean(covariates, count, total, squares))
        plain.append(arm_mean(np.zeros((len(count), 0)), count, total, squares))
        deals.append(int(count.sum()))
        if arm and deals[1] > 1:
            played, mean = deals[1] * per_deal, total.sum(axis=0) / deals[1]
            naive = mean, np.sqrt(np.maximum(games.sum(axis=0) / played - mean**2, 0) / (played - 1))
    least = min(deals)
    constant = pointwise(level, least)

    def contrast(arms: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        return arms[1][0] - arms[0][0], np.sqrt(arms[1][1] ** 2 + arms[0][1] ** 2)

    effect, se = contrast(adjusted)
    columns = {
        "card": [name] * size,
        "measure": measures.kinds,
        "by": measures.by,
        "group": measures.groups,
        "deals_with": [deals[1]] * size,
        "deals_without": [deals[0]] * size,
        **interval("effect", effect, se, constant),
        "p": p_values(effect, se, np.full(size, least)),
        **interval("difference", *contrast(plain), constant),
        "naive": naive[0],
        "naive_se": naive[1],
    }
    return pl.DataFrame(columns)


def _verdict(table: pl.DataFrame, noun: str, level: float) -> Verdict:
    score = table.filter((pl.col("measure") == "score") & (pl.col("by") == "") & pl.col("effect_low").is_not_nan())
    if score.is_empty():
        return Verdict("exposure_too_few", "unknown", {"noun": noun})
    least = score.with_columns(deals=pl.min_horizontal("deals_with", "deals_without"))
    return superlative("exposure_score", least, "effect", level)


# Three estimates of the effect of each chance card, next to each other, and the games that each estimate needs.


FEW = 5
"""Least factor by which pairing reduces the number of games among players who do not look ahead."""

LOOKING_AHEAD = Note("pairing_looking_ahead")

KEYS = ["card", "measure", "by", "group"]


@dataclass(frozen=True, eq=False, repr=False)
class CardImpact(Result):
    """Counterfactual, randomised exposure and naive rate of every card.

    Parameters
    ----------
    table
        One row for each card and measure: `blank_*` is the counterfactual compared with a blank; `others_*` is the
        counterfactual compared with the mean of the other cards; `exposure_*` is the randomised exposure, which
        estimates the same as `others_*`; `naive` is the mean of the games that held the card.
    efficiency
        One row for each card, on mean score: the factor by which the counterfactual needs fewer games for an interval
        of the same width.  For `ratio`, the counterfactual's games are those of one card (each deal that holds it is
        played twice), and the exposure's are all games.  For `ratio_all`, they are the games played for all cards at
        once.
    counterfactual, exposure
        The two results in full.
    """

    efficiency: pl.DataFrame
    counterfactual: Counterfactual
    exposure: Exposure


def card_impact(
    data: Data,
    deals: int = DEALS,
    pairs: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda deals: None,
    margin: Margin | float | str = FAIR,
) -> CardImpact:
    """Estimate the effect of every card in three ways.

    Parameters
    ----------
    data
        A run, a run folder, or a specification.  Exposure is estimated from its games; for the counterfactual, its
        first deals are played again.
    deals, pairs, threads, tick, margin
        See `counterfactual`.
    level
        Confidence level of each interval.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> eq.card_impact(run, deals=200).table.height
    120
    """
    told = exposure(data, level)
    played = counterfactual(data, (), deals, pairs, level, threads, tick, margin)
    columns = ["effect", "effect_se", "effect_low", "effect_high", "p", "p_holm", "p_bh"]
    parts = {
        "blank": played.table.filter(pl.col("slot") == ALL).select(*KEYS, "deals", *columns),
        "others": played.contrasts.select(*KEYS, *columns),
        "exposure": told.table.select(*KEYS, "deals_with", "deals_without", *columns),
    }
    frame = told.table.select(*KEYS, "naive", "naive_se")
    for name, part in reversed(parts.items()):
        renamed = part.rename({column: column.replace("effect", name, 1) for column in columns if "effect" in column})
        renamed = renamed.rename({column: f"{name}_{column}" for column in columns if column.startswith("p")})
        frame = renamed.join(frame, on=KEYS, how="left", maintain_order="left")
    efficiency = _efficiency(played, told)
    verdicts = (*played.verdicts, told.verdict, _saving(efficiency))
    notes = tuple(dict.fromkeys((*played.notes, *told.notes)))
    if (efficiency["ratio"] < FEW).any():
        notes += (LOOKING_AHEAD,)
    return CardImpact((*played.inputs, *told.inputs), level, frame, verdicts, notes, efficiency, played, told)


def _efficiency(played: Counterfactual, told: Exposure) -> pl.DataFrame:
    """Return games times squared error for both estimates, and the ratio of the two."""
    paired = played.effects().select(
        "card",
        pl.col("effect_se").alias("blank_se"),
        (2 * pl.col("deals") * played.inputs[0].games // played.inputs[0].deals).alias("games"),
        "variance_ratio",
    )
    both = paired.join(told.effects().select("card", pl.col("effect_se").alias("exposure_se")), on="card").join(
        played.contrasts.filter((pl.col("measure") == "score") & (pl.col("by") == "")).select(
            "card", pl.col("effect_se").alias("others_se")
        ),
        on="card",
        how="left",
    )
    cost = pl.col("exposure_se") ** 2 * told.games
    return both.with_columns(
        exposure_games=pl.lit(told.games),
        ratio=cost / (pl.col("blank_se") ** 2 * pl.col("games")),
        ratio_all=cost / (pl.col("others_se") ** 2 * played.games_played),
    )


def _saving(efficiency: pl.DataFrame) -> Verdict:
    known = efficiency.filter(pl.col("ratio").is_finite())["ratio"]
    if known.is_empty():
        return Verdict("pairing_unknown", "unknown")
    values = {"least": known.min(), "median": known.median(), "cards": len(known)}
    return Verdict("pairing_saves", "fact", values)
