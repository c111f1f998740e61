"""The request for a tuning, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import find_levers
from simcore.rules.settings import Settings
from simcore.running.batch import MAX_SEED
from simcore.running.warm import compiling_aside
from simcore.toml_tables import shown
from strategies.kit import load_kit
from strategies.library import Code, load_strategy
from strategies.model import Strategy
from strategies.seating import check_role
from strategies.tuning.opponents import SELF, find_opponents, find_role, find_start, written
from strategies.tuning.plan import Named, Plan, default_population, moves

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
    found = load_game(game)
    counts = tuple(dict.fromkeys(players or (found.default_players,)))
    for count in counts:
        if count not in found.players:
            raise UsageError(f"{found.title} is for {found.span}, not {count}", "players")
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"{seed} is out of range; give a whole number from 0 to 2**64 - 1", "seed")
    if not 0 < sigma <= MAX_SIGMA:
        raise UsageError(f"{sigma:g} is out of range; give more than 0 and at most {MAX_SIGMA:g}", "sigma")
    kit = load_kit(game)
    _check(games, "games", GAMES_RANGE)
    tuned = find_role(found, role)
    origin_name = find_start(found, tuned, start)
    code = Code.TRUSTED if trust else Code.NAMED
    origin = load_strategy(found, origin_name, "start_from", code)
    check_role(origin, tuned.name, "start_from")
    if not origin.index:
        able = [*(f"a strategy with policy {name}" for name in sorted(kit.weighing)), "a policy in Python with weights"]
        what = f"'{origin.name}' plays '{shown(origin.policy)}', which reads no weights"
        raise UsageError(f"{what}; name {' or '.join(able)}", "start_from")
    resolved = load_rules(found, rules, settings)
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
        game=found,
        rules=resolved,
        players=counts,
        start=origin,
        opponents=seated.pop(tuned.name),
        self_play=SELF in named[tuned.name],
        seed=seed,
        sigma=sigma,
        population=chosen,
        games=games,
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
