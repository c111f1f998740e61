"""The verdicts of a search: the first change, levers that are dead or turn, and the prices of seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from analysis.data.edits import Edits, Keys
from analysis.data.results import Verdict, as_amounts
from analysis.mend.curves import DEAD, STILL, TURNS, Curve
from analysis.mend.result import MEETS, MISSES, OPEN, Mend

_STATUS = {MEETS: "fair", MISSES: "tilted"}


def judge(
    found: Mend, edits: Edits, apart: float, curves: Sequence[Curve], already: bool, hardly: bool = False
) -> tuple[Verdict, ...]:
    """Return the verdicts: whether the present rules meet the target, otherwise the first change; and so on.

    found: The result, still without verdicts.
    edits: What the first change changes.
    apart: How far apart the best and the worst seat or camp are before the change.
    curves: What each lever does alone.
    already: Whether the present rules meet the target.
    hardly: Whether even the first change hardly helps.
    """
    players = tuple(map(str, found.counts))
    said = [Verdict("mend_already", "fair", {"target": found.target, "players": players})] if already else []
    missed = found.changes.is_empty() or found.changes["target"][0] == MISSES
    if hardly and not missed and not already:
        said.append(Verdict("mend_hardly", "unclear", {"change": edits, "target": found.target, "players": players}))
    elif not already:
        said.append(_first(found, edits, apart, players))
    for shape, code in ((DEAD, "mend_dead"), (STILL, "mend_still"), (TURNS, "mend_turns")):
        names = Keys(dict.fromkeys(curve.key for curve in curves if curve.shape == shape))
        if names:
            said.append(Verdict(code, "fact", {"names": names, "players": players, "count": len(names)}))
    if not found.prices.is_empty():
        prices = tuple(f"{row['price']:.0f}" for row in found.prices.iter_rows(named=True))
        half = max(row["price_high"] - row["price"] for row in found.prices.iter_rows(named=True))
        said.append(Verdict("mend_prices", "fact", {"prices": prices, "half": half, "players": players}))
    return tuple(said)


def by_habit(edits: Edits, before: float, left: float, error: float, unit: str) -> Verdict:
    """Return the answer with the players as they are, which is given while others are tuned."""
    code = "mend_first_none" if not edits else "mend_first_payoff" if unit else "mend_first"
    values: dict[str, Any] = {"before": before, "left": left}
    return Verdict(code, "unclear", {"change": edits} | _amounts(values, error, unit, sign=""))


def _amounts(values: dict[str, Any], error: float | None, unit: str, sign: str = "+") -> dict[str, Any]:
    return as_amounts(values, error, sign) | {"unit": unit} if unit else values


def _first(found: Mend, edits: Edits, apart: float, players: tuple[str, ...]) -> Verdict:
    """Return the verdict on the first row."""
    if found.changes.is_empty():
        return Verdict("mend_nothing", "tilted", {"target": found.target, "players": players})
    first = found.changes.row(0, named=True)
    values: dict[str, Any] = {
        "change": edits,
        "target": found.target,
        "players": players,
        "deals": first["deals"],
        "decides": first["decides"],
        "broken": first["breaks"],
        "by": first["breaks_by"],
    }
    state = "close" if first["target"] == OPEN and first["decides"] is None else first["target"]
    if first["left"] is None:
        kind, more = _farthest(found.table.filter((pl.col("rank") == 1) & ~pl.col("kept")), found.unit)
    else:
        kind = "camps" if "camp" in set(found.table["kind"]) else "seats"
        kind = f"payoff_{kind}" if found.unit else kind
        more = {"left": first["left"], "low": first["left_low"], "high": first["left_high"], "before": apart}
        more = _amounts(more, (first["left_high"] - first["left_low"]) / 4, found.unit, sign="")
    return Verdict(f"mend_{state}_{kind}", _STATUS.get(state, "unclear"), values | more)


def _farthest(own: pl.DataFrame, unit: str) -> tuple[str, dict[str, Any]]:
    """Return whether the line farthest from its target is a seat, another share or a number, and its values."""
    half = (own["highest"] - own["wanted"]).to_numpy()
    away = ((own["value"] - own["wanted"]).abs() / half).to_numpy()
    row = own.row(int(away.argmax()), named=True)
    named = {"name": row["name"], "seat": row["name"].rpartition("-")[2]}
    values = {
        "wanted": row["wanted"],
        "value": row["value"],
        "low": row["value_low"],
        "high": row["value_high"],
        "before": row["before"],
    }
    if row["kind"] == "seat" and unit:
        return "payoff_seat", named | _amounts(values, (row["value_high"] - row["value_low"]) / 4, unit)
    return "seat" if row["kind"] == "seat" else "share" if row["is_share"] else "number", named | values
