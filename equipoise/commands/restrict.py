"""`equipoise restrict`: measure what a strong player loses if one thing at a time is forbidden."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.completion import strategy_names
from equipoise.examples import examples
from equipoise.experiments import DEFAULT_FORMATS, Output, carry_out
from equipoise.options import (
    ClusterOption,
    FormatOption,
    GameOption,
    JsonOption,
    Language,
    LanguageOption,
    LevelOption,
    OpenOption,
    PlayersOption,
    QuietOption,
    RulesOption,
    SeedOption,
    SetOption,
    split,
)
from equipoise.output.numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise restrict",
    "equipoise restrict --forbid scout,robbery,foresight --games 1e6",
    "equipoise restrict --strategy mine.toml --against greedy --players 3",
    "equipoise restrict --list",
)


def restrict(
    context: typer.Context,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            help="The strategy to restrict: a shipped name, a .toml file or module:attribute; or role=strategy.",
            show_default="the game's strongest",
            autocompletion=strategy_names,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="The strategy of all other seats; or role=strategy, separated by commas.",
            show_default="the same",
            autocompletion=strategy_names,
        ),
    ] = None,
    forbid: Annotated[
        str | None,
        typer.Option("--forbid", help="What to forbid, one thing at a time, separated by commas.", show_default="all"),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List what can be forbidden, and play nothing.")] = False,
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    games: Annotated[
        str, typer.Option("--games", help="Games without a restriction; as many are played with each restriction.")
    ] = "1e5",
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    cluster: ClusterOption = None,
    level: LevelOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-restrict-NUMBER"),
    ] = None,
    format_: FormatOption = DEFAULT_FORMATS,
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier command.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Forbid a strategy one thing at a time, and measure what it loses."""
    from equipoise.api.restriction import restrict as play
    from equipoise.api.restriction import restrictions
    from equipoise.output.costs import show

    if list_:
        for name in restrictions(game, rules, set_):
            typer.echo(name)
        return
    carry_out(
        "restrict",
        game,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: play(
            game,
            strategy=strategy,
            against=split(against),
            forbid=None if forbid is None else split(forbid),
            players=players,
            games=whole(games, "games"),
            rules=rules,
            settings=set_,
            seed=whole(seed, "seed", 0, 2**64 - 1),
            level=level,
            progress=not (quiet or json_),
            command=context.obj or ("restrict",),
        ),
        lambda found, paths: show(found.results[0], paths),
    )
