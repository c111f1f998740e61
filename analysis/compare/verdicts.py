"""The sentences of a comparison: whether the change helped, which seat moved most, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.compare.result import HABIT, KNOWN
from analysis.data.results import Note, Verdict
from analysis.stats.picking import overlapping
from simcore.rules.files import Rules, differences

LITTLE = 0.25
"""A change helps only a little if less than this part of the distance is gone."""


def judge(
    table: pl.DataFrame, distances: pl.DataFrame, rules: Mapping[str, Rules], titles: Mapping[str, str],
    hardly: bool = False,
) -> tuple[Verdict, ...]:  # fmt: skip
    """Return whether each version helped, with the best informed players, and the seat or camp that moved most.

    Intervals are simultaneous for all rows of a version, so the largest difference may be chosen.

    Parameters
    ----------
    table, distances
        The tables of `Comparison`.
    rules
        The rules of each version by label, in order.
    titles
        The game's titles for its camps.
    hardly
        Whether the players were hardly tuned for the versions.  Then no seat is said to have crossed its par.
    """
    best = KNOWN if KNOWN in set(table["who"]) else table["who"][0]
    asked = distances.filter(pl.col("who") == best)
    fairest = tuple(_fairest(asked, rules)) if len(rules) > 2 else ()
    among = f"compare_among_{'hardly' if hardly else best}" if best in (HABIT, KNOWN) else ""
    answers: list[Verdict] = []
    moves: list[Verdict] = []
    for row in asked.iter_rows(named=True):
        rows = table.filter(
            (pl.col("who") == best) & (pl.col("version") == row["version"]) & (pl.col("players") == row["players"])
            & (pl.col("kind") == row["kind"])
        )  # fmt: skip
        values = {"players": row["players"], "after": row["version"], "who": among}
        values["version"] = f" ({row['version']})" if len(rules) > 2 else ""
        answers.append(_answer(row, rows, values, titles, hardly))
        moves += _moved(rows, values, titles)
    return (*fairest, *answers, *moves)


def _answer(
    row: Mapping[str, Any], rows: pl.DataFrame, values: Mapping[str, Any], titles: Mapping[str, str], hardly: bool
) -> Verdict:
    """Return whether a version brought the best and the worst seat (or camp) closer together."""
    if row["change_low"] is None:
        return Verdict("compare_few", "unknown", {**values, "deals": row["deals"]})
    values = {**values, **{name: row[name] for name in ("before", "after_low", "after_high")}, "now": row["after"]}
    crossed = None if hardly else next(_crossed(rows), None)
    if row["change_high"] < 0:
        code = "helped" if row["before"] - row["after"] >= LITTLE * row["before"] else "little"
    elif row["change_low"] > 0:
        code = "worse"
    else:
        code = "same" if crossed is None else f"turned_{crossed['side']}"
    if crossed is not None:
        values |= {"seat": crossed["seat"], "camp": titles.get(crossed["camp"] or "", crossed["camp"])}
    return Verdict(f"compare_{code}_{row['kind']}s", "fact", values)


def _crossed(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the seats or camps that surely were on one side of par and surely are on the other, farthest before first.

    `side` is where they were: "high" or "low".
    """
    off = rows.with_columns(off=(pl.col("before") - pl.col("par")).abs()).sort("off", descending=True)
    for row in off.iter_rows(named=True):
        sides = [_sign(row[f"{when}_low"], row[f"{when}_high"], row["par"]) for when in ("before", "after")]
        if sides[0] * sides[1] < 0:
            yield row | {"side": "high" if sides[0] > 0 else "low"}


def _moved(rows: pl.DataFrame, values: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Verdict]:
    """Yield the seat or camp that moved most, or by how much none moved."""
    sure = rows.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    measured = rows.drop_nulls("difference_low")
    if not sure.is_empty():
        row = sure.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        names = ("seat", "before", "difference", "par")
        own = {name: row[name] for name in names} | {"camp": titles.get(row["camp"] or "", row["camp"])}
        ends = {"share": row["after"], "low": row["difference_low"], "high": row["difference_high"]}
        yield Verdict(f"compare_moved_{row['kind']}", "fact", {**values, **own, **ends})
    elif not measured.is_empty():
        most = max(max(-row["difference_low"], row["difference_high"]) for row in measured.iter_rows(named=True))
        yield Verdict("compare_still", "fact", {**values, "most": most, "deals": int(rows["deals"].min())})  # type: ignore[arg-type]


def _fairest(distances: pl.DataFrame, rules: Mapping[str, Rules]) -> Iterator[Verdict]:
    """Yield, for every number of players, the version whose seats are closest, or all that may be, and the smallest."""
    first, *others = rules
    sizes = {label: len(differences(rules[first], rules[label])) for label in others}
    smallest = min(sizes, key=lambda label: sizes[label])
    for (players,), rows in distances.group_by("players", maintain_order=True):
        sides = [(first, "before", rows.row(0, named=True))]
        sides += [(row["version"], "after", row) for row in rows.iter_rows(named=True)]
        if any(row[f"{side}_low"] is None for _, side, row in sides):
            continue
        value, low, high = ([-row[f"{side}{end}"] for _, side, row in sides] for end in ("", "_high", "_low"))
        names = overlapping([label for label, _, _ in sides], value, low, high)
        _, side, row = next(one for one in sides if one[0] == names[0])
        values = {
            "players": players, "best": names[0], "names": names, "of": len(sides), "smallest": smallest,
            "size": sizes[smallest], "now": row[side], "low": row[f"{side}_low"], "high": row[f"{side}_high"],
        }  # fmt: skip
        yield Verdict(f"compare_fairest{'' if len(names) == 1 else '_tied'}_{row['kind']}s", "fact", values)


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
