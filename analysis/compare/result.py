"""The result of a comparison of versions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.shares import camp_lines, distance_columns, share_differences, together, wins_of
from analysis.data.results import Note, Result, Verdict, as_amounts
from analysis.openings import ALIKE, openings_made
from analysis.stats.moments import MIN_DEALS
from analysis.stats.multiple_testing import Tied, overlapping
from simcore.rules.files import Rules, differences
from simcore.running.batch import Spec
from strategies.openings import draw_openings
from strategies.tuning.retune import Retuned

HABIT, KNOWN, SAME, PLAYED = "habit", "known", "same", "played"
"""Who played: strategies that were tuned for other rules than some of these; players tuned for each version; strategies
that were tuned for no other rules; the players of the runs."""


PAR_BEFORE = "par_before"
"""The column of what was fair before, which the sentences need and the table of a result leaves out."""

CAUTIONS = (
    "compare_sides", "compare_signs", "compare_payoff_sides", "compare_payoff_signs", "habit_known", "habit_unknown",
    "few_deals", "compare_unpaired",
)  # fmt: skip
"""Codes of notes that are warnings."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Versions of a game, each compared with the first.

    table: One row for each version after the first, number of players, kind of players (`who`: "habit", "known", "same"
        or "played") and seat or camp (`kind`): the shares of the wins `before` and `after` and the paired `difference`,
        each with an interval that is simultaneous for all rows of that version, number of players and kind of players;
        `changed`, the share of the deals in which the seat's or camp's wins differ; and `pairing_gain`, the factor by
        which the difference would need more deals if the deals were not the same.
    """

    distances: pl.DataFrame
    """How far apart the best and the worst seat (in a game with camps: camp) are, as a part of all wins: one row for
    each version after the first, number of players and kind of players.  `before` and `after` have intervals that begin
    at 0 where the seats may be level; `change` has one that uses that the same deals were played."""
    moved: pl.DataFrame
    """What else moved, one row for each version, number of players and measure: `group` ("course", "strategies",
    "cards" or "columns"), `of` (in a game without a score, the camp or seat whose wins a card changes), `before`,
    `after` and `difference`, each with an interval, `size` (in standard deviations of a deal), and the p-values `p` and
    `p_holm` (within a version and number of players).  The largest size is first."""
    labels: tuple[str, ...]  # labels of the versions, in order
    retuned: tuple[Retuned, ...] = ()  # players that were tuned for a version
    unit: str = ""  # the payoff's unit, in which the tables are then; empty if the game is played for wins

    @property
    def who(self) -> tuple[str, ...]:
        """The kinds of players, least informed first."""
        return tuple(dict.fromkeys(self.table["who"]))

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players."""
        return tuple(dict.fromkeys(self.table["players"]))

    @property
    def cautions(self) -> tuple[Note, ...]:
        """The notes that may change what the result means."""
        return tuple(note for note in self.notes if note.code in CAUTIONS)

    def rows(self, players: int, version: str, who: str, kind: str = "seat") -> pl.DataFrame:
        """Return the rows of one version at one number of players, by one kind of players."""
        return self.table.filter(
            (pl.col("players") == players)
            & (pl.col("version") == version)
            & (pl.col("who") == who)
            & (pl.col("kind") == kind)
        )

    def moved_significantly(self, players: int, version: str) -> pl.DataFrame:
        """Return what else moved significantly, in order of size."""
        here = (pl.col("players") == players) & (pl.col("version") == version)
        return self.moved.filter(here & (pl.col("p_holm") < 1 - self.level))


# --- Do the players of two versions open differently, and what is left of it if all openings are drawn at random? ---


LOOKED = 20
"""Deals whose logs are read; a seat then opens alike if it does in all of them."""


@dataclass(frozen=True)
class Drawn:
    """Two versions whose players open differently, played with all openings drawn at random."""

    seats: tuple[int, ...]  # the seats that open differently
    distances: dict[str, Any]  # the distances of best and worst seat (or camp), as in a row of `Comparison.distances`
    rows: pl.DataFrame  # one row for each seat (or camp), as in `Comparison.table`


