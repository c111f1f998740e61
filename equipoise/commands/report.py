"""`equipoise report`: runs as a page that says what tilts the game, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial as bind
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.commands.simulate import RulesOption, SeedOption, SetOption
from equipoise.commands.verify import TrustOption, UncheckedOption
from equipoise.examples import examples
from equipoise.files import claimed
from equipoise.output.numbers import whole
from equipoise.output.pages import check, has_desktop, write
from equipoise.output.progress import Progress
from equipoise.retuning import NOBODY, RetuneOption, find_how, retune_all
from simcore.errors import Interrupted, KernelFault, UsageError
from simcore.homes import known_games

if TYPE_CHECKING:
    from analysis.runs import Run
    from reports.field import Planned
    from reports.page import Report
    from strategies.tuning.retune import How

EXAMPLES = examples(
    "equipoise report runs/first",
    "equipoise report runs/first --format html,md,png --lang fr",
    "equipoise report runs/random runs/greedy runs/planner --out skill.html",
    "equipoise report --game middle-ages --games 1e5",
)
PARTS = 1000
"""Steps of the progress of the analyses."""

MARGIN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:pp|pts?|points?|%)?")


class Language(StrEnum):
    """Languages of the report."""

    en = "en"
    fr = "fr"


def report(
    context: typer.Context,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RUN", help="Run folders of one game, weaker players first.", show_default=False),
    ] = None,
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
            "--format", metavar="NAME,...", help="What to write, separated by commas: html, md, pdf, png, csv."
        ),
    ] = "html",
    lang: Annotated[Language, typer.Option("--lang", help="Language of the page: en or fr.")] = Language.en,
    margin: Annotated[
        str, typer.Option("--margin", help="Distance from par that still counts as fair, in percentage points.")
    ] = "3pp",
    level: Annotated[float, typer.Option("--level", help="Confidence level of the intervals.")] = 0.95,
    deals: Annotated[
        str | None,
        typer.Option("--deals", help="Deals that are replayed to judge cards.", show_default="the run's, 1e5 at most"),
    ] = None,
    open_: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Show the page in a browser.", show_default="on a desktop's terminal"),
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Use runs that ended early, as far as they got.")] = False,
    unchecked: UncheckedOption = False,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files of an earlier report.")] = False,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", help="Without runs: simulate the runs needed for this game.", autocompletion=known_games
        ),
    ] = None,
    games: Annotated[str, typer.Option("--games", help="Without runs: games in each simulated run.")] = "1e5",
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    retune: RetuneOption = None,
) -> None:
    """Write one page on what tilts the game, and how certain that is."""
    from reports.outputs import files, formats, places
    from reports.study import Thresholds

    chosen = formats(format_)
    limits = Thresholds(_points(margin), level, None if deals is None else whole(deals, "--deals"))
    how = None if retune is None else find_how(retune)
    if not runs and game is None:
        raise UsageError("report: no runs; give run folders, or --game NAME to have what it takes simulated")
    if runs:
        _refuse(context, "game", "games", "rules", "set_", "seed", "retune")
        page = _page(out, runs[0])
        check(*places(page, chosen), force)
        opened = bind(_load, runs, partial, not unchecked, trust)
    else:
        from simcore.game import load_game

        assert game is not None
        folder = _folder(out, load_game(game).name, force)
        page = folder / "report.html"
        check(*places(page, chosen), force)
        choices = game, whole(games, "--games"), rules, set_ or (), whole(seed, "--seed", 0, 2**64 - 1)
        opened = bind(_simulate, choices, how, folder / "runs", context.obj or ("report",))
    with claimed(page):
        made = _compose(opened(), limits, lang.value, context.obj or ("report",))
        written = write(files(made, page, chosen), page, force)
    for sentence in made.verdicts:
        typer.echo(f"{made.words(f'status.{sentence.status}')}: {sentence.text}")
    typer.echo("")
    for path in written:
        typer.echo(str(path))
    if "html" in chosen and (has_desktop() if open_ is None else open_):
        typer.launch(str(page.with_suffix(".html").resolve()))


def _refuse(context: typer.Context, *names: str) -> None:
    """Refuse options that say what is to be played, where runs were."""
    for name in names:
        source = context.get_parameter_source(name)
        if source and source.name == "COMMANDLINE":
            raise UsageError(f"--{name.rstrip('_')}: the runs say what was played; leave out the option or the runs")


def _points(text: str) -> float:
    """Return the share that "3pp", "3" or "2.5%" means."""
    found = MARGIN.fullmatch(text.strip())
    if not found or not 0 < float(found[1]) < 100:
        raise UsageError(f"--margin: '{text[:40]}' is no margin; write percentage points such as 3pp or 2.5pp")
    return float(found[1]) / 100


def _page(out: Path | None, first: Path) -> Path:
    """Return where the page goes."""
    if out is None:
        return first / "report.html"
    if out.is_dir() or not out.suffix:
        return out / "report.html"
    if out.suffix.lower() not in (".html", ".htm", ".md", ".pdf"):
        raise UsageError(f"--out: {out} is neither a folder nor an .html file; other formats go beside the page")
    return out.with_suffix(".html")


def _folder(out: Path | None, game: str, force: bool) -> Path:
    """Return the folder of a report that simulates its runs."""
    from analysis.runs.writer import free_folder

    folder = out or free_folder(Path("runs"), f"{game}-report")
    if folder.suffix == ".html":
        raise UsageError("--out: without runs, name a folder; the runs go there as well")
    return folder


def _load(folders: Sequence[Path], partial: bool, verify: bool, trust: bool) -> list[Run]:
    from analysis.runs import load

    seen: dict[Path, Path] = {}
    for folder in folders:
        if seen.setdefault(folder.resolve(), folder) is not folder:
            raise UsageError(f"{folder}: given twice; name each run once")
    return [load(folder, partial, verify, trust) for folder in folders]


def _retuned(planned: Sequence[Planned], how: How) -> list[Planned]:
    """Return the runs with players tuned for their rules, and say who was tuned."""
    specs, players = retune_all([item.spec for item in planned], how)
    for sentence in [str(player) for player in players] or [NOBODY]:
        typer.echo(sentence)
    return [replace(item, spec=spec) for item, spec in zip(planned, specs, strict=True)]


def _simulate(
    choices: tuple[str, int, str, Sequence[str], int], how: How | None, folder: Path, command: Sequence[str]
) -> list[Run]:
    """Play the runs that a report needs into a folder, with one bar for all; the choices are those of `plan`."""
    from analysis.runs import load
    from analysis.runs.writer import RunWriter, claim
    from reports.field import plan
    from simcore.kernel.warm import compiling_aside
    from simcore.running.executors import default_threads, execute

    with compiling_aside(choices[0]):
        planned = plan(*choices)
    if how is not None:
        planned = _retuned(planned, how)
    total, done = sum(item.spec.games for item in planned), 0
    with Progress("games", total) as progress:
        for item in planned:
            place = folder / item.name
            claim(place)
            writer = RunWriter(place, item.spec, item.detail, "parquet", list(command))
            try:
                result = execute(
                    item.spec, default_threads(), item.detail, writer.write, writer.finished,
                    lambda games, before=done: progress.update(before + games),  # type: ignore[misc]
                )  # fmt: skip
                writer.close(result)
            except (Interrupted, KeyboardInterrupt):
                writer.abandon("interrupted")
                raise Interrupted(f"{folder} holds the runs that were whole; delete it or name another") from None
            except (UsageError, KernelFault, OSError):
                writer.abandon("failed")
                raise
            done += item.spec.games
    return [load(folder / item.name) for item in planned]


def _compose(runs: Sequence[Run], limits: object, lang: str, command: Sequence[str]) -> Report:
    from reports.compose import compose
    from reports.study import Study, Thresholds
    from reports.words import Words

    assert isinstance(limits, Thresholds)
    with Progress("parts of the analysis", PARTS) as progress:
        tick: Callable[[float], None] = lambda share: progress.update(int(share * PARTS))  # noqa: E731
        return compose(Study(tuple(runs), limits, Words(lang), tick), command)
