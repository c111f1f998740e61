"""`equipoise playtest`: compare the results of real games with the simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.completion import strategy_names
from equipoise.examples import examples
from equipoise.experiments import Output, carry_out
from equipoise.limits import check_threads
from equipoise.options import (
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
    ThreadsOption,
    split,
)
from equipoise.output.numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise playtest --plan 30 --groups 3",
    "equipoise playtest games.csv",
    "equipoise playtest games.csv --game seigneurial --log evening.jsonl",
)


def playtest(
    context: typer.Context,
    results: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="CSV file with one row for each seat of each game."),
    ] = None,
    game: GameOption = GAMES[0],
    plan: Annotated[
        int | None,
        typer.Option("--plan", metavar="N", help="Instead of results: plan N games, and say what they could show."),
    ] = None,
    groups: Annotated[
        int, typer.Option("--groups", metavar="N", help="With --plan: number of groups of people who play.")
    ] = 1,
    players: Annotated[
        int | None,
        typer.Option("--players", help="With --plan: players at the table.", show_default="the game's usual number"),
    ] = None,
    log: Annotated[
        list[Path] | None,
        typer.Option("--log", metavar="FILE", help="Replay log of a further game; may be repeated."),
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            help="The levels of skill, weakest first, separated by '|'.",
            show_default="the game's ladder",
            autocompletion=strategy_names,
        ),
    ] = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    games: Annotated[str, typer.Option("--games", help="Simulated games of each level of skill.")] = "4e4",
    seed: SeedOption = "1",
    level: LevelOption = 0.95,
    threads: ThreadsOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-playtest-NUMBER"),
    ] = None,
    format_: FormatOption = "html,json,parquet",
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier analysis.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Compare the results of real games with the simulation, at each level of skill."""
    from equipoise.api.playtesting import playtest as compare
    from equipoise.output.playtested import show
    from simcore.game import load_game

    check_threads(threads)
    carry_out(
        "playtest",
        load_game(game).name,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: compare(
            results,
            game,
            log or (),
            plan,
            groups,
            players,
            [split(part) for part in strategies.split("|")] if strategies else (),
            rules,
            set_,
            whole(games, "games"),
            whole(seed, "seed", 0, 2**64 - 1),
            level,
            threads,
            progress=not (quiet or json_),
            command=context.obj or ("playtest",),
        ),
        lambda found, paths: show(found.results[0], found.rules, paths),
    )
