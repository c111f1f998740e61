"""`equipoise test-game`: run the checks that every game has to pass for an installed game."""

from __future__ import annotations

from typing import Annotated

import typer

from equipoise.examples import examples
from simcore.errors import UsageError
from simcore.homes import known_games

EXAMPLES = examples("equipoise test-game medievallons", "equipoise test-game my-game")


def test_game(
    game: Annotated[str, typer.Argument(metavar="NAME", help="The game.", autocompletion=known_games)],
) -> int:
    """Run the checks that every game has to pass.

    The checks play the game at every number of players, with all its strategies. The exit code is 1 if one of them
    fails.
    """
    from equipoise.conformance import check_game
    from simcore.game import load_game

    try:
        load_game(game)
    except UsageError as error:
        hint = "" if game in known_games() else "; install the package of the game first, with: pip install FOLDER"
        raise UsageError(f"{error.message}{hint}") from None
    return 0 if check_game(game) else 1
