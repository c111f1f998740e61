"""`equipoise lab`: turn the values of the rules in the browser, and watch the seats move."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from equipoise.command import command
from equipoise.options import OpenOption
from equipoise.output.pages import has_desktop
from equipoise.parameters import GameName, Lang, Players, RuleChanges, RuleSet, Seed, Skill, Threads, Typed
from simcore.homes import GAMES


@command(
    "equipoise lab",
    "equipoise lab --game medievallons --players 3",
    "equipoise lab --rules mine.toml --set starting_coins.2=9",
    "equipoise lab --port 9000 --no-open",
)
def lab(
    game: GameName = GAMES[0],
    players: Players = None,
    skill: Skill = None,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
    seed: Seed = 1,
    threads: Threads = None,
    lang: Lang = "en",
    port: Annotated[int | None, Typed("Port on this machine.  If None, a free one.", span=(1024, 65535))] = None,
    open_: OpenOption = None,
) -> None:
    """Turn the values of the rules in the browser, and watch the seats move."""
    from equipoise.lab.serving import listen, serve
    from equipoise.lab.session import Session
    from strategies.kit import EXPERTS

    def tell(address: str) -> None:
        typer.echo(f"The lab is open at {address}\nCtrl-C closes it.")

    with (
        listen(port) as listener,
        closing(Session(game, str(rules), players, skill or EXPERTS, settings or (), seed, threads, lang)) as session,
    ):
        serve(session, listener, has_desktop() if open_ is None else open_, tell)
