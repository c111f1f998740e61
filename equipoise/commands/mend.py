"""`equipoise mend`: the smallest changes of the rules that mend a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.experiments import Output, carry_out
from equipoise.limits import check_threads
from equipoise.options import (
    ClusterOption,
    FormatOption,
    GameOption,
    JsonOption,
    Language,
    LanguageOption,
    LevelOption,
    LongOption,
    OpenOption,
    PlayersOption,
    QuietOption,
    RulesOption,
    SeedOption,
    SetOption,
    StrategiesOption,
    ThreadsOption,
    refuse_beside_habit,
    split,
)
from equipoise.output.numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise mend",
    "equipoise mend --free starting_coins=0..40 --keep lead_changes --out mended",
    "equipoise mend --free 'effects.*' --target seats --habit",
    "equipoise mend --game seigneurial --target lord=0.5",
)


def mend(
    context: typer.Context,
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="What to mend: seats, camps, cards, or a seat, role, camp or measure with the value that it should "
            "have, such as lord=0.5 or length=12; may be repeated.",
            show_default="camps in a game with roles, otherwise seats",
        ),
    ] = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free",
            metavar="KEY[=RANGE]",
            help="What may change: a key, table, list or pattern of the rules, with an optional range such as 0..40; "
            "may be repeated.",
            show_default="what the game declares",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="MEASURE[=PART]",
            help="A measure that must stay within 10% of its value, or within another percentage of it, such as 20%; "
            "may be repeated.",
        ),
    ] = None,
    strategies: StrategiesOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    games: Annotated[
        str, typer.Option("--games", help="Games of each point; five times as many to judge a change.")
    ] = "1e4",
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds", metavar="N", help="Largest number of rounds of tuning players for a change and solving again."
        ),
    ] = 3,
    best: Annotated[
        int, typer.Option("--best", metavar="N", help="Changes that are judged and written as rule files.")
    ] = 3,
    seed: SeedOption = "1",
    margin: Annotated[str, typer.Option("--margin", help="How far from its target a share may be.")] = "4%",
    habit: Annotated[bool, typer.Option("--habit", help="Tune no players. This is quick, but may mislead.")] = False,
    retune: Annotated[
        str,
        typer.Option(
            "--retune", metavar="BUDGET", help="Budget of each tuning: a number of generations, or a time such as 20s."
        ),
    ] = "15",
    level: LevelOption = 0.95,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    yes: LongOption = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for the rule files and the page.",
            show_default="runs/GAME-mend-NUMBER",
        ),
    ] = None,
    format_: FormatOption = "html,json,parquet",
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier search.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Find the smallest changes of the rules that mend a game, with players who are tuned for the change."""
    from equipoise.api.mending import mend as search
    from equipoise.output.mended import show
    from simcore.game import load_game

    check_threads(threads)
    refuse_beside_habit(context, habit)
    extra = [f"mended-{rank}.toml" for rank in range(1, best + 1)]
    carry_out(
        "mend",
        load_game(game).name,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: search(
            game,
            players,
            target or (),
            free or (),
            keep or (),
            split(strategies),
            rules,
            set_,
            whole(games, "games"),
            rounds,
            best,
            whole(seed, "seed", 0, 2**64 - 1),
            margin,
            habit,
            retune,
            level,
            threads,
            yes,
            progress=not (quiet or json_),
            command=context.obj or ("mend",),
        ),
        lambda found, paths: show(found.mend, found.rules, paths),
        extra,
    )
