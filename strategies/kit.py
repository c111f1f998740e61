"""What a game offers to strategies: its built-in policies and the features that weights go with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.homes import home
from simcore.jit import Policy

if TYPE_CHECKING:
    from strategies.restrictions import Restriction


@dataclass(frozen=True)
class Feature:
    """One number that a weighing policy knows about a move.

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
        The same policies with temperature and blunders; the plain ones ignore both and lose no time over them.
    features
        Features in the order of the weights in a line-up's member.
    weighing
        Names of the policies that read weights.
    default
        Shipped strategy that plays where the user names none: one for all roles, or one by role.
    records
        The record dtypes that every policy of the game takes: rules, line-up, state.
    restrictions
        Function of the resolved rules: what players may be forbidden.
    restrained
        The wrapper that keeps a policy to what it is forbidden; see `strategies.restrictions`.
    searching
        Names of the policies that look ahead with a base policy.
    roles
        By policy, the one role that it can play; a policy that is not named can play all roles.
    """

    policies: Mapping[str, Policy]
    noisy: Mapping[str, Policy]
    features: tuple[Feature, ...]
    weighing: frozenset[str]
    default: str | Mapping[str, str]
    records: tuple[np.dtype[Any], ...]
    restrictions: Callable[[Any], Iterable[Restriction]] | None = None
    restrained: Policy | None = None
    searching: frozenset[str] = frozenset()
    roles: Mapping[str, str] = field(default_factory=dict)

    def default_of(self, role: str) -> str:
        """Return the strategy that plays a role where the user names none."""
        return self.default if isinstance(self.default, str) else self.default[role]

    @property
    def index(self) -> Mapping[str, int]:
        """Position of every feature's weight."""
        return index_of(self.features)


def index_of(features: Sequence[Feature]) -> Mapping[str, int]:
    """Number the features by name."""
    return MappingProxyType({feature.name: number for number, feature in enumerate(features)})


def load_kit(game: str) -> Kit:
    """Return the kit of a game."""
    kit: Kit = import_module(home(game).kit).KIT
    return kit
