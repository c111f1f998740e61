"""Verdicts on cards whose effects are known: what they move, and whom they favour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from analysis.cards.pairing import ALL, CHANGED
from analysis.data.results import Note, Verdict
from analysis.stats.intervals import at_edge, bonferroni, deals_if_fair, pointwise, rate_interval
from analysis.stats.margin import Margin
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.picking import Ends, of_means, of_rates, pick

NAMED = 4
"""Largest number of cards that a sentence names."""

Pars = Mapping[tuple[str, str], float]
"""The par of seats, camps and strategies, by kind and name."""


def card_verdicts(
    table: pl.DataFrame, changed: pl.DataFrame, deals: int, level: float, margin: Margin, pars: Pars
) -> tuple[Verdict, ...]:
    """Say which cards move the score most, which favour somebody, and which change the winner most often.

    table, changed: Tables of a `Counterfactual`.
    deals: Total number of deals played.
    level: Confidence level of each sentence by itself; it allows for the choice of the cards.
    margin: How far a card may move a share of the wins and still count as fair.
    pars: The pars to which the margin is relative.
    """
    whole = table.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS))
    known = whole.filter(pl.col("effect_low").is_not_null())
    score = known.filter((pl.col("measure") == "score") & (pl.col("by") == ""))
    scored = not table.filter(pl.col("measure") == "score").is_empty()
    if known.is_empty() or (scored and score.is_empty()):
        return (Verdict("cards_too_few", "unknown", {}),)
    found = [superlative("cards_score", score, "effect", level)] if scored else []
    for by in ("camp", "seat", "strategy"):
        shares = whole.filter((pl.col("measure") == "share") & (pl.col("by") == by))
        if len(shares):
            found.append(_favour(shares, by, deals, level, margin.at([pars[by, name] for name in shares["group"]])))
    often = changed.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS))
    return (*found, superlative("cards_winner", often, CHANGED, level, of_rates))


def card_notes(table: pl.DataFrame) -> Iterator[Note]:
    """Yield notes on cards that changed nothing, and on those that too few deals hold.

    table: Table of a `Counterfactual`.
    """
    whole = table.filter((pl.col("slot") == ALL) & (pl.col("by") == ""))
    known = whole.filter(pl.col("deals") >= MIN_DEALS)
    for (card,), rows in known.group_by("card", maintain_order=True):
        if not (rows["effect"] != 0).any() and not (rows["effect_se"] != 0).any():
            yield Note("dead_card", {"card": card, "deals": int(rows["deals"][0])})
    rare = whole.filter(pl.col("deals") < MIN_DEALS)["card"].unique(maintain_order=True)
    if len(rare) and len(known):
        yield Note("cards_unjudged", {"names": tuple(rare), "least": MIN_DEALS})


def superlative(code: str, rows: pl.DataFrame, name: str, level: float, ends: Ends = of_means) -> Verdict:
    """Return a verdict on the card with the largest effect, or on all cards that cannot be distinguished from it.

    code: Code of the verdict if there is one such card.  It gets the suffix `_level` if there are several, `_many` if
        there are more than a sentence can name, and `_none` if no card has any effect.
    rows: One row for each card: `card`, the effect with its standard error, and `deals`.
    name: Column of the effect.
    level: Probability that the card with the largest effect is named, and that the interval is right whichever card is
        chosen.
    ends: Which interval to use.
    """
    found = pick(rows, name, "card", level, "size", ends, parts=False)
    if found is None:
        return Verdict("cards_too_few", "unknown")
    values = {
        "card": found.row["card"],
        "effect": found.value,
        "low": found.low,
        "high": found.high,
        "deals": found.row["deals"],
        "of": found.of,
        "count": len(found.names),
        "cards": found.names,
    }
    if found.value == 0:
        return Verdict(f"{code}_none", "fact", values)
    if found.sole:
        return Verdict(code, "fact", values)
    return Verdict(f"{code}_{'level' if len(found.names) <= NAMED else 'many'}", "fact", values)


def _favour(shares: pl.DataFrame, by: str, deals: int, level: float, margin: Floats) -> Verdict:
    """Say whether any card favours a seat, a camp or a strategy.

    The verdict is "tilted" if an effect is significant after Holm's correction and its simultaneous interval lies
    beyond the margin.  It is "fair" if every single interval lies within the margin; no correction is needed for that,
    because all of them have to.
    """
    effect, se = (shares[name].to_numpy() for name in ("effect", "effect_se"))
    told = shares["effect_low"].is_not_null().to_numpy()
    held, moved = shares["deals"].to_numpy(), shares["moved"].to_numpy()
    size = np.abs(effect)
    half = np.where(told, se * pointwise(level, held), np.nan)
    wide = np.where(told, se * pointwise(level, held, len(shares)), np.nan)
    tilted = (size - wide > margin) & (shares["p_holm"].fill_null(1).to_numpy() < 1 - level)
    rare = rate_interval(moved / held, np.zeros(len(held)), held, level)[1]  # an effect is no larger than this
    half, error = np.where(told, half, rare), np.where(told, se, rare / bonferroni(level))
    reach = np.where(told, size + half, rare)

    def about(pick: int) -> dict[str, Any]:
        row = shares.row(pick, named=True)
        low, high = row["effect"] - wide[pick], row["effect"] + wide[pick]
        return {
            "by": by,
            "margin": float(margin[pick]),
            "played": deals,
            "card": row["card"],
            "group": row["group"],
            "effect": row["effect"],
            "low": low,
            "high": high,
            "reach": float(reach[pick]),
            "deals": row["deals"],
            "count": int(tilted.sum()),
            "of": len(shares),
            "cards": shares["card"].n_unique(),
        }

    if tilted.any():
        return Verdict(f"cards_tilt_{by}", "tilted", about(int(np.where(tilted, size / margin, -1).argmax())))
    worst = int((reach / margin).argmax())
    if (reach <= margin).all():
        return Verdict(f"cards_level_{by}", "fair", about(worst))
    open_ = np.flatnonzero(reach > margin).tolist()
    near = [at for at in open_ if at_edge(size[at], margin[at], half[at])]
    if near:
        return Verdict(f"cards_near_{by}", "unclear", about(near[0]))
    needed = max(deals_if_fair(margin[at], half[at], error[at], deals, len(open_)) for at in open_)
    return Verdict(f"cards_unclear_{by}", "unclear", about(worst) | {"needed": needed})
