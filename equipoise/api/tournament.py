"""Who plays in a tournament or in restricted play, and the playing and judging of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from analysis.tournament.playing import Scores, make_schedule, play
from analysis.tournament.result import Tournament, judge
from equipoise.output.progress import PARTS, following
from equipoise.questions.asked import Asked, climbed, listed, refuse_both
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.judged import Role
from simcore.rules.files import Rules, Settings, load_rules
from simcore.running.warm import compiling_aside
from strategies.kit import EXPERTS
from strategies.library import load_strategy, quick_strategies
from strategies.model import Strategy
from strategies.restrictions import Restriction, find_restrictions, restrictions_of
from strategies.skill import players_of
from strategies.spec import check_names, check_role, give_roles

MOST_STRATEGIES = 100


def enter(game: Game, strategies: Sequence[str | Path], skill: str | None = None) -> list[list[Strategy]]:
    """Return the strategies that play, by role: those that are named, and the game's players up to a skill.

    If neither is given, these are all quick strategies that come with the game.

    Raises UsageError if there are fewer than two strategies, or too many, one is named twice, or a role has none.
    """
    ladder = climbed(game, skill) if skill else ()
    names = list(dict.fromkeys(f"{role}={name}" for rung in ladder for role, name in rung.items())) + listed(strategies)
    if names:
        given = give_roles(game, names)
        found = {role: [load_strategy(game, name) for name in given.get(role, ())] for role in game.role_names}
    else:
        quick = [load_strategy(game, name) for name in quick_strategies(game)]
        found = {role: [one for one in quick if one.role in ("", role)] for role in game.role_names}
    everybody = [one for some in found.values() for one in some]
    check_names(everybody)
    for role, some in found.items():
        seen: set[str] = set()
        for one in some:
            check_role(one, role, "strategies")
            if one.name in seen:
                raise UsageError(f"'{one.name}' is given twice; name each one once", "strategies")
            seen.add(one.name)
    for role, some in found.items():
        if not some:
            raise UsageError(f"nobody plays the role '{role}'; write {role}=NAME", "strategies")
    if max(len(some) for some in found.values()) < 2:
        told = "every role has one strategy" if game.asymmetric else f"'{everybody[0].name}' has nobody to play"
        raise UsageError(f"{told}; name two or more{' for one of them' if game.asymmetric else ''}", "strategies")
    if len(everybody) > MOST_STRATEGIES:
        raise UsageError(f"{len(everybody)} given; the maximum is {MOST_STRATEGIES}", "strategies")
    return list(found.values())


def play_tables(it: Asked, entered: Sequence[Sequence[Strategy]], design: str) -> list[Scores]:
    """Play all tables; progress counts the games of all numbers of players."""
    sizes = [len(some) for some in entered]
    schedules = [
        make_schedule(sizes, [len(role.at(number)) for role in it.game.roles], it.games, design)
        for number in it.players
    ]
    everybody = [one for some in entered for one in some]
    with compiling_aside(it.game.name):
        for strategy in everybody:
            strategy.address  # noqa: B018  compiles it
    scores: list[Scores] = []
    with it.playing(sum(schedule.games for schedule in schedules)) as tick:
        done = 0
        for schedule in schedules:
            scores.append(play(it.game, everybody, it.rules, schedule, it.seed, it.threads, tick.after(done)))
            done += schedule.games
    return scores


def judge_tables(it: Asked, scores: Sequence[Scores]) -> list[Tournament]:
    """Analyse the outcomes at each number of players."""
    with following(it.progress, "parts of the analysis", PARTS * len(scores)) as tick:
        return [
            judge(one, it.level, tick=lambda share, at=number: tick(int((at + share) * PARTS)))  # type: ignore[misc]
            for number, one in enumerate(scores)
        ]


# --- Who plays in restricted play, and what is forbidden ---


def restrictions(game: str = GAMES[0], rules: str | Path | Rules = "base", settings: Settings = None) -> list[str]:
    """Return the names of everything that a strategy can be forbidden under some rules; see `eq.restrict`.

    References
    ----------
    * docs/reference/restrict.md

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
