"""The specification of a run, and the pure function that plays any range of its games."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import KernelFault, shown
from simcore.game import Game
from simcore.judged import Judged, Role, check_par, judged_by
from simcore.kernel.compilation import compiling
from simcore.kernel.decisions import OF_POLICIES
from simcore.kernel.driver import Memory, own_memory

if TYPE_CHECKING:
    from simcore.rules.files import Rules

MAX_GAMES = 2**32 - 1
MAX_SEED = 2**64 - 1


class _Late:
    """A field whose value may be given as a function, which is called when the value is first needed."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, made: object, value: np.record | Callable[[], np.record]) -> None:
        made.__dict__[self._name] = value

    def __get__(self, made: object | None, owner: type) -> np.record:
        if made is None:
            raise AttributeError(self._name)  # by which a dataclass knows that the field has no default
        if callable(value := made.__dict__[self._name]):
            value = made.__dict__[self._name] = value()
        return value


@dataclass(frozen=True)
class Spec:
    """Everything that determines the outcomes of a run's games.

    Parameters
    ----------
    game
        The game's descriptor.
    players
        Players at the table.
    rules
        Resolved rules.
    strategies
        Names by entry of the line-up; entry k sits in seat k + 1 of the first game.
    design
        "rotate": each deal is played once for each rotation of the line-up; "fixed": the seats stay; "shuffle": the
        seats are drawn again for each game.
    seed
        Random seed, 0 to 2**64 - 1.
    games
        Number of games in the run.
    rules_record, lineup_record
        The records that the kernels read; that of the line-up may be a function, which compiles the players.
    strategy_tables
        The strategies as plain tables, by entry, for a run's manifest.
    references, rules_reference
        Strategies by entry, and the rules, as the user named them, if they were named.
    """

    game: Game
    players: int
    rules: Rules
    strategies: tuple[str, ...]
    design: str
    seed: int
    games: int
    rules_record: np.record
    lineup_record: _Late = _Late()
    strategy_tables: tuple[dict[str, Any], ...] = ()
    references: tuple[str, ...] = ()
    rules_reference: str = ""

    def __repr__(self) -> str:
        seated = ", ".join(self.strategies)
        return (
            f"<Spec: {self.game.name}, {self.players} players, rules '{self.rules.name}', {seated}, {self.design}, "
            f"seed {self.seed}, {self.games:,} games>"
        )

    def ready(self) -> Spec:
        """Return the same run when its players are compiled."""
        return replace(self, lineup_record=self.lineup_record)

    @property
    def games_per_deal(self) -> int:
        """Number of games that share one random stream."""
        return int(self.lineup_record["turns"]) if self.design == "rotate" else 1

    @cached_property
    def par(self) -> tuple[float, ...]:
        """The share of the wins that the game is meant to give to each seat.

        Raises UsageError if the game's shares are not positive or do not sum to 1.
        """
        return check_par(self.game.name, self.game.par(self.rules.values, self.players), self.players)

    @cached_property
    def judged(self) -> Judged:
        """What the run is judged by: shares of the wins, or the game's payoff."""
        return judged_by(self.game, self.rules.values, self.players)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """The role of each seat."""
        return tuple(self.game.role_at(seat, self.players) for seat in range(self.players))

    @property
    def mixed_roles(self) -> tuple[Role, ...]:
        """The roles that more than one strategy plays."""
        return tuple(role for role in self.game.roles if len({self.strategies[i] for i in role.at(self.players)}) > 1)

    @cached_property
    def cast(self) -> tuple[tuple[Role, str], ...]:
        """Who plays: the distinct pairs of a role and a strategy, in the order of the seats."""
        return tuple(dict.fromkeys(zip(self.roles, self.strategies, strict=True)))

    @cached_property
    def cast_par(self) -> tuple[float, ...]:
        """The par of each member of the cast: the sum for its seats, on average over the seats that it moves to."""
        return self.of_cast(self.par)

    def of_cast(self, par: Sequence[float]) -> tuple[float, ...]:
        """Return the same from the par of each seat."""
        moving = self.mixed_roles if self.design != "fixed" else ()

        def own(entry: int, role: Role) -> float:
            seats = [par[seat] for seat in role.at(self.players)]
            return sum(seats) / len(seats) if role in moving else par[entry]

        found = dict.fromkeys(self.cast, 0.0)
        for entry, member in enumerate(zip(self.roles, self.strategies, strict=True)):
            found[member] += own(entry, member[0])
        return tuple(found.values())

    @cached_property
    def camps(self) -> dict[str, tuple[int, ...]]:
        """The seats of each camp, counted from 0; empty in a game whose seats are symmetric."""
        if not self.game.asymmetric:
            return {}
        sides = dict.fromkeys(role.side for role in self.game.roles)
        return {side: tuple(seat for seat, role in enumerate(self.roles) if role.side == side) for side in sides}

    @property
    def searches(self) -> bool:
        """Whether any strategy at the table looks ahead, so that a game takes long."""
        return bool(self.lineup_record["bases"]["policy"].any())


