"""The interface between analyses and their games: blocks of complete deals, columns, and what was played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.declarations import Declarations, load_declarations
from analysis.data.events import no_events
from analysis.data.inputs import inputs_of
from analysis.data.results import Counted, Inputs, Unanswered, all_together
from analysis.runs.manifest import Origin
from analysis.stats.moments import signed, totals
from simcore.judged import Judged
from simcore.kernel.trace import EventKind
from simcore.running.batch import Spec
from simcore.running.columns import columns as columns_of
from simcore.running.columns import labels as labels_of
from simcore.running.executors import CHUNK

Array = NDArray[Any]
SLICE = CHUNK * 16
"""Number of games that one thread handles at a time."""


@dataclass(frozen=True)
class Block:
    """Consecutive games that make up complete deals."""

    per_deal: int  # number of games in a deal
    columns: dict[str, Array]
    """Values by name of the column, shape (games, players); an "Enum" as codes into the source's labels."""
    events: Array = field(default_factory=no_events)
    """The events of the games in order, if they were requested, with columns as in `analysis.data.events`; games are
    counted from the first of the block."""

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return len(next(iter(self.columns.values())))

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.games // self.per_deal

    def totals(self, values: Array) -> Array:
        """Sum values of shape (games, ...) over the games of each deal: (deals, ...)."""
        return totals(values, self.per_deal)


