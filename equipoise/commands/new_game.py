"""`equipoise new-game`: write the package of a new game, which can be played at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples

EXAMPLES = examples(
    "equipoise new-game harbour",
    "equipoise new-game nim --plain",
    "equipoise new-game harbour --players 3-5 --cards",
    "equipoise new-game siege-of-rhodes --players 3-5 --roles sultan,knight",
)


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game and of the folder to write.")],
    players: Annotated[
        str, typer.Option("--players", metavar="N-N", help="Numbers of players, from 2 to 8: one number, or a range.")
    ] = "2-4",
    roles: Annotated[
        str,
        typer.Option(
            "--roles",
            metavar="NAME,...",
            help="Names of different roles; each has one seat, and the last one has all other seats.",
        ),
    ] = "",
    cards: Annotated[bool, typer.Option("--cards", help="A deck, a market and hands instead of a board.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="A single file NAME.py in plain Python, which needs no installation.")
    ] = False,
) -> None:
    """Write the package of a new game into the folder NAME, or a game in plain Python into the file NAME.py.

    The game is small and complete: it can be installed, played and checked at once, and then turned into another game.
    """
    from equipoise.new_game import plan, write, write_plain

    wanted = plan(name, players, roles, cards, plain)
    if plain:
        path = write_plain(wanted)
        typer.echo(f"{path}\n\nPlay it with:  equipoise simulate --game ./{path}")
        typer.echo(f"Check it with: equipoise test-game ./{path}")
        return
    for path in write(wanted, Path(name)):
        typer.echo(path)
    typer.echo(f"\nInstall it with: pip install ./{name}")
    typer.echo(f"Check it with:   equipoise test-game {name}")
