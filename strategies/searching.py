"""How a strategy looks ahead, as data: the base of its imagined games, how many there are, and how far they go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from simcore.errors import UsageError, nearest, shown
from simcore.kernel.decisions import MOST_NUMBERS
from simcore.kernel.driver import MOST_TABLES
from simcore.kernel.lineup import UNIT
from simcore.toml_tables import Table
from strategies.rollout import CAUTION, HEAT, ROLLOUTS, ROUNDS, SEARCHED, WIN
from strategies.thinker import CANDIDATES, HALVING, PATIENCE
from strategies.value import MOST_HIDDEN, Value

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.kernel.decisions import Decision

# With what a thinker looks ahead at a table of some size, in some role: how far, how often, and by which value.


FARTHEST = 1_000
MOST_POINTS = 10_000
MOST_CANDIDATES = 1_000
MOST_TEXT = 200_000
HOTTEST = 1_000


class ForesightTable(Table):
    """What the table `[search.players.N.ROLE]` of a strategy's file may contain; see `Foresight`."""

    rounds: Annotated[int, Field(ge=0, le=FARTHEST)]
    tables: Annotated[int, Field(ge=1, le=MOST_TABLES)]
    halving: Annotated[int, Field(ge=1, le=MOST_TABLES)]
    win: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MOST_POINTS)]
    caution: Annotated[float, Field(allow_inf_nan=False, ge=0, le=100)]
    candidates: Annotated[int, Field(ge=0, le=MOST_CANDIDATES)] = 0
    patience: Annotated[int, Field(ge=0, le=MOST_TABLES)] = 0
    temperature: Annotated[float, Field(allow_inf_nan=False, ge=0, le=HOTTEST)] = 0.0
    decisions: Annotated[list[str], Field(default_factory=list)]
    inputs: Annotated[int, Field(ge=1, le=MOST_NUMBERS)]
    hidden: Annotated[int, Field(ge=0, le=MOST_HIDDEN)]
    weights: Annotated[str, Field(max_length=MOST_TEXT)]


@dataclass(frozen=True)
class Foresight:
    """How a thinker looks ahead at a table of some size, in some role."""

    rounds: int  # rounds played after the present turn
    tables: int  # largest number of imagined tables on which a move is tried
    halving: int  # number of tables after which each time the worse half of the moves is dropped
    value: Value  # the learned value that stands for the rest of the game
    win: float  # points that a win is worth, in addition to the lead at the end; the value was fitted to this sum
    caution: float  # standard errors by which a move must be better than the base's own
    decisions: tuple[tuple[int, str], ...] = ()
    """Numbers and names of the kinds of decisions that are searched; empty for all of them."""
    temperature: float = 0.0  # noise in the decisions of everybody at the imagined tables; see `Searching`
    candidates: int = 0  # number of moves that are tried, those that the base likes best; 0 for all
    patience: int = 0  # tables after which a move may be dropped as not worth more; 0 for never

    def to_dict(self) -> dict[str, Any]:
        """Return it as in a strategy's file."""
        table: dict[str, Any] = {"rounds": self.rounds, "tables": self.tables, "halving": self.halving}
        table |= {"win": self.win, "caution": self.caution}
        usual = {"candidates": self.candidates, "patience": self.patience, "temperature": self.temperature}
        table |= {name: setting for name, setting in usual.items() if setting}
        if self.decisions:
            table["decisions"] = [name for _, name in self.decisions]
        return table | {"inputs": self.value.inputs, "hidden": self.value.hidden, "weights": self.value.weights}

    def fill(self, member: Any) -> None:
        """Write it into a member of a line-up."""
        weights = member["weights"]
        weights[ROLLOUTS], weights[ROUNDS], weights[HALVING] = self.tables, self.rounds, self.halving
        weights[CANDIDATES], weights[PATIENCE] = self.candidates, self.patience
        weights[WIN], weights[CAUTION] = round(self.win * UNIT), round(self.caution * UNIT)
        weights[SEARCHED] = sum(1 << number for number, _ in self.decisions) or -1
        weights[HEAT] = round(self.temperature * UNIT)
        member["value"] = self.value.address