def open_otherwise(versions: Sequence[Spec]) -> list[int]:
    """Return the seats that open alike in most deals of one version, and commonly otherwise in another."""
    made = zip(*(openings_made(spec, LOOKED) for spec in versions), strict=True)
    found = []
    for seat, several in enumerate(made, 1):
        shares = [(text, count / counts.total()) for counts in several for text, count in counts.most_common(1)]
        if len(dict(shares)) > 1 and max(share for _, share in shares) > ALIKE:
            found.append(seat)
    return found


def drawn(
    before: Sequence[Spec], after: Sequence[Spec], level: float = 0.95, threads: int | None = None
) -> Drawn | None:
    """Return two versions with openings drawn at random; None if no seat opens differently, or nobody can tell.

    before, after: What is played in each version: one run, or one for each tuning of the players.
    level: Confidence level.
    threads: Number of threads.
    """
    first = before[0]
    if any(spec.searches or spec.mixed_roles or spec.judged.is_payoff for spec in (*before, *after)):
        return None
    seats = open_otherwise([*before, *after])
    if not seats:
        return None
    deals = first.games // first.games_per_deal
    old, new = (
        together([wins_of(draw_openings(spec, range(spec.players)), deals, threads) for spec in side])
        for side in (before, after)
    )
    lines = camp_lines(first) if first.camps else np.eye(first.players)
    named: dict[str, Any] = {"seat": range(1, first.players + 1), "camp": [None] * first.players}
    if first.camps:
        named = {"seat": [None] * len(lines), "camp": list(first.camps)}
    pars = {PAR_BEFORE: lines @ old.fair, "par": lines @ new.fair}
    rows = pl.DataFrame({**named, **pars, **share_differences(old, new, lines, level)})
    return Drawn(tuple(seats), distance_columns(old, new, level), rows)


# --- The sentences of a comparison: whether the change helped, which seat moved most, and what to beware of ---


LITTLE = 0.25
"""A change helps only a little if less than this part of the distance is gone."""


def judge(
    table: pl.DataFrame,
    distances: pl.DataFrame,
    rules: Mapping[str, Rules],
    titles: Mapping[str, str],
    hardly: bool = False,
    unit: str = "",
    opened: Mapping[tuple[str, int], Drawn] = MappingProxyType({}),
    alike: Collection[str] = (),
) -> tuple[Verdict, ...]:
    """Return whether each version helped, with the best informed players, and the seat or camp that moved most.

    Intervals are simultaneous for all rows of a version, so the largest difference may be chosen.

    table, distances: The tables of `Comparison`; the first with the column `PAR_BEFORE`.
    rules: The rules of each version by label, in order.
    titles: The game's titles for its camps.
    hardly: Whether the players were hardly tuned for the versions.  Then no seat is said to have crossed its par.
    unit: The payoff's unit; empty if the game is played for wins.
    opened: Versions, each with a number of players, in which players open differently.  What is not there with openings
        drawn at random is not said to come from the rules.
    alike: The versions all of whose games are the same game.
    """
    best = KNOWN if KNOWN in set(table["who"]) else table["who"][0]
    asked = distances.filter(pl.col("who") == best)
    fairest = tuple(_fairest(asked, rules, unit)) if len(rules) > 2 else ()
    among = f"compare_among_{'hardly' if hardly else best}" if best in (HABIT, KNOWN) else ""
    answers: list[Verdict] = []
    moves: list[Verdict] = []
    for row in asked.iter_rows(named=True):
        rows = table.filter(
            (pl.col("who") == best)
            & (pl.col("version") == row["version"])
            & (pl.col("players") == row["players"])
            & (pl.col("kind") == row["kind"])
        )
        values = {"players": row["players"], "after": row["version"], "who": among}
        values["version"] = f" ({row['version']})" if len(rules) > 2 else ""
        answer, moved = (
            _answer(row, rows, values, titles, hardly, unit, alike),
            list(_moved(rows, values, titles, unit)),
        )
        seen = opened.get((row["version"], row["players"]))
        if seen is not None and not _stays(answer, rows, seen):
            answer, moved = _of_openings(row, values, seen), []
        answers.append(answer)
        moves += moved
    return (*fairest, *answers, *moves)


