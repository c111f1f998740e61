"""`eq.restrict`: what a strong player loses if one thing at a time is forbidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from analysis.restricted_play import restricted
from analysis.stats.intervals import check_level
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, following, keeping
from equipoise.api.tournament import tables_at
from equipoise.limits import check_seed
from reports.restricted import compose_restricted
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.roles import Role
from simcore.rules.files import Rules, load_rules
from simcore.rules.settings import Settings
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.restrictions import Restriction, find_restrictions, restrictions_of
from strategies.seating import check_role, give_roles
from strategies.spec import DEFAULT_SEED, whole_games

GAMES_EACH = 100_000


def restrict(
    game: str = GAMES[0],
    *,
    strategy: str | Path | None = None,
    against: str | Path | Sequence[str | Path] = (),
    forbid: Sequence[str] | None = None,
    players: int | None = None,
    games: float = GAMES_EACH,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Experiment:
    """Forbid a strategy one thing at a time, and measure what it loses.

    Parameters
    ----------
    game, players, rules, settings, seed
        As for `eq.simulate`.
    strategy
        The strategy to restrict, or "role=strategy".  If None, the game's default strategy.
    against
        The strategy of all other seats, or "role=strategy" for each role.  If empty, the same strategy.
    forbid
        What to forbid, one thing at a time; `eq.restrictions` lists the names.  If None, everything in that list.
    games
        Number of games without a restriction; as many are played with each restriction.
    level
        Confidence level of the intervals.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Returns
    -------
    Experiment
        Its only result is an `analysis.restricted_play.Restricted`.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.
    """
    check_level(level)
    check_seed(seed)
    found, count = load_game(game), whole_games(games)
    resolved = load_rules(found, rules, settings)
    seats = tables_at(found, players)[0]
    player, role, others = _seated(found, strategy, listed(against))
    turns = len(role.at(seats))
    if count < turns:
        raise UsageError(f"{count} games are fewer than one deal, which takes {turns}; give more", "games")
    forbidden = _forbidden(game, resolved, forbid)
    deals = count // turns
    with keeping(), following(progress, "games", deals * turns * (len(forbidden) + 1)) as tick:
        result = restricted(
            found, player, others, resolved, forbidden, seats, deals, seed, level, tick=tick, role=role.name
        )
    return Experiment("restrict", (result,), resolved, partial(compose_restricted, result, resolved), tuple(command))


def restrictions(game: str = GAMES[0], rules: str | Path | Rules = "base", settings: Settings = None) -> list[str]:
    """Return the names of everything that a strategy can be forbidden under some rules; see `eq.restrict`."""
    return list(restrictions_of(game, load_rules(load_game(game), rules, settings).values))


def _seated(
    game: Game, strategy: str | Path | None, against: Sequence[str | Path]
) -> tuple[Strategy, Role, Mapping[str, Strategy]]:
    """Return the strategy that is restricted, its role, and the strategy that plays each role."""
    if strategy is None and game.asymmetric:
        roles = " or ".join(f"{role}=NAME" for role in game.role_names)
        raise UsageError(f"{game.title} has several roles; write {roles}", "strategy")
    kit = load_kit(game.name)
    found = give_roles(game, [strategy or kit.default_of(game.role_names[0])], "strategy")
    role = next(role for role in game.roles if role.name in found)
    player = load_strategy(game, found[role.name][0], "strategy")
    others = give_roles(game, against, "against")
    for name, some in others.items():
        if len(some) > 1:
            raise UsageError(f"{len(some)} given for the role '{name}'; give one", "against")
    seated = {one: player if one == role.name else load_strategy(game, kit.default_of(one)) for one in game.role_names}
    seated |= {name: load_strategy(game, some[0], "against") for name, some in others.items()}
    check_role(player, role.name, "strategy")
    for name, one in seated.items():
        check_role(one, name, "against")
    return player, role, seated


def _forbidden(game: str, rules: Rules, names: Sequence[str] | None) -> list[Restriction]:
    """Return what is forbidden; if nothing is named, everything that can be forbidden."""
    wanted = list(restrictions_of(game, rules.values) if names is None else names)
    for name in wanted:
        if wanted.count(name) > 1:
            raise UsageError(f"'{name[:80]}' is given twice; name each one once", "forbid")
    return find_restrictions(game, rules.values, wanted, "forbid")
