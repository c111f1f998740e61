"""Who plays in restricted play, and what is forbidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from equipoise.api.casting import refuse_both
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.judged import Role
from simcore.rules.files import Rules, Settings, load_rules
from strategies.kit import EXPERTS
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.restrictions import Restriction, find_restrictions, restrictions_of
from strategies.skill import players_of
from strategies.spec import check_role, give_roles


def restrictions(game: str = GAMES[0], rules: str | Path | Rules = "base", settings: Settings = None) -> list[str]:
    """Return the names of everything that a strategy can be forbidden under some rules; see `eq.restrict`.

    References
    ----------
    * docs/restrict.md

    Examples
    --------
    >>> import equipoise as eq
    >>> "scout" in eq.restrictions()
    True
    """
    return list(restrictions_of(game, load_rules(load_game(game), rules, settings).values))


def seated(
    game: Game, strategy: str | Path | None, against: Sequence[str | Path], skill: str | None = None
) -> tuple[Strategy, Role, Mapping[str, Strategy]]:
    """Return the strategy that is restricted, its role, and the strategy that plays each role."""
    refuse_both(skill, against, "does 'against'")
    if strategy is None and game.asymmetric:
        roles = " or ".join(f"{role}=NAME" for role in game.role_names)
        raise UsageError(f"{game.title} has several roles; write {roles}", "strategy")
    usual = players_of(game.name, EXPERTS if skill is None else skill)
    by_role = give_roles(game, [strategy or usual[game.role_names[0]]], "strategy")
    role = next(role for role in game.roles if role.name in by_role)
    player = load_strategy(game, by_role[role.name][0], "strategy")
    others = give_roles(game, against, "against")
    for name, some in others.items():
        if len(some) > 1:
            raise UsageError(f"{len(some)} given for the role '{name}'; give one", "against")
    table = {one: load_strategy(game, name) for one, name in usual.items()}
    if skill is None:
        table[role.name] = player
    table |= {name: load_strategy(game, some[0], "against") for name, some in others.items()}
    check_role(player, role.name, "strategy")
    for name, one in table.items():
        check_role(one, name, "against")
    return player, role, table


def forbidden(game: str, rules: Rules, names: Sequence[str] | None) -> list[Restriction]:
    """Return what is forbidden; if nothing is named, everything that can be forbidden."""
    wanted = list(restrictions_of(game, rules.values) if names is None else names)
    for name in wanted:
        if wanted.count(name) > 1:
            raise UsageError(f"'{name[:80]}' is given twice; name each one once", "forbid")
    return find_restrictions(game, rules.values, wanted, "" if names is None else "forbid")
