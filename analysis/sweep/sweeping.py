"""Play a grid of rule changes, numbers of players and strategies, and compare each cell with a target."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from analysis.compare.result import drawn
from analysis.compare.shares import COURSE, Wins, Won, amounts, share_differences, together
from analysis.data import store
from analysis.data.edits import Edit, Edits
from analysis.data.player_notes import weak_notes
from analysis.data.results import Inputs, Note, Result, Verdict, as_amounts, interval, share_columns
from analysis.data.resumable import resumable
from analysis.data.sameness import require_contest
from analysis.data.sources import SpecSource
from analysis.data.store import digest_of
from analysis.measures.quantities import MEAN, Quantities, known_families, of_whole_table, own_measures
from analysis.measures.sampling import Estimand, Sampler
from analysis.seats.distance import DISTANCE, distance
from analysis.seats.shares import among_won
from analysis.stats.intervals import bonferroni, check_level, widened, with_few
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import anytime_half_width
from simcore.errors import UsageError, nearest, shown
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, RuleSet, load_rules
from simcore.rules.levers import Axis, read_axis
from simcore.running.batch import Spec
from simcore.toml_tables import Table, explain, flatten, parse, read_bytes
from strategies.habit import SHOWN, habits
from strategies.library import Code
from strategies.spec import References, load_players, make_spec

# --- The grid of a sweep: which keys take which values, and the rules, players and strategies of every cell ---


MOST_CELLS = 10_000

COLUMNS = frozenset(
    [
        "players",
        "lineup",
        "kind",
        "name",
        "value",
        "value_se",
        "value_low",
        "value_high",
        "par",
        "difference",
        "difference_se",
        "difference_low",
        "difference_high",
        "changed",
        "deals",
        "games",
        "is_share",
        "distance",
        "distance_low",
        "distance_high",
        "target",
        "stopped",
        "again",
    ]
)
"""Names of the columns of a sweep's results."""


@dataclass(frozen=True)
class SweepPlan:
    """The description of a sweep."""

    game: str
    axes: tuple[Axis, ...]  # keys and their values; every combination is played
    rules: str | Path | Rules = "base"
    players: tuple[int, ...] = ()  # numbers of players.  If empty, the game's usual number.
    strategies: tuple[References, ...] = ()  # line-ups, each as for `make_spec`.  If empty, the game's defaults.
    games: int = 100_000
    seed: int = 1
    """game, rules, games, seed: As for `strategies.spec.make_spec`."""
    target: str | None = None
    margin: str | None = None
    """target, margin: What a good cell looks like, as text; see `analysis.sweep.sweeping`."""


class _File(Table):
    """The contents of the TOML file of an experiment."""

    game: str = GAMES[0]
    rules: str = "base"
    players: list[int] = Field(default_factory=list)
    strategies: list[str] = Field(default_factory=list)
    games: int = Field(default=100_000, ge=1)
    seed: int = Field(default=1, ge=0)
    target: str | None = None
    margin: str | None = None
    set: dict[str, Any] = Field(default_factory=dict)


def read_experiment(path: Path) -> SweepPlan:
    """Read an experiment from a TOML file.

    Raises UsageError if the file cannot be read, a key or value in it is wrong, or it names Python code as a strategy.
    """
    label = shown(str(path), 120)
    try:
        found = _File.model_validate(parse(read_bytes(path), label))
    except ValidationError as error:
        raise UsageError(explain(error, _File, {}, label)) from None
    try:
        game = load_game(found.game)
    except UsageError as error:
        raise UsageError(f"{label}: {error}") from None
    lineups = tuple(tuple(part.strip() for part in line.split(",")) for line in found.strategies)
    for lineup in lineups:
        # Python code must not run because data names it.
        try:
            load_players(game, lineup, Code.NEVER)
        except UsageError as error:
            raise UsageError(f"{label}: {error}") from None
    axes = tuple(_axis_of(key, value) for key, value in flatten(found.set).items())
    rest = found.model_dump(exclude={"set", "players", "strategies"})
    return SweepPlan(axes=axes, players=tuple(found.players), strategies=lineups, **rest)


