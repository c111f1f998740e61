"""`equipoise tune` and `equipoise learn`: make a player who wins, and write it to a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from equipoise.options import (
    ClusterOption,
    GameOption,
    JsonOption,
    RulesOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    TrustOption,
    examples,
    skill_option,
    split,
)
from equipoise.output.progress import hush
from equipoise.parameters import lever_keys, role_names, strategy_names, whole
from simcore.homes import GAMES

EXAMPLES = examples(
    "equipoise tune --budget 10m --out my_champion.toml",
    "equipoise tune --set effects.mill_coins=3 --players 3,4 --out knows_mills.toml",
    "equipoise tune --free effects.mill_coins=1..4 --free effects.barracks_coins=1..3 --out knows_coins.toml",
    "equipoise tune --against champion --players 2 --budget 5m --out exploiter.toml",
    "equipoise tune --skill club --budget 5m --out beats_the_club.toml",
    "equipoise tune --game fief-2 --only 'place_*' --budget 60 --out places_well.toml",
    "equipoise tune --against self,warlord --start-from scout --budget 200 --out better_scout.toml",
)


def tune(
    game: GameOption = GAMES[0],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="Player counts, separated by commas.",
            show_default="the game's usual number",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="Opponents, or role=opponent, separated by commas; 'self': the best candidate so far and earlier "
            "champions.",
            show_default="self, or the players of the skill",
            autocompletion=strategy_names,
        ),
    ] = None,
    skill: Annotated[
        str | None,
        skill_option("How well the opponents play", "as --against says"),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(
            "--role",
            metavar="ROLE",
            help="Role to tune while the others stay as they are; 'all' tunes all roles in turn.",
            show_default="the only one",
            autocompletion=role_names,
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="With --role all: how often each role is tuned.")
    ] = 2,
    rules: RulesOption = "base",
    set_: SetOption = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free",
            metavar="KEY[=RANGE]",
            help="A value of the rules that the player is to know: it needs no tuning when that value changes. May be "
            "repeated.",
            autocompletion=lever_keys,
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="WEIGHT,...",
            help="Weights that may move, as names or patterns such as 'place_*', separated by commas; all others stay "
            "as they are.",
            show_default="all",
        ),
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--start-from",
            help="Strategy whose weights are the starting point.",
            show_default="the game's default",
            autocompletion=strategy_names,
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", help="A time, such as 90s, 10m or 2h, or a number of generations.")
    ] = "10m",
    seed: SeedOption = "1",
    sigma: Annotated[float, typer.Option("--sigma", help="Initial step size of the search (CMA-ES).")] = 0.5,
    population: Annotated[
        int | None,
        typer.Option("--population", help="Candidates in each generation.", show_default="by the number of weights"),
    ] = None,
    games: Annotated[str, typer.Option("--games", help="Games that each candidate plays in a generation.")] = "1920",
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        Path, typer.Option("--out", help="Strategy file to write; the strategy takes its name from the file.")
    ] = Path("tuned.toml"),
    by_players: Annotated[
        bool,
        typer.Option("--by-players", help="Keep the weights that FILE has for other numbers of players."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    trust: TrustOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the file and nothing else.")] = False,
    json_: JsonOption = False,
) -> None:
    """Find weights that make a strategy win under your rules. For a player who looks ahead, see `learn`."""
    from equipoise.api.tuning import ALL
    from equipoise.api.tuning import tune as find
    from equipoise.output.players import show

    if quiet or json_:
        hush()
    found = find(
        game,
        players=[whole(count, "players") for count in split(players)],
        against=split(against),
        skill=skill,
        role=role,
        rounds=rounds,
        rules=rules,
        settings=set_,
        free=free or (),
        only=split(only),
        start_from=start_from,
        budget=budget,
        seed=whole(seed, "seed", 0, 2**64 - 1),
        sigma=sigma,
        population=population,
        games=whole(games, "games"),
        threads=threads,
        out=out,
        by_players=by_players,
        force=force,
        trust=trust,
        progress=not (quiet or json_),
    ).parts
    if json_:
        summaries = [part.to_dict() for part in found]
        typer.echo(json.dumps(summaries if role == ALL else summaries[0], indent=2))
    elif quiet:
        typer.echo("\n".join(str(part.file) for part in found))
    else:
        for part in found:
            show(part.plan, part.tuned, part.file)


# `equipoise learn`: make a player who looks a little ahead and judges by a learned value, and write it to a file.


LEARN_EXAMPLES = examples(
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
    from equipoise.api.tuning import learn as find
    from equipoise.output.players import show_learning

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
        show_learning(found)
