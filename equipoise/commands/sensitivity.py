"""`equipoise sensitivity`: which verdicts depend on what the rulebook leaves open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.experiments import Output, carry_out
from equipoise.limits import check_threads
from equipoise.options import (
    CountsOption,
    FormatOption,
    GameOption,
    JsonOption,
    Language,
    LanguageOption,
    LevelOption,
    LongOption,
    OpenOption,
    QuietOption,
    RulesOption,
    SeedOption,
    SetOption,
    StrategiesOption,
    ThreadsOption,
    counts_of,
    split,
)
from equipoise.output.numbers import whole
from simcore.errors import UsageError
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise sensitivity",
    "equipoise sensitivity --players 2,4 --strategies greedy",
    "equipoise sensitivity --only shortfall,tiles --shuffles 10",
)


def sensitivity(
    context: typer.Context,
    game: GameOption = GAMES[0],
    players: CountsOption = None,
    strategies: StrategiesOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            help="Switches and tables to try, separated by commas.",
            show_default="all switches and all assumed tables",
        ),
    ] = None,
    shuffles: Annotated[int, typer.Option("--shuffles", metavar="N", help="How often each table is shuffled.")] = 3,
    games: Annotated[str, typer.Option("--games", help="Games of each variant.")] = "2e4",
    seed: SeedOption = "1",
    margin: Annotated[str, typer.Option("--margin", help="Distance from par that counts as fair.")] = "12%",
    level: LevelOption = 0.95,
    threads: ThreadsOption = None,
    yes: LongOption = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-sensitivity-NUMBER"
        ),
    ] = None,
    format_: FormatOption = "html,json,parquet",
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier analysis.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Change each switch and each assumed table of the rules, one at a time, and say which verdicts depend on it."""
    from equipoise.api.questioning import sensitivity as question
    from equipoise.output.questioned import show
    from simcore.game import load_game

    check_threads(threads)
    if not 1 <= shuffles <= 100:
        raise UsageError(f"{shuffles} is out of range; give a whole number from 1 to 100", "shuffles")
    carry_out(
        "sensitivity",
        load_game(game).name,
        Output(out, format_, lang.value, open_, force, quiet, json_),
        lambda: question(
            game,
            counts_of(players),
            split(strategies),
            rules,
            set_,
            split(only),
            shuffles,
            whole(games, "games"),
            whole(seed, "seed", 0, 2**64 - 1),
            margin,
            level,
            threads,
            yes,
            progress=not (quiet or json_),
            command=context.obj or ("sensitivity",),
        ),
        lambda found, paths: show(found.results[0], found.rules, paths),
    )