def _answer(
    row: Mapping[str, Any],
    rows: pl.DataFrame,
    values: Mapping[str, Any],
    titles: Mapping[str, str],
    hardly: bool,
    unit: str,
    alike: Collection[str],
) -> Verdict:
    """Return whether a version brought the best and the worst seat (or camp) closer together."""
    if row["change_low"] is None:
        same = tuple(label for label in (row["against"], row["version"]) if label in alike)
        code = "same" if same else "few" if row["deals"] < MIN_DEALS else "tunings"
        if code == "few":
            return Verdict("compare_few", "unknown", {**values, "deals": row["deals"]})
        apart = _told({"before": row["before"], "now": row["after"]}, row["before"] + row["after"], unit, sign="")
        named = {"which": same} if same else {}
        return Verdict(f"{_code(unit)}_{code}_only_{row['kind']}s", "unknown", {**values, **apart, **named})
    ends = {name: row[name] for name in ("before", "after_low", "after_high")} | {"now": row["after"]}
    values = {**values, **_told(ends, row["after_high"] - row["after_low"], unit, sign="")}
    crossed = None if hardly else next(_crossed(rows), None)
    if row["change_high"] < 0:
        code = "helped" if row["before"] - row["after"] >= LITTLE * row["before"] else "little"
    elif row["change_low"] > 0:
        code = "worse"
    else:
        code = "same" if crossed is None else f"turned_{crossed['side']}"
    if crossed is not None:
        values |= {"seat": crossed["seat"], "camp": titles.get(crossed["camp"] or "", crossed["camp"])}
    return Verdict(f"{_code(unit)}_{code}_{row['kind']}s", "fact", values)


def _stays(answer: Verdict, rows: pl.DataFrame, seen: Drawn) -> bool:
    """Return whether what is said of a version also holds if all openings are drawn at random."""
    said = answer.code.split("_")[1]
    if said == "turned":
        return any(f"turned_{one['side']}" in answer.code for one in _crossed(seen.rows))
    if said in ("helped", "little"):
        return bool(seen.distances["change_high"] < 0)
    if said == "worse":
        return bool(seen.distances["change_low"] > 0)
    return not any(
        _sign(old["difference_low"], old["difference_high"]) * _sign(new["difference_low"], new["difference_high"]) < 1
        for old, new in zip(rows.iter_rows(named=True), seen.rows.iter_rows(named=True), strict=True)
        if _sign(old["difference_low"], old["difference_high"])
    )


def _of_openings(row: Mapping[str, Any], values: Mapping[str, Any], seen: Drawn) -> Verdict:
    """Return that a difference may come from other openings, with the distances if they are drawn at random."""
    ends = {f"drawn_{name}": seen.distances[name] for name in ("before", "after", "after_low", "after_high")}
    told = {"before": row["before"], "now": row["after"], **ends}
    seats = {"seats": tuple(map(str, seen.seats)), "count": len(seen.seats)}
    return Verdict(f"compare_opening_{row['kind']}s", "unclear", {**values, **told, **seats})


def _code(unit: str) -> str:
    return "compare_payoff" if unit else "compare"


def _told(values: dict[str, Any], width: float, unit: str, sign: str = "+") -> dict[str, Any]:
    """Return the numbers of a sentence; in a game with a payoff, as amounts, by the width of their interval."""
    return as_amounts(values, width / 4, sign) | {"unit": unit} if unit else values


