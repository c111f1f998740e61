"""`equipoise tournament`: strategies play each other: which are strong, which beat which, and the equilibrium mix."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from equipoise.completion import strategy_names
from equipoise.examples import examples
from equipoise.experiments import DEFAULT_FORMATS, Output, carry_out
from equipoise.options import (
    ClusterOption,
    CountsOption,
    FormatOption,
    GameOption,
    JsonOption,
    Language,
    LanguageOption,
    LevelOption,
    OpenOption,
    QuietOption,
    RulesOption,
    SeedOption,
    SetOption,
    counts_of,
    split,
)
from equipoise.output.numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise tournament",
    "equipoise tournament --strategies planner,warlord,mine.toml --players 3,4",
    "equipoise tournament --strategies planner,warlord,scout --tables all --games 1e7 --out runs/cup",
)


class Tables(StrEnum):
    """The line-ups that are played."""

    auto = "auto"
    all = "all"
    one_vs_rest = "one-vs-rest"


def tournament(
    context: typer.Context,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            help="Two or more strategies, or role=strategy, separated by commas; each is a shipped name, a .toml file "
            "or module:attribute.",
            show_default="all quick strategies of the game",
            autocompletion=strategy_names,
        ),
    ] = None,
    game: GameOption = GAMES[0],
    players: CountsOption = None,
    games: Annotated[str, typer.Option("--games", help="Games for each number of players, over all tables.")] = "1e6",
    tables: Annotated[
        Tables,
        typer.Option(
            "--tables",
            help="Line-ups to play: all combinations, one against the rest, or what the number of games allows.",
        ),
    ] = Tables.auto,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    cluster: ClusterOption = None,
    level: LevelOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-tournament-NUMBER"
        ),
    ] = None,
    format_: FormatOption = DEFAULT_FORMATS,
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier tournament.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Let strategies play each other: rank them, show the matchups, and find an equilibrium mix."""
    from equipoise.api.tournament import tournament as play
    from equipoise.output.standings import show

    carry_out(
        "tournament",
        game,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: play(
            game,
            strategies=split(strategies),
            players=counts_of(players),
            games=whole(games, "games"),
            tables=tables.value,
            rules=rules,
            settings=set_,
            seed=whole(seed, "seed", 0, 2**64 - 1),
            level=level,
            progress=not (quiet or json_),
            command=context.obj or ("tournament",),
        ),
        lambda found, paths: show(found.results, paths),
    )
