"""How a strategy looks ahead, as data: the base that plays what it imagines, and how much it imagines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from simcore.kernel.lineup import UNIT
from simcore.toml_tables import Table
from strategies.rollout import CAUTION, ROLLOUTS, ROUNDS, WIN

if TYPE_CHECKING:
    from strategies.model import Strategy

MOST = 10_000
TO_THE_END = 1_000


def _reference(value: Any) -> Any:
    """Let through what can mean a strategy: a reference or a table."""
    if not isinstance(value, str | dict):
        raise PydanticCustomError("string_type", "must be text")
    return value


class SearchTable(Table):
    """What the table `[search]` of a strategy's file may hold; see `Searching`."""

    base: Annotated[Any, AfterValidator(_reference)]
    rollouts: Annotated[int, Field(ge=1, le=MOST)] = 16
    rounds: Annotated[int, Field(ge=0, le=TO_THE_END)] = TO_THE_END
    win: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MOST)] = 60.0
    caution: Annotated[float, Field(allow_inf_nan=False, ge=0, le=100)] = 1.0


@dataclass(frozen=True)
class Searching:
    """How a strategy looks ahead.

    Parameters
    ----------
    base
        Plays every seat of what is imagined, and decides where the game cannot be tried out.
    rollouts
        Imagined tables on which a move is tried, at most.
    rounds
        Rounds played beyond the current one.
    win
        Points that a win is worth beside the lead at the end.
    caution
        Standard errors by which a move must do better than the base's own.
    """

    base: Strategy
    rollouts: int
    rounds: int
    win: float
    caution: float

    def to_dict(self) -> dict[str, Any]:
        """Return the table `[search]`, the base as a table in it."""
        return {
            "base": self.base.to_dict(),
            "rollouts": self.rollouts,
            "rounds": self.rounds,
            "win": self.win,
            "caution": self.caution,
        }

    def fill(self, member: Any) -> None:
        """Write the settings into a member of a line-up."""
        weights = member["weights"]
        weights[ROLLOUTS] = self.rollouts
        weights[ROUNDS] = self.rounds
        weights[WIN] = round(self.win * UNIT)
        weights[CAUTION] = round(self.caution * UNIT)
