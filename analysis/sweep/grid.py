"""The grid of a sweep: which keys take which values, and the rules, players and strategies of every cell."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from analysis.data import store
from analysis.data.sources import SpecSource
from analysis.measures.quantities import of_whole_table
from analysis.seats.shares import among_won
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import Floats
from simcore.errors import UsageError, nearest, shown
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, RuleSet, load_rules
from simcore.rules.levers import Axis, read_axis
from simcore.running.batch import Spec
from simcore.toml_tables import Table, explain, flatten, parse, read_bytes
from strategies.library import Code
from strategies.spec import References, load_players, make_spec

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
    """target, margin: What a good cell looks like, as text; see `analysis.sweep.grid`."""


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
