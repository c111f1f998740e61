"""The main sentence of a comparison, and its warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.compare.result import HABIT, KNOWN
from analysis.data.results import Note, Verdict


def judge(table: pl.DataFrame, titles: Mapping[str, str]) -> tuple[Verdict, ...]:
    """Return one verdict on each version: the seat or camp that moved most, with the best informed players.

    The intervals are simultaneous for all rows of a version, so the largest difference may be chosen.

    Parameters
    ----------
    table
        The table of `Comparison`; all numbers of players are judged together.
    titles
        The game's titles for its camps.
    """
    best = KNOWN if KNOWN in set(table["who"]) else table["who"][0]
    found = []
    for (version,), rows in table.filter(pl.col("who") == best).group_by("version", maintain_order=True):
        kind = "camp" if "camp" in set(rows["kind"]) else "seat"
        rows = rows.filter(pl.col("kind") == kind)
        values = {"after": version, "before": rows["against"][0], "who": f"compare_{best}"}
        sure = rows.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
        if sure.is_empty():
            known = rows.drop_nulls("difference_low")
            code, status = ("still", "fact") if len(known) else ("few", "unknown")
            most = max((max(-row["difference_low"], row["difference_high"]) for row in known.to_dicts()), default=None)
            found.append(Verdict(f"compare_{code}", status, values | {"most": most, "deals": int(rows["deals"].min())}))  # type: ignore[arg-type]
            continue
        row = sure.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        found.append(Verdict(f"compare_{kind}", "fact", values | _moved(row, titles)))
    return tuple(found)


def _moved(row: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    before, after = row["before"] - row["par"], row["after"] - row["par"]
    direction = "past" if before * after < 0 else "towards" if abs(after) < abs(before) else "away"
    return {
        "players": row["players"],
        "seat": row["seat"],
        "camp": titles.get(row["camp"] or "", row["camp"]),
        "share_before": row["before"],
        "share_after": row["after"],
        "difference": row["difference"],
        "low": row["difference_low"],
        "high": row["difference_high"],
        "par": row["par"],
        "direction": f"compare_{direction}",
    }


def cautions(table: pl.DataFrame) -> Iterator[Note]:
    """Yield, for each version, the seat on which players by habit and tuned players disagree most, if they surely do.

    They disagree if the two differences have different signs, or the shares after the change are on different sides of
    par, with intervals that leave no doubt about either.
    """
    keys = ["version", "players", "kind", "seat", "camp"]
    habit, known = (table.filter(pl.col("who") == who) for who in (HABIT, KNOWN))
    both = habit.join(known, on=keys, suffix="_known", nulls_equal=True, maintain_order="left")
    for (version,), rows in both.group_by("version", maintain_order=True):
        worst: tuple[float, Note] | None = None
        for row in rows.filter(pl.col("kind") == "seat").iter_rows(named=True):
            signs = [_sign(row[f"difference_low{end}"], row[f"difference_high{end}"]) for end in ("", "_known")]
            sides = [_sign(row[f"after_low{end}"], row[f"after_high{end}"], row["par"]) for end in ("", "_known")]
            apart = abs(row["after"] - row["after_known"])
            if signs[0] * signs[1] < 0 or sides[0] * sides[1] < 0:
                code = "compare_sides" if sides[0] * sides[1] < 0 else "compare_signs"
                values = {
                    "version": version, "players": row["players"], "seat": row["seat"], "par": row["par"],
                    "habit": row["after"], "known": row["after_known"],
                    "by_habit": row["difference"], "by_known": row["difference_known"],
                }  # fmt: skip
                if worst is None or apart > worst[0]:
                    worst = apart, Note(code, values)
        if worst:
            yield worst[1]


def _sign(low: float | None, high: float | None, middle: float = 0.0) -> int:
    """Return the side of a value on which an interval lies (-1 or 1); 0 if it contains the value."""
    if low is None or high is None:
        return 0
    return (low > middle) - (high < middle)