def run_chunk(spec: Spec, first: int, games: int) -> np.ndarray[Any, Any]:
    """Play games `first` .. `first + games - 1` of a run, and return their rows; see `eq.run_chunk`.

    Raises KernelFault if a game breaks an invariant.
    """
    rows = np.zeros(games * spec.players, spec.game.row_dtype)
    play_into(spec, np.arange(first, first + games), rows, Memory(spec.game))
    return rows


def rows_of(spec: Spec, games: range) -> np.ndarray[Any, Any]:
    """Return the rows of some games of a run, played in the memory of the calling thread; see `run_chunk`."""
    rows = np.zeros(len(games) * spec.players, spec.game.row_dtype)
    play_into(spec, np.arange(games.start, games.stop), rows, own_memory(spec.game))
    return rows


def play_into(
    spec: Spec,
    games: NDArray[np.int64],
    rows: np.ndarray[Any, Any],
    memory: Memory,
    facts: np.ndarray[Any, Any] | None = None,
    notes: list[NDArray[np.int32]] | None = None,
) -> None:
    """Play the games with some indices, with the memory of one thread; see `run_chunk`.

    rows: Array to fill with one row for each game and seat.
    facts: Array to fill with one record of the game's `facts_dtype` for each game.  If None, they are not stored.
    notes: List to which arrays of notes are added, shape (notes, `simcore.kernel.trace.NOTE`); games are counted from
        the first of this call.  If None, they are not stored.
    Raises KernelFault if a game breaks an invariant.
    """
    game, state, trace = spec.game, memory.state, memory.trace
    facts = np.zeros(len(games), game.facts_dtype or np.int32) if facts is None else facts
    lineup, seed = memory.seated(spec.lineup_record, spec.players), np.uint64(spec.seed)
    done = 0
    while done < len(games):
        trace["noting"], trace["noted"] = notes is not None and bool(game.events), 0
        left = rows[done * spec.players :]
        with compiling(game.name):
            played = game.play_batch(spec.rules_record, lineup, state, left, facts[done:], trace, seed, games[done:])
        if notes is not None and trace["noted"]:
            taken = trace["notes"][: int(trace["noted"])].copy()
            taken[:, 0] += done
            notes.append(taken)
        done += played
        if done < len(games) and (state["fault"] or not played):
            raise KernelFault(fault_of(spec, memory, int(games[done])))
    spec.judged.check(rows, games, lambda index: seen_in(spec, index))


def fault_of(spec: Spec, memory: Memory, index: int) -> str:
    """Return a message on what a game broke, whose policy did it, and the command to replay it."""
    code = int(memory.state["fault"])
    what, _, advice = spec.game.meaning_of(code).partition("; ")
    culprit = spec.strategies[int(memory.culprit)] if code in OF_POLICIES else ""
    whose = f" ({shown(culprit)})" if culprit else ""
    return f"{spec.game.name}: {what}{whose} {seen_in(spec, index, advice)}"


def seen_in(spec: Spec, index: int, advice: str = "") -> str:
    """Return which game it was, perhaps what to do about it, and the command to replay it, for messages."""
    return "; ".join(
        filter(None, (f"in game {index} of seed {spec.seed}", advice, f"see it with: {command(spec, index)}"))
    )


def command(spec: Spec, index: int) -> str:
    """Return the command that replays a game of a run, with strategies and rules as they were given."""
    changed = "".join(f" --set {shlex.quote(setting)}" for setting in spec.rules.settings)
    strategies = ",".join(spec.references or spec.strategies)
    return (
        f"equipoise replay --game {shlex.quote(spec.game.reference)} --players {spec.players} "
        f"--strategies {shlex.quote(strategies)} "
        f"--rules {shlex.quote(spec.rules_reference or spec.rules.name)}{changed} --design {spec.design} "
        f"--seed {spec.seed} --index {index}"
    )
