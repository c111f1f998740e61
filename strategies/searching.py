"""How a strategy looks ahead, as data: the base that plays the imagined games, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from simcore.errors import UsageError, nearest
from simcore.kernel.lineup import UNIT
from simcore.toml_tables import Table
from strategies.rollout import CAUTION, ROLLOUTS, ROUNDS, SEARCHED, WIN

if TYPE_CHECKING:
    from simcore.kernel.decisions import Decision

MOST = 10_000
TO_THE_END = 1_000
NAMED = 63
"""How many kinds of decisions can be named; a set of them is one word."""


def _reference(value: Any) -> Any:
    """Accept a reference to a strategy, or the table of one."""
    if not isinstance(value, str | dict):
        raise PydanticCustomError("string_type", "must be text")
    return value


class SearchTable(Table):
    """What the table `[search]` of a strategy's file may contain; see `Searching`."""

    base: Annotated[Any, AfterValidator(_reference)]
    rollouts: Annotated[int, Field(ge=1, le=MOST)] = 16
    rounds: Annotated[int, Field(ge=0, le=TO_THE_END)] = TO_THE_END
    win: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MOST)] = 60.0
    caution: Annotated[float, Field(allow_inf_nan=False, ge=0, le=100)] = 1.0
    decisions: Annotated[list[str], Field(default_factory=list)]


class Base(Protocol):
    """What plays the imagined games: a strategy."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as in a strategy's file."""


S = TypeVar("S", bound=Base)


@dataclass(frozen=True)
class Searching(Generic[S]):
    """How a strategy looks ahead.

    Parameters
    ----------
    base
        The strategy that plays every seat of the imagined tables, and decides when the game cannot be tried out.
    rollouts
        Largest number of imagined tables on which a move is tried.
    rounds
        Rounds played after the current one.
    win
        Points that a win is worth, in addition to the lead at the end.
    caution
        Standard errors by which a move must be better than the base's own.
    decisions
        Numbers and names of the kinds of decisions that are searched; empty for all of them.
    """

    base: S
    rollouts: int
    rounds: int
    win: float
    caution: float
    decisions: tuple[tuple[int, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the table `[search]`, with the base as a table in it."""
        table: dict[str, Any] = {
            "base": self.base.to_dict(),
            "rollouts": self.rollouts,
            "rounds": self.rounds,
            "win": self.win,
            "caution": self.caution,
        }
        return table | ({"decisions": [name for _, name in self.decisions]} if self.decisions else {})

    def fill(self, member: Any) -> None:
        """Write the settings into a member of a line-up."""
        weights = member["weights"]
        weights[ROLLOUTS] = self.rollouts
        weights[ROUNDS] = self.rounds
        weights[WIN] = round(self.win * UNIT)
        weights[CAUTION] = round(self.caution * UNIT)
        weights[SEARCHED] = sum(1 << number for number, _ in self.decisions) or -1


def numbered(names: Sequence[str], known: Sequence[Decision], label: str) -> tuple[tuple[int, str], ...]:
    """Return the kinds of decisions that a strategy's file names, each with its number.

    Raises
    ------
    UsageError
        If the game has no such decision.
    """
    numbers = {decision.name: number for number, decision in enumerate(known[:NAMED])}
    for name in names:
        if name not in numbers:
            raise UsageError(f"{label}: [search] decisions: no decision '{name}'{nearest(name, numbers)}")
    return tuple((numbers[name], name) for name in dict.fromkeys(names))
