"""The grid of a sweep: which keys take which values, and the rules, players and strategies of every cell."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.rules.axes import Axis, read_axis
from simcore.rules.files import Rules, RuleSet, load_rules
from simcore.running.batch import Spec
from simcore.toml_tables import Table, explain, parse, read_bytes, shown
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
    """target, margin: What a good cell looks like, as text; see `analysis.sweep.target`."""


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
        _check_no_code(game, lineup, label)
    return SweepPlan(
        game=found.game,
        axes=tuple(_axis_of(key, value) for key, value in _flat(found.set)),
        rules=found.rules,
        players=tuple(found.players),
        strategies=lineups,
        games=found.games,
        seed=found.seed,
        target=found.target,
        margin=found.margin,
    )


def _check_no_code(game: Game, lineup: tuple[str, ...], label: str) -> None:
    """Raise `UsageError` if a line-up from a file leads to Python code, which must not run because data names it."""
    try:
        load_players(game, lineup, Code.NEVER)
    except UsageError as error:
        raise UsageError(f"{label}: {error}") from None


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield above + key, value


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
