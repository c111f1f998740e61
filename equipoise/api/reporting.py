"""`eq.report`: runs as a page that says what tilts the game, and how sure that is."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.headlines import summary_of
from analysis.pace import seconds_per_game
from analysis.runs import Run, load
from analysis.runs.folders import claim, free_folder
from analysis.runs.manifest import Manifest
from analysis.runs.resuming import Resumed, resume
from analysis.runs.writer import RunWriter
from analysis.stats.margin import FAIR, Margin, as_margin
from equipoise.api.following import Following, following
from equipoise.api.notebook import framed
from equipoise.api.playing import Playing
from equipoise.api.simulated import Simulation
from equipoise.api.simulation import HERE
from equipoise.files import claimed
from equipoise.output.pages import check, write
from equipoise.retuning import NOBODY, find_how, retune_all
from reports.compose import compose
from reports.field import Planned, plan
from reports.html import to_html
from reports.outputs import files, formats, places
from reports.page import Report
from reports.study import Study, Thresholds
from reports.words import Words
from simcore.errors import Interrupted, UsageError
from simcore.game import load_game
from simcore.kernel.warm import compiling_aside
from simcore.rules.files import Rules
from simcore.rules.settings import Settings
from simcore.running.batch import Spec
from simcore.running.executors import default_threads
from strategies.spec import DEFAULT_SEED, whole_games

if TYPE_CHECKING:
    from strategies.tuning.retune import How

LOG = logging.getLogger("equipoise")
GAMES_EACH = 100_000
QUICK_GAMES, QUICK_DEALS = 20_000, 1_000
"""Games of each run of a quick report, and deals that it replays to judge cards."""

PARTS = 1000
"""Steps of the progress, of the games and again of what follows: each is expected to take as long as any other."""

BEGIN = 0.1
"""Seconds that a run takes besides its games."""

DECISIVE = (
    "game", "players", "strategy_tables", "rules_digest", "design", "seed", "games", "detail", "table_format", "code",
)  # fmt: skip
"""Fields of the manifest that must be as planned for going on with a run."""

PAGES = (".html", ".htm", ".md", ".pdf")

AnyRun = Run | Simulation | str | Path


@dataclass(frozen=True, eq=False)
class Page:
    """A report, and what was written of it.

    Parameters
    ----------
    content
        Its sections, figures and tables.
    runs
        The runs that it is about.
    files
        Files and folders that were written.
    tuned
        Who was tuned for the rules of the runs, in sentences.
    """

    content: Report
    runs: tuple[Run, ...]
    files: tuple[Path, ...] = ()
    tuned: tuple[str, ...] = ()

    @property
    def verdicts(self) -> list[str]:
        """The answer and its largest cause, then the sentences on top, each with what kind of statement it is."""
        words, first = self.content.words, self.content.answer
        said = [f"{words(f'status.{one.status}')}: {one.text}" for one in self.content.verdicts]
        return [first.sentence.text, first.cause, *said] if first else said

    def html(self) -> str:
        """Return the page as HTML that needs no other file."""
        return to_html(self.content)

    def save(self, path: str | Path, formats_: str = "html", force: bool = False) -> list[Path]:
        """Write the page and return the files.

        Parameters
        ----------
        path
            File of the page, or folder to write it into.
        formats_
            Which, separated by commas: html, md, pdf, png, csv.
        force
            Whether files may be replaced.

        Raises
        ------
        UsageError
            If a format is not known, or something is in the way.
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
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = DEFAULT_SEED,
    retune: str | None = None,
    lang: str = "en",
    margin: Margin | float | str = FAIR,
    level: float = 0.95,
    deals: int | None = None,
    quick: bool = False,
    partial: bool = False,
    verify: bool = True,
    trust: bool = False,
    out: str | Path | None = None,
    format: str = "html",
    force: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Page:
    """Write one page that shows what tilts the game, and how certain that is.

    Parameters
    ----------
    runs
        Runs or run folders of one game, weaker players first; empty: the runs needed for `game` are simulated.
    game, games, rules, settings, seed, retune
        Without runs: the game, the games in each simulated run (None: 100,000, and 20,000 for a quick report), and the
        rest as for `eq.simulate`.
    lang
        Language of the page, "en" or "fr".
    margin
        Distance from par that counts as fair: "12%" of par, "3pp" (points), or a share of all wins.
    level
        Confidence level of the intervals.
    deals
        Deals that are replayed to judge cards; None: as many as the run has, 100,000 at most.
    quick
        Whether to ask only for seats, skill and cards, and to play only the usual number of players.
    partial, verify, trust
        See `eq.load`.
    out
        File of the page, or folder to write it into; None: nothing but the simulated runs is written.  Without runs:
        the folder of the page and of the simulated runs; None: a new folder in `runs/`.
    format
        What to write, separated by commas: html, md, pdf, png, csv, summary (one A4 page).
    force
        Whether files of an earlier report may be replaced.
    progress
        See `equipoise.api.following.Following`.
    command
        Command line that the page names.

    Returns
    -------
    Page
        It shows itself in a notebook.

    Raises
    ------
    UsageError
        Saying what cannot be used, and why.
    """
    given = [runs] if isinstance(runs, Run | Simulation | str | Path) else list(runs)
    replayed = QUICK_DEALS if quick and deals is None else deals
    limits, words, chosen = Thresholds(as_margin(margin), level, replayed), Words(lang), formats(format)
    each = games if games is not None else QUICK_GAMES if quick else GAMES_EACH
    how = None if retune is None else find_how(retune)
    if not given and game is None:
        raise UsageError("no runs; give run folders, or a game to have its runs simulated")
    folder = Path() if game is None or given else _folder(out, load_game(game).name)
    page = None if out is None else page_at(Path(out)) if given else folder / "report.html"
    if page:
        check(*places(page, chosen), force)  # says before the work what would fail after it
    tuned: list[str] = []
    found = _loaded(given, partial, verify, trust) if given else []
    with claimed(page) if page else nullcontext():
        if game is not None and not given:
            planned, tuned = _planned(game, whole_games(each), rules, settings, seed, how, progress, quick)
            found = _simulated(planned, folder / "runs", command, progress, force)
        with following(progress, "steps", PARTS) as tick:

            def advance(share: float, what: str) -> None:
                tick(int(share * PARTS), f"steps of the analysis ({what})")

            study = Study(tuple(found), limits, words, advance if progress else None, quick)
            content = compose(study, command)
            drawn, figures = count(1), max(len(content.pictures), 1)
            made = files(content, page, chosen, lambda: study.advance(next(drawn) / figures)) if page else ()
            written = write(made, page, force) if page else []
    return Page(content, tuple(found), tuple(written), tuple(tuned))


