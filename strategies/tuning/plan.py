"""A tuning: what is tuned, against whom, and under which rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from simcore.errors import UsageError, nearest, shown
from simcore.game import Game, load_game
from simcore.homes import home
from simcore.judged import ALIKE, Judged, Role, judged_by
from simcore.kernel.cache import code_of
from simcore.rules.files import Rules, Settings, load_rules
from simcore.rules.levers import Lever, find_levers, whole_values
from simcore.running.batch import MAX_SEED
from simcore.running.warm import compiling_aside
from strategies.custom import MAX_WEIGHT
from strategies.kit import load_kit
from strategies.levers import Followed
from strategies.library import Code, load_strategy
from strategies.model import Numbered, Strategy
from strategies.spec import by_role, check_role, give_roles, seats_of

# --- Which role is tuned, what it starts from, and who plays against it, as the user named them ---


SELF = "self"
"""As an opponent: the best player found so far and its predecessors."""

Reference = str | Path
Against = Sequence[Reference] | Mapping[str, Sequence[Reference]]


def find_role(game: Game, name: str | None) -> Role:
    """Return the role to tune; a game with several roles needs its name.

    Raises UsageError if there is no such role, or no name is given although the game has several.
    """
    if name is None:
        if game.asymmetric:
            raise UsageError(f"{game.title} has several roles; name one: {', '.join(game.role_names)}", "role")
        return game.roles[0]
    for role in game.roles:
        if role.name == name:
            return role
    raise UsageError(f"{game.title} has no role '{shown(name)}'{nearest(name, game.role_names)}", "role")


def find_start(game: Game, role: Role, start: Reference | None) -> Reference:
    """Return the reference of the strategy that a tuning of a role starts from; if None, the role's default."""
    named = by_role(game, [start], "start_from") if start is not None else None
    if isinstance(named, Mapping):
        if role.name not in named:
            raise UsageError(f"names no strategy for the role that is tuned; write {role.name}=NAME", "start_from")
        return named[role.name][-1]
    return start or load_kit(game.name).default_of(role.name)


def find_opponents(
    game: Game, role: Role, against: Against, players: Sequence[int]
) -> dict[str, tuple[Reference, ...]]:
    """Return references of opponents by role, with `SELF` for self-play among those of the role that is tuned.

    game: The game.
    role: The role that is tuned.
    against: What the user named; see `strategies.tuning.plan.make_plan`.
    players: Player counts.
    Raises UsageError if a name is not that of a role, or a strategy is named that cannot play it.
    """
    alone = all(len(role.at(count)) == 1 for count in players)
    given: Mapping[str, Sequence[Reference]]
    if isinstance(against, Mapping):
        given = against
    else:
        given = give_roles(game, [f"{role.name}={SELF}" if one == SELF else one for one in against], "against")
    for name, some in given.items():
        if name not in game.role_names:
            raise UsageError(f"{game.title} has no role '{shown(name)}'{nearest(name, game.role_names)}", "against")
        if name != role.name and SELF in some:
            raise UsageError(f"'{SELF}' is the role that is tuned, '{role.name}'; name who plays '{name}'", "against")
    if alone and any(one != SELF for one in given.get(role.name, ())):
        raise UsageError(f"nobody else plays the role '{role.name}'; name those who play the other roles", "against")
    found: dict[str, tuple[Reference, ...]] = {}
    for other in game.roles:
        usual: tuple[Reference, ...] = (load_kit(game.name).default_of(other.name),)
        if other is role:
            usual = () if alone else (SELF,)
        found[other.name] = usual if other is role and alone else tuple(given.get(other.name, usual))
    return found


def written(game: Game, named: Mapping[str, Sequence[Reference]]) -> str:
    """Return opponents as they are written in the option."""
    if not game.asymmetric:
        return ",".join(str(one) for some in named.values() for one in some)
    return ",".join(f"{role}={one}" for role, some in named.items() for one in some)


# --- What is tuned, against whom, and under which rules ---


TRAINED, FRESH = 16, 8
"""How many rule sets in the ranges of levers candidates play, and how many the final scores are from."""


@dataclass(frozen=True)
class Named:
    """What the user named, as the user wrote it."""

    against: str
    rules: str
    start: str


