"""Commands for authors of games: `new-game`, `test-game` and `self-test`."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.command import command
from equipoise.options import JsonOption
from equipoise.output.progress import following, hush
from equipoise.parameters import Threads, Typed, game_of, is_game
from simcore.errors import UsageError, printable
from simcore.homes import GAMES, known_games

if TYPE_CHECKING:
    from equipoise.conformance import Finding


@command(
    "equipoise new-game harbour",
    "equipoise new-game nim --plain",
    "equipoise new-game spring-fair --plain --like auction",
    "equipoise new-game harbour --players 3-5 --cards",
    "equipoise new-game siege-of-rhodes --players 3-5 --roles sultan,knight",
)
def new_game(
    name: Annotated[str, Typed("Name of the game and of the folder to write.", "NAME", argument=True)],
    players: Annotated[str, Typed("Numbers of players, from 2 to 8: one number, or a range.", "N-N")] = "2-4",
    roles: Annotated[
        str, Typed("Names of different roles; each has one seat, and the last one has all other seats.", "NAME,...")
    ] = "",
    cards: Annotated[bool, Typed("A deck, a market and hands instead of a board.")] = False,
    plain: Annotated[bool, Typed("A single file NAME.py in plain Python, which needs no installation.")] = False,
    like: Annotated[
        str,
        Typed(
            "With --plain, the game to begin with: nim, race, draft, auction, roles or cards.  If empty, nim.", "GAME"
        ),
    ] = "",
) -> None:
    """Write the package of a new game into the folder NAME, or a game in plain Python into the file NAME.py.

    The game is small and complete: it can be installed, played and checked at once, and then turned into another game.
    """
    from equipoise.new_game import plan, write, write_plain

    wanted = plan(name, players, roles, cards, plain, like)
    if plain:
        path = write_plain(wanted)
        typer.echo(f"{path}\n\nPlay it with:  equipoise simulate --game ./{path}")
        typer.echo(f"Check it with: equipoise test-game ./{path}")
        return
    for path in write(wanted, Path(name)):
        typer.echo(path)
    typer.echo(f"\nInstall it with: pip install ./{name}")
    typer.echo(f"Check it with:   equipoise test-game {name}")


# --- `equipoise test-game`: run the checks that every game has to pass for an installed game ---


def installed(text: str, name: str) -> str:
    """Return the name of a game; of an unknown one, say how it is installed."""
    if is_game(text):
        return game_of(text, name)
    try:
        return game_of(text, name)
    except UsageError as error:
        raise UsageError(f"{error.message}; install the package of the game first, with: pip install FOLDER") from None


@command(
    "equipoise test-game medievallons",
    "equipoise test-game my-game",
    "equipoise test-game my-game --against ./mygame.py",
    "equipoise test-game ./mygame.py --transcript evening.jsonl --json",
)
def test_game(
    game: Annotated[str, Typed("The game, or its file.", "NAME", installed, argument=True, complete=known_games)],
    against: Annotated[
        str | None,
        Typed(
            "Another form of the same game, such as its file, that has to give the same results.",
            "NAME",
            installed,
            complete=known_games,
        ),
    ] = None,
    transcript: Annotated[
        Path | None,
        Typed("Moves that people made, as in a replay log: play only these, and say where the game differs.", "FILE"),
    ] = None,
    json_: JsonOption = False,
) -> int:
    """Run the checks that every game has to pass.

    The checks play the game at every number of players, with all its strategies. The exit code is 1 if one of them
    fails.
    """
    from equipoise.conformance import check_game, example_of
    from equipoise.conformance.transcript import retell
    from equipoise.conformance.twins import compare_forms
    from simcore.game import load_game

    if transcript and against:
        raise UsageError("--against compares whole games; leave it out with --transcript", "against")
    for name in filter(None, (game, against)):
        load_game(name)
    if json_:
        hush()
    passed = 0
    findings: list[Finding] = []
    with following(not json_, "checks", 0, even=False) as tick:

        def show(done: int, total: int) -> None:
            tick.total = total
            tick(done)

        checks = check_game(game, show)
        outcomes = chain(checks, compare_forms(game, against) if against else ())
        for outcome in [retell(game, transcript)] if transcript else outcomes:
            passed += not outcome.reason
            for one in outcome.findings(game):
                # One cause is reported once, at the first table that shows it.
                if not any(_cause(one) == _cause(other) for other in findings):
                    findings.append(one)
                    if not json_:
                        _say(one)
    failed = sum(one.level == "failed" for one in findings)
    count = ", ".join(
        f"{number} {what}"
        for number, what in (
            (failed, "failed"),
            (passed, "passed"),
            (len(findings) - failed, "to look at"),
            (failed and max(tick.total - passed - failed, 0), "not run, because they play the same games"),
        )
        if number or what == "passed"
    )
    if json_:
        typer.echo(json.dumps({"game": game, "passed": passed, "findings": [*map(asdict, findings)]}, indent=2))
    elif failed or transcript:
        typer.echo(count)
    else:
        command, seats = example_of(game)
        typer.echo(count)
        typer.echo(f"See for yourself once that the right player wins: {command}")
        for seat, strategy, place, score in seats:
            points = "" if score is None else f", score {score:g}"
            typer.echo(f"  seat {seat} ({printable(strategy)}): place {place}{points}")
    return bool(failed)


def _cause(finding: Finding) -> tuple[str, str]:
    """Return what two findings have in common if one cause lies behind both: all but the numbers."""
    return finding.contract, re.sub(r"[\d.]+", "", finding.reason.partition("; see ")[0])


def _say(finding: Finding) -> None:
    if finding.level == "warning":
        typer.echo(f"WARNING {printable(finding.reason)}")
    else:
        where = f" ({finding.players} players)" if finding.players else ""
        typer.echo(f"FAILED {finding.contract}{where}\n  {printable(finding.reason)}")


# --- `equipoise self-test`: does this machine compute what every other machine computes? ---


@command("equipoise self-test", "equipoise self-test --game fief-2 --threads 8", "equipoise self-test --all --json")
def self_test(
    game: Annotated[
        str | None,
        Typed(
            f"The game whose kernels are tested.  If None, {GAMES[0]}, or all games whose kernels came along.",
            "NAME",
            complete=known_games,
        ),
    ] = None,
    all_: Annotated[bool, Typed("Test the kernels of all games of this package.")] = False,
    threads: Threads = None,
    json_: JsonOption = False,
) -> int:
    """Compare random numbers, statistics and games of this machine with known answers.

    The streams of random numbers and the games must be equal to the last bit, on one thread and on several. The
    statistics must give the published answers. The exit code is 1 if an answer is wrong. What is not compiled yet is
    compiled first, which takes a minute or more for each game.
    """
    from equipoise.api.replaying import known_answers
    from simcore.kernel.cache import brought
    from simcore.running.executors import default_threads

    if all_ and game:
        raise UsageError("cannot be combined with --all, which tests every game; leave one of the two out", "game")
    if json_:
        hush()
    answers = []
    tested = GAMES if all_ or (not game and brought()) else (game or GAMES[0],)
    for answer in known_answers(tested, threads or default_threads()):
        answers.append(answer)
        if not json_:
            typer.echo(f"{'ok   ' if answer.is_right else 'WRONG'} {answer.seconds:6.2f} s  {answer.about}")
    wrong = sum(not answer.is_right for answer in answers)
    if json_:
        typer.echo(json.dumps({"right": not wrong, "answers": [asdict(answer) for answer in answers]}, indent=2))
    elif wrong:
        typer.echo(f"{wrong} of {len(answers)} answers are wrong: do not trust what this machine computes.")
    else:
        typer.echo(f"All {len(answers)} answers are right.")
    return 1 if wrong else 0
