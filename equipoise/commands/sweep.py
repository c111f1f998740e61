"""`equipoise sweep`: a grid of rule changes, numbers of players and strategies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.experiments import Output, carry_out
from equipoise.limits import check_threads
from equipoise.options import (
    ClusterOption,
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
    RetuneOption,
    RulesOption,
    SeedOption,
    ThreadsOption,
    counts_of,
    refuse,
    split,
)
from equipoise.output.numbers import whole
from simcore.errors import UsageError
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise sweep --set effects.mill_coins=1..4",
    "equipoise sweep --set effects.mill_coins=1..4 --set effects.barracks_coins=1..3 --target seats",
    "equipoise sweep --set shortfall='pay_available|debt' --players 3,4 --strategies 'champion|greedy'",
    "equipoise sweep experiment.toml",
)


def sweep(
    context: typer.Context,
    experiment: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A TOML file that describes the sweep, instead of the options.", show_default=False
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUES",
            help="A key of the rules and its values: lo..hi, lo..hi:step, a|b|c, or one value; may be repeated.",
        ),
    ] = None,
    game: GameOption = GAMES[0],
    players: CountsOption = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="NAME,...",
            help="Strategies, one for all or one for each seat; several line-ups are separated by '|'.",
            show_default="the game's defaults",
        ),
    ] = None,
    rules: RulesOption = "base",
    games: Annotated[str, typer.Option("--games", help="Games of each cell.")] = "1e5",
    seed: SeedOption = "1",
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="What a good cell looks like: seats, camps, or a share of the wins such as seat-3=0.25. A cell that "
            "misses the target with confidence is stopped early.",
        ),
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin", help="Distance from the target that counts as close enough.", show_default="12% of the target"
        ),
    ] = None,
    retune: RetuneOption = None,
    level: LevelOption = 0.95,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    yes: LongOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-sweep-NUMBER"),
    ] = None,
    format_: FormatOption = "html,json,parquet",
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier sweep.")] = False,
    quiet: QuietOption = False,
    json_: JsonOption = False,
) -> None:
    """Play every combination of some values of the rules on the same deals, and chart what each value does."""
    from analysis.sweep import read_experiment
    from equipoise.api.sweeping import sweep as play
    from equipoise.output.swept import show
    from simcore.game import load_game

    check_threads(threads)
    if experiment is not None:
        told = "the file describes the sweep; leave out the option or the file"
        refuse(context, "set_", "game", "players", "strategies", "rules", "games", "seed", because=told)
    elif not set_:
        raise UsageError("name a key and its values, as in effects.mill_coins=1..4, or a file", "settings")
    name = load_game(game).name if experiment is None else read_experiment(experiment).game
    carry_out(
        "sweep",
        name,
        Output(out, format_, lang, open_, force, quiet, json_),
        lambda: play(
            experiment,
            set_,
            game=game,
            players=counts_of(players),
            strategies=[split(part) or () for part in strategies.split("|")] if strategies else (),
            rules=rules,
            games=whole(games, "games"),
            seed=whole(seed, "seed", 0, 2**64 - 1),
            target=target,
            margin=margin,
            retune=retune,
            level=level,
            threads=threads,
            yes=yes,
            progress=not (quiet or json_),
            command=context.obj or ("sweep",),
        ),
        lambda found, paths: show(found.sweep, found.rules, paths),
    )
