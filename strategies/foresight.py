"""With what a thinker looks ahead at a table of some size, in some role: how far, how often, and by which value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from simcore.errors import UsageError
from simcore.kernel.lineup import UNIT
from simcore.kernel.looking import MOST_NUMBERS
from simcore.kernel.memory import MOST_TABLES
from simcore.toml_tables import Table
from strategies.rollout import CAUTION, HEAT, ROLLOUTS, ROUNDS, SEARCHED, WIN
from strategies.thinker import HALVING
from strategies.value import MOST_HIDDEN, Value

if TYPE_CHECKING:
    from simcore.game import Game

FARTHEST = 1_000
MOST_POINTS = 10_000
MOST_TEXT = 200_000
HOTTEST = 1_000


class ForesightTable(Table):
    """What the table `[search.players.N.ROLE]` of a strategy's file may contain; see `Foresight`."""

    rounds: Annotated[int, Field(ge=0, le=FARTHEST)]
    tables: Annotated[int, Field(ge=1, le=MOST_TABLES)]
    halving: Annotated[int, Field(ge=1, le=MOST_TABLES)]
    win: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MOST_POINTS)]
    caution: Annotated[float, Field(allow_inf_nan=False, ge=0, le=100)]
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

    def to_dict(self) -> dict[str, Any]:
        """Return it as in a strategy's file."""
        table: dict[str, Any] = {"rounds": self.rounds, "tables": self.tables, "halving": self.halving}
        table |= {"win": self.win, "caution": self.caution}
        if self.temperature:
            table["temperature"] = self.temperature
        if self.decisions:
            table["decisions"] = [name for _, name in self.decisions]
        return table | {"inputs": self.value.inputs, "hidden": self.value.hidden, "weights": self.value.weights}

    def fill(self, member: Any) -> None:
        """Write it into a member of a line-up."""
        weights = member["weights"]
        weights[ROLLOUTS], weights[ROUNDS], weights[HALVING] = self.tables, self.rounds, self.halving
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