def _axis_of(key: str, value: Any) -> Axis:
    """Return the axis of a key in a file: a range or alternatives as text, a list of values, or one value."""
    if isinstance(value, str):
        return read_axis(f"{key}={value}")
    if value == []:
        raise UsageError(f"{shown(key)}: the list of values is empty", "settings")
    values = value if isinstance(value, list) else [value]
    return Axis(key, tuple(one if isinstance(one, str) else json.dumps(one, default=str) for one in values))


@dataclass(frozen=True)
class Cell:
    """One combination of values, players and strategies."""

    spec: Spec  # what is played
    lineup: int  # number of the line-up, from 0
    values: Mapping[str, str] = field(default_factory=dict)
    """Values by key, as text of settings; empty for the unchanged rules.  A key with the name of a column of the
    results gets the prefix "rules."."""
    others: tuple[Spec, ...] = ()  # the same deals with the players of further tunings for these rules

    @property
    def specs(self) -> tuple[Spec, ...]:
        """All that is played."""
        return (self.spec, *self.others)


def cells_of(found: SweepPlan) -> list[Cell]:
    """Return every cell, by line-up and number of players; the first of each has the unchanged rules.

    Raises UsageError if a key is unknown, the rules forbid a value, or there are too many cells.
    """
    game = load_game(found.game)
    counts = tuple(dict.fromkeys(found.players)) or (game.default_players,)
    lineups = found.strategies or ((),)
    keys = [axis.key for axis in found.axes]
    if not keys:
        raise UsageError("nothing is swept; name a key and its values, as in effects.mill_coins=1..4", "settings")
    if title := next((key for key in keys if key in RuleSet.model_fields), None):
        raise UsageError(f"'{title}' is only a name or description of the rules; sweep a rule", "settings")
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise UsageError(f"'{shown(twice)}' is given twice; put all its values into one range", "settings")
    total = math.prod(len(axis.values) for axis in found.axes) * len(counts) * len(lineups)
    if total > MOST_CELLS:
        raise UsageError(
            f"the grid has {total:,} cells; the maximum is {MOST_CELLS:,}; choose larger steps", "settings"
        )
    base = load_rules(game, found.rules)
    ways = list(product(*(axis.values for axis in found.axes)))
    rules = [load_rules(game, base, [f"{key}={value}" for key, value in zip(keys, way, strict=True)]) for way in ways]
    columns = [f"rules.{key}" if key in COLUMNS else key for key in keys]
    named = [dict(zip(columns, way, strict=True)) for way in ways]
    return [
        Cell(make_spec(found.game, players, lineup, own, (), found.seed, "rotate", found.games), number, values)
        for number, lineup in enumerate(lineups)
        for players in counts
        for values, own in zip([{}, *named], [base, *rules], strict=True)
    ]


# --- What a good cell of a sweep looks like: shares of the wins, or a measure, close enough to their targets ---


SEATS, CAMPS = "seats", "camps"
_VALUE = re.compile(r"(?P<name>[^=]+)=\s*(?P<value>[+-]?\d{1,9}(?:\.\d{1,9})?)\s*(?P<percent>%?)\s*")


