"""How `eq.report` plays the runs that it needs, and what it returns."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.data.results import Verdict
from analysis.data.threads import usual_threads
from analysis.headlines import summary_of
from analysis.pictured import Pictured
from analysis.precision import at_stage, stages
from analysis.runs import Run, load
from analysis.runs.folders import NEW, check_free, claim, free_folder, move_in
from analysis.runs.manifest import Manifest
from analysis.runs.writer import Resumed, RunWriter, resume
from analysis.seats.levels import SEARCH
from analysis.seats.looks import Looks, answerable
from analysis.seats.shares import judge_totals
from equipoise.api.experiment import framed
from equipoise.api.simulation import HERE, RunInProgress, Simulation
from equipoise.output.pages import REPORTED, check, formats, write
from equipoise.output.progress import Following, Tick, following
from equipoise.process import command_line, together
from equipoise.retuning import NOBODY, retune_all
from reports.page import Report
from reports.render.html import to_html
from reports.render.outputs import files, places
from reports.study.plots import by_name
from reports.study.study import Planned, Thresholds, plan
from simcore.errors import Interrupted, UsageError
from simcore.rules.files import Rules, Settings
from simcore.running.warm import compiling_aside

if TYPE_CHECKING:
    from reports.figures.base import Figure
    from strategies.tuning.retune import How

# --- The runs that a report needs: planned for a game, played into the folder of the report, and continued there ---


LOG = logging.getLogger("equipoise")

DECISIVE = (
    "game", "players", "strategy_tables", "rules_digest", "design", "seed", "games", "detail", "table_format", "code",
    "precision",
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


def play_runs(
    planned: Sequence[Planned], folder: Path, progress: Following, force: bool, limits: Thresholds
) -> list[Run]:
    """Play the runs into a folder; those that an earlier report has played are continued.

    With `force`, earlier runs of other games are replaced; they stay as they are until all new ones are whole.
    Players who look ahead play until they answer the experts' verdict; see `analysis.seats.looks`.  Progress begins
    anew with each run, as a game takes longer with more players, and longest if they look ahead.
    """
    for item in planned if force else ():
        check_free(folder / item.name, force)
    begun, replacing = folder.with_name(f"{folder.name}{NEW}"), list[Planned]()
    judged: dict[str, Verdict | None] = {}
    for number, item in enumerate(planned, 1):
        place, goal = folder / item.name, _goal(item, judged, limits)
        if goal:
            item = replace(item, spec=at_stage(item.spec, next(stages(item.spec, goal))))
        resumed = _earlier(item, place, goal)
        if force and not resumed:
            replacing.append(item)
            place = begun / item.name
            resumed = _earlier(item, place, goal)
        if resumed:
            writer = resumed.writer
        else:
            with together():  # a folder with a manifest, or none
                claimed, looks = claim(place, force), goal.text if goal else None
                writer = RunWriter(claimed, item.spec, item.detail, "parquet", list(command_line()), (), looks)
        run = RunInProgress(resumed.spec if resumed else item.spec, usual_threads(), writer, (), goal)
        counted = "games at most" if goal else "games"
        with following(progress, f"{counted} of run {number} of {len(planned)}", item.spec.games) as tick:

            def played(games: int, total: int, item: Planned = item, tick: Tick = tick) -> None:
                tick.note(item.name)
                tick.total = total
                tick(games)

            try:
                result, _ = run.go_on(resumed, played) if resumed else run.play(played)
            except Interrupted:
                again = f"run the same command again with --out {folder.parent}"
                if not command_line():
                    again = f"call report again with out='{folder.parent}'"
                raise Interrupted(f"{place.parent} holds the games that were complete; to continue, {again}") from None
        judged[item.name] = answerable(judge_totals(item.spec, result.tally, limits.margin, limits.level))
    if replacing:
        with together():
            for item in replacing:
                move_in(begun / item.name, folder / item.name, force)
        with suppress(OSError):  # something else is in the folder
            begun.rmdir()
    return [load(folder / item.name) for item in planned]


def _goal(item: Planned, judged: Mapping[str, Verdict | None], limits: Thresholds) -> Looks | None:
    """Return when a run ends that answers the verdict of another one; None if it ends after its games."""
    if not item.experts:
        return None
    given = judged.get(item.experts)
    most = item.most if given is not None and given.status == "tilted" else item.spec.games
    return Looks.up_to(most, given, limits.margin, limits.level)


def _earlier(item: Planned, place: Path, goal: Looks | None) -> Resumed | None:
    """Return the run that an earlier report began in this folder, if it is the planned one; otherwise None."""
    try:
        made = Manifest.read(place)
    except UsageError:
        return None
    same = Manifest.begin(item.spec, item.detail, "parquet", (), (), goal.text if goal else None)
    decisive = [name for name in DECISIVE if not (goal and name == "games")]
    if any(getattr(made, name) != getattr(same, name) for name in decisive):
        return None
    if made.rules.get("measures") != same.rules.get("measures"):  # which no digest holds
        return None
    return resume(place, summary_of)


# --- What a report is, and where it goes ---


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
        page, chosen = page_at(Path(path)), formats(formats_, REPORTED)
        check(*places(page, chosen), force)
        return write(files(self.content, page, chosen), page, force)

    def __repr__(self) -> str:
        return f"<Page '{self.content.title}': {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        return framed(self.html())


def still(share: float) -> None:
    """Show no progress."""


def all_imported(runs: Sequence[Run]) -> Sequence[Run]:
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


def folder_of(out: str | Path | bool | None, game: str) -> Path:
    """Return the folder of a report that simulates its runs."""
    folder = Path(out) if isinstance(out, str | Path) else free_folder(HERE, f"{game}-report")
    if folder.suffix in PAGES:
        raise UsageError("without runs, name a folder; the runs go there as well", "out")
    return folder


def loaded(given: Sequence[AnyRun], partial: bool, verify: bool, trust: bool) -> list[Run]:
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
