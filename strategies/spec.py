"""Make the specification of a run from what a user asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from simcore.errors import UsageError, nearest, shown
from simcore.game import GAMES, Game, load_game
from simcore.judged import Role
from simcore.kernel.lineup import DESIGNS, seat_groups
from simcore.kernel.records import blank
from simcore.rules.files import Rules, Settings, load_rules
from simcore.running.batch import MAX_GAMES, MAX_SEED, Spec
from simcore.running.warm import compiling_aside
from strategies.kit import load_kit
from strategies.library import Code, load_strategy, strategy_from_dict
from strategies.model import Strategy
from strategies.restrictions import check_restrictions, obey

# --- Seat strategies at a table: one for all seats, one for each seat, or by role ---


Named = Sequence[str | Path] | Mapping[str, Sequence[str | Path]]
"""References to strategies: one for all seats, one for each seat, or by role one for all its seats or for each."""

Players = Sequence[Strategy] | Mapping[str, Sequence[Strategy]]
"""The same with the strategies themselves."""


def by_role(game: Game, references: Sequence[str | Path], option: str = "strategies") -> Named:
    """Return references as they are, or by role if they were written as role=reference.

    option: Where it was written, for messages.
    Raises UsageError if only some of them name a role, or there is no such role.
    """
    parts = [str(reference).partition("=") for reference in references]
    roles = [name for name, sign, _ in parts if sign]
    known = set(game.role_names)
    if not roles or not (game.asymmetric or known.intersection(roles)):
        return list(references)
    found: dict[str, list[str | Path]] = {}
    for (name, sign, reference), written in zip(parts, references, strict=True):
        if not sign:
            raise UsageError(f"'{shown(str(written))}' has no role; write {_example(game)}", option)
        if name.strip() not in known:
            raise UsageError(f"{game.title} has no role '{shown(name)}'{nearest(name, known)}", option)
        found.setdefault(name.strip(), []).append(reference.strip())
    return found


def give_roles(game: Game, references: Sequence[str | Path], option: str = "strategies") -> dict[str, list[str | Path]]:
    """Return references by role: as written, "role=reference", or else by the only role that a strategy can play.

    references: What the user named, in order; in a game with one role, all are of that role.
    option: Where it was written, for messages.
    Raises UsageError if there is no such role, or a strategy can play every role and none is named.
    """
    found: dict[str, list[str | Path]] = {}
    for reference in references:
        named = by_role(game, [reference], option)
        if isinstance(named, Mapping):
            for role, some in named.items():
                found.setdefault(role, []).extend(some)
            continue
        able = load_strategy(game, reference, option).role if game.asymmetric else game.role_names[0]
        if not able:
            roles = " or ".join(f"{role}={shown(str(reference))}" for role in game.role_names)
            raise UsageError(f"'{shown(str(reference))}' can play every role; write {roles}", option)
        found.setdefault(able, []).append(reference)
    return found


def check_role(strategy: Strategy, role: str, option: str) -> None:
    """Raise `UsageError` if a strategy plays another role."""
    if strategy.role not in ("", role):
        raise UsageError(f"'{strategy.name}' plays the role '{strategy.role}', not '{role}'", option)


def seat_strategies(game: Game, strategies: Players, players: int, option: str = "strategies") -> tuple[Strategy, ...]:
    """Return one strategy for each seat.

    strategies: One for all seats, one for each seat, or by the name of a role one for all its seats or one for each.
    option: Where the user wrote them, for messages.
    Raises UsageError if the numbers do not match, a role is missing, a strategy plays another role or another game, or
        two different strategies share a name.
    """
    if isinstance(strategies, Mapping):
        seated = _seat_roles(game, strategies, players, option)
    else:
        if len(strategies) not in (1, players):
            hint = f", or by role: {_example(game)}" if game.asymmetric else ""
            raise UsageError(
                f"{len(strategies)} given for {players} players; give one for all, or one for each seat{hint}", option
            )
        seated = tuple(strategies) * (players // len(strategies))
    for seat, strategy in enumerate(seated):
        if strategy.game != game.name:
            raise UsageError(f"'{strategy.name}' plays {strategy.game}, not {game.name}", option)
        role = game.role_at(seat, players)
        if strategy.role not in ("", role.name):
            raise UsageError(
                f"'{strategy.name}' plays the role '{strategy.role}' and cannot sit in seat {seat + 1}, "
                f"which belongs to '{role.name}'; write {_example(game)}",
                option,
            )
    check_names(seated, option)
    return seated


def _seat_roles(
    game: Game, strategies: Mapping[str, Sequence[Strategy]], players: int, option: str
) -> tuple[Strategy, ...]:
    """Return one strategy for each seat, given those of each role."""
    for name in strategies:
        if name not in game.role_names:
            raise UsageError(f"{game.title} has no role '{shown(name)}'{nearest(name, game.role_names)}", option)
    seated: list[Strategy] = []
    for role in game.roles:
        given, seats = strategies.get(role.name, ()), len(role.at(players))
        if not given:
            raise UsageError(f"nobody plays the role '{role.name}'; write {_example(game)}", option)
        if len(given) not in (1, seats):
            raise UsageError(
                f"{len(given)} given for the {seats} seats of the role '{role.name}'; give one for all of "
                "them, or one for each seat",
                option,
            )
        seated += list(given) * (seats // len(given))
    return tuple(seated)


def _example(game: Game) -> str:
    """Return how to name a strategy for each role."""
    return ",".join(f"{role.name}=NAME" for role in game.roles)


def check_names(strategies: Iterable[Strategy], option: str = "strategies") -> None:
    """Raise `UsageError` if two strategies have the same name."""
    known: dict[str, str] = {}
    for strategy in strategies:
        if known.setdefault(strategy.name, strategy.digest) != strategy.digest:
            raise UsageError(f"two different strategies are called '{strategy.name}'; rename one", option)


def mixed_roles(game: Game, seated: Sequence[Strategy]) -> list[Role]:
    """Return the roles that are played by more than one strategy."""
    players = len(seated)
    return [role for role in game.roles if len({seated[seat].name for seat in role.at(players)}) > 1]


def lineup(game: Game, strategies: Players, players: int, design: str) -> np.record:
    """Return the line-up of a run, and compile what is not compiled yet; see `lineup_later`."""
    return lineup_later(game, strategies, players, design)()


def lineup_later(game: Game, strategies: Players, players: int, design: str) -> Callable[[], np.record]:
    """Return a function that compiles what is not compiled yet, and returns the line-up of a run.

    strategies: As in `seat_strategies`; entry k sits in seat k + 1 of the first game.
    design: "rotate", "fixed" or "shuffle".  Players change seats within their role, if more than one strategy plays it.
    Returns Callable: A function that returns a record of the game's `lineup_dtype`.  It raises `UsageError` if a user's
        policy does not compile.
    Raises UsageError as for `seat_strategies`.
    """
    if design not in DESIGNS:
        raise UsageError(f"no design '{shown(design)}'{nearest(design, DESIGNS)}", "design")
    seated = seat_strategies(game, strategies, players)
    record = blank(game.lineup_dtype)
    record["design"] = DESIGNS[design]
    moving = mixed_roles(game, seated) or game.roles
    seat_groups(record, [role.at(players) for role in moving])
    for seat, strategy in enumerate(seated):
        strategy.fill_numbers(record, seat, players)

    def compiled() -> np.record:
        for seat, strategy in enumerate(seated):
            strategy.fill_addresses(record, seat)
        return record

    return compiled


# --- Make the specification of a run from what a user asks for ---


References = str | Path | Sequence[str | Path] | Mapping[str, str | Path | Sequence[str | Path]]
"""Strategies as a user gives them: one for all seats, one for each seat, or by role."""

DEFAULT_GAMES = 1_000_000
DEFAULT_SEED = 1
DEFAULT_DESIGN = "rotate"


def make_spec(
    game: str = GAMES[0],
    players: int | None = None,
    strategies: References = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    design: str = DEFAULT_DESIGN,
    games: float = DEFAULT_GAMES,
    trust: bool = False,
) -> Spec:
    """Return the specification of a run.

    Parameters
    ----------
    game
        Name of the game, for instance "middle-ages".
    players
        Number of players at the table; if None, the game's usual number.
    strategies
        One for all seats, one for each seat, or by role, as a mapping or as "role=strategy"; see
        `strategies.library.load_strategy`.  If empty, the game's defaults.
    rules, settings
        See `simcore.rules.files.load_rules`.
    seed
        Random seed, from 0 to 2**64 - 1.
    design
        How players change seats from game to game: "rotate", "fixed" or "shuffle".
    games
        Number of games, from 1 to 2**32 - 1; a whole number, also written as 1e6.
    trust
        Whether to run Python code that a strategy's file names as its base; code named in `strategies` always runs.

    Raises
    ------
    UsageError
        If one of these cannot be used; the message says which, and why.

    References
    ----------
    * docs/reference/eq.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> run.players, run.games
    (2, 400)
    """
    return draft_spec(game, players, strategies, rules, settings, seed, design, games, trust).ready()


def draft_spec(
    game: str,
    players: int | None,
    strategies: References,
    rules: str | Path | Rules,
    settings: Settings,
    seed: int,
    design: str,
    games: float,
    trust: bool,
) -> Spec:
    """Return the same as `make_spec`, but compile its players only when it is played."""
    found = load_game(game)
    resolved = load_rules(found, rules, settings)
    chosen = load_players(found, strategies, Code.TRUSTED if trust else Code.NAMED)
    named = rules.name if isinstance(rules, Rules) else str(rules)
    return _draft(found, players, chosen, resolved, seed, design, whole_games(games), named)


def whole_games(games: float) -> int:
    """Return a number of games as an integer; raise `UsageError` if it is not whole (1e6 is), or too large."""
    if games != games // 1:  # so is NaN
        raise UsageError(f"{games} is not a whole number", "games")
    if not 1 <= games <= MAX_GAMES:
        raise UsageError(f"{games:g} is out of range; give a whole number from 1 to {MAX_GAMES:,}", "games")
    return int(games)


def load_players(
    game: Game,
    strategies: References,
    code: Code = Code.NAMED,
) -> Players:
    """Return the strategies that references refer to: for all seats, for each seat, or by role; see `make_spec`."""
    if not strategies:
        kit = load_kit(game.name)
        return {role.name: [load_strategy(game, kit.default_of(role.name))] for role in game.roles}
    named = strategies if isinstance(strategies, Mapping) else by_role(game, _listed(strategies))
    if isinstance(named, Mapping):
        return {
            role: [load_strategy(game, name, code=code) for name in _listed(names)] for role, names in named.items()
        }
    return [load_strategy(game, name, code=code) for name in named]


def beside_defaults(game: Game, reference: str | Path) -> dict[str, list[str | Path]]:
    """Seat a strategy in every role that it can play, or "role=one,role=other"; the game's defaults in the others."""
    kit, named = load_kit(game.name), by_role(game, str(reference).split(","))
    if isinstance(named, Mapping):
        return {name: list(named.get(name, [kit.default_of(name)])) for name in game.role_names}
    role = load_strategy(game, reference).role
    return {name: [reference if role in ("", name) else kit.default_of(name)] for name in game.role_names}


