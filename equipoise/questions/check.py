"""Is the game still balanced as its committed baselines say?"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import Ask
from equipoise.files import check_file, claimed, write_together
from equipoise.options import JsonOption
from equipoise.output.progress import Stages, following, hush
from equipoise.parameters import (
    Lang,
    Question,
    Retune,
    RuleChanges,
    ShowProgress,
    Threads,
    Typed,
    comma_list,
    game_of,
    player_counts,
    seed_of,
    skill_names,
    whole,
)
from equipoise.process import command_line
from equipoise.questions.asked import listed, question, refuse, refuse_both
from simcore.errors import UsageError
from simcore.homes import ELSEWHERE, GAMES, known_games, updating

if TYPE_CHECKING:
    from analysis.check.baseline import Baseline
    from analysis.check.checking import Check, Update
    from analysis.check.claims import Finding
    from analysis.check.results import Tables
    from analysis.data.source import Source
    from analysis.runs import Run
    from simcore.running.batch import Spec
    from strategies.tuning.retune import How, Retuned

# Measure the balance of games, and write their baselines; a file that exists is replaced only when all is measured.


PLACE = "configs/{}/baselines/default.toml"


def begin(path: Path | None, game: str | None, players: Sequence[int], given: Mapping[str, Any]) -> None:
    """Write a first baseline."""
    from analysis.check.checking import draft
    from simcore.rules.files import as_settings
    from strategies.spec import DEFAULT_GAMES, DEFAULT_SEED

    if game is None:
        raise UsageError("--update: there is no baseline here yet; name its game with --game")
    place = path or Path(PLACE.format(game))
    _check_name(place)
    refuse_both(given["skill"], given["strategies"])
    changes, seed = as_settings(given["settings"]), given["seed"]
    who = (tuple(given["strategies"]), given["skill"], given["rules"] or "base", changes)
    how = (DEFAULT_SEED if seed is None else seed, given["games"] or DEFAULT_GAMES)
    _measure([draft(place, game, players, *who, *how)])


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
    _say_broken(made.broken)


def _say_broken(broken: Sequence[Finding]) -> None:
    """Say which limits a new measurement breaks, and exit with 1 if there are any."""
    from equipoise.output.checks import sentence

    for finding in broken:
        typer.echo(sentence(finding))
    if broken:
        raise typer.Exit(1)


def _measure(baselines: Sequence[Baseline], yes: bool = False) -> None:
    """Measure baselines and write each file when it is complete, unless margins are broken and --yes is not given."""
    from analysis.check.checking import sources_of, update

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
    _say_broken(broken)


def _write(made: Update) -> None:
    """Write a baseline and what lies in its folder."""
    baseline = made.baseline
    folder = baseline.frozen if made.copies else baseline.path.parent
    files = {baseline.path: made.text} | {folder / name: text for name, text in made.copies.items()}
    write_together(((path, text.encode()) for path, text in files.items()), baseline.path, True, "--update")
    for path in made.stale:
        path.unlink(missing_ok=True)


def _compare(after: Baseline, sources: Mapping[int, Source], yes: bool) -> None:
    """Print what moved since the last measurement; raise `UsageError` if margins are broken without --yes."""
    from analysis.check.baseline import read_baseline
    from analysis.check.checking import moved

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


# --- `equipoise check`, and `eq.check`, which checks one baseline ---


Results = Annotated["Run | str | Path | None", Typed(takes="RUN")]

WHERE = "configs/*/baselines/*.toml"
LEAST_GAMES = 1000

NAMES = ("players", "seed", "games", "strategies", "skill", "rules", "settings")
"""What a baseline that exists says itself."""

FILES = ("out", "junit", "markdown", "gitlab", "page")
"""The options that name a file to write."""


@dataclass(frozen=True)
class Judging:
    """The options that only the command has: it finds the baselines, writes them or files about them, and prints."""

    update: Annotated[
        bool,
        Typed(
            "Measure again, print what moved, and write the files; if there is no file, make a first one for `--game`."
        ),
    ] = False
    yes: Annotated[bool, Typed("With `--update`: write a file even if a measure moved beyond its margin.")] = False
    game: Annotated[
        str | None,
        Typed("Only this game's baselines; a game in plain Python by its file.", "NAME", game_of, complete=known_games),
    ] = None
    players: Annotated[
        Sequence[int],
        Typed("For a first baseline: player counts, separated by commas.  If empty, all.", "N,...", player_counts),
    ] = ()
    json_: JsonOption = False
    out: Annotated[Path | None, Typed("File for the results as JSON.")] = None
    junit: Annotated[Path | None, Typed("File for the results as JUnit XML.")] = None
    markdown: Annotated[Path | None, Typed("File for a summary in Markdown.")] = None
    gitlab: Annotated[Path | None, Typed("File for annotations that GitLab shows (Code Quality).")] = None
    github: Annotated[bool, Typed("Print annotations that GitHub shows, on standard error.")] = False
    page: Annotated[Path | None, Typed("File for a page that `equipoise index` lists.", "FILE.html")] = None
    lang: Lang = "en"
    force: Annotated[bool, Typed("Replace files that exist.")] = False

    def files(self) -> dict[str, Path]:
        """Return the files to write, by option."""
        return {f"--{name}": path for name in FILES if (path := getattr(self, name)) is not None}

    def check_files(self) -> None:
        """Report before the work, and before the first file is written, what would fail after it."""
        named: dict[Path, str] = {}
        for option, path in self.files().items():
            check_file(path, self.force, option)
            if not path.parent.is_dir():
                raise UsageError(f"{option}: {path} cannot be written: No such file or directory: {path.parent}")
            if option == "--page" and path.suffix != ".html":
                raise UsageError(f"{option}: {path}: the name of a page ends in .html")
            if named.setdefault(path.resolve(), option) != option:
                raise UsageError(f"{option}: {path} is also the file of {named[path.resolve()]}; name another")

    def write(self, checks: Sequence[Check]) -> None:
        """Write all files, or none."""
        from equipoise.output.checks import gitlab, junit, markdown, table

        def page(checks: Sequence[Check]) -> str:
            from reports.pages.check import compose_checks
            from reports.render.html import to_html
            from reports.words import Words

            return to_html(compose_checks(checks, Words(self.lang), command_line()))

        make: dict[str, Callable[[Sequence[Check]], str]] = {
            "--out": lambda checks: json.dumps(table(checks), indent=2) + "\n",
            "--junit": junit,
            "--markdown": markdown,
            "--gitlab": gitlab,
            "--page": page,
        }
        files = self.files()
        texts = [(path, make[option](checks).encode()) for option, path in files.items()]
        self.check_files()
        with ExitStack() as claims:
            for option, path in files.items():
                claims.enter_context(claimed(path, option))
            if texts:
                write_together(texts, texts[0][0], self.force)

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Check baselines, or write them; exit with 0, 1 (fail) or 3 (inconclusive)."""
        if given["retune"] is not None:  # refused before there is a baseline
            from equipoise.retuning import find_how

            find_how(given["retune"], given["threads"])
        if self.json_:
            hush()
        game = self.game
        found, results = _find(given["baseline"], game), given["results"]
        asked = {name: {**given, "players": self.players}[name] for name in NAMES}
        judged = {"retune": given["retune"], "full": given["full"]}
        if results is not None:
            _refuse_with("--results", asked | judged | {"game": game}, ", which plays nothing")
            if len(given["baseline"]) != 1:
                raise UsageError("--results: name one baseline file, such as club.toml")
        if self.update:
            judged |= {"json": self.json_, "github": self.github, **self.files()}
            _refuse_with("--update", judged, ", which writes baselines and judges nothing")
            if results is not None:
                record(found[0], open_results(results), self.yes)
            elif not found or not found[0].exists():
                begin(found[0] if found else None, game, self.players, given)
            else:
                _refuse_with("--update", asked, f", as {found[0]} exists; change it there, or name another file")
                renew(found, self.yes)
            return
        if self.yes:
            raise UsageError("--yes: is only used with --update; leave it out")
        if self.players:
            raise UsageError(
                "--players: is only used for a first baseline; the file says which player counts are checked"
            )
        self.check_files()
        if results is None:
            _check_names(found, game)
        from analysis.check.checking import EXIT_CODES
        from analysis.check.claims import overall

        checks = [ask(not self.json_, baseline=path) for path in found]
        self.write(checks)
        _tell(checks, self.json_, self.github)
        if code := EXIT_CODES[overall(finding for check in checks for finding in check.findings)]:
            raise typer.Exit(code)


