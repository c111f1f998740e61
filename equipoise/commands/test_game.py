"""`equipoise test-game`: run the checks that every game has to pass for an installed game."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import opened
from simcore.errors import UsageError, printable
from simcore.homes import known_games

EXAMPLES = examples(
    "equipoise test-game medievallons",
    "equipoise test-game my-game",
    "equipoise test-game my-game --against ./mygame.py",
)


def test_game(
    game: Annotated[
        str, typer.Argument(metavar="NAME", help="The game, or its file.", autocompletion=known_games, callback=opened)
    ],
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Another form of the same game, such as its file, that has to give the same results.",
            autocompletion=known_games,
            callback=opened,
        ),
    ] = None,
) -> int:
    """Run the checks that every game has to pass.

    The checks play the game at every number of players, with all its strategies. The exit code is 1 if one of them
    fails.
    """
    from equipoise.conformance import check_game, example_of
    from equipoise.conformance.twins import compare_forms

    for name in filter(None, (game, against)):
        _find(name)
    passed = failed = 0
    for outcome in chain(check_game(game), compare_forms(game, against) if against else ()):
        passed, failed = passed + (not outcome.reason), failed + bool(outcome.reason)
        for warning in outcome.warnings:
            typer.echo(f"WARNING {printable(warning)}")
        if outcome.reason:
            where = f" ({outcome.players} players)" if outcome.players else ""
            typer.echo(f"FAILED {outcome.title}{where}\n  {printable(outcome.reason)}")
    if failed:
        typer.echo(f"{failed} failed, {passed} passed")
        return 1
    command, seats = example_of(game)
    typer.echo(f"{passed} passed")
    typer.echo(f"See for yourself once that the right player wins: {command}")
    for seat, strategy, place, score in seats:
        points = "" if score is None else f", score {score:g}"
        typer.echo(f"  seat {seat} ({printable(strategy)}): place {place}{points}")
    return 0


def _find(game: str) -> None:
    """Raise `UsageError` unless there is such a game."""
    from simcore.game import load_game

    try:
        load_game(game)
    except UsageError as error:
        hint = "" if game in known_games() else "; install the package of the game first, with: pip install FOLDER"
        raise UsageError(f"{error.message}{hint}") from None
