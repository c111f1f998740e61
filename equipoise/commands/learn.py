"""`equipoise learn`: make a player who looks a little ahead and judges by a learned value, and write it to a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from equipoise.completion import strategy_names
from equipoise.examples import examples
from equipoise.options import (
    ClusterOption,
    GameOption,
    JsonOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    split,
)
from equipoise.output.progress import hush
from equipoise.typed_numbers import whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise learn --players 3,4 --out my_thinker.toml",
    "equipoise learn --set effects.mill_coins=3 --budget 10m --out thinks_of_mills.toml",
    "equipoise learn --base my_champion.toml --budget 3 --out my_thinker.toml",
)


def learn(
    game: GameOption = GAMES[0],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="Player counts, separated by commas; each gets values of its own.",
            show_default="the game's usual number",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            help="Strategy that plays the imagined tables.",
            show_default="the game's default",
            autocompletion=strategy_names,
        ),
    ] = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget",
            help="For each number of players: a time, such as 90s or 5m, or rounds of self-play.",
        ),
    ] = "5m",
    games: Annotated[
        str, typer.Option("--games", help="Games of each of the three kinds of tables in the first round.")
    ] = "8000",
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            metavar="NAME",
            help="Thinker whose rounds, tables, decisions and temperature to take; without it, they are found out.",
            autocompletion=strategy_names,
        ),
    ] = None,
    seed: SeedOption = "1",
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        Path, typer.Option("--out", help="Strategy file to write; the strategy takes its name from the file.")
    ] = Path("learned.toml"),
    by_players: Annotated[
        bool, typer.Option("--by-players", help="Keep what FILE has for other numbers of players.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the file and nothing else.")] = False,
    json_: JsonOption = False,
) -> None:
    """Make a player who looks ahead and judges by a learned value. For one who decides at once, see `tune`."""
    from equipoise.api.learning import learn as find
    from equipoise.output.learned import show

    if quiet or json_:
        hush()
    found = find(
        game,
        players=[whole(count, "players") for count in split(players)],
        base=base,
        rules=rules,
        settings=set_,
        budget=budget,
        games=whole(games, "games"),
        like=like,
        seed=whole(seed, "seed", 0, 2**64 - 1),
        threads=threads,
        out=out,
        by_players=by_players,
        force=force,
        progress=not (quiet or json_),
    )
    if json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif quiet:
        typer.echo(str(found.file))
    else:
        show(found)