def _find(named: Sequence[Path], game: str | None) -> list[Path]:
    """Return the baselines to check."""
    if named:
        return list(dict.fromkeys(map(Path, named)))
    found = sorted(Path().glob(WHERE))
    return [path for path in found if game is None or path.parent.parent.name == game]


def _refuse_with(one: str, given: Mapping[str, object], why: str) -> None:
    for name, value in given.items():
        if not (value is None or value is False or value == ()):
            raise UsageError(f"cannot be combined with {one}{why}", name)


def _check_names(found: Sequence[Path], game: str | None) -> None:
    """Raise `UsageError` unless there are baselines, all of the game that is named."""
    if not found:
        where, name = WHERE.replace("*", game or "*", 1), game or GAMES[0]
        raise UsageError(f"no baseline in {where}; make one with: equipoise check --update --game {name}")
    for path in found:
        if not path.exists():
            named = game or next((part for part in path.parts if part in known_games()), GAMES[0])
            raise UsageError(f"{path}: no such baseline; make it with: {updating(path)} --game {named}")
    from analysis.check.baseline import read_baseline

    for baseline in map(read_baseline, found):
        if game is not None and baseline.choices.game != game:
            raise UsageError(f"{baseline.label}: is a baseline of {baseline.choices.game}, not of {game}; see --game")


