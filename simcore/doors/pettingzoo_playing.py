"""How an environment of PettingZoo is made and played: agents that move, earn and leave are seats."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache, partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from simcore.doors.common import DoorTable
from simcore.plain.game import PlainGame
from simcore.plain.playing import Fault, short
from simcore.plain.streams import Streams
from simcore.roles import MOST_PLAYERS

WRAPPERS = frozenset({"OrderEnforcingWrapper", "AssertOutOfBoundsWrapper", "TerminateIllegalWrapper"})
"""Wrappers of PettingZoo that check calls, and change nothing as long as all moves are legal."""

PARALLEL = (
    "its agents all move at the same time (a parallel environment); name the form in which one moves after the other "
    "(AEC), which PettingZoo's modules call env, or make it with pettingzoo.utils.parallel_to_aec"
)

SEED = "environment"
"""Purpose of the seed of an environment."""

_PLAYING = threading.Lock()
"""Environments may share generators, such as NumPy's, so one game is played at a time."""


class ZooGame(PlainGame):
    """An environment of PettingZoo; `opened` makes a class of its own for each reference."""

    make: ClassVar[Callable[..., Any]]
    given: ClassVar[Mapping[str, Any]]
    seats_key: ClassVar[str]
    usual: ClassVar[Mapping[str, Any]]
    anew: ClassVar[bool] = False  # whether each game needs an environment of its own


@dataclass(frozen=True)
class Environment:
    """An environment that can be played."""

    env: Any  # the environment
    agents: Mapping[Any, int]  # seats by agent
    spaces: Sequence[tuple[int, int]]  # by seat: the first number of a move, and how many there are


@lru_cache(maxsize=16)
def make_environment(make: Callable[..., Any], values: tuple[tuple[str, Any], ...]) -> Environment:
    """Return an environment; raise `Fault` if it is of a kind that cannot be played."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = make(**dict(values))
        while type(env).__name__ in WRAPPERS and type(env).__module__.startswith("pettingzoo."):
            env = env.env
        if not hasattr(env, "last"):
            raise Fault(PARALLEL if hasattr(env, "step") else f"made {short(env)}, which is no environment")
        agents = list(getattr(env, "possible_agents", None) or ())
        if not agents:
            raise Fault("it does not say who may take part: possible_agents is missing or empty")
        if len(agents) < 2:
            raise Fault("it is played alone")
        if len(agents) > MOST_PLAYERS:
            raise Fault(f"it has {len(agents)} seats, and a table has at most {MOST_PLAYERS}")
        spaces = [_numbers(env.action_space(agent), agent) for agent in agents]
    return Environment(env, {agent: seat for seat, agent in enumerate(agents)}, spaces)


def _numbers(space: Any, agent: Any) -> tuple[int, int]:
    """Return the first number of a move of an agent, and how many there are."""
    count, first = getattr(space, "n", None), getattr(space, "start", 0)
    if not isinstance(count, Integral) or not isinstance(first, Integral) or getattr(space, "shape", None):
        kind = type(space).__name__
        raise Fault(f"the moves of {short(agent)} are of type {kind}; only numbered moves (Discrete) can be chosen")
    return int(first), int(count)


class ZooTable(DoorTable):
    """Where the games of a job are played; see `simcore.plain.playing.Table`."""

    kind: type[ZooGame]

    def play(self, streams: Streams) -> list[int]:
        """Play a game, and return its words: see `simcore.plain.playing.Played`."""
        self.begin(streams)
        made = make_environment.__wrapped__ if self.kind.anew else make_environment
        with _PLAYING:
            returns, moves = self._played(made(self.kind.make, self._parameters(vars(self.rules))))
        return self.ended(returns, moves)

    def _parameters(self, rules: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        """Return the parameters that are given, or differ from what is usual."""
        usual = self.kind.usual
        own = {key: value for key, value in rules.items() if key != "wins" and usual.get(key) != value}
        seats = {self.kind.seats_key: self.seats} if self.seats != usual.get(self.kind.seats_key, self.seats) else {}
        return tuple({**self.kind.given, **own, **seats}.items())

    def _played(self, made: Environment) -> tuple[list[float], int]:
        """Play the game, and return what each seat earned, and the number of moves."""
        env, agents = made.env, made.agents
        if len(agents) != self.seats:
            raise Fault(
                f"under these rules it has {len(agents)} seats instead of {self.seats}; name such a parameter "
                "in the game's parameters"
            )
        env.reset(seed=self.streams.of(SEED).getrandbits(31))
        returns, moves, steps, present = [0.0] * self.seats, 0, 0, set(env.agents)
        while env.agents:
            if steps == self.kind.most_moves:
                raise Fault(f"the game did not end within {steps:,} moves")
            steps += 1
            agent = env.agent_selection
            if agent not in agents:
                raise Fault(f"{short(agent)} takes part, whom possible_agents does not name")
            observation, reward, terminated, truncated, info = env.last()
            seat = agents[agent]
            returns[seat] += _number(reward, agent)
            if terminated or truncated:
                env.step(None)
                present.discard(agent)
            else:
                env.step(self._move(made, agent, observation, info))
                moves += 1
        if present:
            raise Fault(f"it ended without a last turn of {short(present.pop())}, so a reward may be lost")
        return returns, moves

    def _move(self, made: Environment, agent: Any, observation: Any, info: Any) -> int:
        """Return what an agent chooses, and keep it for a replay."""
        seat = made.agents[agent]
        legal = _legal(made.spaces[seat], observation, info)
        if not legal:
            raise Fault(f"the mask of {short(agent)} allows no move")
        move: int = self.chosen(seat, legal, partial(deepcopy, observation))
        if self.job.recorded:
            others = [other for other in range(self.seats) if other != seat]  # PettingZoo does not say who sees a move
            self.record(seat, move, f"{move} ({agent})", others)
        return move


def _number(reward: Any, agent: Any) -> float:
    try:
        return float(reward)
    except (TypeError, ValueError):
        raise Fault(f"the reward of {short(agent)} is {short(reward)}, which is no number") from None


def _legal(space: tuple[int, int], observation: Any, info: Any) -> Sequence[int]:
    """Return the moves that the mask of an observation or of an info allows; all if there is none."""
    first, count = space
    for place in (observation, info):
        mask = place.get("action_mask") if isinstance(place, Mapping) else None
        if mask is not None:
            if len(mask) != count:
                raise Fault(f"a mask has {len(mask)} entries for {count} moves")
            return [first + number for number in np.flatnonzero(mask).tolist()]
    return range(first, first + count)