def check_inputs(game: Game, value: Value, label: str) -> None:
    """Raise `UsageError` unless a value is made for what a seat of the game sees."""
    sight = game.search.look if game.search else None
    numbers = len(sight.names) if sight else 0
    if value.inputs != numbers:
        raise UsageError(
            f"{label}: inputs: the value reads {value.inputs} numbers, but a seat of {game.title} sees {numbers}; "
            f"make a new one with: equipoise learn --game {game.name}"
        )


# --- How a strategy looks ahead, as data: the base of its imagined games, how many there are, and how far they go ---


MOST = 10_000
TO_THE_END = 1_000
ROLLOUTS_USED, WORTH, CAREFUL = 16, 60.0, 1.0
NAMED = 63
"""How many kinds of decisions can be named; a set of them is one word."""


def _reference(value: Any) -> Any:
    """Accept a reference to a strategy, or the table of one."""
    if not isinstance(value, str | dict):
        raise PydanticCustomError("string_type", "must be text")
    return value


class SearchTable(Table):
    """What the table `[search]` of a strategy's file may contain; see `Searching`."""

    base: Annotated[Any, AfterValidator(_reference)] = None
    like: Annotated[Any, AfterValidator(_reference)] = None
    tables: Annotated[int, Field(ge=1, le=MOST_TABLES)] | None = None
    rollouts: Annotated[int, Field(ge=1, le=MOST)] = ROLLOUTS_USED
    rounds: Annotated[int, Field(ge=0, le=TO_THE_END)] = TO_THE_END
    win: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MOST)] = WORTH
    caution: Annotated[float, Field(allow_inf_nan=False, ge=0, le=100)] = CAREFUL
    temperature: Annotated[float, Field(allow_inf_nan=False, ge=0, le=HOTTEST)] = 0.0
    decisions: Annotated[list[str], Field(default_factory=list)]
    guest: Annotated[Any, AfterValidator(_reference)] = None
    players: Annotated[dict[str, dict[str, ForesightTable]], Field(default_factory=dict)]


class Base(Protocol):
    """What plays the imagined games: a strategy."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as in a strategy's file."""


S = TypeVar("S", bound=Base)


