"""`equipoise check`: is the game still balanced as its committed baselines say?"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.files import check_file, claimed, whole_file
from equipoise.options import JsonOption, examples
from equipoise.output.progress import Stages, hush
from equipoise.parameters import (
    Lang,
    Retune,
    RuleChanges,
    Threads,
    Typed,
    comma_list,
    player_counts,
    seed_of,
    skill_names,
    whole,
)
from equipoise.process import command_line
from equipoise.retuning import find_how
from simcore.errors import UsageError
from simcore.homes import ELSEWHERE, GAMES, home, known_games

if TYPE_CHECKING:
    from analysis.check.baseline import Baseline, Instead
    from analysis.check.checking import Check
    from analysis.check.checking import Retune as Retuning
    from analysis.check.claims import Finding
    from analysis.check.results import Tables
    from analysis.check.updating import Update
    from analysis.data.source import Source

# Measure the balance of games, and write their baselines; a file that exists is replaced only when all is measured.


PLACE = "configs/{}/baselines/default.toml"


def begin(
    path: Path | None, game: str | None, players: Sequence[int], instead: Instead, seed: int | None, games: int | None
) -> None:
    """Write a first baseline."""
    from analysis.check.updating import draft
    from strategies.spec import DEFAULT_GAMES, DEFAULT_SEED

    if game is None:
        raise UsageError("--update: there is no baseline here yet; name its game with --game")
    place = path or Path(PLACE.format(game))
    _check_name(place)
    baseline = draft(
        place,
        game,
        players,
        instead.strategies,
        instead.skill,
        instead.rules or "base",
        instead.settings,
        DEFAULT_SEED if seed is None else seed,
        DEFAULT_GAMES if games is None else games,
    )
    _measure([baseline])


def _check_name(path: Path) -> None:
    if path.suffix != ".toml":
        raise UsageError(f"{path}: the name of a baseline must end in .toml")


def renew(found: Sequence[Path], yes: bool) -> None:
    """Measure baselines again."""
    from analysis.check.baseline import read_choices

    baselines = [read_choices(path) for path in found]
    for baseline in baselines:
        if baseline.choices.game == ELSEWHERE:
            raise UsageError(
                f"{baseline.label}: comes from a table of results; name the run of a table with --results", "--update"
            )
    _measure(baselines, yes)


def record(path: Path, tables: Tables, yes: bool) -> None:
    """Write the baseline of a table of results, for the first time or again."""
    from analysis.check.baseline import read_choices
    from analysis.check.results import draft_results, update_results

    _check_name(path)
    began = time.perf_counter()
    with claimed(path, "--update"):
        baseline = read_choices(path) if path.exists() else draft_results(path, tables)
        made = update_results(baseline, tables)
        _compare(made.baseline, tables.sources, yes)
        _write(made)
    typer.echo(f"{made.baseline.label}: {made.games:,} games in {time.perf_counter() - began:.1f} s")


def _measure(baselines: Sequence[Baseline], yes: bool = False) -> None:
    """Measure baselines and write each file when it is complete, unless margins are broken and --yes is not given."""
    from analysis.check.updating import sources_of, update
    from equipoise.output.checks import sentence

    for baseline in baselines:
        check_file(baseline.path, True, "--update")
    sizes = [baseline.choices.games * len(baseline.choices.players) for baseline in baselines]
    broken: list[Finding] = []
    with Stages(True) as show:
        for number, baseline in enumerate(baselines):
            began, before = time.perf_counter(), sum(sizes[:number])
            with claimed(baseline.path, "--update"):
                made = update(baseline, lambda now, at=before: show("games", at + now, sum(sizes)))  # type: ignore[misc]
                _compare(made.baseline, sources_of(baseline), yes)
                _write(made)
            typer.echo(f"{baseline.label}: {made.games:,} games in {time.perf_counter() - began:.1f} s")
            broken += made.broken
    for finding in broken:
        typer.echo(sentence(finding))
    if broken:
        raise typer.Exit(1)


def _write(made: Update) -> None:
    """Write a baseline and what lies in its folder."""
    baseline = made.baseline
    folder = baseline.frozen if made.copies else baseline.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.copies.items():
        with whole_file(folder / name, True, "--update") as write:
            write(text.encode())
    with whole_file(baseline.path, True, "--update") as write:
        write(made.text.encode())
    for path in made.stale:
        path.unlink(missing_ok=True)


def _compare(after: Baseline, sources: Mapping[int, Source], yes: bool) -> None:
    """Print what moved since the last measurement; raise `UsageError` if margins are broken without --yes."""
    from analysis.check.baseline import read_baseline
    from analysis.check.updating import moved

    try:
        before = read_baseline(after.path)
    except (UsageError, OSError):  # not measured yet, or unreadable: there is nothing to compare with
        return
    found = moved(before, after, sources)
    for one in found:
        typer.echo(f"{'broken' if one.broken else 'moved '} {one}")
    broken = sum(one.broken for one in found)
    if broken and not yes:
        raise UsageError(
            f"--update: {after.label}: {broken} margins are broken, so the file was left as it is; "
            "if this is intended, give --yes"
        )


# --- The files of a check, and what each of them contains ---


@dataclass(frozen=True)
class Outputs:
    """Files to write, by their contents."""

    json: Path | None
    junit: Path | None
    markdown: Path | None
    gitlab: Path | None
    page: Path | None
    lang: str
    command: Sequence[str]
    force: bool

    def check(self) -> None:
        """Report before the work what would fail after it."""
        from equipoise.files import check_file

        named: dict[Path, str] = {}
        for option, path in self.files().items():
            check_file(path, self.force, option)
            if not path.parent.is_dir():
                raise UsageError(f"{option}: {path} cannot be written: No such file or directory: {path.parent}")
            if option == "--page" and path.suffix != ".html":
                raise UsageError(f"{option}: {path}: the name of a page ends in .html")
            if named.setdefault(path.resolve(), option) != option:
                raise UsageError(f"{option}: {path} is also the file of {named[path.resolve()]}; name another")

    def files(self) -> dict[str, Path]:
        """Return the files by option."""
        given = {
            "--out": self.json,
            "--junit": self.junit,
            "--markdown": self.markdown,
            "--gitlab": self.gitlab,
            "--page": self.page,
        }
        return {option: path for option, path in given.items() if path is not None}

    def write(self, checks: Sequence[Check]) -> None:
        """Write the files."""
        from equipoise.files import whole_file
        from equipoise.output.checks import gitlab, junit, markdown, table

        make: dict[str, Callable[[Sequence[Check]], str]] = {
            "--out": lambda checks: json.dumps(table(checks), indent=2) + "\n",
            "--junit": junit,
            "--markdown": markdown,
            "--gitlab": gitlab,
            "--page": self._page,
        }
        for option, path in self.files().items():
            with whole_file(path, self.force, option) as write:
                write(make[option](checks).encode())

    def _page(self, checks: Sequence[Check]) -> str:
        from reports.pages.check import compose_checks
        from reports.render.html import to_html
        from reports.words import Words

        return to_html(compose_checks(checks, Words(self.lang), self.command))


# --- `equipoise check`: is the game still balanced as its committed baselines say? ---


EXAMPLES = examples(
    "equipoise check",
    "equipoise check --set events.alliance.copies=0",
    "equipoise check --skill search",
    "equipoise check --full --junit balance.xml --markdown balance.md",
    "equipoise check --full --page runs/check.html",
    "equipoise check --update --game middle-ages",
    "equipoise check --update --results runs/autumn club.toml",
    "equipoise check --results runs/winter club.toml",
)
WHERE = "configs/*/baselines/*.toml"
LEAST_GAMES = 1000

games_of = partial(whole, least=LEAST_GAMES)


def check(
    context: typer.Context,
    baselines: Annotated[
        Sequence[Path], Typed(f"Baseline files; by default `{WHERE}`.", "BASELINE", each=True, argument=True)
    ] = (),
    update: Annotated[bool, Typed("Measure again, and write the files.")] = False,
    yes: Annotated[bool, Typed("With --update: write a file even if a measure moved beyond its margin.")] = False,
    full: Annotated[bool, Typed("Play fresh deals even if nothing changed.")] = False,
    games: Annotated[
        int | None,
        Typed("Largest number of fresh games at each player count.  If None, as the file says.", "N", games_of),
    ] = None,
    seed: Annotated[
        int | None, Typed("Random seed of the fresh deals.  If None, derived from the digests.", "N", seed_of)
    ] = None,
    game: Annotated[
        str | None, Typed("Only this game's baselines; a game in plain Python by its file.", complete=known_games)
    ] = None,
    players: Annotated[
        Sequence[int],
        Typed("For a first baseline: player counts, separated by commas.  If empty, all.", "N,...", player_counts),
    ] = (),
    strategies: Annotated[
        Sequence[str],
        Typed("Check these strategies, or use them in a first baseline; separated by commas.", read=comma_list),
    ] = (),
    skill: Annotated[
        str | None,
        Typed(
            "Check the game's players of this skill, or use them in a first baseline: `family`, `club`, `experts` or "
            "`search` (who look ahead, slowly).  If None, as the file says.",
            "NAME",
            complete=skill_names,
        ),
    ] = None,
    rules: Annotated[str | None, Typed("Check these rules, or use them in a first baseline.")] = None,
    settings: RuleChanges = (),
    retune: Retune = None,
    results: Annotated[
        Path | None, Typed("Judge imported games, or with --update measure them; nothing is played.", "RUN")
    ] = None,
    threads: Threads = None,
    json_: JsonOption = False,
    out: Annotated[Path | None, Typed("File for the results as JSON.")] = None,
    junit: Annotated[Path | None, Typed("File for the results as JUnit XML.")] = None,
    markdown: Annotated[Path | None, Typed("File for a summary in Markdown.")] = None,
    gitlab: Annotated[Path | None, Typed("File for annotations that GitLab shows (Code Quality).")] = None,
    github: Annotated[bool, Typed("Print annotations that GitHub shows, on standard error.")] = False,
    page: Annotated[Path | None, Typed("File for a page that `equipoise index` lists.", "FILE.html")] = None,
    lang: Lang = "en",
    force: Annotated[bool, Typed("Replace files that exist.")] = False,
) -> None:
    """Check the current balance against committed baselines; exit with 0, 1 (fail) or 3 (inconclusive)."""
    from analysis.check.baseline import Instead, read_baseline
    from analysis.check.results import check_results
    from analysis.data.threads import on_threads
    from equipoise.api.checking import open_results, retuned
    from equipoise.questions.asked import refuse_both
    from simcore.rules.files import as_settings

    context.with_resource(on_threads(threads))
    if json_:
        hush()
    outputs = Outputs(out, junit, markdown, gitlab, page, lang, command_line(), force)
    refuse_both(skill, strategies)
    instead = Instead(rules, as_settings(settings), tuple(strategies), skill)
    found = _find(baselines, game)
    asked: dict[str, object] = {"--players": players, "--seed": seed, "--games": games, "--strategies": strategies}
    asked |= {"--skill": skill, "--rules": rules, "--set": settings}
    judged: dict[str, object] = {"--retune": retune, "--full": full}
    if results is not None:
        _refuse_with("--results", asked | judged | {"--game": game}, ", which plays nothing")
    if update:
        judged |= {"--json": json_, "--github": github, **outputs.files()}
        _refuse_with("--update", judged, ", which writes baselines and judges nothing")
        if results is not None:
            record(_only(baselines), open_results(results), yes)
        elif not found or not found[0].exists():
            begin(found[0] if found else None, game, players, instead, seed, games)
        else:
            _refuse_with("--update", asked, f", as {found[0]} exists; change it there, or name another file")
            renew(found, yes)
        return
    if yes:
        raise UsageError("--yes: is only used with --update; leave it out")
    if players:
        raise UsageError("--players: is only used for a first baseline; the file says which player counts are checked")
    outputs.check()
    players_for = None if retune is None else partial(retuned, find_how(retune, threads), json_)
    if results is not None:
        checks = [check_results(read_baseline(_only(baselines)), open_results(results))]
    else:
        checks = _check(found, game, instead, full, seed, games, json_, players_for)
    outputs.write(checks)
    _tell(checks, json_, github)
    if code := _exit_code(checks):
        raise typer.Exit(code)


def _find(named: Sequence[Path], game: str | None) -> list[Path]:
    """Return the baselines to check."""
    if game is not None:
        home(game)  # raises an error if there is no such game
    if named:
        return list(dict.fromkeys(named))
    found = sorted(Path().glob(WHERE))
    return [path for path in found if game is None or path.parent.parent.name == game]


def _only(baselines: Sequence[Path]) -> Path:
    """Return the one baseline that is named."""
    if len(baselines) != 1:
        raise UsageError("--results: name one baseline file, such as club.toml")
    return baselines[0]


def _refuse_with(one: str, given: Mapping[str, object], why: str) -> None:
    for option, value in given.items():
        if not (value is None or value is False or value == ()):
            raise UsageError(f"{option}: cannot be combined with {one}{why}")


def _check(
    found: Sequence[Path],
    game: str | None,
    instead: Instead,
    full: bool,
    seed: int | None,
    games: int | None,
    quiet: bool,
    players_for: Retuning | None,
) -> list[Check]:
    from analysis.check.baseline import read_baseline
    from analysis.check.checking import check

    if not found:
        where, name = WHERE.replace("*", game or "*", 1), game or GAMES[0]
        raise UsageError(f"no baseline in {where}; make one with: equipoise check --update --game {name}")
    for path in found:
        if not path.exists():
            named = game or next((part for part in path.parts if part in known_games()), GAMES[0])
            raise UsageError(f"{path}: no such baseline; make it with: equipoise check --update --game {named} {path}")
    read = [read_baseline(path) for path in found]
    for baseline in read:
        if game is not None and baseline.choices.game != game:
            raise UsageError(f"{baseline.label}: is a baseline of {baseline.choices.game}, not of {game}; see --game")
    sizes = [(games or baseline.choices.judge.games) * len(baseline.choices.players) for baseline in read]
    done: list[Check] = []
    with Stages(not quiet) as update:
        for number, baseline in enumerate(read):
            before = sum(sizes[:number])
            tick = lambda now, at=before: update("games at most", at + now, sum(sizes))  # noqa: E731
            done.append(check(baseline, instead, full, seed, games, tick, players_for))
    return done


def _tell(checks: Sequence[Check], json_: bool, github: bool) -> None:
    """Print the results."""
    if json_:
        from equipoise.output.checks import table

        typer.echo(json.dumps(table(checks), indent=2))
    else:
        from equipoise.output.checks import show

        for check in checks:
            show(check)
    if github:
        from equipoise.output.checks import github as annotations

        for line in annotations(checks):
            typer.echo(line, err=True)


def _exit_code(checks: Sequence[Check]) -> int:
    from analysis.check.checking import EXIT_CODES
    from analysis.check.claims import overall

    return EXIT_CODES[overall(finding for check in checks for finding in check.findings)]
