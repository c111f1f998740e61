"""`eq.simulate` and `eq.resume`: play a run, and continue it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.precision import Goal, at_stage, read_goal, stages
from analysis.runs.manifest import SUMMARY
from equipoise.api.casting import cast
from equipoise.api.following import Following
from equipoise.api.run_in_progress import RunInProgress, probed
from equipoise.api.simulated import Simulation
from equipoise.limits import check_threads
from equipoise.output.progress import duration
from equipoise.retuning import find_how, retune_all
from equipoise.signals import together
from equipoise.typed import command_line
from simcore.errors import UsageError, nearest
from simcore.homes import GAMES
from simcore.rules.files import Rules, Settings
from simcore.running.batch import Spec
from simcore.running.columns import check_tables
from simcore.running.executors import default_threads
from simcore.running.tally import Also
from strategies.kit import load_kit
from strategies.spec import DEFAULT_DESIGN, DEFAULT_GAMES, DEFAULT_SEED, References, draft_spec
from strategies.watching import has_own_policy, under_watch, watch_first_deals

if TYPE_CHECKING:
    from analysis.runs.folders import Place
    from analysis.runs.writer import RunWriter
    from strategies.tuning.retune import Retuned

FORMATS = ("parquet", "csv", "both", "none")
HERE = Path("runs")
"""Folder in which new run folders are made."""

LONG = 1800
"""Seconds above which a run to a precision is played only if the user agrees."""


def simulate(
    game: str = GAMES[0],
    *,
    games: float | None = None,
    precision: str | None = None,
    players: int | None = None,
    strategies: References = (),
    skill: str | None = None,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    retune: str | int | None = None,
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
) -> Simulation:
    """Simulate whole games, and say who wins from which seat.

    Parameters
    ----------
    game, players, strategies, rules, settings, seed, design, trust
        See `eq.make_spec`; `settings` may be a mapping, such as `{"shortfall": "debt"}`.
    skill
        How well the players play: "family", "club", "experts" or "search" (players who look ahead, and are slow).  If
        None, as experts.
    games
        Number of games.  If None, a million, or as many as the precision needs; of players who look ahead, as many as
        the game declares.
    precision
        Play until the half-widths of some confidence intervals are no larger than this: "0.1pp" (for the seats' shares
        of the wins), or "strategies=0.2pp,score=0.1,ties=0.2pp".  docs/statistics.md lists all possible names.
    retune
        If given, first tune the players that were tuned for other rules.  The value is the budget for each of them: a
        time such as "60s", or a number of generations.
    threads
        Number of threads; it does not affect the results.  If None, one for each processor.
    out
        Run folder to make for the table, or its URL in an object store, such as "s3://bucket/run".  True makes a new
        folder in `runs/`.  If None, no table is written.
    format
        Format of the table: "parquet", "csv", "both" or "none".
    detail
        Columns of the table: "minimal", "standard" or "full".  With "summary", the folder keeps only the totals from
        which the headlines are made, and no table.
    tables
        Further tables to write: "games", "events".
    check_policies
        Whether to watch every policy, and stop if one changes the game or uses hidden information.
    force
        Whether to replace the run in that folder, if there is one, once the new one is whole.
    yes
        Whether to start even if the precision takes more than half an hour of play.
    progress
        How to show progress; see `equipoise.api.following.Following`.

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
    * docs/cli.md
    * docs/statistics.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate("middle-ages", games=1000, players=2, strategies="greedy", settings={"shortfall": "debt"})
    >>> found.seats.height
    2
    >>> found.plot().get_xlabel()
    ''
    """
    check_threads(threads)
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
    usual = load_kit(game).searched[0] if skill == "search" else DEFAULT_GAMES
    count = usual if games is None else games
    spec = draft_spec(game, players, cast(game, strategies, skill), rules, settings, seed, design, count, trust)
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
    with together():  # a folder with a manifest, or none
        writer = _writer(spec, out, force, detail, format, tables, goal) if writes else None
    run = RunInProgress(spec, count, writer, tables, goal)
    result, seconds = run.play(progress)
    return Simulation(run.spec, result, seconds, writer.folder if writer else None, retuned)


def resume(
    folder: str | Path, *, threads: int | None = None, trust: bool = False, progress: Following = None
) -> Simulation:
    """Continue a run that ended early, for whatever reason; the result is the same as without the interruption.

    Parameters
    ----------
    folder
        The run folder, or its URL in an object store; it says what is played.  Of a complete run, only damaged files
        are written again.
    threads, progress
        As for `eq.simulate`.
    trust
        Whether Python code that the run names may be run.

    Returns
    -------
    Simulation
        The result of the complete run.

    Raises
    ------
    UsageError
        If the folder is no run folder, another process is writing to it, or another version of the code began the run.
    KernelFault, Interrupted
        As for `eq.simulate`.

    References
    ----------
    * docs/cli.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> eq.resume("runs/first").seats.equals(found.seats)
    True
    """
    check_threads(threads)
    from analysis.runs.folders import place_of
    from analysis.runs.writer import resume as take_up

    found = take_up(place_of(folder), _sums, trust)
    made = found.manifest
    run = RunInProgress(found.spec, threads or default_threads(), found.writer, tuple(made.tables), found.goal)
    result, seconds = run.go_on(found, progress)
    return Simulation(run.spec, result, seconds, found.writer.folder)


def _first_stage(spec: Spec, goal: Goal, threads: int, yes: bool) -> Spec:
    """Return the first stage of a run to a precision.

    Raises UsageError if the precision cannot be reached, or takes longer than the user has agreed to.
    """
    goal.check(spec)
    games, seconds = probed(spec, threads, goal)
    goal.refuse_beyond(games)
    if seconds > LONG and not yes:
        raise UsageError(
            f"'{goal.text}' takes about {games:.2g} games, which is {duration(seconds)} on this machine; ask for less "
            "precision",
            "precision",
            (", or confirm with", "yes"),
        )
    return at_stage(spec, next(stages(spec, goal)))


def _writer(
    spec: Spec,
    out: str | Path | bool | None,
    force: bool,
    detail: str,
    format: str,
    tables: Sequence[str],
    goal: Goal | None,
) -> RunWriter:
    from analysis.runs.folders import Folder, claim_free, place_of
    from analysis.runs.writer import RunWriter, SummaryWriter

    if isinstance(out, bool) or out is None:
        place: Place = Folder(claim_free(HERE, f"{spec.game.name}-{spec.players}p"))
    else:
        place = place_of(out).claim(force)
    if detail == SUMMARY:
        kept = _sums(spec, goal.asked(spec) if goal else {})
        return SummaryWriter(place, spec, list(command_line()), kept, goal.text if goal else None)
    precision, also = (goal.text, goal.also(spec)) if goal else (None, None)
    return RunWriter(place, spec, detail, format, list(command_line()), tables, precision, also)


def _sums(spec: Spec, asked: Mapping[str, Any]) -> Also:
    """Return what makes the totals of a run that keeps no rows; only such runs load what this takes."""
    from analysis.headlines import summary_of

    return summary_of(spec, asked)
