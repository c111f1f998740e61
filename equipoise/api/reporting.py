"""`eq.report`: a page that says what tilts the game, and how certain that is."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.data.threads import on_threads, usual_threads
from analysis.headlines import summary_of
from analysis.pictured import Pictured
from analysis.runs import Run, load
from analysis.runs.folders import begun_beside, claim, free_folder
from analysis.runs.manifest import Manifest
from analysis.runs.writer import Resumed, RunWriter, resume
from analysis.seats.levels import SEARCH
from analysis.stats.margin import FAIR, Margin, as_margin
from equipoise.api.experiment import framed
from equipoise.api.importing import runs_in
from equipoise.api.simulation import HERE, RunInProgress, Simulation
from equipoise.files import claimed
from equipoise.output.pages import check, write
from equipoise.output.progress import Following, Tick, following
from equipoise.parameters import check_threads
from equipoise.process import command_line, together
from equipoise.questions.asked import listed, refuse
from equipoise.retuning import NOBODY, find_how, retune_all
from reports.page import Report
from reports.pages.imported import compose_imported
from reports.render.html import to_html
from reports.render.outputs import files, formats, places
from reports.study.compose import compose
from reports.study.plots import by_name
from reports.study.study import Planned, Study, Thresholds, plan
from reports.words import Words
from simcore.errors import Interrupted, UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, Settings
from simcore.running.warm import compiling_aside
from strategies.spec import DEFAULT_SEED, whole_games

if TYPE_CHECKING:
    from reports.figures.base import Figure
    from strategies.tuning.retune import How

# --- The runs that a report needs: planned for a game, played into the folder of the report, and continued there ---


LOG = logging.getLogger("equipoise")

DECISIVE = (
    "game", "players", "strategy_tables", "rules_digest", "design", "seed", "games", "detail", "table_format", "code",
)  # fmt: skip
"""Fields of the manifest that must be as planned if an earlier run is to be continued."""


def asks_all(skill: str | None) -> bool:
    """Return whether players who look ahead are asked in any case; raise `UsageError` for any other level of skill."""
    if skill not in (None, SEARCH):
        raise UsageError("a report plays all levels of skill; only 'search' can be asked for in particular", "skill")
    return skill is not None


def plan_runs(
    game: str,
    games: int,
    rules: str | Path | Rules,
    settings: Settings,
    seed: int,
    how: How | None,
    progress: Following,
    quick: bool,
    counts: Sequence[int],
    asking: bool,
) -> tuple[list[Planned], list[str]]:
    """Return the runs that a report needs, and sentences saying who was tuned for their rules."""
    with compiling_aside(game):
        planned = plan(game, games, rules, settings, seed, quick, counts, asking)
    if how is None:
        return planned, []
    specs, players = retune_all([item.spec for item in planned], how, quiet=progress is not True)
    tuned = [str(player) for player in players] or [NOBODY]
    for sentence in tuned:
        LOG.info(sentence)
    return [replace(item, spec=spec) for item, spec in zip(planned, specs, strict=True)], tuned


def play_runs(planned: Sequence[Planned], folder: Path, progress: Following, force: bool) -> list[Run]:
    """Play the runs into a folder; `force` replaces earlier runs.

    Progress begins anew with each run, as a game takes longer with more players, and longest if they look ahead.
    """
    for number, item in enumerate(planned, 1):
        place = folder / item.name
        resumed = _earlier(item, begun_beside(place) if force else place)
        if resumed:
            writer = resumed.writer
        else:
            with together():  # a folder with a manifest, or none
                claimed = claim(place, force)
                writer = RunWriter(claimed, item.spec, item.detail, "parquet", list(command_line()))
        run = RunInProgress(item.spec, usual_threads(), writer)
        with following(progress, f"games of run {number} of {len(planned)}", item.spec.games) as tick:

            def played(games: int, total: int, item: Planned = item, tick: Tick = tick) -> None:
                tick.note(item.name)
                tick(games)

            try:
                run.go_on(resumed, played) if resumed else run.play(played)
            except Interrupted:
                again = f"run the same command again with --out {folder.parent}"
                if not command_line():
                    again = f"call report again with out='{folder.parent}'"
                raise Interrupted(f"{folder} holds the games that were complete; to continue, {again}") from None
    return [load(folder / item.name) for item in planned]


def _earlier(item: Planned, place: Path | None) -> Resumed | None:
    """Return the run that an earlier report began in this folder, if it is the planned one; otherwise None."""
    if place is None:
        return None
    try:
        made = Manifest.read(place)
    except UsageError:
        return None
    same = Manifest.begin(item.spec, item.detail, "parquet", ())
    if any(getattr(made, name) != getattr(same, name) for name in DECISIVE):
        return None
    return resume(place, summary_of)


# --- `eq.report`: a page that says what tilts the game, and how certain that is ---


GAMES_EACH = 100_000
QUICK_GAMES, QUICK_DEALS = 20_000, 1_000
"""Games of each run of a quick report, and the deals that are replayed to judge cards."""

PAGES = (".html", ".htm", ".md", ".pdf")

AnyRun = Run | Simulation | str | Path


@dataclass(frozen=True, eq=False)
class Page(Pictured):
    """A report, and the files that were written."""

    content: Report  # its sections, figures and tables
    runs: tuple[Run, ...]  # the runs that the report is about
    files: tuple[Path, ...] = ()  # files and folders that were written
    tuned: tuple[str, ...] = ()  # sentences saying which players were tuned for the rules of the runs

    @property
    def verdicts(self) -> list[str]:
        """The answer and its largest cause, then the conclusions, each preceded by its status."""
        words, first = self.content.words, self.content.answer
        said = [
            words("status.said", status=words(f"status.{one.status}"), text=one.text) for one in self.content.verdicts
        ]
        return [first.sentence.text, first.cause, *said] if first else said

    def figures(self, lang: str = "") -> dict[str, Figure]:
        """Return the figures of the page by name, in order, in the page's own language."""
        return by_name(self.content.pictures)

    def html(self) -> str:
        """Return the page as HTML that needs no other file."""
        return to_html(self.content)

    def save(self, path: str | Path, formats_: str = "html", force: bool = False) -> list[Path]:
        """Write the page and return the paths of the files.

        Parameters
        ----------
        path
            File of the page, or folder to write it into.
        formats_
            Formats to write, separated by commas: html, md, pdf, png, csv, summary.
        force
            Whether existing files may be replaced.

        Raises
        ------
        UsageError
            If a format is unknown, or existing files are in the way.
        """
        page, chosen = page_at(Path(path)), formats(formats_)
        check(*places(page, chosen), force)
        return write(files(self.content, page, chosen), page, force)

    def __repr__(self) -> str:
        return f"<Page '{self.content.title}': {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        return framed(self.html())


