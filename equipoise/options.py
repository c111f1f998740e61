"""Options and arguments that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from equipoise.completion import rule_names, rule_settings, skill_names, strategy_names
from equipoise.typed_numbers import whole
from equipoise.uncompiled import switch_off
from simcore import doors
from simcore.errors import UsageError
from simcore.homes import known_games


class Language(StrEnum):
    """Languages of a page."""

    en = "en"
    fr = "fr"


class Design(StrEnum):
    """How strategies are assigned to seats."""

    rotate = "rotate"
    fixed = "fixed"
    shuffle = "shuffle"


def given(context: typer.Context, name: str) -> bool:
    """Return whether an option is given on the command line, under the name of its parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse(context: typer.Context, *names: str, because: str) -> None:
    """Refuse options where something else says what they would say.

    context: What was given.
    names: The options' parameters.
    because: What the error says.
    Raises UsageError if one of them is given.
    """
    for name in names:
        if given(context, name):
            raise UsageError(because, name.rstrip("_"))


RUNS_SAY = "the runs say what was played; leave out the option or the runs"
"""Why options that say what to play are refused where there are runs."""


def _call_in(context: typer.Context, where: str | None) -> str | None:
    """Let the workers of a cluster play until the command ends."""
    if where is not None and not context.resilient_parsing:
        from equipoise.api.clustering import cluster

        context.with_resource(cluster(where))
    return where


def opened(context: typer.Context, game: str | None) -> str | None:
    """Return the name of the game that was typed, which may be behind a door."""
    return game if game is None or context.resilient_parsing else doors.named(game)


GAME_HELP = "Game, the path of a Python file with one, openspiel:GAME or pettingzoo:MODULE.ENV."
GameOption = Annotated[str, typer.Option("--game", help=GAME_HELP, autocompletion=known_games, callback=opened)]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Players at the table.", show_default="the game's usual number")
]
StrategiesOption = Annotated[
    str | None,
    typer.Option(
        "--strategies",
        help="One strategy for all seats, one for each seat, or role=strategy, separated by commas; each is a shipped "
        "name, a .toml file or module:attribute.",
        show_default="the game's strongest",
        autocompletion=strategy_names,
    ),
]


def skill_option(text: str, default: str) -> Any:
    """Return the option `--skill` of a command in which it means something of its own."""
    return typer.Option(
        "--skill",
        metavar="NAME",
        help=f"{text}: family, club, experts or search (players who look ahead, and are slow).",
        show_default=default,
        autocompletion=skill_names,
    )


SkillOption = Annotated[str | None, skill_option("How well the players play", "experts")]
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
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", help="Number of threads; the results do not depend on it.", show_default="all cores"),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="WHERE",
        help="Play on a Dask cluster: the address of its scheduler, or `local:N` to try it with N processes on this "
        "machine; the results are the same.",
        show_default="threads of this process",
        callback=_call_in,
    ),
]
"""A command that has this option can ignore its value: everything that plays many games finds the workers."""
LevelOption = Annotated[float, typer.Option("--level", help="Confidence level of the intervals.")]
RetuneOption = Annotated[
    str | None,
    typer.Option(
        "--retune",
        metavar="BUDGET",
        help="First tune the players that were tuned for other rules. Budget for each strategy and number of players: "
        "a number of generations, such as 15, or a time such as 60s.",
        show_default="no tuning; they play by habit",
    ),
]
LongOption = Annotated[bool, typer.Option("--yes", help="Play even if it takes more than half an hour.")]
LanguageOption = Annotated[Language, typer.Option("--lang", help="Language of the page: `en` or `fr`.")]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="NAME,...",
        help="Formats to write, separated by commas: `html`, `md`, `pdf`, `png`, `csv`, `share`, `json`, `parquet`; or "
        "`none`.",
    ),
]
OpenOption = Annotated[
    bool | None,
    typer.Option(
        "--open/--no-open",
        help="Show the page in a browser; `--no-open` does not.",
        show_default="on a desktop's terminal",
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show no progress, and print the names of the files and nothing else.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
PartialOption = Annotated[bool, typer.Option("--partial", help="Use runs that ended early, as far as they got.")]
UncheckedOption = Annotated[
    bool, typer.Option("--no-verify", help="Read the files of a run without checking them for damage.")
]
NoCompileOption = Annotated[
    bool,
    typer.Option(
        "--no-compile",
        help="Play in plain Python, which is slow, so that an error in a game's own code names its line.",
        is_eager=True,
        callback=switch_off,
    ),
]
TrustOption = Annotated[
    bool, typer.Option("--trust", help="Run the Python code that files or runs name as a strategy.")
]


def split(names: str | None) -> list[str]:
    """Return the names in a list separated by commas."""
    return [] if names is None else [name.strip() for name in names.split(",")]


def counts_of(players: str | None) -> list[int] | None:
    """Return the numbers of players in a list separated by commas."""
    return None if players is None else [whole(part, "players", 1, 99) for part in players.split(",")]
