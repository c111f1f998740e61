"""What to say of cards whose effects are known: what they move, and whom they favour."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from analysis.cards.pairing import ALL, CHANGED
from analysis.data.results import Verdict
from analysis.stats.intervals import deals_to_tell, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS


def card_verdicts(
    table: pl.DataFrame, changed: pl.DataFrame, deals: int, level: float, margin: float
) -> tuple[Verdict, ...]:
    """Say which card moves the score most, which favours somebody, and which changes the winner most often.

    Parameters
    ----------
    table, changed
        Of a `Counterfactual`.
    deals
        Deals played in all.
    level
        Confidence level of the intervals.
    margin
        Share of the wins that a card may move one way or the other and still be fair.
    """
    whole = table.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS))
    known = whole.filter(pl.col("effect_low").is_not_null())
    score = known.filter((pl.col("measure") == "score") & (pl.col("by") == "")).sort(pl.col("effect").abs())
    scored = not table.filter(pl.col("measure") == "score").is_empty()
    if known.is_empty() or (scored and score.is_empty()):
        return (Verdict("cards_too_few", "unknown", {}),)
    found = [Verdict("cards_score", "fact", _numbers(score.row(-1, named=True), "effect"))] if scored else []
    for by in ("camp", "seat", "strategy"):
        shares = whole.filter((pl.col("measure") == "share") & (pl.col("by") == by))
        if len(shares):
            found.append(_favour(shares, by, deals, level, margin))
    often = changed.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS)).sort(CHANGED)
    found.append(Verdict("cards_winner", "fact", _numbers(often.row(-1, named=True), CHANGED)))
    return tuple(found)


def _favour(shares: pl.DataFrame, by: str, deals: int, level: float, margin: float) -> Verdict:
    """Say whether any card favours somebody.

    Tilted: an effect stands after Holm's correction and lies beyond the margin, with an interval that holds for all
    effects at once.  Fair: every interval lies within the margin, each by itself, for all of them have to.
    """
    effect, se = (shares[name].to_numpy() for name in ("effect", "effect_se"))
    told = shares["effect_low"].is_not_null().to_numpy()
    held, moved = shares["deals"].to_numpy(), shares["moved"].to_numpy()
    size = np.abs(effect)
    half = np.where(told, se * pointwise(level, held), np.nan)
    wide = np.where(told, se * pointwise(level, held, len(shares)), np.nan)
    tilted = (size - wide > margin) & (shares["p_holm"].fill_null(1).to_numpy() < 1 - level)
    rare = rate_interval(moved / held, np.zeros(len(held)), held, level)[1]  # an effect is no larger than this
    reach = np.where(told, size + half, rare)
    values = {"by": by, "margin": margin, "played": deals}
    if tilted.any():
        row = shares.row(int(np.where(tilted, size, -1).argmax()), named=True)
        numbers = _numbers(row, "effect") | {"group": row["group"], "count": int(tilted.sum())}
        return Verdict(f"cards_tilt_{by}", "tilted", values | numbers)
    worst = int(reach.argmax())
    row = shares.row(worst, named=True)
    values |= {"card": row["card"], "group": row["group"], "effect": row["effect"], "reach": float(reach[worst])}
    if reach[worst] <= margin:
        return Verdict(f"cards_level_{by}", "fair", values)
    half = np.where(told, half, rare)
    needed = max(deals_to_tell(margin - float(size[at]), float(half[at]), margin, deals) for at in range(len(held)))
    return Verdict(f"cards_unclear_{by}", "unclear", values | {"needed": needed})


def _numbers(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what a sentence needs of a row."""
    return {
        "card": row["card"], "effect": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"],
        "deals": row["deals"],
    }  # fmt: skip
