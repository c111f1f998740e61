"""The verdicts of a search: the best change, levers that are dead or turn, and the prices of seats."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.data.results import Verdict
from analysis.mend.curves import DEAD, STILL, TURNS, Curve
from analysis.mend.result import MEETS, MISSES

_STATUS = {MEETS: "fair", MISSES: "tilted"}


def judge(
    changes: pl.DataFrame, rows: pl.DataFrame, curves: Sequence[Curve], prices: pl.DataFrame, target: str,
    players: int, already: bool,
) -> tuple[Verdict, ...]:  # fmt: skip
    """Return the verdicts: whether the present rules meet the target, then the best change, and so on."""
    found = [Verdict("mend_already", "fair", {"target": target, "players": players})] if already else []
    if not (already and changes.is_empty()):
        found.append(_best(changes, rows, target, players))
    for shape, code in ((DEAD, "mend_dead"), (STILL, "mend_still"), (TURNS, "mend_turns")):
        names = tuple(curve.key for curve in curves if curve.shape == shape)
        if names:
            found.append(Verdict(code, "fact", {"names": names, "players": players, "count": len(names)}))
    if not prices.is_empty():
        said = ", ".join(f"{row['price']:.0f}" for row in prices.iter_rows(named=True))
        half = max(row["price_high"] - row["price"] for row in prices.iter_rows(named=True))
        found.append(Verdict("mend_prices", "fact", {"prices": said, "half": half, "players": players}))
    return tuple(found)


def _best(changes: pl.DataFrame, rows: pl.DataFrame, target: str, players: int) -> Verdict:
    if changes.is_empty():
        return Verdict("mend_nothing", "tilted", {"target": target, "players": players})
    best = changes.row(0, named=True)
    own = rows.filter((pl.col("rank") == 1) & ~pl.col("kept"))
    half = (own["highest"] - own["wanted"]).to_numpy()
    away = ((own["value"] - own["wanted"]).abs() / half).to_numpy()
    row = own.row(int(away.argmax()), named=True)
    seat = row["kind"] == "seat"
    values = {
        "change": best["change"], "target": target, "players": players, "touched": best["touched"],
        "name": row["name"], "seat": row["name"].rpartition("-")[2] if seat else "", "wanted": row["wanted"],
        "value": row["value"], "low": row["value_low"], "high": row["value_high"], "before": row["before"],
        "off": abs(row["value"] - row["wanted"]), "deals": best["deals"],
    }  # fmt: skip
    kind = "seat" if seat else "share" if row["is_share"] else "number"
    return Verdict(f"mend_{best['target']}_{kind}", _STATUS.get(best["target"], "unclear"), values)
