"""Seat strategies at a table: one for all seats, one for each seat, or by role."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from simcore.errors import UsageError, nearest
from simcore.game import Game
from simcore.kernel.lineup import DESIGNS, seat_groups
from simcore.kernel.records import blank
from simcore.roles import Role
from simcore.toml_tables import shown
from strategies.library import load_strategy
from strategies.model import Strategy

Named = Sequence[str | Path] | Mapping[str, Sequence[str | Path]]
"""References to strategies: one for all seats, one for each seat, or by role one for all its seats or for each."""

Players = Sequence[Strategy] | Mapping[str, Sequence[Strategy]]
"""The same with the strategies themselves."""


def by_role(game: Game, references: Sequence[str | Path], option: str = "strategies") -> Named:
    """Return references as they are, or by role if they were written as role=reference.

    game: The game.
    references: What the user named, in order.
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

    game: The game.
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

    game: The game.
    strategies: One for all seats, one for each seat, or by the name of a role one for all its seats or one for each.
    players: Players at the table.
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

    game: The game.
    strategies: As in `seat_strategies`; entry k sits in seat k + 1 of the first game.
    players: Players at the table.
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
