"""A page that shows what tilts the game, and how certain that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from equipoise.command import Ask
from equipoise.options import ClusterOption, OpenOption, QuietOption
from equipoise.output.pages import REPORTED, check, formats, formats_of, show_in_browser, write
from equipoise.output.progress import following, hush
from equipoise.parameters import (
    DecimalMark,
    Distance,
    Lang,
    Level,
    MaybeGame,
    MaybeGames,
    MaybeRules,
    MaybeSeed,
    Partial,
    PlayerCounts,
    Question,
    Replace,
    Retune,
    RuleChanges,
    Teams,
    Trust,
    Typed,
    Verify,
    run_or_table_of,
    skill_names,
    whole,
)
from equipoise.questions.asked import RUNS_SAY, Shared, listed, question, refuse
from simcore.homes import GAMES

if TYPE_CHECKING:
    from analysis.data.results import Note
    from equipoise.api.reporting import AnyRun, Page

Runs = Annotated["AnyRun | Sequence[AnyRun]", Typed(takes="RUN", read=run_or_table_of, each=True, argument=True)]

GAMES_EACH = 100_000
QUICK_GAMES, QUICK_DEALS = 20_000, 1_000
"""Games of each run of a quick report, and the deals that are replayed to judge cards."""


@dataclass(frozen=True)
class OnScreen:
    """The options that only the command has: it writes the page, prints the verdicts, and opens a browser."""

    summary: Annotated[bool, Typed("Also write a summary on one A4 page (PDF).")] = False
    open_: OpenOption = None
    quiet: QuietOption = False
    cluster: ClusterOption = None

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Write the page, and print what it says."""
        if self.quiet:
            hush()
        formats = f"{given['format']},summary" if self.summary else given["format"]
        made = ask(not self.quiet, out=given["out"] or True, format=formats)
        typer.echo("\n".join([*([] if self.quiet else [*made.verdicts, ""]), *map(str, made.files)]))
        show_in_browser(made.files, self.open_)


