"""What a game offers to strategies: its built-in policies, and the features that they weigh."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from simcore.errors import UsageError, nearest
from simcore.game import Game, load_game
from simcore.homes import home
from simcore.kernel.lineup import WEIGHTS
from simcore.kernel.pointers import Policy

SKILLS = ("family", "club", "experts", "search")
"""Levels of skill, weakest first; see `strategies.skill`."""

EXPERTS = "experts"


@dataclass(frozen=True)
class Feature:
    """A number that a weighing policy computes for a move.

    Parameters
    ----------
    name
        Key in a strategy file's `[weights]`.
    meaning
        One line, with the unit.
    """

    name: str
    meaning: str


@dataclass(frozen=True)
class Kit:
    """A game's policies and features.

    Parameters
    ----------
    policies
        Built-in policies by name.
    noisy
        Policies that have another form for temperature and blunders; the plain form ignores both, and so loses no time
        on them.
    features
        Features, in the order of the weights in a line-up's member.
    weighing
        Names of the policies that read weights.
    default
        Shipped strategy that plays if the user names none: one for all roles, or one for each role.  It is the game's
        expert: the strongest that plays thousands of games a second.
    skills
        Shipped strategies at the other levels of skill ("family", "club" and "search", who look ahead), each as in
        `default`.  A level may be left out.
    quick
        Shipped strategies who look ahead in quick reports, each as in `default`; those of "search" if empty.
    searched
        Numbers of games that a report plays with the players who look ahead: a full report, and a quick one; 0 for
        none, if they are too slow.
    most
        Largest number of games that they play in a full report to say whether a seat that is not fair among experts is
        so among them; see `analysis.seats.looks`.
    records
        The dtypes of the records that every policy of the game takes: rules, line-up, state.
    restrictions
        Function of the resolved rules that returns what players may be forbidden; see `strategies.restrictions`.  By
        default, every move of every kind of decision, as far as there is room; see `strategies.restrictions`.
    restrained
        The wrapper that makes a policy obey what it is forbidden; see `strategies.restrictions`.
    searching
        Names of the policies that look ahead with a base policy.
    roles
        By policy, the only role that it can play; a policy that is not listed can play all roles.
    """

    policies: Mapping[str, Policy]
    default: str | Mapping[str, str]
    records: tuple[np.dtype[Any], ...]
    features: tuple[Feature, ...] = ()
    weighing: frozenset[str] = frozenset()
    noisy: Mapping[str, Policy] = field(default_factory=dict)
    restrictions: Callable[[Any], Iterable[Any]] | None = None
    restrained: Policy | None = None
    searching: frozenset[str] = frozenset()
    roles: Mapping[str, str] = field(default_factory=dict)
    skills: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    quick: str | Mapping[str, str] = ""
    searched: tuple[int, int] = (400, 200)
    most: int = 1_600

    def default_of(self, role: str) -> str:
        """Return the strategy that plays a role if the user names none."""
        return self.default if isinstance(self.default, str) else self.default[role]

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Position of every feature's weight."""
        return index_of(self.features)


def index_of(features: Sequence[Feature]) -> Mapping[str, int]:
    """Number the features by name."""
    return MappingProxyType({feature.name: number for number, feature in enumerate(features)})


def places_of(index: Mapping[str, int], names: str) -> list[np.int64]:
    """Return the positions of features whose names stand in a line, for kernels to read their weights by."""
    return [np.int64(index[name]) for name in names.split()]


def first_of(index: Mapping[str, int], names: Sequence[str]) -> np.int64:
    """Return the position of the first of some features; kernels count on the others to follow it."""
    places = [index[name] for name in names]
    if places != list(range(places[0], places[0] + len(names))):
        raise ValueError(f"the features {', '.join(names)} must follow each other")
    return np.int64(places[0])


def load_kit(game: str) -> Kit:
    """Return the kit of a game; it is checked the first time.

    Raises UsageError if the kit contradicts itself, the game or the line-up; see `check_kit`.
    """
    kit: Kit = home(game).kit()
    if not any(kit is one for one in _SOUND):
        check_kit(load_game(game), kit)
        _SOUND.append(kit)
    return kit


_SOUND: list[Kit] = []
"""Kits that have been checked."""


def check_kit(game: Game, kit: Kit) -> None:
    """Raise `UsageError` unless a kit is complete; the message says in one line what is wrong with it."""
    label = f"the kit of game '{game.name}'"
    if len(kit.features) > WEIGHTS:
        raise UsageError(f"{label}: features: {len(kit.features)} given; a line-up holds {WEIGHTS} weights")
    if twice := [
        feature.name for feature in kit.features if [one.name for one in kit.features].count(feature.name) > 1
    ]:
        raise UsageError(f"{label}: features: '{twice[0]}' is given twice; give every feature a name of its own")
    for part in ("noisy", "weighing", "searching", "roles"):
        for name in sorted(getattr(kit, part)):
            if name not in kit.policies:
                raise UsageError(f"{label}: {part}: no policy '{name}'{nearest(name, kit.policies)}")
    for policy, role in kit.roles.items():
        if role not in game.role_names:
            raise UsageError(f"{label}: roles: '{policy}': no role '{role}'{nearest(role, game.role_names)}")
    for skill in kit.skills:
        if skill == EXPERTS or skill not in SKILLS:
            near = nearest(skill, [name for name in SKILLS if name != EXPERTS])
            raise UsageError(f"{label}: skills: no skill '{skill}'{near}; 'default' names the experts")
    _check_players(game, kit.default, f"{label}: default")
    for skill, named in kit.skills.items():
        _check_players(game, named, f"{label}: skills: {skill}")


def _check_players(game: Game, named: str | Mapping[str, str], label: str) -> None:
    """Raise `UsageError` unless players are shipped: one for all roles, or one for every role."""
    by_role = named if isinstance(named, Mapping) else dict.fromkeys(game.role_names, named)
    for role in by_role:
        if role not in game.role_names:
            raise UsageError(f"{label}: no role '{role}'{nearest(role, game.role_names)}")
    shipped = home(game.name).configs / "strategies"
    for role in game.role_names:
        if role not in by_role:
            raise UsageError(f"{label}: no strategy for the role '{role}'")
        if not (shipped / f"{by_role[role]}.toml").is_file():
            raise UsageError(f"{label}: '{by_role[role]}' is not among the shipped strategies")
