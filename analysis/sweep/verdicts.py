"""The verdicts of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from analysis.data.edits import Edit, Edits
from analysis.data.results import Verdict, as_amounts
from analysis.sweep.result import MEETS, MISSES

SHOWN = 5
"""Largest number of cells that a sentence names."""


def judge(
    table: pl.DataFrame, cells: pl.DataFrame, keys: Sequence[str], target: str, titles: Mapping[str, str], unit: str
) -> tuple[Verdict, ...]:
    """Return verdicts on which cells meet the target, if there is one, and which seat or camp moves most."""
    return (*(_target(cells, keys, target) if target else ()), *_moved(table, cells, keys, titles, unit))


def edits_of(row: Mapping[str, Any], keys: Sequence[str]) -> Edits:
    """Return what a cell changes; nothing for the unchanged rules."""
    return Edits(Edit(key, None, row[key]) for key in keys if row[key] is not None)


def _target(cells: pl.DataFrame, keys: Sequence[str], target: str) -> Iterator[Verdict]:
    """Yield a verdict for every number of players and line-up."""
    for (players, lineup), rows in cells.group_by("players", "lineup", maintain_order=True):
        tried = rows.filter(pl.col(keys[0]).is_not_null()).sort("distance")
        good, bad = (tried.filter(pl.col("target") == which) for which in (MEETS, MISSES))
        values = {
            "players": players,
            "lineup": lineup,
            "target": target,
            "cells": len(tried),
            "count": len(good),
            "misses": len(bad),
            "open": len(tried) - len(good) - len(bad),
            "names": tuple(edits_of(row, keys) for row in good.head(SHOWN).iter_rows(named=True)),
            "more": max(len(good) - SHOWN, 0),
        }
        code = "sweep_meets" if len(good) else "sweep_misses" if len(bad) == len(tried) else "sweep_open"
        yield Verdict(code, "fair" if len(good) else "tilted" if code == "sweep_misses" else "unclear", values)


def _moved(
    table: pl.DataFrame, cells: pl.DataFrame, keys: Sequence[str], titles: Mapping[str, str], unit: str
) -> Iterator[Verdict]:
    """Yield the seat or camp that moves most; the intervals are simultaneous for all cells, so it may be chosen."""
    kind = "camp" if "camp" in set(table["kind"]) else "seat"
    what = "sweep_payoff" if unit else "sweep"
    for (players, lineup), rows in table.filter(pl.col("kind") == kind).group_by(
        "players", "lineup", maintain_order=True
    ):
        tried = rows.filter(pl.col(keys[0]).is_not_null())
        values: dict[str, Any] = {"players": players, "lineup": lineup, "keys": tuple(keys)}
        if not cells.filter(players=players, lineup=lineup)["changed"].max():
            yield Verdict(f"{what}_dead", "fact", values | {"count": len(keys)})
            continue
        sure = tried.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
        if sure.is_empty():
            known = tried["difference_low"].null_count() < len(tried)
            yield Verdict(f"{what}_still" if known else "sweep_few", "fact" if known else "unknown", values)
            continue
        row = sure.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        values |= {
            "cell": edits_of(row, keys),
            "camp": titles.get(row["name"], row["name"]),
            "unit": unit,
            "seat": int(row["name"].rpartition("-")[2]) if kind == "seat" else 0,
        }
        ends = {
            "share": row["value"],
            "before": row["value"] - row["difference"],
            "difference": row["difference"],
            "low": row["difference_low"],
            "high": row["difference_high"],
            "par": row["par"],
        }
        told = as_amounts(ends, (ends["high"] - ends["low"]) / 4) if unit else ends
        yield Verdict(f"{what}_{kind}", "fact", values | told)
