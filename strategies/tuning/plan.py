"""A tuning: what is tuned, against whom, and under which rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.metadata import version
from statistics import fmean
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.game import Game
from simcore.homes import home
from simcore.kernel.cache import code_of
from simcore.judged import Judged, judged_by
from simcore.roles import ALIKE, Role
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import Lever, whole_values
from strategies.custom import MAX_WEIGHT
from strategies.levers import Followed
from strategies.model import Strategy
from strategies.tuning.opponents import SELF

TRAINED, FRESH = 16, 8
"""How many rule sets in the ranges of levers candidates play, and how many the final scores are from."""


@dataclass(frozen=True)
class Named:
    """What the user named, as the user wrote it."""

    against: str
    rules: str
    start: str


@dataclass(frozen=True)
class Plan:
    """A tuning."""

    game: Game  # the game
    rules: Rules  # resolved rules
    players: tuple[int, ...]  # player counts to be strong at, all with the same weight
    start: Strategy  # strategy whose weights are tuned; its policy, temperature and blunder rate stay the same
    opponents: tuple[Strategy, ...]  # who may take the other seats of its role; drawn again for every generation
    self_play: bool  # whether the best player found so far and its predecessors are among them
    seed: int  # random seed
    sigma: float  # standard deviation of the first generation, in steps (see `strategies.tuning.steps`)
    population: int  # number of candidates in a generation
    games: int  # number of games that a candidate plays in a generation
    named: Named  # the references from which the plan was made
    role: Role = ALIKE[0]  # the role that is tuned
    held: Mapping[str, tuple[Strategy, ...]] = field(default_factory=dict)
    """For each other role, who may play it, one strategy in all its seats; drawn again if there are several."""
    levers: tuple[Lever, ...] = ()
    """Values of the rules that the player is to know: it is tuned for all their ranges at once, and its weights may
    follow them."""
    only: tuple[str, ...] = ()
    """Which weights move, as names or patterns of `fnmatch` such as "place_*"; all others stay.  If empty, all move."""

    def judged(self, players: int) -> Judged:
        """Return what a table of some number of players is judged by."""
        return judged_by(self.game, self.rules.values, players)

    def par(self, players: int) -> float:
        """Return the share of what is judged that a seat of the role is meant to have, at a table of some players."""
        shares = self.judged(players).par
        return fmean(shares[seat] for seat in self.role.at(players))

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Everything that can have a weight: features, or what a policy in Python declares."""
        return tuple(self.start.index)

    @cached_property
    def rule_sets(self) -> tuple[Rules, ...]:
        """The rules, then the rule sets in the levers' ranges that candidates play, then those of the final scores."""
        rng = np.random.default_rng([self.seed, len(self.levers)])
        drawn = [draw for some in (TRAINED, FRESH) if self.levers for draw in self._drawn(rng, some)]
        return (self.rules, *drawn)

    @property
    def trained(self) -> range:
        """Which rule sets candidates play."""
        return range(1, TRAINED + 1) if self.levers else range(1)

    @property
    def fresh(self) -> range:
        """Which rule sets the final scores are from: drawn apart; where ranges have few values, some are the same."""
        return range(TRAINED + 1, TRAINED + FRESH + 1) if self.levers else range(1)

    def _drawn(self, rng: np.random.Generator, number: int) -> Iterator[Rules]:
        """Yield rule sets in which each lever takes values from one end of its range to the other, in random order."""
        columns = [
            lever.low + lever.step * rng.permutation(np.rint(np.linspace(0, lever.width, number)).astype(int))
            for lever in self.levers
        ]
        for values in zip(*columns, strict=True):
            settings = [f"{lever.key}={lever.text(int(at))}" for lever, at in zip(self.levers, values, strict=True)]
            try:
                made = load_rules(self.game, self.rules, settings)
                for players in self.players:
                    self.game.pack(made.values, players)
            except UsageError as error:
                told = f"the ranges allow {', '.join(settings)}, and the rules do not: {error.message}"
                raise UsageError(f"{told}; choose narrower ranges", "free") from None
            yield made

    @cached_property
    def weights(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Weights of the start; see `weights_of`."""
        return self.weights_of(self.start)

    def weights_of(self, strategy: Strategy) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return a strategy's weights at the first of the player counts.

        By feature; then, for each lever, how much each weight rises in half of the lever's range.
        """
        players = self.players[0]
        known = {one.lever.key: one.slopes_at(players) for one in strategy.levers}
        parts = [(1.0, strategy.weights_at(players))]
        parts += [(_half(lever), known.get(lever.key, {})) for lever in self.levers]
        return np.array([scale * weights.get(name, 0.0) for scale, weights in parts for name in self.features])

    def under(self, weights: np.ndarray[Any, Any], rules: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return what weights, of shape (candidates, all), are by feature under one of the rule sets."""
        parts = weights.reshape(len(weights), -1, len(self.features))
        values = whole_values(self.game, self.rule_sets[rules], self.levers)
        away = [1.0, *((at - lever.value) / _half(lever) for at, lever in zip(values, self.levers, strict=True))]
        return np.asarray(np.einsum("cpf,p->cf", parts, np.array(away)))

    def strategy(self, name: str, weights: np.ndarray[Any, Any]) -> Strategy:
        """Return the start with other weights, rounded to three digits, and with another name."""
        own, *slopes = weights.reshape(-1, len(self.features))
        levers = tuple(
            Followed(lever, self._kept(clipped(some / _half(lever)), 2 * _half(lever)))
            for lever, some in zip(self.levers, slopes, strict=True)
        )
        role = self.role.name if self.game.asymmetric else self.start.role
        return replace(
            self.start, name=name, weights=self._kept(own), by_players={}, provenance={}, role=role, levers=levers
        )

    def _kept(self, weights: np.ndarray[Any, Any], matters: float = 1.0) -> dict[str, float]:
        """Return weights by feature, rounded if they may move; without those that, times `matters`, count as zero."""
        rounded = {
            feature: float(f"{weight:.3g}" if moves(feature, self.only) else weight)
            for feature, weight in zip(self.features, weights, strict=True)
        }
        return {feature: weight for feature, weight in rounded.items() if round(weight * matters * 1024)}

    def describe(self) -> dict[str, Any]:
        """Return everything that determines the course of the tuning, as plain values, except for the budget."""
        held = {role: [strategy.digest for strategy in some] for role, some in self.held.items()}
        return {
            "game": self.game.name,
            **({"role": self.role.name, "held": held} if self.game.asymmetric else {}),
            "rules": self.rules.digest,
            "players": list(self.players),
            "start": self.start.digest,
            "against": [strategy.digest for strategy in self.opponents] + [SELF] * self.self_play,
            "seed": self.seed,
            "sigma": self.sigma,
            "population": self.population,
            "games": self.games,
            **({"levers": [str(lever) for lever in self.levers]} if self.levers else {}),
            **({"only": list(self.only)} if self.only else {}),
            "features": len(self.features),
            "cma": version("cma"),
            "code": code_of(home(self.game.name).package),
        }


def default_population(features: int) -> int:
    """Return a number of candidates that suits many weights and noisy scores: twice the usual number, and even."""
    return 2 * (4 + int(3 * math.log(max(features, 1))))


def moves(feature: str, only: Sequence[str]) -> bool:
    """Return whether the weight of a feature may move; `only` as for `Plan`."""
    return not only or any(fnmatchcase(feature, pattern) for pattern in only)


def _half(lever: Lever) -> float:
    """Return half of a lever's range."""
    return (lever.high - lever.low) / 2


def clipped(weights: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return weights clipped to the range that a strategy file may hold."""
    return np.asarray(np.clip(weights, -MAX_WEIGHT, MAX_WEIGHT))
