"""`equipoise lab`: turn the values of the rules in the browser, and watch the seats move."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from equipoise.options import (
    GameOption,
    Language,
    LanguageOption,
    OpenOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    SkillOption,
    ThreadsOption,
    examples,
)
from equipoise.output.pages import has_desktop
from equipoise.parameters import MAX_THREADS, whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise lab",
    "equipoise lab --game medievallons --players 3",
    "equipoise lab --rules mine.toml --set starting_coins.2=9",
    "equipoise lab --port 9000 --no-open",
)


def lab(
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    skill: SkillOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    threads: ThreadsOption = None,
    lang: LanguageOption = Language.en,
    port: Annotated[
        int | None, typer.Option("--port", min=1024, max=65535, help="Port on this machine.", show_default="a free one")
    ] = None,
    open_: OpenOption = None,
) -> None:
    """Turn the values of the rules in the browser, and watch the seats move."""
    from equipoise.lab.serving import listen, serve
    from equipoise.lab.session import Session
    from strategies.kit import EXPERTS

    if threads is not None:
        whole(str(threads), "threads", 1, MAX_THREADS)

    def tell(address: str) -> None:
        typer.echo(f"The lab is open at {address}\nCtrl-C closes it.")

    asked = whole(seed, "seed", 0, 2**64 - 1)
    with (
        listen(port) as listener,
        closing(Session(game, rules, players, skill or EXPERTS, set_ or (), asked, threads, lang.value)) as session,
    ):
        serve(session, listener, has_desktop() if open_ is None else open_, tell)