def _listed(names: str | Path | Sequence[str | Path]) -> list[str | Path]:
    return [names] if isinstance(names, str | Path) else list(names)


def seats_of(game: Game, players: int | None) -> int:
    """Return a number of players at the table, the game's usual one for None; raise `UsageError` if it is another."""
    seats = game.default_players if players is None else players
    if seats not in game.players:
        raise UsageError(f"{game.title} is for {game.span}, not {seats}", "players")
    return seats


def one_among(
    game: Game, players: int, role: Role, one: Strategy, others: Mapping[str, Strategy], seats: int = 1
) -> dict[str, list[Strategy]]:
    """Return a line-up with one strategy in the first seats of a role, and the strategy of each role in all others."""
    line = {each.name: [others[each.name]] * len(each.at(players)) for each in game.roles}
    line[role.name][:seats] = [one] * seats
    return line


def assemble_spec(
    game: Game, players: int | None, strategies: Players, rules: Rules, seed: int, design: str, games: int
) -> Spec:
    """Return the specification of a run, given its loaded strategies and rules; see `make_spec`."""
    return _draft(game, players, strategies, rules, seed, design, games).ready()


def under_rules(spec: Spec, rules: Rules) -> Spec:
    """Return a run by the same players on the same deals under other rules, which levers and restrictions follow."""
    found = replace(spec, rules=rules, rules_record=spec.game.pack(rules.values, spec.players))
    following = [entry for entry, table in enumerate(spec.strategy_tables) if _follows(table)]
    if not following:
        return found
    record = spec.lineup_record.copy()
    for entry in following:
        table = spec.strategy_tables[entry]
        if table.get("source_sha256") is None:
            strategy = strategy_from_dict(spec.game, table)
        else:
            strategy = load_strategy(spec.game, spec.references[entry], code=Code.TRUSTED)  # it is loaded already
        strategy.under(rules).fill(record, entry, spec.players)
        obey(record, entry, strategy, rules.values)
    return replace(found, lineup_record=record)


