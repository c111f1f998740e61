"""`equipoise check`: is the game still balanced as its committed baselines say?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.api.following import Stages
from equipoise.baselines import begin, record, renew
from equipoise.examples import examples
from equipoise.limits import check_threads
from equipoise.options import (
    JsonOption,
    Language,
    LanguageOption,
    RetuneOption,
    SetOption,
    ThreadsOption,
    opened,
    skill_option,
    split,
)
from equipoise.output.checks.files import Outputs
from equipoise.output.progress import hush
from equipoise.retuning import find_how
from equipoise.typed import command_line
from equipoise.typed_numbers import whole
from simcore.errors import UsageError
from simcore.homes import GAMES, home, known_games

if TYPE_CHECKING:
    from analysis.check.baseline import Instead
    from analysis.check.checking import Check, Retune

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


def check(
    context: typer.Context,
    baselines: Annotated[
        list[Path] | None,
        typer.Argument(metavar="BASELINE", help=f"Baseline files; by default `{WHERE}`.", show_default=False),
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Measure again, and write the files.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --update: write a file even if a measure moved beyond its margin.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Play fresh deals even if nothing changed.")] = False,
    games: Annotated[
        str | None,
        typer.Option(
            "--games", help="Largest number of fresh games at each player count.", show_default="as the file says"
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", help="Random seed of the fresh deals.", show_default="derived from the digests"),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            help="Only this game's baselines; a game in plain Python by its file.",
            autocompletion=known_games,
            callback=opened,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="For a first baseline: player counts, separated by commas.",
            show_default="all",
        ),
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies", help="Check these strategies, or use them in a first baseline; separated by commas."
        ),
    ] = None,
    skill: Annotated[
        str | None,
        skill_option("Check the game's players of this skill, or use them in a first baseline", "as the file says"),
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Check these rules, or use them in a first baseline.")
    ] = None,
    set_: SetOption = None,
    retune: RetuneOption = None,
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", metavar="RUN", help="Judge imported games, or with --update measure them; nothing is played."
        ),
    ] = None,
    threads: ThreadsOption = None,
    json_: JsonOption = False,
    out: Annotated[Path | None, typer.Option("--out", help="File for the results as JSON.")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="File for the results as JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", help="File for a summary in Markdown.")] = None,
    gitlab: Annotated[
        Path | None, typer.Option("--gitlab", help="File for annotations that GitLab shows (Code Quality).")
    ] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations that GitHub shows, on standard error.")
    ] = False,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE.html", help="File for a page that `equipoise index` lists.")
    ] = None,
    lang: LanguageOption = Language.en,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Check the current balance against committed baselines; exit with 0, 1 (fail) or 3 (inconclusive)."""
    from analysis.check.baseline import Instead, read_baseline
    from analysis.check.results import check_results
    from analysis.data.threads import on_threads
    from equipoise.api.casting import refuse_both
    from equipoise.api.checking import open_results, retuned

    check_threads(threads)
    context.with_resource(on_threads(threads))
    if json_:
        hush()
    outputs = Outputs(out, junit, markdown, gitlab, page, lang.value, command_line(), force)
    counts = [whole(count, "--players", 1, 99) for count in players.split(",")] if players else []
    number = None if games is None else whole(games, "--games", LEAST_GAMES)
    key = None if seed is None else whole(seed, "--seed", 0, 2**64 - 1)
    refuse_both(skill, split(strategies))
    instead = Instead(rules, tuple(set_ or ()), tuple(split(strategies)), skill)
    found = _find(baselines or [], game)
    asked: dict[str, object] = {"--players": counts, "--seed": seed, "--games": games, "--strategies": strategies}
    asked |= {"--skill": skill, "--rules": rules, "--set": set_}
    judged: dict[str, object] = {"--retune": retune, "--full": full}
    if results is not None:
        _refuse_with("--results", asked | judged | {"--game": game}, ", which plays nothing")
    if update:
        judged |= {"--json": json_, "--github": github, **outputs.files()}
        _refuse_with("--update", judged, ", which writes baselines and judges nothing")
        if results is not None:
            record(_only(baselines), open_results(results), yes)
        elif not found or not found[0].exists():
            begin(found[0] if found else None, game, counts, instead, key, number)
        else:
            _refuse_with("--update", asked, f", as {found[0]} exists; change it there, or name another file")
            renew(found, yes)
        return
    if yes:
        raise UsageError("--yes: is only used with --update; leave it out")
    if counts:
        raise UsageError("--players: is only used for a first baseline; the file says which player counts are checked")
    outputs.check()
    players_for = None if retune is None else partial(retuned, find_how(retune, threads), json_)
    if results is not None:
        checks = [check_results(read_baseline(_only(baselines)), open_results(results))]
    else:
        checks = _check(found, game, instead, full, key, number, json_, players_for)
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


def _only(baselines: Sequence[Path] | None) -> Path:
    """Return the one baseline that is named."""
    if len(baselines or ()) != 1:
        raise UsageError("--results: name one baseline file, such as club.toml")
    return next(iter(baselines or ()))


def _refuse_with(one: str, given: Mapping[str, object], why: str) -> None:
    for option, value in given.items():
        if value:
            raise UsageError(f"{option}: cannot be combined with {one}{why}")


def _check(
    found: Sequence[Path],
    game: str | None,
    instead: Instead,
    full: bool,
    seed: int | None,
    games: int | None,
    quiet: bool,
    players_for: Retune | None,
) -> list[Check]:
    from analysis.check.baseline import read_baseline
    from analysis.check.checking import check

    if not found:
        where, name = WHERE.replace("*", game or "*", 1), game or GAMES[0]
        raise UsageError(f"no baseline in {where}; make one with: equipoise check --update --game {name}")
    for path in found:
        if not path.exists():
            raise UsageError(f"{path}: no such baseline; make it with: equipoise check --update --game NAME {path}")
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
        from equipoise.output.checks.telling import table

        typer.echo(json.dumps(table(checks), indent=2))
    else:
        from equipoise.output.checks.table import show

        for check in checks:
            show(check)
    if github:
        from equipoise.output.checks import annotations

        for line in annotations.github(checks):
            typer.echo(line, err=True)


def _exit_code(checks: Sequence[Check]) -> int:
    from analysis.check.checking import EXIT_CODES
    from analysis.check.claims import overall

    return EXIT_CODES[overall(finding for check in checks for finding in check.findings)]
