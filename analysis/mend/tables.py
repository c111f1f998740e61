"""The tables of a search: the changes, what each does to every line, what it edits, and the frontier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.moved import CARD_GAMES, GAMES, what_moved
from analysis.mend.ranking import Played, Ranking
from analysis.mend.result import OPEN
from analysis.mend.search import FRESH
from analysis.mend.targets import distances, farthest
from analysis.mend.trials import GameTrials, Seen, Tick
from simcore.rules.levers import settings_of


def change_of(ranking: Ranking, seen: Seen) -> str:
    """Return the name of a change: its settings, or the name of the rule set; empty for the rules as they are."""
    if seen.variant:
        return seen.variant
    search = ranking.search
    counts = sorted({lever.players for lever in search.levers if lever.players})
    if not counts:
        return ", ".join(settings_of(search.levers, seen.point))
    told = [(players, settings_of(search.levers, seen.point, players)) for players in counts]
    return "; ".join(f"{players} players: {', '.join(settings)}" for players, settings in told if settings)


def lines_of(ranking: Ranking, rank: int, before: Seen, habit: Seen, seen: Seen) -> Iterator[dict[str, Any]]:
    """Yield one row for each line of a change."""
    low, high = ranking.ends(seen)
    for at, line in enumerate(ranking.lines):
        yield {
            "rank": rank,
            "change": change_of(ranking, seen),
            "players": line.players,
            "name": line.name,
            "kind": line.kind,
            "is_share": line.is_share,
            "kept": line.kept,
            "wanted": line.wanted,
            "lowest": line.wanted - line.near,
            "highest": line.wanted + line.near,
            "before": float(before.mean[at]),
            "habit": float(habit.mean[at]),
            "value": float(seen.mean[at]),
            "value_low": float(low[at]),
            "value_high": float(high[at]),
        }


def change_row(ranking: Ranking, rank: int, seen: Seen, counts: Sequence[int], games: int) -> dict[str, Any]:
    """Return the row of a change."""
    target, broken = ranking.target(seen), ranking.breaks(seen)
    left = {players: ranking.between(seen, players) for players in counts}
    worst = max(left.values(), key=lambda one: one["left"] or 0.0)
    apart = {f"left_at_{players}": one["left"] for players, one in left.items()} if len(counts) > 1 else {}
    return {
        "rank": rank,
        "change": change_of(ranking, seen),
        "variant": seen.variant or None,
        "touched": len(ranking.edits(seen)),
        "size": ranking.size(seen),
        "farthest": farthest(ranking.lines, seen.mean),
        **worst,
        **apart,
        "target": target,
        "breaks": broken[0][0].name if broken else None,
        "breaks_by": broken[0][1] if broken else None,
        "deals": seen.deals,
        "decides": ranking.decides(seen, games) if target == OPEN else None,
    }


CHANGE_TYPES = {
    "variant": pl.String, "breaks": pl.String, "breaks_by": pl.Float64, "decides": pl.Int64, "left": pl.Float64,
    "left_low": pl.Float64, "left_high": pl.Float64,
}  # fmt: skip


def edit_rows(ranking: Ranking, rank: int, seen: Seen) -> Iterator[dict[str, Any]]:
    """Yield one row for each value that a change moves."""
    for edit in ranking.edits(seen):
        yield {"rank": rank, "key": edit.key, "old": str(edit.old), "new": str(edit.new), "players": edit.players}


def frontier(ranking: Ranking, seen: Sequence[Seen], counts: Sequence[int]) -> pl.DataFrame:
    """Return the size of each change and the distance that it leaves, smallest first."""
    rows = []
    targets = np.array([not line.kept for line in ranking.lines])
    order = {(one.point, one.variant): one for one in sorted(seen, key=ranking.size)}
    for one in order.values():
        low, high = ranking.ends(one)
        at = int(np.argmax(np.where(targets, distances(ranking.lines, one.mean), -1)))
        line = ranking.lines[at]
        left = max((ranking.between(one, players) for players in counts), key=lambda own: own["left"] or 0.0)
        rows.append(
            {
                "touched": len(ranking.edits(one)),
                "size": ranking.size(one),
                "change": change_of(ranking, one),
                "players": line.players,
                "farthest": line.name,
                "kind": line.kind,
                "is_share": line.is_share,
                "wanted": line.wanted,
                "value": float(one.mean[at]),
                "value_low": float(low[at]),
                "value_high": float(high[at]),
                "off": abs(float(one.mean[at]) - line.wanted),
                "off_low": max(float(low[at]) - line.wanted, line.wanted - float(high[at]), 0.0),
                "off_high": max(abs(float(high[at]) - line.wanted), abs(float(low[at]) - line.wanted)),
                "distance": float(distances(ranking.lines, one.mean)[at]),
                **left,
            }
        )
    return pl.DataFrame(rows)


def moved(
    trials: GameTrials, before: Seen, fresh: Sequence[Played], games: int, level: float, tick: Tick
) -> pl.DataFrame:
    """Return what else every change moves at each number of players, with players who know it."""
    if any(spec.searches for spec in trials.specs):
        return pl.DataFrame()
    most = min(games, GAMES) + min(games, CARD_GAMES)
    total = most * len(fresh) * len(trials.specs)
    frames: list[pl.DataFrame] = []
    for rank, (seen, who) in enumerate(fresh, 1):
        sides = (
            [trials.specs_at(before.point, FRESH, games)],
            [trials.specs_at(seen.point, FRESH, games, one, variant=seen.variant) for one in who or (0,)],
        )
        for old, new in zip(*(zip(*side, strict=True) for side in sides), strict=True):
            at = len(frames) * most
            found = what_moved(
                old,
                new,
                level,
                lambda done, at=at: tick("games of what else moved", at + done, total),  # type: ignore[misc]
            )
            frames.append(found.select(pl.lit(rank).alias("rank"), pl.lit(new[0].players).alias("players"), pl.all()))
    return pl.concat(frames) if frames else pl.DataFrame()
