"""Which role is tuned, what it starts from, and who plays against it, as the user named them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from simcore.errors import UsageError, nearest
from simcore.game import Game
from simcore.roles import Role
from simcore.toml_tables import shown
from strategies.kit import load_kit
from strategies.seating import by_role, give_roles

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
    against: What the user named; see `strategies.tuning.request.make_plan`.
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