def _crossed(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the seats or camps that surely were on one side of par and surely are on the other, farthest before first.

    Rules may change par, and so may games that nobody wins; each end is judged by its own.  `side` is where they were:
    "high" or "low".
    """
    off = rows.with_columns(off=(pl.col("before") - pl.col(PAR_BEFORE)).abs()).sort("off", descending=True)
    for row in off.iter_rows(named=True):
        pars = {"before": row[PAR_BEFORE], "after": row["par"]}
        sides = [_sign(row[f"{when}_low"], row[f"{when}_high"], par) for when, par in pars.items()]
        if sides[0] * sides[1] < 0:
            yield row | {"side": "high" if sides[0] > 0 else "low"}


def _moved(rows: pl.DataFrame, values: Mapping[str, Any], titles: Mapping[str, str], unit: str) -> Iterator[Verdict]:
    """Yield the seat or camp that moved most, or by how much none moved."""
    sure = rows.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    measured = rows.drop_nulls("difference_low")
    if not sure.is_empty():
        row = sure.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        own = {"seat": row["seat"], "camp": titles.get(row["camp"] or "", row["camp"])}
        ends = {"share": row["after"], "low": row["difference_low"], "high": row["difference_high"]}
        ends |= {name: row[name] for name in ("before", "difference", "par")}
        told = _told(ends, ends["high"] - ends["low"], unit)
        yield Verdict(f"{_code(unit)}_moved_{row['kind']}", "fact", {**values, **own, **told})
    elif not measured.is_empty():
        most = max(max(-row["difference_low"], row["difference_high"]) for row in measured.iter_rows(named=True))
        told = _told({"most": most}, 2 * most, unit, sign="")
        yield Verdict(f"{_code(unit)}_still", "fact", {**values, **told, "deals": int(rows["deals"].min())})  # type: ignore[arg-type]


def _fairest(distances: pl.DataFrame, rules: Mapping[str, Rules], unit: str) -> Iterator[Verdict]:
    """Yield, at every number of players, the version whose seats are closest, or all that may be and the smallest."""
    first, *others = rules
    sizes = {label: len(differences(rules[first], rules[label])) for label in others}
    for (players,), rows in distances.group_by("players", maintain_order=True):
        sides = [(first, "before", rows.row(0, named=True))]
        sides += [(row["version"], "after", row) for row in rows.iter_rows(named=True)]
        if any(row[f"{side}_low"] is None for _, side, row in sides):
            continue
        value, low, high = ([-row[f"{side}{end}"] for _, side, row in sides] for end in ("", "_high", "_low"))
        names = overlapping([label for label, _, _ in sides], value, low, high)
        _, side, row = next(one for one in sides if one[0] == names[0])
        values = {"players": players, "best": names[0], "names": names, "of": len(sides)}
        if len(names) > 1:
            size = min(sizes[label] for label in names if label in sizes)
            least = Tied(label for label in others if label in names and sizes[label] == size)
            values |= {"smallest": least, "size": size}
        ends = {"now": row[side], "low": row[f"{side}_low"], "high": row[f"{side}_high"]}
        values |= _told(ends, ends["high"] - ends["low"], unit, sign="")
        yield Verdict(f"{_code(unit)}_fairest{'' if len(names) == 1 else '_tied'}_{row['kind']}s", "fact", values)


def cautions(table: pl.DataFrame, unit: str = "") -> Iterator[Note]:
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
            sides = [_sign(row[f"after_low{end}"], row[f"after_high{end}"], row[f"par{end}"]) for end in ("", "_known")]
            apart = abs(row["after"] - row["after_known"])
            if signs[0] * signs[1] < 0 or sides[0] * sides[1] < 0:
                code = f"{_code(unit)}_{'sides' if sides[0] * sides[1] < 0 else 'signs'}"
                shares = {
                    "par": row["par"],
                    "habit": row["after"],
                    "known": row["after_known"],
                    "by_habit": row["difference"],
                    "by_known": row["difference_known"],
                }
                values = {"version": version, "players": row["players"], "seat": row["seat"]}
                values |= _told(shares, row["difference_high"] - row["difference_low"], unit)
                if worst is None or apart > worst[0]:
                    worst = apart, Note(code, values)
        if worst:
            yield worst[1]


def _sign(low: float | None, high: float | None, middle: float = 0.0) -> int:
    """Return the side of a value on which an interval lies (-1 or 1); 0 if it contains the value."""
    if low is None or high is None:
        return 0
    return (low > middle) - (high < middle)
