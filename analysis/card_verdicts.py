"""What to say of cards whose effects are known: what they move, and whom they favour."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.paired import ALL, CHANGED
from analysis.results import Verdict
from analysis.stats.moments import MIN_DEALS


def card_verdicts(table: pl.DataFrame, changed: pl.DataFrame) -> tuple[Verdict, ...]:
    """Say which card moves the score most, which favours somebody, and which changes the winner most often."""
    whole = table.filter((pl.col("slot") == ALL) & pl.col("effect_low").is_not_null())
    score = whole.filter((pl.col("measure") == "score") & (pl.col("by") == "")).sort(pl.col("effect").abs())
    if score.is_empty():
        return (Verdict("cards_too_few", "unknown", "Too few deals to say anything about the cards.", {}),)
    found = []
    top = score.row(-1, named=True)
    text = "{card} moves the mean score most: {effect:+.2f} ({low:+.2f} to {high:+.2f}; {deals:,} deals hold it)."
    found.append(Verdict("cards_score", "fact", text, _numbers(top, "effect")))
    shares = whole.filter((pl.col("measure") == "share") & (pl.col("p_holm") < 0.05)).sort(pl.col("effect").abs())
    for by in ("seat", "strategy"):
        tilted = shares.filter(pl.col("by") == by)
        if tilted.is_empty():
            text = "No card favours a {by} beyond what chance would do."
            found.append(Verdict(f"cards_level_{by}", "fair", text, {"by": by}))
        else:
            row = tilted.row(-1, named=True)
            text = (
                "{card} favours or hurts one {by} most, {group}: {effect:+.1%} of the wins "
                "({low:+.1%} to {high:+.1%}; {deals:,} deals hold it; {count} such effects stand after Holm)."
            )
            numbers = _numbers(row, "effect") | {"by": by, "group": row["group"], "count": len(tilted)}
            found.append(Verdict(f"cards_tilt_{by}", "tilted", text, numbers))
    if not (whole["by"] == "strategy").any():
        found = [item for item in found if not item.code.endswith("strategy")]
    often = changed.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS)).sort(CHANGED)
    text = (
        "{card} changes the winner most often: in {effect:.1%} of the games that hold it "
        "({low:.1%} to {high:.1%}; {deals:,} deals)."
    )
    found.append(Verdict("cards_winner", "fact", text, _numbers(often.row(-1, named=True), CHANGED)))
    return tuple(found)


def _numbers(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what a sentence needs of a row."""
    return {
        "card": row["card"], "effect": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"],
        "deals": row["deals"],
    }  # fmt: skip
