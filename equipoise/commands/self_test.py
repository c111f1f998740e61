"""`equipoise self-test`: does this machine compute what every other machine computes?"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.limits import check_threads
from equipoise.options import JsonOption, ThreadsOption
from equipoise.output.progress import hush
from simcore.errors import UsageError
from simcore.homes import GAMES, known_games

EXAMPLES = examples(
    "equipoise self-test",
    "equipoise self-test --game fief-2 --threads 8",
    "equipoise self-test --all --json",
)


def self_test(
    game: Annotated[
        str | None,
        typer.Option(
            "--game", help="The game whose kernels are tested.", show_default=GAMES[0], autocompletion=known_games
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Test the kernels of all games of this package.")] = False,
    threads: ThreadsOption = None,
    json_: JsonOption = False,
) -> int:
    """Compare random numbers, statistics and games of this machine with known answers.

    The streams of random numbers and the games must be equal to the last bit, on one thread and on several. The
    statistics must give the published answers. The exit code is 1 if an answer is wrong. What is not compiled yet is
    compiled first, which takes a minute or more for each game.
    """
    from equipoise.self_test import known_answers
    from simcore.running.executors import default_threads

    check_threads(threads)
    if all_ and game:
        raise UsageError("cannot be combined with --all, which tests every game; leave one of the two out", "game")
    if json_:
        hush()
    answers = []
    for answer in known_answers(GAMES if all_ else (game or GAMES[0],), threads or default_threads()):
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