def page_at(out: Path) -> Path:
    """Return the file of a page that a user's file or folder means."""
    if out.is_dir() or not out.suffix:
        return out / "report.html"
    if out.suffix.lower() not in PAGES:
        raise UsageError(
            f"{out} is neither a folder nor an .html file; other formats go into the folder of the page", "out"
        )
    return out.with_suffix(".html")


def _folder(out: str | Path | None, game: str) -> Path:
    """Return the folder of a report that simulates its runs."""
    folder = free_folder(HERE, f"{game}-report") if out is None else Path(out)
    if folder.suffix in PAGES:
        raise UsageError("without runs, name a folder; the runs go there as well", "out")
    return folder


def _planned(
    game: str, games: int, rules: str | Path | Rules, settings: Settings, seed: int, how: How | None,
    progress: Following, quick: bool,
) -> tuple[list[Planned], list[str]]:  # fmt: skip
    """Return the runs that a report needs, and who was tuned for their rules, in sentences."""
    with compiling_aside(game):
        planned = plan(game, games, rules, settings, seed, quick)
    if how is None:
        return planned, []
    specs, players = retune_all([item.spec for item in planned], how, quiet=progress is not True)
    tuned = [str(player) for player in players] or [NOBODY]
    for sentence in tuned:
        LOG.info(sentence)
    return [replace(item, spec=spec) for item, spec in zip(planned, specs, strict=True)], tuned


def _loaded(given: Sequence[AnyRun], partial: bool, verify: bool, trust: bool) -> list[Run]:
    """Return runs, each once."""
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


def _simulated(
    planned: Sequence[Planned], folder: Path, command: Sequence[str], progress: Following, force: bool
) -> list[Run]:
    """Play the runs into a folder, with `force` over earlier runs; progress counts the games of all of them."""
    parts = _parts([item.spec for item in planned], bool(progress))
    done = 0.0
    with following(progress, "steps", PARTS) as tick:
        for item, part in zip(planned, parts, strict=True):
            place = folder / item.name
            resumed = None if force else _earlier(item, place)
            if resumed is None:
                claim(place, force)
            writer = resumed.writer if resumed else RunWriter(place, item.spec, item.detail, "parquet", list(command))
            run = Playing(item.spec, default_threads(), writer)

            def played(games: int, total: int, item: Planned = item, begun: float = done, part: float = part) -> None:
                tick(int(PARTS * (begun + part * games / total)), f"steps of the games ({item.name})")

            try:
                run.go_on(resumed, played) if resumed else run.play(played)
            except Interrupted:
                raise Interrupted(
                    f"{folder} holds the games that were whole; the same command goes on from there with the option "
                    f"--out {folder.parent}"
                ) from None
            done += part
    return [load(folder / item.name) for item in planned]


def _parts(specs: Sequence[Spec], followed: bool) -> list[float]:
    """Return the part of the time that each run is expected to take; where nobody follows, nothing is measured."""
    threads = default_threads()
    paces = [seconds_per_game(spec) if followed else 0.0 for spec in specs]
    seconds = [BEGIN + spec.games * pace / threads for spec, pace in zip(specs, paces, strict=True)]
    return [one / sum(seconds) for one in seconds]


def _earlier(item: Planned, place: Path) -> Resumed | None:
    """Return the run that an earlier report began in a place, if it is the one that is planned; else None."""
    try:
        made = Manifest.read(place)
    except UsageError:
        return None
    same = Manifest.begin(item.spec, item.detail, "parquet", ())
    if any(getattr(made, name) != getattr(same, name) for name in DECISIVE):
        return None
    return resume(place, summary_of)