@dataclass(frozen=True)
class Search:
    """A search for a player, which tunes weights or learns a value."""

    game: Game  # the game
    rules: Rules  # resolved rules
    players: tuple[int, ...]  # numbers of players at which the player is to be strong
    seed: int  # random seed
    games: int  # of each candidate in a generation; or of each of the three kinds of tables in the first round

    def describe(self) -> dict[str, Any]:
        """Return what determines the course of the search, as plain values, except for the budget."""
        return {"rules": self.rules.digest, "players": list(self.players), "seed": self.seed, "games": self.games}


def requested(
    game: str, players: Sequence[int], rules: str | Path | Rules, settings: Settings, seed: int, games: int, span: range
) -> dict[str, Any]:
    """Return the fields of a search; raise `UsageError` if one cannot be used, such as games outside their span."""
    found = load_game(game)
    counts = tuple(dict.fromkeys(seats_of(found, count) for count in players)) or (found.default_players,)
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"{seed} is out of range; give a whole number from 0 to 2**64 - 1", "seed")
    _check(games, "games", span)
    resolved = load_rules(found, rules, settings)
    return {"game": found, "rules": resolved, "players": counts, "seed": seed, "games": games}


@dataclass(frozen=True)
class Plan(Search):
    """A tuning, at all numbers of players with the same weight."""

    start: Strategy  # strategy whose weights are tuned; its policy, temperature and blunder rate stay the same
    opponents: tuple[Strategy, ...]  # who may take the other seats of its role; drawn again for every generation
    self_play: bool  # whether the best player found so far and its predecessors are among them
    sigma: float  # standard deviation of the first generation, in steps (see `strategies.tuning.search`)
    population: int  # number of candidates in a generation
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
        """Return what determines the course of the tuning."""
        held = {role: [strategy.digest for strategy in some] for role, some in self.held.items()}
        return {
            "game": self.game.name,
            **({"role": self.role.name, "held": held} if self.game.asymmetric else {}),
            **super().describe(),
            "start": self.start.digest,
            "against": [strategy.digest for strategy in self.opponents] + [SELF] * self.self_play,
            "sigma": self.sigma,
            "population": self.population,
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


# --- The request for a tuning, checked ---


SIGMA = 0.5
GAMES = 1920
MAX_SIGMA = 10.0
POPULATION = range(4, 1025)
GAMES_RANGE = range(60, 1_000_001)


def make_plan(
    game: str,
    players: Sequence[int] = (),
    against: Sequence[str | Path] | Mapping[str, Sequence[str | Path]] = (SELF,),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    start: str | Path | None = None,
    seed: int = 1,
    sigma: float = SIGMA,
    population: int | None = None,
    games: int = GAMES,
    role: str | None = None,
    trust: bool = False,
    free: Sequence[str] = (),
    declared: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Plan:
    """Return a tuning.

    game: Name of the game, for instance "middle-ages".
    players: Player counts; if none is given, the game's usual one.
    against: Opponents, as for `strategies.library.load_strategy`; `SELF` for self-play.  In a game with several roles,
        by role, as a mapping or written "role=strategy": others in the role that is tuned, and who plays the other
        roles; the game's defaults for roles that are not named.
    rules, settings: See `simcore.rules.files.load_rules`.
    start: Strategy whose weights are tuned; if None, the game's default.
    seed, sigma, population, games: See `Plan`.
    role: The role to tune; required in a game with several.
    trust: Whether to run Python code that the files of strategies name; code that is named itself always runs.
    free, declared: Values of the rules that the player is to know, and ranges that the game declares, as `wanted` and
        `declared` of `simcore.rules.levers.find_levers`.
    only: See `Plan`.
    Raises UsageError if one of these cannot be used; the message says which, and why.
    """
    asked = requested(game, players, rules, settings, seed, games, GAMES_RANGE)
    found, counts, resolved = asked["game"], asked["players"], asked["rules"]
    if not 0 < sigma <= MAX_SIGMA:
        raise UsageError(f"{sigma:g} is out of range; give more than 0 and at most {MAX_SIGMA:g}", "sigma")
    kit = load_kit(game)
    tuned = find_role(found, role)
    origin_name = find_start(found, tuned, start)
    code = Code.TRUSTED if trust else Code.NAMED
    origin = load_strategy(found, origin_name, "start_from", code)
    check_role(origin, tuned.name, "start_from")
    if not origin.index:
        if isinstance(kit.policies.get(origin.policy), Numbered):
            ahead = "give it a stronger player instead (equipoise docs bring-your-game)"
            raise UsageError(f"its players have no weights that could be tuned; {ahead}", "game")
        able = [*(f"a strategy with policy {name}" for name in sorted(kit.weighing)), "a policy in Python with weights"]
        what = f"'{origin.name}' plays '{shown(origin.policy)}', which reads no weights"
        raise UsageError(f"{what}; name {' or '.join(able)}", "start_from")
    levers = find_levers(found, resolved, [max(counts)], free, declared) if free else ()
    if tuple(replace(one.lever, step=1) for one in origin.levers) != tuple(replace(one, step=1) for one in levers):
        origin = origin.under(resolved)
    _check_only(origin, counts, only)
    moving = sum(moves(name, only) for name in origin.index)
    chosen = default_population(moving * (1 + len(levers))) if population is None else population
    _check(chosen, "population", POPULATION)
    named = find_opponents(found, tuned, against, counts)
    for count in counts:
        found.pack(resolved.values, count)
    seated = {
        name: tuple(load_strategy(found, one, "against", code) for one in some if one != SELF)
        for name, some in named.items()
    }
    for other in found.roles:
        for strategy in seated[other.name]:
            check_role(strategy, other.name, "against")
    with compiling_aside(game):
        for strategy in (origin, *(one for some in seated.values() for one in some)):
            strategy.address  # noqa: B018 - compiles a user's policy, or says why it cannot be
    plan = Plan(
        **asked,
        start=origin,
        opponents=seated.pop(tuned.name),
        self_play=SELF in named[tuned.name],
        sigma=sigma,
        population=chosen,
        named=Named(written(found, named), str(rules), str(origin_name)),
        role=tuned,
        held=seated,
        levers=levers,
        only=tuple(only),
    )
    if levers:
        plan.rule_sets  # noqa: B018 - refuses values that the rules forbid together
    return plan


def _check_only(start: Strategy, counts: Sequence[int], only: Sequence[str]) -> None:
    """Raise `UsageError` unless every pattern names weights of the start, and the others can stay as they are."""
    for pattern in only:
        if not any(moves(name, [pattern]) for name in start.index):
            raise UsageError(f"{start.name} has no weight '{shown(pattern)}'{nearest(pattern, start.index)}", "only")
    if only and any(start.weights_at(count) != start.weights_at(counts[0]) for count in counts):
        raise UsageError(
            f"{start.name} has other weights at each number of players; tune one, with --by-players", "only"
        )


def _check(number: int, option: str, allowed: range) -> None:
    if number not in allowed:
        raise UsageError(f"{number} is out of range; give a whole number from {allowed[0]} to {allowed[-1]:,}", option)


# --- How long a tuning or a learning may last ---


MAX_GENERATIONS = 1_000_000
MAX_SECONDS = 30 * 86400.0
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BUDGET = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([smh]?)")


@dataclass(frozen=True)
class Budget:
    """When a tuning or a learning ends."""

    generations: int | None = None
    """Number of generations, or of rounds of self-play; None for as many as there is time for."""
    seconds: float | None = None  # how long it plays, including earlier sessions of the same one; None for no limit

    @classmethod
    def parse(cls, text: str, option: str = "budget") -> Budget:
        """Return the budget that is written as "90s", "10m", "1.5h" or a number of generations.

        Raises UsageError if it is none of these, zero, or out of range.
        """
        found = _BUDGET.fullmatch(text.strip())
        if not found or (not found[2] and "." in found[1]):
            raise UsageError(
                f"'{shown(text)}': write a time such as 90s, 10m or 2h, or a number of generations", option
            )
        amount = float(found[1]) * _UNITS.get(found[2], 1.0)
        most = MAX_SECONDS if found[2] else MAX_GENERATIONS
        if not 0 < amount <= most:
            limit = f"30 days ({most / 3600:.0f}h)" if found[2] else f"{most:,} generations"
            raise UsageError(f"{shown(text)} is out of range; give more than 0 and at most {limit}", option)
        return cls(seconds=amount) if found[2] else cls(generations=int(amount))

    def spent(self, generations: int, seconds: float) -> bool:
        """Return whether the budget is used up after this many generations and seconds."""
        if self.generations is not None:
            return generations >= self.generations
        return seconds >= (self.seconds or 0.0)