def _follows(table: Mapping[str, Any]) -> bool:
    """Return whether the table of a strategy has restrictions, or it or one that it imagines has levers."""
    imagined = [one for one in (table.get("search") or {}).values() if isinstance(one, Mapping)]
    return bool(table.get("forbids")) or any(one.get("levers") for one in (table, *imagined))


def _draft(
    game: Game,
    players: int | None,
    strategies: Players,
    rules: Rules,
    seed: int,
    design: str,
    games: int,
    rules_reference: str = "",
) -> Spec:
    seats = seats_of(game, players)
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"{seed} is out of range; give a whole number from 0 to 2**64 - 1", "seed")
    if not 1 <= games <= MAX_GAMES:
        raise UsageError(f"{games} is out of range; give a whole number from 1 to {MAX_GAMES:,}", "games")
    if design not in DESIGNS:
        raise UsageError(f"no design '{design}'{nearest(design, DESIGNS)}", "design")
    seated = seat_strategies(game, strategies, seats)
    effective = design if mixed_roles(game, seated) else "fixed"
    for strategy in seated:
        check_restrictions(strategy, rules.values)
    addressed = lineup_later(game, [strategy.under(rules) for strategy in seated], seats, effective)

    def compiled() -> np.record:
        with compiling_aside(game.name):
            record = addressed()
            for seat, strategy in enumerate(seated):
                obey(record, seat, strategy, rules.values)
        return record

    return Spec(
        game=game,
        players=seats,
        rules=rules,
        strategies=tuple(strategy.name for strategy in seated),
        design=effective,
        seed=seed,
        games=games,
        rules_record=game.pack(rules.values, seats),
        lineup_record=compiled,
        strategy_tables=tuple(strategy.to_dict() for strategy in seated),
        references=tuple(strategy.reference or strategy.name for strategy in seated),
        rules_reference=rules_reference,
    )
