"""`simulate`: play a run, say who wins from which seat, and write the run's table into a folder."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from equipoise.options import (
    WRITTEN,
    ClusterOption,
    Design,
    GameOption,
    JsonOption,
    LongOption,
    NoCompileOption,
    PlayersOption,
    RetuneOption,
    RulesOption,
    SeedOption,
    SetOption,
    SkillOption,
    StrategiesOption,
    ThreadsOption,
    TrustOption,
    examples,
    given,
    split,
)
from equipoise.output.progress import hush
from equipoise.parameters import whole
from simcore.errors import UsageError
from simcore.homes import GAMES

EXAMPLES = examples(
    "simulate --games 1e6",
    "simulate --players 3 --strategies planner,greedy,greedy --out runs/three",
    "simulate --set events.alliance.copies=0 --format none",
    "simulate --rules my-variant.toml --seed 7 --json",
    "simulate --resume runs/three",
    "simulate --precision 0.5pp",
)


FREE = ("resume", "threads", "cluster", "trust", "no_compile", "yes", "quiet", "json_")
"""Options that may be combined with `--resume`."""

TOLD = ("game", "games", "players", "seed", "design", "format_", "detail", "out", "precision")
"""Options that may be combined with `--resume` if they agree with the run's manifest."""


class TableFormat(StrEnum):
    """The file formats of the table."""

    parquet = "parquet"
    csv = "csv"
    both = "both"
    none = "none"


class Detail(StrEnum):
    """The columns of the table."""

    minimal = "minimal"
    standard = "standard"
    full = "full"
    summary = "summary"


def simulate(
    context: typer.Context,
    games: Annotated[
        str | None, typer.Option("--games", help="Number of games, such as 1e6, 250_000 or 2.5e5.", show_default="1e6")
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision",
            metavar="POINTS",
            help="Play until the intervals of the seats reach no further than this to either side, such as 0.1pp; also "
            "strategies=0.2pp, score=0.1, ties=0.2pp and others.",
            show_default="none; --games decides",
        ),
    ] = None,
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    strategies: StrategiesOption = None,
    skill: SkillOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    retune: RetuneOption = None,
    design: Annotated[
        Design,
        typer.Option("--design", metavar="HOW", help="How strategies are assigned to seats: rotate, fixed or shuffle."),
    ] = Design.rotate,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Run folder to make, or its URL in an object store.",
            show_default="a new folder in runs/",
        ),
    ] = None,
    format_: Annotated[
        TableFormat,
        typer.Option("--format", metavar="KIND", help="Files of the table: parquet, csv, both or none."),
    ] = TableFormat.parquet,
    detail: Annotated[
        Detail,
        typer.Option(
            "--detail",
            metavar="LEVEL",
            help="Columns of the table: minimal, standard or full; or summary, for totals without a table.",
        ),
    ] = Detail.standard,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables",
            metavar="NAME,...",
            help="Further tables to write: games (one row for each game) and events.",
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
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="RUN",
            help="Continue a run that ended early; its folder says what to play.",
            show_default="a new run",
        ),
    ] = None,
    trust: TrustOption = False,
    no_compile: NoCompileOption = False,
    yes: LongOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the run in the folder once the new one is whole.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the run folder and nothing else.")] = False,
    json_: JsonOption = False,
) -> None:
    """Play whole games and show who wins from which seat."""
    from equipoise.api import simulation

    if out is not None and format_ is TableFormat.none:
        raise UsageError("with the format 'none', nothing is written; leave out one of the two", "out")
    if quiet or json_:
        hush()
    if resume is not None:
        check_alone(context, resume)
        found = simulation.resume(resume, threads=threads, trust=trust, progress=not (quiet or json_))
    else:
        found = simulation.simulate(
            game,
            games=None if games is None else whole(games, "games"),
            precision=precision,
            players=players,
            strategies=split(strategies),
            skill=skill,
            rules=rules,
            settings=set_,
            seed=whole(seed, "seed", 0, 2**64 - 1),
            retune=retune,
            design=design.value,
            threads=threads,
            out=True if out is None else out,
            format=format_.value,
            detail=detail.value,
            tables=split(tables),
            check_policies=check_policies,
            trust=trust,
            force=force,
            yes=yes,
            progress=not (quiet or json_),
        )
    if json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif quiet:
        if found.folder:
            typer.echo(str(found.folder))
    else:
        from equipoise.output.summary import show

        show(found)


def check_alone(context: typer.Context, folder: str) -> None:
    """Refuse options that contradict `--resume`: those that say what to play, unless they agree with the run."""
    from analysis.runs.folders import place_of

    typed = {name: value for name, value in context.params.items() if given(context, name) and name not in FREE}
    if not typed:
        return
    place = place_of(folder)
    made = place.take_up().model_dump() | {"out": folder}
    place.release()
    made["format_"] = made["table_format"]
    for name, value in typed.items():
        says = made.get(name)
        if name not in TOLD:
            raise UsageError(f"{folder} says what to play; leave this option out", name.rstrip("_"))
        if str(says) != str(whole(value, name, 0, 2**64 - 1) if name in ("games", "seed") else value):
            raise UsageError(
                f"{folder} is a run with {says}, not {value}; leave this option out, or start another run",
                name.rstrip("_"),
            )
