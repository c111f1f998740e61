"""`simulate`: play a run, say who wins from which seat, and leave its table in a folder."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from equipoise.commands.verify import TrustOption
from equipoise.examples import examples
from equipoise.helptexts import WRITTEN
from equipoise.output.numbers import whole
from equipoise.output.progress import hush
from equipoise.retuning import RetuneOption
from simcore.errors import UsageError
from simcore.homes import GAMES, known_games

EXAMPLES = examples(
    "simulate --games 1e6",
    "simulate --players 3 --strategies planner,greedy,greedy --out runs/three",
    "simulate --set events.alliance.copies=0 --format none",
    "simulate --rules my-variant.toml --seed 7 --json",
)


class TableFormat(StrEnum):
    """How the table is written."""

    parquet = "parquet"
    csv = "csv"
    both = "both"
    none = "none"


class Detail(StrEnum):
    """Which columns the table has."""

    minimal = "minimal"
    standard = "standard"
    full = "full"


class Design(StrEnum):
    """How the line-up moves over the seats."""

    rotate = "rotate"
    fixed = "fixed"
    shuffle = "shuffle"


def rule_names(context: typer.Context) -> list[str]:
    """Return what completes the name of a rule set."""
    from simcore.game import load_game
    from simcore.rules.files import shipped_rules

    return shipped_rules(load_game(context.params.get("game") or GAMES[0]))


def strategy_names(context: typer.Context) -> list[str]:
    """Return what completes a strategy's name, with its role in front where the game has several."""
    from simcore.game import load_game
    from strategies.library import load_strategy, shipped_strategies

    game = load_game(context.params.get("game") or GAMES[0])
    names = shipped_strategies(game)
    if not game.asymmetric:
        return names
    able = {name: load_strategy(game, name).role for name in names}
    return [f"{role}={name}" for role in game.role_names for name in names if able[name] in ("", role)]


def rule_settings(context: typer.Context) -> list[tuple[str, str]]:
    """Return what completes a key of the rules, each with its present value and what it takes."""
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from simcore.rules.keys import rule_keys

    game = load_game(context.params.get("game") or GAMES[0])
    rules = load_rules(game, context.params.get("rules") or context.params.get("reference") or "base")
    return [
        (f"{entry.key}=", f"{entry.takes}; now {json.dumps(entry.value, ensure_ascii=False)}")
        for entry in rule_keys(game, rules)
    ]


def role_names(context: typer.Context) -> list[str]:
    """Return what completes a role's name."""
    from simcore.game import load_game

    return [*load_game(context.params.get("game") or GAMES[0]).role_names, "all"]


GameOption = Annotated[str, typer.Option("--game", help="Game.", autocompletion=known_games)]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Players at the table.", show_default="the game's usual one")
]
StrategiesOption = Annotated[
    str | None,
    typer.Option(
        "--strategies",
        help="One strategy for all seats, one for each seat, or role=strategy, separated by commas: a shipped name, "
        "a .toml file or module:attribute.",
        show_default="the game's strongest",
        autocompletion=strategy_names,
    ),
]
RulesOption = Annotated[
    str, typer.Option("--rules", help="Shipped name, or path of a TOML file.", autocompletion=rule_names)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one rule value or switch; may be repeated. 'equipoise rules keys' lists them.",
        autocompletion=rule_settings,
    ),
]
SeedOption = Annotated[str, typer.Option("--seed", help="Random seed, 0 to 2**64 - 1.")]


def simulate(
    context: typer.Context,
    games: Annotated[str, typer.Option("--games", help="How many games: 1e6, 250_000, 2.5e5.")] = "1e6",
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    strategies: StrategiesOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    retune: RetuneOption = None,
    design: Annotated[
        Design,
        typer.Option("--design", metavar="HOW", help="How strategies are assigned to seats: rotate, fixed or shuffle."),
    ] = Design.rotate,
    threads: Annotated[
        int | None,
        typer.Option("--threads", help="How many threads play; the results stay the same.", show_default="all cores"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Run folder to make.", show_default="a new folder in runs/"),
    ] = None,
    format_: Annotated[
        TableFormat,
        typer.Option("--format", metavar="KIND", help="Files of the table: parquet, csv, both or none."),
    ] = TableFormat.parquet,
    detail: Annotated[
        Detail, typer.Option("--detail", metavar="LEVEL", help="Columns of the table: minimal, standard or full.")
    ] = Detail.standard,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables",
            metavar="NAME,...",
            help="Further tables to write: games (one row for each game), events.",
            show_default="none",
            rich_help_panel=WRITTEN,
        ),
    ] = None,
    check_policies: Annotated[
        bool,
        typer.Option(
            "--check-policies", help="Watch every policy; stop if one changes the game or uses hidden information."
        ),
    ] = False,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the run folder and nothing else.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Play whole games and show who wins from which seat."""
    from equipoise.api.simulation import simulate as play

    if out is not None and format_ is TableFormat.none:
        raise UsageError("nothing is written with the format 'none'; leave out one of the two", "out")
    if quiet or json_:
        hush()
    arguments = context.obj or ()
    found = play(
        game,
        games=whole(games, "games"),
        players=players,
        strategies=split(strategies),
        rules=rules,
        settings=set_,
        seed=whole(seed, "seed", 0, 2**64 - 1),
        retune=retune,
        design=design.value,
        threads=threads,
        out=out or True,
        format=format_.value,
        detail=detail.value,
        tables=split(tables),
        check_policies=check_policies,
        trust=trust,
        force=force,
        progress=not (quiet or json_),
        command=["simulate", *(arguments[1:] if arguments[:1] == ("simulate",) else arguments)],
    )
    if json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif quiet:
        if found.folder:
            typer.echo(str(found.folder))
    else:
        from equipoise.output.summary import show

        show(found)


def split(names: str | None) -> list[str]:
    """Return what a user named with commas between."""
    return [] if names is None else [name.strip() for name in names.split(",")]
