"""`eq.simulate`, `eq.resume` and `eq.replay`: play a run, go on with it, and play one of its games again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.precision.goal import Goal, at_stage, read_goal, stages
from analysis.runs.manifest import SUMMARY
from equipoise.api.following import Following
from equipoise.api.playing import Playing, probed
from equipoise.api.simulated import Simulation
from equipoise.limits import check_threads
from equipoise.output.progress import duration
from equipoise.retuning import find_how, retune_all
from simcore.errors import UsageError, nearest
from simcore.homes import GAMES
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import Spec
from simcore.running.executors import default_threads
from simcore.running.extra_tables import check_tables
from simcore.running.replay import Replay
from simcore.running.replay import replay as replay_game
from strategies.spec import DEFAULT_DESIGN, DEFAULT_GAMES, DEFAULT_SEED, References, make_spec
from strategies.watching import has_own_policy, under_watch, watch_first_deals

if TYPE_CHECKING:
    from analysis.runs import Run
    from analysis.runs.places import Place
    from analysis.runs.writer import RunWriter
    from strategies.tuning.retune import Retuned

FORMATS = ("parquet", "csv", "both", "none")
HERE = Path("runs")
"""Where new run folders are made."""

LONG = 1800
"""Seconds from which on a run to a precision is played only if the user agrees."""


def simulate(
    game: str = GAMES[0],
    *,
    games: float | None = None,
    precision: str | None = None,
    players: int | None = None,
    strategies: References = (),
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    retune: str | None = None,
    design: str = DEFAULT_DESIGN,
    threads: int | None = None,
    out: str | Path | bool | None = None,
    format: str = "parquet",
    detail: str = "standard",
    tables: Sequence[str] = (),
    check_policies: bool = False,
    trust: bool = False,
    force: bool = False,
    yes: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Simulation:
    """Play whole games, and say who wins from which seat.

    Parameters
    ----------
    game, players, strategies, rules, settings, seed, design, trust
        See `strategies.spec.make_spec`; `settings` may be a mapping, such as `{"shortfall": "debt"}`.
    games
        How many games; None: a million, or as many as the precision takes.
    precision
        Play until the half-widths of some intervals are at most so wide: "0.1pp" (of the seats' shares of the wins),
        or "strategies=0.2pp,score=0.1,ties=0.2pp"; docs/statistics.md names all that may be asked for.
    retune
        Tune players first that were tuned for other rules: time for each, such as "60s", or a number of generations.
    threads
        How many threads play; the results stay the same.  None: all cores.
    out
        Run folder to make for the table, or its URL in an object store, such as "s3://bucket/run"; True: a new folder
        in `runs/`; None: no table is written.
    format, detail, tables
        Of the table: "parquet", "csv" or "both"; "minimal", "standard" or "full"; further tables, "games" or "events".
        With the detail "summary" the folder keeps the totals that headlines are made from, and no table.
    check_policies
        Whether to watch every policy, and stop if one changes the game or uses hidden information.
    force
        Whether to replace the run folder if it exists.
    yes
        Whether to play to a precision that will take more than half an hour.
    progress
        See `equipoise.api.following.Following`.
    command
        Command line that the run's manifest keeps.

    Returns
    -------
    Simulation
        Its table is `Simulation.run`, where one was written.

    Raises
    ------
    UsageError
        Saying what cannot be used, and why.
    KernelFault
        If a game breaks an invariant.
    Interrupted
        After Ctrl-C; a run folder holds the games that were whole.
    """
    check_threads(threads)
    how = None if retune is None else find_how(retune, threads)
    if format not in FORMATS:
        raise UsageError(f"no format '{format}'{nearest(format, FORMATS)}", "format")
    writes = bool(out) and format != "none"
    if detail == SUMMARY and (format != FORMATS[0] or tables or not out):
        raise UsageError("a summary is totals in a folder, not a table; leave out format and tables", "detail")
    if not writes and (tables or isinstance(out, str | Path)):
        what = "tables" if tables else "out"
        raise UsageError("nothing is written with the format 'none' or without a folder; leave this out", what)
    if isinstance(out, str | Path):
        from analysis.runs.places import place_of

        place_of(out).check_free(force)  # before anything is compiled
    if games is not None and precision is not None:
        raise UsageError("the precision decides how many games there are; leave out one of the two", "precision")
    goal = None if precision is None else read_goal(precision)
    count = DEFAULT_GAMES if games is None else games
    spec = make_spec(game, players, strategies, rules, settings, seed, design, count, trust)
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
        spec = _first_stage(spec, goal, count, yes)
    writer = _writer(spec, out, force, detail, format, command, tables, goal) if writes else None
    run = Playing(spec, count, writer, tables, goal)
    result, seconds = run.play(progress)
    return Simulation(run.spec, result, seconds, writer.folder if writer else None, retuned)


def resume(
    folder: str | Path, *, threads: int | None = None, trust: bool = False, progress: Following = None
) -> Simulation:
    """Go on with a run that ended early, whatever ended it; what comes of it is the same as if nothing had.

    Parameters
    ----------
    folder
        The run folder, or its URL in an object store; it says what is played.  Of a complete run, only damaged files
        are written again.
    threads, progress
        As for `simulate`.
    trust
        Whether Python code that the run names may run.

    Raises
    ------
    UsageError
        If it is no run folder, another process writes there, or other code began the run.
    KernelFault, Interrupted
        As for `simulate`.
    """
    check_threads(threads)
    from analysis.headlines import summary_of
    from analysis.runs.places import place_of
    from analysis.runs.resuming import resume as take_up

    found = take_up(place_of(folder), summary_of, trust)
    made = found.manifest
    run = Playing(found.spec, threads or default_threads(), found.writer, tuple(made.tables), found.goal)
    result, seconds = run.go_on(found, progress)
    return Simulation(run.spec, result, seconds, found.writer.folder)


def replay(data: Run | Spec | Simulation | str | Path, index: int = 0, trust: bool = False) -> Replay:
    """Play one game of a run again, and record every step.

    Parameters
    ----------
    data
        A run, its folder, what `simulate` returned, or a specification.
    index
        The game, counted from 0 as the column `game_id` is.
    trust
        Whether Python code that a run's manifest names may run.

    Returns
    -------
    Replay
        See its `text()` and `jsonl()`.

    Raises
    ------
    UsageError
        If the run cannot be read, or the game is too long to be recorded.
    """
    if isinstance(data, str | Path):
        from analysis.runs import load_spec

        data = load_spec(data, trust)
    return replay_game(data if isinstance(data, Spec) else data.spec, index)


def _first_stage(spec: Spec, goal: Goal, threads: int, yes: bool) -> Spec:
    """Return a run as far as the first look at its precision.

    Raises
    ------
    UsageError
        If the precision cannot be reached, or takes long and the user has not agreed to that.
    """
    goal.check(spec)
    games, seconds = probed(spec, threads, goal)
    goal.refuse_beyond(games)
    if seconds > LONG and not yes:
        raise UsageError(
            f"'{goal.text}' takes about {games:.2g} games, which is {duration(seconds)} on this machine; ask for less "
            "precision, or confirm with the option 'yes'",
            "precision",
        )
    return at_stage(spec, next(stages(spec, goal)))


def _writer(
    spec: Spec, out: str | Path | bool | None, force: bool, detail: str, format: str, command: Sequence[str],
    tables: Sequence[str], goal: Goal | None,
) -> RunWriter:  # fmt: skip
    from analysis.runs.folders import claim_free
    from analysis.runs.places import Folder, place_of
    from analysis.runs.summaries import SummaryWriter
    from analysis.runs.writer import RunWriter

    if isinstance(out, bool) or out is None:
        place: Place = Folder(claim_free(HERE, f"{spec.game.name}-{spec.players}p"))
    else:
        place = place_of(out)
        place.claim(force)
    if detail == SUMMARY:
        from analysis.headlines import summary_of

        asked = goal.asked(spec) if goal else {}
        return SummaryWriter(place, spec, list(command), summary_of(spec, asked), goal.text if goal else None)
    precision, also = (goal.text, goal.also(spec)) if goal else (None, None)
    return RunWriter(place, spec, detail, format, list(command), tables, precision, also)
