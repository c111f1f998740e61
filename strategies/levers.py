"""Weights that follow the rules: how much a weight changes with the value of a lever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, JsonValue

from simcore.errors import UsageError, shown
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import Lever, whole_numbers
from simcore.toml_tables import Table
from strategies.custom import MAX_WEIGHT

if TYPE_CHECKING:
    from simcore.game import Game

Slope = Annotated[float, Field(allow_inf_nan=False, ge=-MAX_WEIGHT, le=MAX_WEIGHT)]
Number = Annotated[int | bool, Field(ge=-(2**31), le=2**31)]
Weights = Mapping[str, float]


class LeverTable(Table):
    """What the table `[levers."KEY"]` of a strategy's file may contain; see `Followed`."""

    value: Number
    low: Number
    high: Number
    weights: dict[str, Slope] = Field(default_factory=dict)
    players: dict[str, dict[str, Slope]] = Field(default_factory=dict)


@dataclass(frozen=True)
class Followed:
    """A lever whose value a strategy knows."""

    lever: Lever
    """The key of the rules, the value for which the strategy's weights are as they stand, and the range that it knows.
    """
    slopes: Weights = field(default_factory=dict)  # by feature: how much its weight rises when the value rises by one
    by_players: Mapping[int, Weights] = field(default_factory=dict)
    """By number of players: slopes at tables of that size, instead of `slopes`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "slopes", MappingProxyType(dict(self.slopes)))
        by_players = {count: MappingProxyType(dict(slopes)) for count, slopes in sorted(self.by_players.items())}
        object.__setattr__(self, "by_players", MappingProxyType(by_players))

    def slopes_at(self, players: int) -> Weights:
        """Return the slopes at a table of some number of players."""
        return self.by_players.get(players, self.slopes)

    def to_dict(self) -> dict[str, JsonValue]:
        """Return it as the table of a strategy's file."""
        kept: dict[str, JsonValue] = {"weights": dict(self.slopes)} if self.slopes else {}
        if self.by_players:
            kept["players"] = {str(count): dict(slopes) for count, slopes in self.by_players.items()}
        ends = (self.lever.value, self.lever.low, self.lever.high)
        value, low, high = map(bool, ends) if self.lever.switch else ends
        return {"value": value, "low": low, "high": high, **kept}


def follow(
    followed: Sequence[Followed], values: Sequence[int], weights: Weights, players: int | None = None
) -> dict[str, float]:
    """Return weights for some values of levers, or for the nearest values in their ranges.

    followed, values: The levers and their values.
    weights: The weights for the levers' own values.
    players: Whose slopes are used: those for a number of players, or the usual ones.
    """
    found = dict(weights)
    for one, value in zip(followed, values, strict=True):
        away = min(max(value, one.lever.low), one.lever.high) - one.lever.value
        for name, slope in (one.slopes if players is None else one.slopes_at(players)).items() if away else ():
            found[name] = found.get(name, 0.0) + away * slope
    return {name: min(max(weight, -MAX_WEIGHT), MAX_WEIGHT) for name, weight in found.items()}


def at_home(game: Game, rules: Rules, followed: Sequence[Followed]) -> Rules:
    """Return rules with every lever within its range at the value that its strategy starts from."""
    known = dict(whole_numbers(game, rules, game.players[-1])) if followed else {}
    levers = [one.lever for one in followed if one.lever.key in known]
    moved = [one for one in levers if one.value != known[one.key] and one.low <= known[one.key] <= one.high]
    try:
        return load_rules(game, rules, [f"{one.key}={one.text(one.value)}" for one in moved])
    except UsageError:  # rules that cannot be: the file's values are no values of these keys
        return rules


def read_levers(tables: Mapping[str, LeverTable], label: str) -> tuple[Followed, ...]:
    """Return the levers of a strategy's file.

    Raises UsageError if the value of a lever is not in its range, or is a switch with numbers as its ends.
    """
    found = []
    for key, table in tables.items():
        where, ends = f'{label}: [levers."{shown(key)}"]', (table.low, table.value, table.high)
        if len({type(end) for end in ends}) > 1:
            raise UsageError(f"{where}: value, low and high must be three whole numbers, or three times true or false")
        if not table.low <= table.value <= table.high or table.low == table.high:
            raise UsageError(f"{where}: low must be less than high, and value must lie between them")
        lever = Lever(key, int(table.value), int(table.low), int(table.high), switch=isinstance(table.value, bool))
        by_players = {int(count): slopes for count, slopes in table.players.items()}
        found.append(Followed(lever, table.weights, by_players))
    return tuple(found)
