"""The checks that every game has to pass, for `equipoise test-game` and for pytest.

A check is a function of a game's name, and of a number of players if it has to hold at every table; it raises
`equipoise.conformance.checks.Broken` with the reason.  A game's own test suite can run the same functions:
`pytest --pyargs equipoise.conformance -p equipoise.conformance.plugin --games NAME`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import signature
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """What came of one check."""

    title: str  # what it shows, in one line
    players: int  # the number of players; 0 if it is about the game as such
    reason: str  # why the game does not pass; empty if it does
    warnings: tuple[str, ...] = ()  # what should be looked at although the game passes


OF_KERNELS = {"check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden"}
"""Checks of what only a game of kernels has."""

NOT_OF_KERNELS = {"check_another_process_plays_the_same_games"}
"""Checks of what only a game in plain Python has."""


def all_checks() -> list[Callable[..., None]]:
    """Return all checks, in the order in which they run; a game that never ends fails before it is played for long."""
    from equipoise.conformance import checks

    first = checks.check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden
    every = [check for name, check in vars(checks).items() if name[:6] == "check_"]
    own = [check for check in every if check.__module__.startswith(__name__)]
    return sorted(own, key=lambda check: check is not first)


def tables_of(check: Callable[..., None], game: str) -> list[tuple[Any, ...]]:
    """Return the arguments with which a check has to be called for a game."""
    from simcore.game import load_game

    found = load_game(game)
    if check.__name__ in (NOT_OF_KERNELS if found.compiled else OF_KERNELS):
        return []
    by_table = "players" in signature(check).parameters
    return [(game, players) for players in found.players] if by_table else [(game,)]


def check_game(game: str) -> Iterator[Outcome]:
    """Run the checks for one game, and yield what came of each.

    game: Name of the game.
    """
    from equipoise.conformance.checks import Broken
    from simcore.errors import KernelFault, NotCompiled, UsageError

    for check in all_checks():
        for arguments in tables_of(check, game):
            reason = ""
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always", UserWarning)
                try:
                    check(*arguments)
                except NotCompiled:
                    raise
                except (Broken, KernelFault, UsageError) as error:
                    reason = str(error)
                except Exception as error:  # of the game's own code
                    reason = f"{type(error).__name__}: {error}"
            title = (check.__doc__ or check.__name__).splitlines()[0].rstrip(".")
            said = tuple(str(one.message) for one in warned if one.category is UserWarning)
            yield Outcome(title, arguments[1] if len(arguments) > 1 else 0, reason, said)


def example_of(game: str) -> tuple[str, list[tuple[int, str, int, Any]]]:
    """Play one game; return the command that shows it, and the seat, strategy, place and score of each player.

    The score is None in a game without one.
    """
    from equipoise.conformance.checks import spec_of
    from simcore.game import load_game
    from simcore.running.batch import command, run_chunk
    from simcore.running.columns import columns

    found = load_game(game)
    spec = spec_of(game, found.default_players)
    rows = run_chunk(spec, 0, 1)
    score = next((column for column in columns(found, "full") if column.name == found.score), None)
    seats = [
        (
            seat + 1,
            spec.strategies[int(row["strategy"])],
            int(row["place"]),
            None if score is None else int(row[score.field]) / score.divisor,
        )
        for seat, row in enumerate(rows)
    ]
    return command(spec, 0), seats