class Source(ABC):
    """Games of one specification.

    spec : Spec: What was played.
    label : str: Name of the source in messages.
    detail : str: Level of detail of the columns.
    planned : int: Number of games that it was meant to have.
    looks : int: After how many numbers of games it might have ended, if that depended on who won; otherwise 1.
    """

    spec: Spec
    label: str
    detail: str
    planned: int
    looks: int = 1

    @abstractmethod
    def stretches(self) -> Sequence[Any]:
        """Return the stretches that `read` accepts, in the order of the games."""

    @abstractmethod
    def read(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Yield the index of the first game and the columns, shape (games, players), of consecutive games."""

    def counted(self, names: Sequence[str], make: Callable[[], Any], events: bool) -> tuple[Any, Counted] | None:
        """Return an accumulator that is already filled, and its games; None if the games have to be read."""
        return None

    @property
    def has_events(self) -> bool:
        """Whether `read_with_events` can read events."""
        return False

    def read_with_events(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array], Array]]:
        """Yield the same as `read`, with the events of these games as in `Block`.

        Raises UsageError if the game records no events, or the run lacks the table of events.
        """
        raise NotImplementedError

    def blamed(self, error: Exception) -> Exception:
        """Return the error to raise if an analysis failed on the values of these games."""
        return error

    def require_events(self, what: str) -> None:
        """Raise `UsageError` unless events are available."""
        if not self.has_events:
            raise Unanswered(
                "no_events",
                "{run}: {what} needs the table of events, which this run lacks; "
                "run the simulation again with the table 'events'",
                run=self.label,
                what=what,
            )

    @cached_property
    def event_kinds(self) -> dict[str, EventKind]:
        """The kinds of events that the game records, by name and in the order of their numbers."""
        return {kind.name: kind for kind in self.spec.game.events}

    @property
    def players(self) -> int:
        """Number of players at the table."""
        return self.spec.players

    @property
    def score(self) -> str | None:
        """The score's column, which ranks the seats first; None in a game without a score."""
        return self.spec.game.score

    def scored(self, what: str) -> str:
        """Return the score's column; raise `UsageError` in a game without a score, which `what` needs."""
        if self.score is None:
            raise Unanswered(
                "no_score", "{game} has no score, which {what} needs", game=self.spec.game.title, what=what
            )
        return self.score

    def ranked(self, block: Block, columns: Sequence[str]) -> Array:
        """Return columns of scores so that more is better, even if the fewest points win.

        columns: Columns with scores.
        Returns ndarray: Shape (games, columns, seats).
        """
        scores = np.stack([signed(block[name]) for name in columns], axis=1)
        return -scores if self.spec.game.lowest_wins else scores

    def contested(self, block: Block) -> Array:
        """Return the final scores of those who compete, shape (games, competitors), the best of each game last.

        Seats compete, or camps, of each of which the best seat counts.
        """
        scores = self.ranked(block, [str(self.score)])[:, 0]
        if self.camps:
            scores = np.stack([scores[:, list(seats)].max(axis=1) for seats in self.camps.values()], axis=1)
        return np.sort(scores, axis=1)

    @property
    def origin(self) -> Origin | None:
        """Where the games come from, if they were not played here."""
        return None

    @cached_property
    def camps(self) -> dict[str, tuple[int, ...]]:
        """The seats of each camp, counted from 0: those of the game, or the teams of a table; empty without any."""
        return self.spec.camps if self.origin is None else self.origin.camps(self.players)

    def require_seats(self) -> None:
        """Raise `UsageError` for a table from elsewhere that does not name seats, or in which nobody competed."""
        if self.origin is not None and not self.origin.seats and not self.camps:
            text = "{run}: the table names no seats, so nothing can be said about them"
            raise Unanswered("no_seats", text, run=self.label)
        if self.origin is not None and self.origin.cooperative:
            raise all_together(self.label)

    @property
    def unit(self) -> int:
        """Number of parts into which a win is divided."""
        return self.spec.game.share_unit

    @property
    def share(self) -> str:
        """The column with each seat's parts of the win."""
        return self.spec.game.share

    @property
    def judged(self) -> Judged:
        """What the games are judged by: shares of the wins, or the game's payoff."""
        return self.spec.judged

    def won_in(self, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.int32]:
        """Return the parts that each seat won of what is judged, shape (games, players)."""
        return self.judged.of_columns(columns).astype(np.int32)

    def shares(self, block: Block) -> NDArray[np.float64]:
        """Return the seats' shares of the win, shape (games, players)."""
        return np.asarray(block[self.share] / self.unit)

    def shared(self, block: Block) -> NDArray[np.bool_]:
        """Return which games were won by several seats, and not by a whole camp, shape (games,)."""
        winners = block[self.share] > 0
        count = winners.sum(axis=1)
        found = count > 1
        for seats in self.camps.values():
            found &= (count != len(seats)) | ~winners[:, list(seats)].all(axis=1)
        return np.asarray(found)

    @cached_property
    def par(self) -> NDArray[np.float64]:
        """The share of the wins that the game is meant to give to each seat, shape (players,)."""
        return np.array(self.spec.par)

    @cached_property
    def members(self) -> NDArray[np.int64]:
        """Index in `Spec.cast` by seat and strategy, shape (players, strategies); -1 for impossible pairs."""
        found = np.full((self.players, len(self.strategies)), -1)
        for seat, role in enumerate(self.spec.roles):
            for number, name in enumerate(self.strategies):
                if (role, name) in self.spec.cast:
                    found[seat, number] = self.spec.cast.index((role, name))
        return found

    @property
    def values(self) -> Any:
        """The resolved rules."""
        return self.spec.rules.values

    @property
    def playable(self) -> bool:
        """Whether its games can be played again."""
        return True

    @cached_property
    def declarations(self) -> Declarations:
        """The declarations of the game."""
        return load_declarations(self.spec.game.name)

    @cached_property
    def strategies(self) -> tuple[str, ...]:
        """The distinct strategies, in the order of the codes of the column `strategy`."""
        return tuple(dict.fromkeys(self.spec.strategies))

    @cached_property
    def cast_names(self) -> tuple[str, ...]:
        """The names of the strategies in the order of `Spec.cast`; ROLE-STRATEGY in a game with roles."""
        return tuple(f"{role.name}-{name}" if self.asymmetric else name for role, name in self.spec.cast)

    @property
    def mixed(self) -> bool:
        """Whether some role is played by more than one strategy."""
        return bool(self.spec.mixed_roles)

    @property
    def asymmetric(self) -> bool:
        """Whether the seats have roles."""
        return self.spec.game.asymmetric

    @property
    def confounded(self) -> bool:
        """Whether seats and strategies are confounded: different strategies of one role that never change seats."""
        return self.mixed and self.spec.design == "fixed"

    def labels(self, column: str) -> tuple[str, ...]:
        """Return the names for the codes of an "Enum" column."""
        found = next(item for item in columns_of(self.spec.game, "full") if item.name == column)
        return tuple(dict.fromkeys(labels_of(found, self.spec)))

    def is_enum(self, column: str) -> bool:
        """Return whether a column holds codes of names."""
        return any(item.name == column and item.type == "Enum" for item in columns_of(self.spec.game, "full"))

    @cached_property
    def available(self) -> frozenset[str]:
        """The names of the available columns."""
        return frozenset(column.name for column in columns_of(self.spec.game, self.detail))

    def require(self, names: Sequence[str], what: str) -> None:
        """Raise `UsageError`, naming the level of detail that has them, unless all columns are available."""
        missing = [name for name in names if name not in self.available]
        if not missing:
            return
        levels = {column.name: column.detail for column in columns_of(self.spec.game, "full")}
        unknown = [name for name in missing if name not in levels]
        if unknown:
            raise Unanswered(
                "no_column",
                "{run}: {game} has no column '{column}', which {what} needs",
                run=self.label,
                game=self.spec.game.title,
                column=unknown[0],
                what=what,
            )
        need = "full" if "full" in {levels[name] for name in missing} else "standard"
        raise Unanswered(
            "more_detail",
            "{run}: {what} needs column '{column}', which this run's detail '{detail}' left out; "
            "run the simulation again with the level of detail '{need}'",
            run=self.label,
            what=what,
            column=missing[0],
            detail=self.detail,
            need=need,
        )

    def inputs(self, games: int, deals: int, excluded: int) -> Inputs:
        """Return a description of the data, for the result of an analysis."""
        described = inputs_of(self.spec, games, deals, self.label, self.detail)
        return replace(described, excluded=excluded, planned=self.planned)