@dataclass(frozen=True)
class Target:
    """What a good cell has: target shares of the wins, or a target value of a measure, each with room around it."""

    text: str  # the target as the user wrote it
    margin: Margin  # half the width of the band around each value
    name: str = ""
    wanted: float | None = None
    """name, wanted: One seat, role, camp or measure and its value; empty and None if all seats or camps should win
    their par."""

    def measure(self, spec: Spec) -> tuple[str, bool] | None:
        """Return the family of the measure and whether it is a share; None if seats, roles or camps are the target.

        Raises UsageError if the game has no seat, role, camp or measure with that name, or the value is impossible.
        """
        check_camps(spec, self.text)
        shares = dict(lines_of(spec))
        if self.wanted is None or (self.name in shares and spec.judged.is_payoff):
            return None
        measures = of_whole_table(SpecSource(spec))
        if self.name not in shares and self.name not in measures:
            known = [SEATS, *([CAMPS] if spec.camps else []), *shares, *measures]
            raise UsageError(
                f"{spec.game.title} with {spec.players} players has no '{self.name}'{nearest(self.name, known)}",
                "target",
            )
        found = None if self.name in shares else measures[self.name]
        if (found is None or found[1]) and not 0 < self.wanted < 1:
            raise UsageError(f"'{self.text[:40]}': write a share between 0 and 1, such as 0.25 or 25%", "target")
        return found

    def room(self, is_share: bool) -> float:
        """Return half the width of the band around the value of a measure."""
        assert self.wanted is not None
        return float(self.margin.at(self.wanted)) if is_share else self.margin.size * abs(self.wanted)

    def bands(self, spec: Spec, won: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Return the seats of each share, shape (shares, seats), and the lowest and highest good value of each.

        won: What every seat won in each deal, shape (deals, seats).
        """
        if self.wanted is None:
            lines = np.array([line for _, line in lines_of(spec, self.text)])
            somebody = float(won.sum()) / (len(won) * spec.judged.parts * spec.games_per_deal)
            wanted = among_won(lines @ np.array(spec.judged.par), somebody, spec.judged)
        else:
            lines = dict(lines_of(spec))[self.name][None, :]
            wanted = np.array([(self.wanted - spec.judged.least) / (spec.judged.parts if spec.judged.is_payoff else 1)])
        half = self.margin.room(spec.judged, wanted)
        return lines, wanted - half, wanted + half


def lines_of(spec: Spec, kind: str = "") -> Iterator[tuple[str, Floats]]:
    """Yield seats ("seat-3"), roles and camps with their seats; only seats, or only camps, if `kind` says so."""
    seats = np.eye(spec.players)
    if kind != CAMPS:
        yield from ((f"seat-{seat + 1}", seats[seat]) for seat in range(spec.players))
    if kind != SEATS:
        yield from ((camp, seats[list(own)].sum(axis=0)) for camp, own in spec.camps.items())
    if not kind and spec.game.asymmetric:
        for role in spec.game.roles:
            if role.name not in spec.camps:
                yield role.name, seats[list(role.at(spec.players))].sum(axis=0)


def check_camps(spec: Spec, target: str) -> None:
    """Raise `UsageError` if a target is the camps of a game that has none."""
    if target == CAMPS and not spec.camps:
        raise UsageError(f"{spec.game.title} has no camps; write {SEATS}", "target")


def read_target(text: str, margin: str | None = None) -> Target:
    """Parse a target such as "seats", "camps" or "NAME=VALUE", where VALUE may be 0.5 or 50%.

    Raises UsageError if the text is not a target, or the margin is not valid.
    """
    room = FAIR if margin is None else as_margin(margin)
    if text in (SEATS, CAMPS):
        return Target(text, room)
    found = _VALUE.fullmatch(text.strip())
    if not found or not found["name"].strip():
        raise UsageError(
            f"'{text[:40]}' is not a target; write seats, camps, a share of the wins such as seat-3=0.25, or a measure "
            "such as length=12",
            "target",
        )
    return Target(text, room, found["name"].strip(), float(found["value"]) / (100 if found["percent"] else 1))


# --- Cells that were played before: stored under a digest of everything that affects their results ---


Course = Sequence[tuple[str, str, bool, float, float, int]]
"""Measures of the course of the game: family, member, whether it is a share, value, standard error and deals."""

_TYPES = {"family": "U", "member": "U", "is_share": "?", "value": "f8", "se": "f8", "deals": "i8"}


@dataclass(frozen=True, eq=False)
class Played:
    """The results of the games of a cell."""

    won: NDArray[np.int32] | NDArray[np.float64]  # parts of a win, shape (deals, seats)
    course: Course  # measures of the course of the game
    stopped: bool = False  # whether it was stopped before all games were played
    again: bool = False  # whether it comes from an earlier sweep
    spread: Floats | None = None  # the errors that the choice among tunings adds to the measures of the course
    tunings: int = 1  # number of tunings that are averaged


def averaged(several: Sequence[Played]) -> Played:
    """Return the mean of what the players of several tunings did on the same deals, and how much they differ."""
    if len(several) == 1:
        return several[0]
    course, spread = [], []
    for rows in zip(*(one.course for one in several), strict=True):
        value, se = np.array([row[3:5] for row in rows]).T
        spread.append(value.std(ddof=1) / np.sqrt(len(rows)))
        course.append((*rows[0][:3], float(value.mean()), float(se.mean()), rows[0][5]))
    won, again = np.mean([one.won for one in several], axis=0), all(one.again for one in several)
    return Played(won, course, again=again, spread=np.array(spread), tunings=len(several))


def recall(spec: Spec, *more: object) -> Played | None:
    """Return what an earlier sweep stored for a cell; None if there is nothing."""
    arrays = store.recall(store.digest_of(spec, "sweep", *more))
    if arrays is None:
        return None
    won, course = arrays["won"], zip(*(arrays[name].tolist() for name in _TYPES), strict=True)
    return Played(won, list(course), len(won) < spec.games // spec.games_per_deal, again=True)


def keep(played: Played, spec: Spec, *more: object) -> None:
    """Store a cell, if the disk allows it."""
    columns = zip(*played.course, strict=True) if played.course else ((),) * len(_TYPES)
    course = {name: np.array(values, kind) for (name, kind), values in zip(_TYPES.items(), columns, strict=True)}
    store.keep(store.digest_of(spec, "sweep", *more), {"won": played.won, **course})


# --- Play the cells of a sweep on the same deals, stop those that cannot meet the target, and put the grid together ---


# --- The result of a sweep ---


MEETS, MISSES, OPEN, UNASKED = "meets", "misses", "open", ""
"""Whether a cell meets the target: significantly, significantly not, undecided; or there is no target."""


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Result):
    """A grid of cells.

    table: One row for each cell and each seat, camp (where there are camps) and measure of the course of the game: the
        keys and their values, `players`, `lineup`, `kind` ("seat", "camp" or "course"), `name`, `value` with an
        interval that is simultaneous for all seats or camps of the cell (single for "course"), `par`, and for seats and
        camps the `difference` from the unchanged rules, paired deal by deal, with intervals that are simultaneous for
        all cells of the sweep.  The keys are null in the rows of the unchanged rules.
    """

    cells: pl.DataFrame
    """One row for each cell: keys, `players`, `lineup`, `deals`, `games`, `changed` (the share of deals in which some
    seat does not win what it wins under the unchanged rules), the `distance` between the best and the worst seat (or
    camp) with its interval, `target` ("meets", "misses", "open" or ""), `stopped` early, and played `again`."""
    keys: tuple[str, ...]  # the keys that vary
    target: str = ""  # what a good cell looks like, as the user wrote it; empty if there is no target
    lineups: tuple[tuple[str, ...], ...] = ()  # the strategies of each line-up
    saved: int = 0  # games that need not be played, because their cells were hopeless
    kept: int = 0  # games that earlier sweeps had played
    unit: str = ""  # the payoff's unit, in which the values of seats are then; empty if the game is played for wins

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
        return tuple(dict.fromkeys(self.cells["players"]))

    @property
    def fairest(self) -> tuple[dict[str, Any], Inputs]:
        """The cell whose best and worst seats, or camps, are least far apart, and what was played in it.

        Of several cells, it is the first that was listed.
        """
        first = fairest_first(self.cells.with_row_index("at")).row(0, named=True)
        return first, self.inputs[first.pop("at")]

    def rows(self, players: int, lineup: int, kind: str, whole: bool = True) -> pl.DataFrame:
        """Return the rows of one number of players, line-up and kind, including the unchanged rules if `whole`."""
        here = (pl.col("players") == players) & (pl.col("lineup") == lineup) & (pl.col("kind") == kind)
        rows = self.table.filter(here)
        return rows if whole else rows.filter(pl.col(self.keys[0]).is_not_null())


def fairest_first(cells: pl.DataFrame) -> pl.DataFrame:
    """Return cells by the distance between their best and worst seats, the least first; equal ones in their order."""
    return cells.sort("distance", maintain_order=True, nulls_last=True)


# --- The rows of a sweep's table for one cell, and whether the cell meets the target ---


def means(spec: Spec, won: NDArray[Any], lines: Floats, more: int = 0) -> tuple[Floats, Floats]:
    """Return some shares of what is judged, and their errors from deals.

    With `more`, the errors count so many more deals that win everything, and as many that win nothing: if a share has
    not varied yet, the error is not zero.
    """
    shares = won @ lines.T / (spec.judged.parts * spec.games_per_deal)
    seen = np.concatenate([shares, np.ones((more, len(lines))), np.zeros((more, len(lines)))])
    error = seen.std(axis=0, ddof=1) / np.sqrt(len(seen)) if len(shares) > 1 else np.full(len(lines), np.nan)
    return shares.mean(axis=0), error


def headed(frame: pl.DataFrame, head: dict[str, Any]) -> pl.DataFrame:
    named = [pl.lit(value, pl.String if value is None else None).alias(key) for key, value in head.items()]
    return frame.select(*named, pl.all())


def judged(target: Target | None, own: Wins, played: Played, level: float, cells: int) -> str:
    """Return whether a cell meets the target, with intervals that are simultaneous for all cells."""
    if target is None:
        return UNASKED
    if played.stopped:
        return MISSES
    if measure := target.measure(own.spec):
        return _judged_measure(target, measure, played, bonferroni(level, cells))
    lines, low, high = target.bands(own.spec, own.won)
    ends = _shares(own, lines, bonferroni(level, cells * len(lines)))
    below, above = ends["value_low"], ends["value_high"]
    if ((below > high) | (above < low)).any():
        return MISSES
    return MEETS if ((below >= low) & (above <= high)).all() else OPEN


def _shares(own: Wins, lines: Floats, constant: float) -> dict[str, Any]:
    """Return the columns of some shares, whose intervals hold the differences between tunings."""
    share, error = means(own.spec, own.won, lines)
    return own.widened("value", share_columns("value", share, error, own.deals, constant), lines, constant)


def _judged_measure(target: Target, measure: tuple[str, bool], played: Played, constant: float) -> str:
    family, is_share = measure
    wanted, room = target.wanted or 0.0, target.room(is_share)
    row = _course(played, constant).filter(family=family, member="").select("value_low", "value_high").rows()
    low, high = row[0] if row else (np.nan, np.nan)
    if low > wanted + room or high < wanted - room:
        return MISSES
    return MEETS if low >= wanted - room and high <= wanted + room else OPEN


def share_rows(base: Wins, own: Wins, played: Played, level: float, cells: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of seats, and of camps if there are any."""
    spec = own.spec
    for kind in (SEATS, CAMPS) if spec.camps else (SEATS,):
        names, lines = zip(*lines_of(spec, kind), strict=True)
        matrix = np.array(lines)
        ends = _shares(own, matrix, bonferroni(level, len(lines)))
        if played.stopped:  # looked at several times
            share, wide = means(spec, played.won, matrix, more=1)
            ends = _anytime("value", share, wide, spec, len(played.won), 1 - level)
        shift = share_differences(base, own, matrix, 1 - (1 - level) / cells)
        told = {name: values for name, values in shift.items() if name.startswith("difference")}
        if played.stopped:
            told |= _anytime(
                "difference", shift["difference"], shift["difference_se"], spec, len(played.won), (1 - level) / cells
            )
        if own is base:
            told = {name: np.full(len(lines), np.nan) for name in told}
        yield pl.DataFrame(
            {"kind": [kind.removesuffix("s")] * len(lines), "name": list(names)}
            | amounts("value", ends, spec.judged)
            | {"par": matrix @ own.fair}
            | told
            | {
                "changed": shift["changed"],
                "deals": [len(played.won)] * len(lines),
                "is_share": [not spec.judged.is_payoff] * len(lines),
            }
        )


def _anytime(name: str, value: Floats, se: Floats, spec: Spec, deals: int, alpha: float) -> dict[str, Any]:
    """Return the columns of estimates whose intervals are simultaneous, for any number of looks before the stop."""
    planned = spec.games // spec.games_per_deal
    half = np.array([anytime_half_width(one, deals, planned, alpha / len(se)) for one in se])
    return interval(name, value, half, 1.0) | {f"{name}_se": se}


def course_rows(played: Played, level: float) -> pl.DataFrame:
    """Return the rows of the course of the game."""
    name = pl.when(pl.col("member") == "").then(pl.col("family").str.strip_prefix(MEAN)).otherwise(pl.col("member"))
    return _course(played, bonferroni(level)).select(
        pl.lit("course").alias("kind"), name.alias("name"), pl.col(COURSE_COLUMNS)
    )


COURSE_COLUMNS = ["value", "value_se", "value_low", "value_high", "deals", "is_share"]


def _course(played: Played, constant: float) -> pl.DataFrame:
    """Return the measures of the course of the game, with intervals that hold how much tunings differ."""
    course = played.course
    family, member, is_share, value, error, deals = zip(*course, strict=True) if course else ((),) * 6
    found = interval("value", np.array(value, float), np.array(error, float), with_few(constant, np.array(deals)))
    spread = np.zeros(len(course)) if played.spread is None else played.spread
    value, error, low, high = found.values()
    ends = widened(value, low, high, spread, played.tunings, constant)
    found = dict(zip(found, (value, np.hypot(error, spread), *ends), strict=True))
    return pl.DataFrame(
        {"family": list(family), "member": list(member), **found, "deals": list(deals), "is_share": list(is_share)},
        schema_overrides={"family": pl.String, "member": pl.String, "is_share": pl.Boolean},
    )


# --- The verdicts of a sweep ---


NAMED = 5
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
        tried = fairest_first(rows.filter(pl.col(keys[0]).is_not_null()))
        good, bad = (tried.filter(pl.col("target") == which) for which in (MEETS, MISSES))
        values = {
            "players": players,
            "lineup": lineup,
            "target": target,
            "cells": len(tried),
            "count": len(good),
            "misses": len(bad),
            "open": len(tried) - len(good) - len(bad),
            "names": tuple(edits_of(row, keys) for row in good.head(NAMED).iter_rows(named=True)),
            "more": max(len(good) - NAMED, 0),
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


# Play the cells of a sweep on the same deals, stop those that cannot meet the target, and put the grid together.


COURSE_GAMES = 20_000
"""Largest number of games of a cell in which the course of the game is measured."""

FIRST_LOOK, GROWTH = 1 / 16, 1.5
"""Part of a cell's deals after which it may first be stopped, and growth from one look to the next."""

Measured = tuple[str, bool]
"""The family of the measure that is the target, and whether it is a share."""

Tick = Callable[[int, int], None]
"""Called from time to time with the number of games so far, and the total."""

Agree = Callable[[float], None]
"""Called with the seconds that a sweep will take, after its first cell; raises an error if that is too long."""


@dataclass(frozen=True)
class _Stop:
    """When a cell is hopeless."""

    target: Target
    alpha: float

    def hopeless(self, spec: Spec, won: NDArray[Any]) -> bool:
        """Return whether a share is outside its band with confidence, at any number of looks."""
        lines, low, high = self.target.bands(spec, won)
        share, error = means(spec, won, lines, more=1)
        planned = spec.games // spec.games_per_deal
        half = np.array([anytime_half_width(se, len(won), planned, self.alpha / len(lines)) for se in error])
        return bool(len(won) >= MIN_DEALS and ((share - half > high) | (share + half < low)).any())


def sweep(
    cells: Sequence[Cell],
    target: Target | None = None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda done, total: None,
    agree: Agree = lambda seconds: None,
) -> Sweep:
    """Return the results of the cells of a grid.

    cells: See `analysis.sweep.sweeping.cells_of`.
    target: What a good cell looks like.  A cell that misses it with confidence is stopped; the probability that any
        cell that does meet it is stopped is at most 1 - `level`, for the whole grid.  A cell that the players of
        several tunings play is never stopped, because how much they differ is known only in the end.
    threads: Number of threads.  If None, one for each processor.
    Raises UsageError if the target names a seat, role or camp that a cell does not have, or if all seats win or lose
        together in every game, and no measure is the target.
    """
    check_level(level)
    for cell in cells if target else ():
        assert target is not None
        target.measure(cell.spec)
    count = len(cells)
    measure = target.measure(cells[0].spec) if target else None
    if not measure:
        require_contest([spec for cell in cells for spec in cell.specs])
    stop = _Stop(target, (1 - level) / count) if target and not measure else None
    runs = [(spec, stop if cell.values and not cell.others else None) for cell in cells for spec in cell.specs]
    results = _results(runs, measure, threads, tick, agree)
    total, saved, kept = sum(spec.games for spec, _ in runs), 0, 0
    inputs: list[Inputs] = []
    frames: list[pl.DataFrame] = []
    rows: list[dict[str, Any]] = []
    for _, group in groupby(cells, key=lambda cell: (cell.lineup, cell.spec.players)):
        base: Wins | None = None
        for cell in group:
            several = [next(results) for _ in cell.specs]
            spec, played = cell.spec, averaged(several)
            totals = together([Wins(spec, one.won, len(one.won) * spec.games_per_deal) for one in several])
            base, deals, games = base or totals, totals.deals, totals.games
            saved += spec.games - games if played.stopped else 0
            kept += sum(len(one.won) * spec.games_per_deal for one in several if one.again)
            inputs.append(SpecSource(spec).inputs(games, deals, 0))
            verdict = judged(target, totals, played, level, count)
            head: dict[str, Any] = {key: cell.values.get(key) for key in _keys(cells)}
            head |= {"players": spec.players, "lineup": cell.lineup}
            shares = list(share_rows(base, totals, played, level, count))
            frames += [headed(frame, head) for frame in (*shares, course_rows(played, level))]
            main = shares[-1]
            apart = distance(*(main[name].to_numpy() for name in ("value", "value_low", "value_high", "par")))
            scale = base.judged.spanning(totals.judged)
            moved = (totals.on(scale).won != base.on(scale).won[:deals]).any(axis=1)
            rows.append(
                head
                | {"deals": deals, "games": games, "changed": float(moved.mean())}
                | dict(zip(DISTANCE, astuple(apart), strict=True))
                | {"target": verdict}
                | {"stopped": played.stopped, "again": played.again}
            )
    types = dict.fromkeys(_keys(cells), pl.String)
    table, grid = pl.concat(frames, how="diagonal"), pl.DataFrame(rows, schema_overrides=types)
    keys = tuple(_keys(cells))
    notes = [Note("sweep_kept", {"games": kept, "total": total})] if kept else []
    if saved:
        notes.append(Note("sweep_saved", {"cells": int(grid["stopped"].sum()), "games": saved, "total": total}))
    notes += dict.fromkeys(note for cell in cells for note in weak_notes(cell.spec))
    notes += _by_habit(cells)
    lineups = tuple({cell.lineup: cell.spec.strategies for cell in cells}.values())
    text = target.text if target else ""
    game, unit = cells[0].spec.game, cells[0].spec.judged.unit
    verdicts = judge(table, grid, keys, text, game.camp_titles, unit)
    return Sweep(tuple(inputs), level, table, verdicts, tuple(notes), grid, keys, text, lineups, saved, kept, unit)


def _by_habit(cells: Sequence[Cell]) -> list[Note]:
    """Return a note on players who were tuned for other rules than those of some cells."""
    found = [habit for cell in cells for habit in habits(cell.spec) if habit.generations is None]
    if not found:
        return []
    keys = tuple(dict.fromkeys(key for one in found for key in one.changed))
    shown = keys if len(keys) <= SHOWN else (*keys[:SHOWN], "…")
    return [Note("habit_sweep", {"strategies": tuple(dict.fromkeys(one.strategy for one in found)), "keys": shown})]


def _keys(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(key for cell in cells for key in cell.values))


def _results(
    runs: Sequence[tuple[Spec, _Stop | None]], measure: Measured | None, threads: int | None, tick: Tick, agree: Agree
) -> Iterator[Played]:
    """Yield the results of runs, each with when it is hopeless: from an earlier sweep, or played now."""
    total, done = sum(spec.games for spec, _ in runs), 0
    known = [_recalled(spec, stop, measure) for spec, stop in runs]
    todo = sum(spec.games for (spec, _), found in zip(runs, known, strict=True) if found is None)
    for (spec, stop), found in zip(runs, known, strict=True):
        played = found or _recalled(spec, stop, measure)
        if played is None:
            # One deal is played first, so that the kernels are compiled.
            source = SpecSource(spec, spec.games_per_deal)
            list(source.read(source.stretches()[0], source.judged.columns))
            began = time.perf_counter()
            played = _play(spec, stop, measure, threads, lambda games, at=done: tick(at + games, total))  # type: ignore[misc]
            if todo:
                agree((time.perf_counter() - began) * (todo / spec.games - 1))
                todo = 0
        done += spec.games
        tick(done, total)
        yield played


def _recalled(spec: Spec, stop: _Stop | None, measure: Measured | None) -> Played | None:
    """Return what was stored for a run: complete, with the measure that is the target, or stopped for one."""
    found = recall(spec, *([measure] if measure else []))
    return recall(spec, stop) if found is None and stop else found


class _Looking(Won):
    """What was won so far, and the number of deals before the next look."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec.games, spec.players)
        self.look = FIRST_LOOK * (spec.games // spec.games_per_deal)


def _play(
    spec: Spec, stop: _Stop | None, measure: Measured | None, threads: int | None, tick: Callable[[int], None]
) -> Played:
    """Play a cell, continuing where an earlier process was interrupted, and store it."""
    total, stopped = _Looking(spec), False
    planned = spec.games // spec.games_per_deal
    digest = digest_of(spec, "part of a cell", stop)
    work, stretches = partial(_shares_won, spec), _stretches(spec, stop)
    with closing(resumable(total, digest, work, stretches, threads, travels=True)) as results:
        for part in results:
            total.add(part)
            tick(total.games)
            deals = total.games // spec.games_per_deal
            if stop and total.look <= deals < planned:
                total.look = deals * GROWTH
                if stopped := stop.hopeless(spec, _won(spec, total)):
                    break
    played = Played(_won(spec, total), _measured(spec, measure), stopped)
    keep(played, spec, *([stop] if stopped else [measure] if measure else []))
    return played


def _stretches(spec: Spec, stop: _Stop | None) -> list[range]:
    """Return the parts of a cell; if it may be stopped, none is longer than what is played before the first look."""
    whole = list(SpecSource(spec).stretches())
    if stop is None:
        return whole
    most = max(round(FIRST_LOOK * spec.games / spec.games_per_deal), 1) * spec.games_per_deal
    return [range(first, min(first + most, one.stop)) for one in whole for first in range(one.start, one.stop, most)]


def _shares_won(spec: Spec, stretch: range) -> NDArray[np.int32]:
    """Play some games of a cell; return what every seat won in each."""
    source = SpecSource(spec)
    return np.concatenate([source.won_in(columns) for _, columns in source.read(stretch, source.judged.columns)])


def _won(spec: Spec, total: Won) -> NDArray[np.int32]:
    """Return what every seat won in each complete deal."""
    deals = total.games // spec.games_per_deal
    whole = total.won[: deals * spec.games_per_deal].reshape(deals, spec.games_per_deal, spec.players)
    return np.asarray(whole.sum(axis=1, dtype=np.int32))


def _measured(spec: Spec, measure: Measured | None) -> Course:
    """Measure the course of the game in the first deals, or in all of them if a measure is the target."""
    source = SpecSource(spec if measure else replace(spec, games=min(spec.games, COURSE_GAMES)))
    known = known_families(source)
    wanted = [name for name in dict.fromkeys([*COURSE, *own_measures(source), *(measure or ())[:1]]) if name in known]
    quantities = Quantities(source, wanted)
    items = [item for item in quantities.items if item.family in wanted]
    if not items:
        return ()
    estimands = [Estimand(item.family, item.member) for item in items]
    sums = Sampler(source.spec, None, estimands).play(range(source.planned // spec.games_per_deal), ())
    value, _, _, error = sums.shift.values()
    return [
        (item.family, item.member, item.is_share, float(value[at]), float(error[at]), sums.deals)
        for at, item in enumerate(items)
    ]


# --- Does the largest change of a sweep come from the rules, or do its players only open differently? ---


def opening_notes(cells: Sequence[Cell], found: Sweep, threads: int | None = None) -> Iterator[Note]:
    """Yield a note where the largest change is not there if all openings are drawn at random.

    found: The result, whose verdicts name the largest change at each number of players and with each line-up.
    """
    titles = cells[0].spec.game.camp_titles
    for verdict in found.verdicts:
        told = verdict.values
        if "cell" not in told:
            continue
        here = [cell for cell in cells if (cell.spec.players, cell.lineup) == (told["players"], told["lineup"])]
        base, cell = here[0], next(one for one in here[1:] if edits_of(one.values, found.keys) == told["cell"])
        seen = drawn(base.specs, cell.specs, found.level, threads)
        if seen is None:
            continue
        row = next(
            one
            for one in seen.rows.iter_rows(named=True)
            if one["seat"] == told["seat"] or titles.get(one["camp"] or "", one["camp"]) == told["camp"]
        )
        value, low, high = (row[f"difference{end}"] for end in ("", "_low", "_high"))
        if not (low > 0 if told["difference"] > 0 else high < 0):
            seats = {"seats": tuple(map(str, seen.seats)), "count": len(seen.seats)}
            ends = {"drawn": value, "low": low, "high": high, "difference": told["difference"]}
            yield Note("sweep_opening", {"cell": told["cell"], "players": told["players"], **seats, **ends})