def _tell(checks: Sequence[Check], json_: bool, github: bool) -> None:
    """Print the results."""
    from equipoise.output import checks as output

    if json_:
        typer.echo(json.dumps(output.table(checks), indent=2))
    else:
        for check in checks:
            output.show(check)
    if github:
        for line in output.github(checks):
            typer.echo(line, err=True)


@question(
    "equipoise check",
    "equipoise check --set events.alliance.copies=0",
    "equipoise check --skill search",
    "equipoise check --full --junit balance.xml --markdown balance.md",
    "equipoise check --full --page runs/check.html",
    "equipoise check --update --game middle-ages",
    "equipoise check --update --results runs/autumn club.toml",
    "equipoise check --results runs/winter club.toml",
    only=Judging,
    each="baseline",
)
def check(
    baseline: Annotated[str | Path, Typed(takes="BASELINE", each=True, argument=True)],
    *,
    rules: Annotated[str | None, Typed(takes="RULES")] = None,
    settings: RuleChanges = None,
    strategies: Annotated[str | Sequence[str], Typed(takes="NAME,...", read=comma_list)] = (),
    skill: Annotated[str | None, Typed(takes="NAME", complete=skill_names)] = None,
    retune: Retune = None,
    results: Results = None,
    full: bool = False,
    seed: Annotated[int | None, Typed(takes="N", read=seed_of)] = None,
    games: Annotated[float | None, Typed(takes="N", read=partial(whole, least=LEAST_GAMES))] = None,
    threads: Threads = None,
    progress: ShowProgress = None,
) -> Check:
    """Check the current balance against committed baselines; exit with 0, 1 (fail) or 3 (inconclusive).

    Parameters
    ----------
    baseline
        Baseline file.  If None, all of `configs/*/baselines/*.toml`.
    rules
        Check these rules instead of those in the file, or use them in a first baseline.
    strategies
        Check these strategies instead of those in the file, or use them in a first baseline; separated by commas.
    skill
        Check the game's players of this skill, or keep it in a first baseline: `family`, `club`, `experts` or `search`
        (who look ahead, slowly).  If None, as the file says.
    results
        Judge the games of an imported run or table, or with `--update` measure them; nothing is played.
    full
        Play fresh deals even if nothing changed.
    seed
        Random seed of the fresh deals; for a first baseline: of the measurement (1).  If None, derived from the
        digests.
    games
        Largest number of fresh games at each player count; for a first baseline: games to measure (1e6).  If None, as
        the file says.

    Returns
    -------
    Check
        The attribute `verdict` is the outcome; `table` has one row for each measure.

    Raises
    ------
    UsageError
        If the baseline, or what is to be checked against it, cannot be used.

    References
    ----------
    * docs/check.md

    Examples
    --------
    >>> import equipoise as eq
    >>> from pathlib import Path
    >>> import configs
    >>> baseline = Path(configs.__file__).parent / "middle-ages/baselines/default.toml"
    >>> eq.check(baseline).verdict
    'pass'
    """
    from analysis.check.baseline import Instead, read_baseline
    from analysis.check.checking import check as check_baseline
    from analysis.check.claims import most_levels
    from analysis.check.results import check_results
    from analysis.data.threads import on_threads
    from equipoise.retuning import find_how
    from simcore.rules.files import as_settings
    from strategies.spec import whole_games

    read = read_baseline(Path(baseline))
    if results is not None:
        played: dict[str, object] = {"rules": rules, "settings": settings, "strategies": strategies, "skill": skill}
        played |= {"retune": retune, "full": full or None, "seed": seed, "games": games}
        refuse("nothing is played if a table of results is judged; leave it out", played)
        return check_results(read, open_results(results))
    named = tuple(listed(strategies))
    refuse_both(skill, named)
    players_for = None if retune is None else partial(_retuned, find_how(retune, threads), progress is not True)
    count = None if games is None else whole_games(games)
    most = (count or read.choices.judge.games) * len(read.choices.players) * (1 + most_levels(read))
    instead = Instead(rules, as_settings(settings), named, skill)
    with on_threads(threads), following(progress, "games at most", most) as tick:
        return check_baseline(read, instead, full, seed, count, tick, players_for)


def open_results(given: Run | str | Path) -> Tables:
    """Return the games of an imported run, of a folder of such runs, or of a table."""
    from analysis.check.results import open_tables
    from analysis.runs.load import Run, load
    from equipoise.api.importing import runs_in

    return open_tables(one if isinstance(one, Run) else load(one) for one in runs_in([given]))


def _retuned(how: How, quiet: bool, specs: Sequence[Spec]) -> tuple[list[Spec], tuple[Retuned, ...]]:
    """Return runs with players tuned for their rules; names stay, because a baseline's measures name strategies."""
    from equipoise.retuning import retune_all

    found, players = retune_all(specs, how, quiet)
    return [replace(new, strategies=old.strategies) for new, old in zip(found, specs, strict=True)], players
