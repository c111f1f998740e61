"""`equipoise report`: a page about runs that shows what tilts the game, and how certain that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.options import (
    RUNS_SAY,
    ClusterOption,
    DecimalOption,
    Language,
    LanguageOption,
    LevelOption,
    OpenOption,
    PartialOption,
    QuietOption,
    RetuneOption,
    RulesOption,
    SeedOption,
    SetOption,
    SkillOption,
    TeamsOption,
    ThreadsOption,
    TrustOption,
    UncheckedOption,
    counts_of,
    examples,
    opened,
    refuse,
)
from equipoise.output.pages import has_desktop
from equipoise.output.progress import hush
from equipoise.parameters import whole
from simcore.errors import UsageError
from simcore.homes import GAMES, known_games

EXAMPLES = examples(
    "equipoise report runs/first",
    "equipoise report runs/first --format html,md,png --lang fr",
    "equipoise report runs/random runs/greedy runs/planner --out skill.html",
    "equipoise report --game middle-ages --quick --summary",
    "equipoise report --game middle-ages --games 1e5 --players 3,4",
)


def report(
    context: typer.Context,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN",
            help="Run folders of one game, weakest players first; or a table of results.",
            show_default=False,
        ),
    ] = None,
    teams: TeamsOption = "",
    decimal: DecimalOption = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="PATH",
            help="File of the page, or folder to write it into.",
            show_default="report.html in the first run",
        ),
    ] = None,
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME,...",
            help="Formats, separated by commas: html, md, pdf, png, csv, summary, share.",
        ),
    ] = "html",
    lang: LanguageOption = Language.en,
    margin: Annotated[
        str,
        typer.Option(
            "--margin", help="Distance from par that counts as close enough: 12% of par, or 3pp (percentage points)."
        ),
    ] = "12%",
    level: LevelOption = 0.95,
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals",
            help="Number of deals that are replayed to judge cards.",
            show_default="the run's, 25,000 at most; 1e3 if quick",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only seats, skill and cards; without --players, at the usual number of players."),
    ] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Also write a summary on one A4 page (PDF).")] = False,
    threads: ThreadsOption = None,
    open_: OpenOption = None,
    partial: PartialOption = False,
    unchecked: UncheckedOption = False,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier report.")] = False,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            help="Without runs: simulate the runs needed for this game.",
            show_default=GAMES[0],
            autocompletion=known_games,
            callback=opened,
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option("--games", help="Without runs: games in each simulated run.", show_default="1e5; 2e4 if quick"),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="Without runs: players at the table; several numbers are separated by commas.",
            show_default="all; the usual number if quick",
        ),
    ] = None,
    skill: SkillOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    cluster: ClusterOption = None,
    retune: RetuneOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write one page that shows what tilts the game, and how certain that is."""
    from equipoise.api.reporting import report as make

    if quiet:
        hush()
    given: list[Any] = []
    if runs:
        refuse(context, "game", "games", "players", "skill", "rules", "set_", "seed", "retune", because=RUNS_SAY)
        if not runs[0].exists() and str(runs[0]) in known_games():
            raise UsageError(f"{runs[0]}: no such run folder; for a report on the game, give --game {runs[0]}")
        from equipoise.api.importing import runs_in

        given = list(runs_in(runs, decimal, teams))
        first = given[0] if isinstance(given[0], Path) else given[0].folder
        place = out or (first.parent if len(given) > len(runs) else first)
    else:
        from analysis.runs.folders import free_folder

        refuse(context, "teams", "decimal", because="only a table of results takes it; name one")
        game = game or GAMES[0]
        place = out or free_folder(Path("runs"), f"{game}-report")
    made = make(
        given,
        game=game,
        games=None if games is None else whole(games, "games"),
        players=counts_of(players),
        skill=skill,
        rules=rules,
        settings=set_,
        seed=whole(seed, "seed", 0, 2**64 - 1),
        retune=retune,
        lang=lang.value,
        margin=margin,
        level=level,
        deals=None if deals is None else whole(deals, "deals"),
        quick=quick,
        threads=threads,
        partial=partial,
        verify=not unchecked,
        trust=trust,
        out=place,
        format=f"{format_},summary" if summary else format_,
        force=force,
        progress=not quiet,
    )
    typer.echo("\n".join([*([] if quiet else [*made.verdicts, ""]), *map(str, made.files)]))
    page = next((path for path in made.files if path.suffix == ".html"), None)
    if page and (has_desktop() if open_ is None else open_):
        typer.launch(str(page.resolve()))
