"""`equipoise help`: all commands by heading, or the help of one command."""

from __future__ import annotations

from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.helptexts import ALL
from simcore.errors import UsageError, nearest

EXAMPLES = examples("equipoise help all", "equipoise help mend", "equipoise help rules keys")


def help_(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND", help="A command, or `all` to list all commands by heading.", show_default="all"
        ),
    ] = None,
) -> None:
    """List all commands by heading, or show the help of one command."""
    here = context.find_root()
    if words in (None, [], [ALL]):
        here.meta[ALL] = True
        words = []
    for word in words or []:
        commands = getattr(here.command, "commands", {})
        if word not in commands:
            raise UsageError(f"COMMAND: no command '{word[:40]}'{nearest(word, commands)}")
        here = commands[word].make_context(word, [], parent=here, resilient_parsing=True)
    typer.echo(here.get_help())
