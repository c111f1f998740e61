"""The checks that every game has to pass, for `equipoise test-game` and for pytest.

A check is a function of a game's name, and of a number of players if it has to hold at every table; it raises
`equipoise.conformance.checks.Broken` with the reason.  A game's own test suite can run the same functions:
`pytest --pyargs equipoise.conformance -p equipoise.conformance.plugin --games NAME`.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finding:
    """What a check has to say about a game."""

    level: str  # "failed", or "warning" if the game passes all the same
    contract: str  # what the game should do
    players: int  # the number of players; 0 if it is about the game as such
    reason: str  # what is wrong, in which game, what to do, and the command that shows it
    game: int | None  # index of the game that shows it
    seed: int | None
    file: str | None
    line: int | None  # where in the author's code, if that is known
    remedy: str | None
    command: str | None  # the command that shows the game


@dataclass(frozen=True)
class Outcome:
    """What came of one check."""

    title: str  # what it shows, in one line
    players: int  # the number of players; 0 if it is about the game as such
    reason: str  # why the game does not pass; empty if it does
    warnings: tuple[str, ...] = ()  # what should be looked at although the game passes

    def findings(self, game: str) -> list[Finding]:
        """Return the parts of what was said, which all messages of checks have in the same order."""
        said = [("failed", self.reason)] * bool(self.reason) + [("warning", one) for one in self.warnings]
        return [self._finding(game, level, reason) for level, reason in said]

    def _finding(self, game: str, level: str, reason: str) -> Finding:
        where = re.search(r"in game (\d+) of seed (\d+)", reason)
        said, _, shows = reason.partition("; see it with: ")
        return Finding(
            level=level,
            contract=self.title,
            players=self.players,
            reason=reason,
            game=int(where[1]) if where else None,
            seed=int(where[2]) if where else None,
            remedy=said.partition("; ")[2] or None,
            command=shows or None,
            **_place(game, reason),
        )


def _place(game: str, reason: str) -> dict[str, Any]:
    """Return the file and the line that a reason names, or those of the method that it begins with."""
    from simcore.game import load_game
    from simcore.plain.game import PlainGame

    kind = getattr(load_game(game).play_batch, "kind", None)
    words = re.sub(rf"^{re.escape(game)}: ", "", reason)
    method = getattr(kind, words.split()[0].rstrip(":,"), None)
    code = getattr(method, "__code__", None)
    if named := re.search(r"(?:([\w-]+\.\w+)?[,:] )line (\d+)", reason):
        file = named[1] or (kind and Path(inspect.getfile(kind)).name)
        return {"file": file, "line": int(named[2])}
    if code is not None and code.co_filename != inspect.getfile(PlainGame):
        return {"file": Path(code.co_filename).name, "line": code.co_firstlineno}
    return {"file": None, "line": None}


OF_KERNELS = {"check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden"}
"""Checks of what only a game of kernels has."""

NOT_OF_KERNELS = {"check_another_process_plays_the_same_games"}
"""Checks of what only a game in plain Python has."""

OF_CLASSES = {
    "check_a_game_is_played_to_its_end", "check_a_game_keeps_nothing_for_the_next", "check_every_seat_is_asked",
    "check_imagined_games_keep_what_a_seat_is_shown", "check_somebody_chooses_and_every_line_runs",
}  # fmt: skip
"""Checks of what only a class of the author's has."""

SHOWN = " of seed "
"""What a reason contains if a game shows it."""


def all_checks() -> list[Callable[..., None]]:
    """Return all checks, in the order in which they run; a game that never ends fails before it is played for long."""
    from equipoise.conformance import checks, declared

    first = (
        checks.check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden,
        declared.check_a_game_is_played_to_its_end,
        declared.check_a_game_keeps_nothing_for_the_next,
    )
    every = [one for room in (checks, declared) for name, one in vars(room).items() if name[:6] == "check_"]
    own = [check for check in every if check.__module__.startswith(__name__)]
    return sorted(own, key=lambda check: check not in first)


def tables_of(check: Callable[..., None], game: str) -> list[tuple[Any, ...]]:
    """Return the arguments with which a check has to be called for a game."""
    from equipoise.conformance.declared import plain_class
    from simcore.game import load_game

    found = load_game(game)
    if check.__name__ in (NOT_OF_KERNELS if found.compiled else OF_KERNELS):
        return []
    if check.__name__ in OF_CLASSES and plain_class(game) is None:
        return []
    by_table = "players" in inspect.signature(check).parameters
    return [(game, players) for players in found.players] if by_table else [(game,)]


def check_game(game: str, tick: Callable[[int, int], object] = lambda done, total: None) -> Iterator[Outcome]:
    """Run the checks for one game, and yield what came of each.

    A check that fails at one table is not run at others.  If a game shows why, those that play games are not run any
    more: they would all say the same.

    tick: Called with the number of checks that are done, and of all.
    """
    todo = [(check, arguments) for check in all_checks() for arguments in tables_of(check, game)]
    failed: set[Callable[..., None]] = set()
    for number, (check, arguments) in enumerate(todo):
        tick(number, len(todo))
        if check in failed:
            continue
        outcome = _outcome(check, arguments)
        yield outcome
        if outcome.reason:
            failed.add(check)
            if SHOWN in outcome.reason:
                return


def _outcome(check: Callable[..., None], arguments: tuple[Any, ...]) -> Outcome:
    from equipoise.conformance.checks import Broken
    from simcore.errors import KernelFault, NotCompiled, UsageError

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
    return Outcome(title, arguments[1] if len(arguments) > 1 else 0, reason, said)


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