def report(
    runs: AnyRun | Sequence[AnyRun] = (),
    *,
    game: str | None = None,
    games: float | None = None,
    players: int | Sequence[int] | None = None,
    skill: str | None = None,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    retune: str | int | None = None,
    teams: str = "",
    decimal: str = "",
    lang: str = "en",
    margin: Margin | float | str = FAIR,
    level: float = 0.95,
    deals: int | None = None,
    quick: bool = False,
    threads: int | None = None,
    partial: bool = False,
    verify: bool = True,
    trust: bool = False,
    out: str | Path | None = None,
    format: str = "html",
    force: bool = False,
    progress: Following = None,
) -> Page:
    """Make a page that shows what tilts the game, and how certain that is.

    Parameters
    ----------
    runs
        Runs or run folders of one game, weakest players first.  If empty, the runs that `game` needs are simulated.  A
        table of results is imported first, into a new folder in `runs/`; see `eq.import_table`.
    game, games, rules, settings, seed, retune
        Without runs: the game, the number of games in each simulated run (if None, 100,000, or 20,000 for a quick
        report), and the rest as for `eq.simulate`.
    players
        Without runs: numbers of players at the table.  If None, all numbers that the game allows, or the game's usual
        number for a quick report.
    skill
        Without runs: "search" lets players who look ahead play as many games in a quick report as in a full one, and
        in games in which a quick report does not ask them.
    teams, decimal
        With a table of results: as for `eq.import_table`.
    lang
        Language of the page, "en" or "fr".
    margin
        Distance from par that counts as fair: "12%" of par, "3pp" (percentage points), or a share of all wins.
    level
        Confidence level of the intervals.
    deals
        Number of deals that are replayed to judge cards.  If None, as many as the run has, at most 25,000.
    quick
        Whether to answer only questions about seats, skill and cards, if `players` is None at the usual number only.
    threads
        Number of threads; it does not affect the results.  If None, one for each processor.
    partial, verify, trust
        See `eq.load`.
    out
        File of the page, or folder to write it into.  If None, the page is not written.  Without `runs`: the folder of
        the page and of the simulated runs; if None, a new folder in `runs/`.
    format
        Formats to write, separated by commas: html, md, pdf, png, csv, summary (one A4 page).
    force
        Whether files of an earlier report may be replaced.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

    Returns
    -------
    Page
        The report; a notebook shows the whole page.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.

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
    check_threads(threads)
    given = list(runs_in([runs] if isinstance(runs, Run | Simulation | str | Path) else list(runs), decimal, teams))
    replayed = QUICK_DEALS if quick and deals is None else deals
    limits, words, chosen = Thresholds(as_margin(margin), level, replayed), Words(lang), formats(format)
    each = games if games is not None else QUICK_GAMES if quick else GAMES_EACH
    how = None if retune is None else find_how(retune, threads)
    if given:
        named = {"game": game, "games": games, "players": players, "skill": skill, "settings": settings}
        refuse("the runs say what was played; leave it out", named | {"retune": retune})
    elif game is None:
        game = GAMES[0]
    counts: list[int] = listed(players)
    folder = Path() if game is None else _folder(out, load_game(game).name)
    page = None if out is None else page_at(Path(out)) if given else folder / "report.html"
    if page:
        check(*places(page, chosen), force)  # says before the work what would fail after it
    tuned: list[str] = []
    found = _loaded(given, partial, verify, trust) if given else []
    with on_threads(threads), claimed(page) if page else nullcontext():
        if game is not None:
            asking = asks_all(skill)
            planned, tuned = plan_runs(
                game, whole_games(each), rules, settings, seed, how, progress, quick, counts, asking
            )
            found = play_runs(planned, folder / "runs", progress, force)
        with following(progress, "sections", 1, even=False) as tick:

            def told(done: int, sections: int, what: str) -> None:
                tick.total = sections
                tick(done, f"sections ({what})")

            if any(run.manifest.origin for run in found):
                content, moved = compose_imported(_all_imported(found), limits, words, command_line()), _still
            else:
                tell = LOG.info if progress is True else None
                study = Study(tuple(found), limits, words, told if progress else None, quick, tell)
                content, moved = compose(study, command_line()), study.advance
            drawn, figures = count(1), max(len(content.pictures), 1)
            made = files(content, page, chosen, lambda: moved(next(drawn) / figures)) if page else ()
            written = write(made, page, force) if page else []
    return Page(content, tuple(found), tuple(written), tuple(tuned))


def _still(share: float) -> None:
    """Show no progress."""


def _all_imported(runs: Sequence[Run]) -> Sequence[Run]:
    """Return runs that were imported; refuse them beside runs that were played here, or if they are of two games."""
    for run in runs:
        if run.manifest.origin is None:
            raise UsageError(f"{run.folder}: was played here, but others come from tables; make a report for each")
    titles = list(dict.fromkeys(run.manifest.origin.title for run in runs if run.manifest.origin))
    if len(titles) > 1:
        raise UsageError(f"report: tables of {' and '.join(titles)}; a report is about one game, make one for each")
    return runs


def page_at(out: Path) -> Path:
    """Return the path of the page that a user's file or folder stands for."""
    if out.is_dir() or not out.suffix:
        return out / "report.html"
    if out.suffix.lower() not in PAGES:
        raise UsageError(
            f"{out} is neither a folder nor an .html file; other formats are written into the folder of the page", "out"
        )
    return out.with_suffix(".html")


def _folder(out: str | Path | None, game: str) -> Path:
    """Return the folder of a report that simulates its runs."""
    folder = free_folder(HERE, f"{game}-report") if out is None else Path(out)
    if folder.suffix in PAGES:
        raise UsageError("without runs, name a folder; the runs go there as well", "out")
    return folder


def _loaded(given: Sequence[AnyRun], partial: bool, verify: bool, trust: bool) -> list[Run]:
    """Return the runs, opened; refuse a run that is given twice."""
    seen: dict[Path, None] = {}
    found = []
    for one in given:
        run = one if isinstance(one, Run) else one.run if isinstance(one, Simulation) else None
        folder = Path(one) if isinstance(one, str | Path) else run.folder if run else Path()
        if folder.resolve() in seen:
            raise UsageError(f"{folder}: given twice; name each run once")
        seen[folder.resolve()] = None
        found.append(run or load(folder, partial, verify, trust))
    return found
