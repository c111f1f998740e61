"""Three estimates of the effect of each chance card, next to each other, and the games that each estimate needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from analysis.cards.counterfactual import DEALS, Counterfactual, counterfactual
from analysis.cards.exposure import Exposure, exposure
from analysis.cards.pairing import ALL
from analysis.data.results import Note, Result, Verdict
from analysis.data.sources import Data
from analysis.stats.margin import FAIR, Margin

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
    * docs/statistics.md

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