@dataclass(frozen=True)
class Searching(Generic[S]):
    """How a strategy looks ahead."""

    base: S  # the strategy that plays every seat of the imagined tables, and decides when the game cannot be tried out
    rollouts: int = ROLLOUTS_USED  # largest number of imagined tables on which a move is tried
    rounds: int = TO_THE_END  # rounds played after the current one
    win: float = WORTH  # points that a win is worth, in addition to the lead at the end
    caution: float = CAREFUL  # standard errors by which a move must be better than the base's own
    decisions: tuple[tuple[int, str], ...] = ()
    """Numbers and names of the kinds of decisions that are searched; empty for all of them."""
    guest: S | None = None
    """The strategy that plays the other seats at every other imagined table, if it is not the base."""
    temperature: float = 0.0
    """Noise in the decisions of everybody at the imagined tables, in the unit of the base's scores and in addition to
    its own temperature, so that the search does not rely on one way of playing.  The base's own move, which must be
    beaten, is chosen without it."""
    foresights: Mapping[tuple[int, str], Foresight] = field(default_factory=dict)
    """For a thinker, how it looks ahead by number of players and role, instead of all the numbers above."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "foresights", MappingProxyType(dict(sorted(self.foresights.items()))))

    def to_dict(self) -> dict[str, Any]:
        """Return the table `[search]`, with the base as a table in it."""
        table: dict[str, Any] = {"base": self.base.to_dict()}
        if self.guest is not None:
            table["guest"] = self.guest.to_dict()
        if not self.foresights:
            table |= {"rollouts": self.rollouts, "rounds": self.rounds, "win": self.win, "caution": self.caution}
            if self.temperature:
                table["temperature"] = self.temperature
        if self.decisions:
            table["decisions"] = [name for _, name in self.decisions]
        for (players, role), foresight in self.foresights.items():
            table.setdefault("players", {}).setdefault(str(players), {})[role] = foresight.to_dict()
        return table

    def fill(self, member: Any, name: str, players: int, role: str) -> None:
        """Write the settings into a member of a line-up.

        Raises UsageError if the strategy, whose name is given, cannot play that role at so large a table.
        """
        if self.foresights:
            if (players, role) not in self.foresights:
                raise UsageError(f"'{name}' {self._lacks(players, role)}", "strategies")
            self.foresights[players, role].fill(member)
            return
        weights = member["weights"]
        weights[ROLLOUTS] = self.rollouts
        weights[ROUNDS] = self.rounds
        weights[WIN] = round(self.win * UNIT)
        weights[CAUTION] = round(self.caution * UNIT)
        weights[SEARCHED] = sum(1 << number for number, _ in self.decisions) or -1
        weights[HEAT] = round(self.temperature * UNIT)

    def _lacks(self, players: int, role: str) -> str:
        """Say for which tables it has a value."""
        counts = sorted({count for count, known in self.foresights if known == role})
        if not counts:
            return f"has no value for the role '{role}'; make one with: equipoise learn --role {role}"
        made = ", ".join(map(str, counts))
        return f"looks ahead at tables of {made} players, not of {players}; make a value for it with: equipoise learn"


def changed(search: Searching[S], changes: Mapping[str, Any]) -> Searching[S]:
    """Return how a thinker looks ahead with other fields of its foresights, the same at all tables; all else stays."""
    found = {place: replace(one, **changes) for place, one in search.foresights.items()}
    if tables := changes.get("tables"):
        most = max(tables // 2, 1)
        found = {place: replace(one, halving=min(one.halving, most)) for place, one in found.items()}
    return replace(search, foresights=found)


def numbered(names: Sequence[str], known: Sequence[Decision], label: str) -> tuple[tuple[int, str], ...]:
    """Return the kinds of decisions that a strategy's file names, each with its number.

    Raises UsageError if the game has no such decision.
    """
    numbers = {decision.name: number for number, decision in enumerate(known[:NAMED])}
    for name in names:
        if name not in numbers:
            raise UsageError(f"{label}: [search] decisions: no decision '{name}'{nearest(name, numbers)}")
    return tuple((numbers[name], name) for name in dict.fromkeys(names))


def read_foresights(
    game: Game, tables: Mapping[str, Mapping[str, Mapping[str, Any]]], label: str
) -> dict[tuple[int, str], Foresight]:
    """Return how a thinker looks ahead, by number of players and role, from the tables of its file.

    Raises UsageError if a number of players, a role, a decision or a value does not fit the game.
    """
    counts = [str(count) for count in game.players]
    found = {}
    for count, roles in tables.items():
        for role, values in roles.items():
            where = f"{label}: [search.players.{shown(count)}.{shown(role)}]"
            if count not in counts:
                raise UsageError(f"{where}: {game.title} is for {game.span}")
            if role not in game.role_names:
                raise UsageError(f"{where}: no role '{shown(role)}'{nearest(role, game.role_names)}")
            try:
                value = Value(values["inputs"], values["hidden"], values["weights"])
            except UsageError as error:
                raise UsageError(f"{where}: {error}") from None
            check_inputs(game, value, where)
            found[int(count), role] = Foresight(
                values["rounds"],
                values["tables"],
                values["halving"],
                value,
                values["win"],
                values["caution"],
                numbered(values["decisions"], game.decisions, where),
                values["temperature"],
                values["candidates"],
                values["patience"],
            )
    return found