@question(
    "equipoise report runs/first",
    "equipoise report runs/first --format html,md,png --lang fr",
    "equipoise report runs/random runs/greedy runs/planner --out skill.html",
    "equipoise report --game middle-ages --quick --summary",
    "equipoise report --game middle-ages --games 1e5 --players 3,4",
    only=OnScreen,
)
def report(
    runs: Runs = (),
    *,
    game: MaybeGame = None,
    games: MaybeGames = None,
    players: PlayerCounts = None,
    skill: Annotated[str | None, Typed(takes="NAME", complete=skill_names)] = None,
    rules: MaybeRules = None,
    settings: RuleChanges = None,
    seed: MaybeSeed = None,
    retune: Retune = None,
    teams: Teams = "",
    decimal: DecimalMark = "",
    lang: Lang = "en",
    margin: Distance = None,
    level: Level = 0.95,
    deals: Annotated[int | None, Typed(takes="N", read=whole)] = None,
    quick: bool = False,
    partial: Partial = False,
    verify: Verify = True,
    trust: Trust = False,
    out: Annotated[str | Path | bool | None, Typed(takes="PATH")] = None,
    format: Annotated[str, Typed(takes="NAME,...", read=partial(formats_of, offered=REPORTED))] = "html",
    force: Replace = False,
    **given: Unpack[Shared],
) -> Page:
    """Write one page that shows what tilts the game, and how certain that is.

    Parameters
    ----------
    runs
        Run folders of one game, weakest players first; or a table of results.
    game
        Without runs: simulate the runs needed for this game.  If None, middle-ages.
    games
        Without runs: games in each simulated run.  If None, 1e5; 2e4 if quick.
    players
        Without runs: players at the table; several numbers are separated by commas.  If None, all; the usual number if
        quick.
    skill
        Without runs: `search` lets players who look ahead play in a quick report as much as in a full one, and in games
        in which a quick report does not ask them.  If None, experts.
    deals
        Number of deals that are replayed to judge cards.  If None, the run's, 25,000 at most; 1e3 if quick.
    quick
        Only seats, skill and cards; without --players, at the usual number of players.
    out
        File of the page, or folder to write it into, which without runs also holds the runs.  In Python, True takes the
        folder of the first run, and without it the page of runs is not written.  If None, report.html in the first run.
    format
        Formats, separated by commas: `html`, `md`, `pdf`, `png`, `csv`, `summary`, `share`.
    force
        Replace the files of an earlier report.

    Returns
    -------
    Page
        The report; a notebook shows the whole page.

    References
    ----------
    * docs/reference/report.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> page = eq.report("runs/first", deals=200)
    >>> [path.name for path in page.save("first.html")]
    ['first.html']
    """
    from analysis.data.threads import on_threads
    from analysis.runs import Run
    from analysis.stats.margin import as_margin
    from equipoise.api import reporting
    from equipoise.api.importing import runs_in
    from equipoise.api.simulation import Simulation
    from equipoise.files import claimed
    from equipoise.process import command_line
    from equipoise.retuning import find_how
    from reports.pages.imported import compose_imported
    from reports.render.outputs import files, places
    from reports.study.compose import compose
    from reports.study.study import Study, Thresholds
    from reports.words import Words
    from simcore.game import load_game
    from strategies.spec import whole_games

    threads, progress = given["threads"], given["progress"]
    named = [runs] if isinstance(runs, Run | Simulation | str | Path) else list(runs)
    replayed = QUICK_DEALS if quick and deals is None else deals
    limits, words, chosen = Thresholds(as_margin(margin), level, replayed), Words(lang), formats(format, REPORTED)
    how = None if retune is None else find_how(retune, threads)
    if named:
        played = {"game": game, "games": games, "players": players, "skill": skill, "rules": rules}
        refuse(RUNS_SAY, {**played, "settings": settings, "seed": seed, "retune": retune})
    notes: list[Note] = []
    sources = list(runs_in(named, decimal, teams, notes))
    if sources:
        if out is True:
            first = sources[0] if isinstance(sources[0], str | Path) else sources[0].folder
            out = Path(first).parent if len(sources) > len(named) else first
        page = reporting.page_at(Path(out)) if isinstance(out, str | Path) else None
    else:
        game = game or GAMES[0]
        folder = reporting.folder_of(out, load_game(game).name)
        page = folder / "report.html"
    if page:
        check(*places(page, chosen), force)  # says before the work what would fail after it
    tuned: list[str] = []
    opened = reporting.loaded(sources, partial, verify, trust)
    with on_threads(threads), claimed(page) if page else nullcontext():
        if not sources:
            planned, tuned = reporting.plan_runs(
                game or GAMES[0],
                whole_games(games or (QUICK_GAMES if quick else GAMES_EACH)),
                rules or "base",
                settings,
                1 if seed is None else seed,
                how,
                progress,
                quick,
                listed(players),
                reporting.asks_all(skill),
            )
            opened = reporting.play_runs(planned, folder / "runs", progress, force, limits)
        with following(progress, "sections", 1, even=False) as tick:

            def say(done: int, sections: int, what: str) -> None:
                tick.total = sections
                tick(done, f"sections ({what})")

            if any(run.manifest.origin for run in opened):
                content = compose_imported(reporting.all_imported(opened), limits, words, command_line(), notes)
                moved = reporting.still
            else:
                tell = reporting.LOG.info if progress is True else None
                study = Study(tuple(opened), limits, words, say if progress else None, quick, tell)
                content, moved = compose(study, command_line()), study.advance
            drawn, figures = count(1), max(len(content.pictures), 1)
            made = files(content, page, chosen, lambda: moved(next(drawn) / figures)) if page else ()
            written = write(made, page, force) if page else []
    return reporting.Page(content, tuple(opened), tuple(written), tuple(tuned))
