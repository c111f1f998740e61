"""`equipoise compare`: measure what a change of the rules did, on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.completion import rule_names
from equipoise.examples import examples
from equipoise.experiments import Output, carry_out
from equipoise.limits import check_threads
from equipoise.options import (
    RUNS_SAY,
    CountsOption,
    GameOption,
    JsonOption,
    Language,
    LanguageOption,
    LevelOption,
    OpenOption,
    QuietOption,
    SeedOption,
    SetOption,
    StrategiesOption,
    ThreadsOption,
    TrustOption,
    counts_of,
    refuse,
    refuse_beside_habit,
    split,
)
from equipoise.output.numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise compare base gentler-barracks",
    "equipoise compare base --set effects.mill_coins=3 --habit",
    "equipoise compare base my-first.toml my-second.toml --players 3,4",
    "equipoise compare runs/old runs/new",
)
BUDGET = "60s"


def compare(
    context: typer.Context,
    versions: Annotated[
        list[str],
        typer.Argument(
            metavar="VERSION",
            help="Rule sets, rule files or run folders; each is compared with the first.",
            show_default=False,
            autocompletion=rule_names,
        ),
    ],
    game: GameOption = GAMES[0],
    players: CountsOption = None,
    strategies: StrategiesOption = None,
    set_: SetOption = None,
    games: Annotated[
        str, typer.Option("--games", help="Games of each version, for each number of players and each kind of players.")
    ] = "1e5",
    seed: SeedOption = "1",
    habit: Annotated[
        bool,
        typer.Option(
            "--habit", help="Compare only with the players as they are. This is quick, but the sign may be wrong."
        ),
    ] = False,
    retune: Annotated[
        str,
        typer.Option(
            "--retune",
            metavar="TIME",
            help="Budget for tuning each strategy, at each number of players, that was tuned for other rules: a time, "
            "or a number of generations.",
        ),
    ] = BUDGET,
    level: LevelOption = 0.95,
    threads: ThreadsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-comparison-NUMBER"
        ),
    ] = None,
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME,...",
            help="What to write, separated by commas: html, md, pdf, png, csv, json; or none.",
        ),
    ] = "html,json",
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier comparison.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Show what a change of the rules did: each seat before and after on the same deals, and what else moved."""
    from equipoise.api.comparison import compare as play
    from equipoise.output.compared import show
    from simcore.game import load_game

    check_threads(threads)
    refuse_beside_habit(context, habit)
    if any(Path(reference).is_dir() for reference in versions):
        refuse(context, "game", "players", "strategies", "games", "seed", "retune", "habit", because=RUNS_SAY)
    name = next((_game_of(Path(one)) for one in versions if Path(one).is_dir()), load_game(game).name)
    carry_out(
        "comparison",
        name,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: play(
            *versions,
            game=game,
            players=counts_of(players),
            strategies=split(strategies),
            settings=set_,
            games=whole(games, "games"),
            seed=whole(seed, "seed", 0, 2**64 - 1),
            habit=habit,
            retune=retune,
            level=level,
            threads=threads,
            trust=trust,
            progress=not (quiet or json_),
            command=context.obj or ("compare", *versions),
        ),
        lambda found, paths: show(found.comparison, found.rules, paths),
    )


def _game_of(folder: Path) -> str:
    """Return the game of a run; the folder of the files is named after it."""
    from analysis.runs.manifest import Manifest

    return Manifest.read(folder).game
