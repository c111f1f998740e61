"""Play whole games, say who wins from which seat, and write the run's table into a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from equipoise.command import Ask
from equipoise.options import WRITTEN, ClusterOption, JsonOption, NoCompileOption
from equipoise.options import given as is_typed
from equipoise.output.progress import hush
from equipoise.parameters import (
    GameName,
    GoAhead,
    LineUp,
    MaybeGames,
    Players,
    Question,
    Retune,
    Skill,
    Trust,
    Typed,
    comma_list,
    whole,
)
from equipoise.questions.asked import Ruled, cast, question
from simcore.errors import UsageError, nearest
from simcore.homes import GAMES

if TYPE_CHECKING:
    from equipoise.api.simulation import Simulation
    from strategies.tuning.retune import Retuned

FORMATS = ("parquet", "csv", "both", "none")

FREE = ("resume", "threads", "cluster", "trust", "no_compile", "yes", "quiet", "json_")
"""Options that may be combined with `--resume`."""

AGREE = ("game", "games", "players", "seed", "design", "format", "detail", "out", "precision")
"""Options that may be combined with `--resume` if they agree with the run's manifest."""


@dataclass(frozen=True)
class InTerminal:
    """The options that only the command has: it continues a run, and writes a new folder unless another is named."""

    cluster: ClusterOption = None
    resume: Annotated[
        str | None, Typed("Continue a run that ended early; its folder says what to play.  If None, a new run.", "RUN")
    ] = None
    no_compile: NoCompileOption = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the run folder and nothing else.")] = False
    json_: JsonOption = False

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Play or continue a run, and print who wins from which seat."""
        shows = not (self.quiet or self.json_)
        if given["out"] is not None and given["format"] == "none":
            raise UsageError("with the format 'none', nothing is written; leave out one of the two", "out")
        if not shows:
            hush()
        if self.resume is not None:
            from equipoise.api.simulation import resume

            check_alone(context, self.resume)
            made = resume(self.resume, threads=given["threads"], trust=given["trust"], progress=shows)
        else:
            made = ask(shows, **({"out": True} if given["out"] is None else {}))
        if self.json_:
            typer.echo(json.dumps(made.to_dict(), indent=2))
        elif self.quiet:
            if made.folder:
                typer.echo(str(made.folder))
        else:
            from equipoise.output.summary import show

            show(made)


def check_alone(context: typer.Context, folder: str) -> None:
    """Refuse options that contradict `--resume`: those that say what to play, unless they agree with the run."""
    from analysis.runs.folders import place_of

    typed = {name: value for name, value in context.params.items() if is_typed(context, name) and name not in FREE}
    if not typed:
        return
    place = place_of(folder)
    made = place.take_up().model_dump() | {"out": folder}
    place.release()
    made["format"] = made["table_format"]
    for name, value in typed.items():
        says = made.get(name)
        if name not in AGREE:
            raise UsageError(f"{folder} says what to play; leave this option out", name.rstrip("_"))
        if str(says) != str(whole(value, name, 0, 2**64 - 1) if name in ("games", "seed") else value):
            raise UsageError(
                f"{folder} is a run with {says}, not {value}; leave this option out, or start another run",
                name.rstrip("_"),
            )


@question(
    "equipoise simulate --games 1e6",
    "equipoise simulate --players 3 --strategies planner,greedy,greedy --out runs/three",
    "equipoise simulate --set events.alliance.copies=0 --format none",
    "equipoise simulate --rules my-variant.toml --seed 7 --json",
    "equipoise simulate --resume runs/three",
    "equipoise simulate --precision 0.5pp",
    only=InTerminal,
)
def simulate(
    game: GameName = GAMES[0],
    *,
    games: MaybeGames = None,
    precision: Annotated[str | None, Typed(takes="POINTS")] = None,
    players: Players = None,
    strategies: LineUp = (),
    skill: Skill = None,
    retune: Retune = None,
    design: Annotated[str, Typed(takes="HOW", choices=("rotate", "fixed", "shuffle"))] = "rotate",
    out: Annotated[str | Path | bool | None, Typed(takes="FOLDER")] = None,
    format: Annotated[str, Typed(takes="KIND", choices=FORMATS)] = "parquet",
    detail: Annotated[str, Typed(takes="LEVEL", choices=("minimal", "standard", "full", "summary"))] = "standard",
    tables: Annotated[Sequence[str], Typed(takes="NAME,...", read=comma_list, panel=WRITTEN)] = (),
    check_policies: bool = False,
    trust: Trust = False,
    force: bool = False,
    yes: GoAhead = False,
    **given: Unpack[Ruled],
) -> Simulation:
    """Play whole games and show who wins from which seat.

    Parameters
    ----------
    games
        Number of games, such as 1e6, 250_000 or 2.5e5, up to 4,294,967,295; of players who look ahead, as many as the
        game declares.  If None, 1e6.
    precision
        Play until the intervals of the seats reach no further than this to either side, such as `0.1pp`; also
        `strategies=0.2pp`, `score=0.1`, `ties=0.2pp` and others, or several separated by commas;
        docs/reference/methods.md lists all.  If None, none; --games decides.
    design
        How strategies are assigned to seats.  `rotate`: each deal is played once for every rotation of the line-up;
        `fixed`: the seats stay as given; `shuffle`: the seats are drawn again for each game.  If all strategies are the
        same, there is nothing to rotate, and the design is `fixed`.
    out
        Run folder to make, which may exist if it is empty, or its URL in an object store.  In Python, True makes a new
        folder in runs/, and without it no table is written.  If None, a new folder in runs/.
    format
        Files of the table: `parquet`, `csv`, `both` or `none`.
    detail
        Columns of the table: `minimal`, `standard` or `full`; or `summary`, for totals from which the headlines are
        made, without a table.
    tables
        Further tables to write, separated by commas: `games` (one row for each game) and `events`.  If empty, none.
    check_policies
        Watch every policy; stop if one changes the game or uses hidden information.
    force
        Replace the run in the folder once the new one is whole; a folder that holds anything else is refused.
    yes
        Play to a precision even if that takes more than half an hour.

    Returns
    -------
    Simulation
        The totals; if a table was written, the attribute `run` opens it.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.
    KernelFault
        If a game breaks an invariant.
    Interrupted
        After Ctrl-C; the run folder, if there is one, holds the games that were complete.

    References
    ----------
    * docs/reference/commands.md
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate("middle-ages", games=1000, players=2, strategies="greedy", settings={"shortfall": "debt"})
    >>> found.seats.height
    2
    >>> found.plot().get_xlabel()
    ''
    """
    from analysis.precision import read_goal
    from analysis.runs.manifest import SUMMARY
    from analysis.seats.levels import SEARCH, searched_games
    from equipoise.api.simulation import RunInProgress, Simulation, first_stage, writer_of
    from equipoise.process import together
    from equipoise.retuning import find_how, retune_all
    from simcore.game import load_game
    from simcore.running.columns import check_tables
    from simcore.running.executors import default_threads
    from strategies.spec import DEFAULT_GAMES, draft_spec
    from strategies.watching import has_own_policy, under_watch, watch_first_deals

    threads, progress = given["threads"], given["progress"]
    how = None if retune is None else find_how(retune, threads)
    if format not in FORMATS:
        raise UsageError(f"no format '{format}'{nearest(format, FORMATS)}", "format")
    writes = bool(out) and format != "none"
    if detail == SUMMARY and (format != FORMATS[0] or tables or not out):
        raise UsageError("a summary is a folder of totals, not a table; leave out format and tables", "detail")
    if not writes and (tables or isinstance(out, str | Path)):
        what = "tables" if tables else "out"
        raise UsageError("without a folder, or with the format 'none', nothing is written; leave this out", what)
    if isinstance(out, str | Path):
        from analysis.runs.folders import place_of

        place_of(out).check_free(force)  # before anything is compiled
    if games is not None and precision is not None:
        raise UsageError("the precision decides how many games there are; leave out one of the two", "precision")
    goal = None if precision is None else read_goal(precision)
    usual = searched_games(game) if skill == SEARCH else DEFAULT_GAMES
    count = usual if games is None else games
    seated, rules = cast(load_game(game), strategies, skill), given["rules"]
    spec = draft_spec(game, players, seated, rules, given["settings"], given["seed"], design, count, trust)
    check_tables(spec.game, tables)
    retuned: tuple[Retuned, ...] | None = None
    if how is not None:
        (spec,), retuned = retune_all([spec], how, quiet=progress is not True)
    if check_policies:
        spec = under_watch(spec)
    elif has_own_policy(spec):
        watch_first_deals(spec)
    count = threads or default_threads()
    if goal:
        spec = first_stage(spec, goal, count, yes)
    with together():  # a folder with a manifest, or none
        writer = writer_of(spec, out, force, detail, format, tables, goal) if writes else None
    run = RunInProgress(spec, count, writer, tables, goal)
    result, seconds = run.play(progress)
    return Simulation(run.spec, result, seconds, writer.folder if writer else None, retuned)
