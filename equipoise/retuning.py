"""The option `--retune`, for every command that has it: tune players for the present rules, with progress."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from equipoise.output.progress import Progress
from simcore.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.data.results import Verdict
    from simcore.running.batch import Spec
    from strategies.tuning.retune import How, Retuned
    from strategies.tuning.search import Status

NOBODY = "Nobody plays by habit here, so nothing was tuned."
CURE = "--retune 15 tunes such players for the present rules first."


def find_how(budget: str | int, threads: int | None = None) -> How:
    """Parse the value of the option.

    Raises UsageError if it is not a budget.
    """
    from analysis.runs.manifest import versions
    from simcore.running.executors import default_threads
    from strategies.tuning.plan import Budget
    from strategies.tuning.retune import How

    return How(Budget.parse(str(budget), "retune"), threads or default_threads(), versions())


def budget_of(retune: str | int | None, habit: bool, threads: int | None) -> How:
    """Return how players are tuned for a question that tunes them unless they play by habit.

    Raises UsageError if there is a budget although nobody is tuned, or it is none.
    """
    from strategies.tuning.retune import GENERATIONS

    if habit and retune is not None:
        raise UsageError("with habit, no players are tuned; leave out one of the two", "retune")
    return find_how(GENERATIONS if retune is None else retune, threads)


def announce(specs: Sequence[Spec], hows: Sequence[How], instead: str = "") -> None:
    """Say on standard error who is going to be tuned and how long that takes, and who is kept from before.

    hows: Budget and threads of each tuning of every run.
    instead: What to do if that takes too long, as a sentence.
    """
    import typer

    from analysis.precision import lasting
    from strategies.tuning.retune import budget_of_each, steps, waiting

    todo = [(spec, name) for spec in specs for how in hows for name in waiting(spec, how)]
    total = sum(steps(spec) for spec in specs) * len(hows)
    if not total:
        return
    kept = total - len(todo)
    text = f"{kept} of {total} tuned players are kept from before. " if kept else ""
    if todo:
        budget = budget_of_each(todo[0][0], hows[0].budget)
        seconds = sum(_seconds(spec, hows[0]) for spec, _ in todo)
        if budget.generations is None:
            each = f"{budget.seconds:,.0f} s"
        else:
            each = "1 generation" if budget.generations == 1 else f"{budget.generations:,} generations"
        names = ", ".join(dict.fromkeys(name for _, name in todo))
        count = "once" if len(todo) == 1 else f"{len(todo)} times"
        text += f"Tuning {names} for the changed rules {count}, {each} each: about {lasting(seconds)}. {instead}"
    typer.echo(text.strip(), err=True)


def say_by_habit(spec: Spec, answers: Iterable[Verdict]) -> None:
    """Say on standard error what a run's players answer by habit, while they are tuned."""
    import typer

    from reports.study.study import words_of
    from reports.words import ENGLISH

    words = words_of(spec.game.name, spec.rules, ENGLISH)
    for answer in answers:
        typer.echo(f"By habit: {words.verdict(answer)}", err=True)


def _seconds(spec: Spec, how: How) -> float:
    """Return about how long a tuning takes, from a few games on one thread."""
    from analysis.cost import games_of, seconds_a_game
    from strategies.tuning.retune import budget_of_each

    games = games_of(spec.game.name, budget_of_each(spec, how.budget))
    if games < 0:
        return -games
    return games * seconds_a_game(spec) / how.threads


def retune_all(specs: Sequence[Spec], how: How, quiet: bool = False) -> tuple[list[Spec], tuple[Retuned, ...]]:
    """Return runs with players that are tuned for their rules, and these players without repetition.

    Raises Interrupted after Ctrl-C; players whose tuning was finished are kept.
    """
    from strategies.tuning.retune import budget_of_each, retune, steps

    by_time = how.budget.seconds is not None
    budgets = [budget_of_each(spec, how.budget) for spec in specs]
    sizes = [math.ceil(each.seconds or 0) if each.generations is None else each.generations for each in budgets]
    counts = [steps(spec) * each for spec, each in zip(specs, sizes, strict=True)]
    found: list[Spec] = []
    made: dict[Path, Retuned] = {}
    with Progress("seconds of tuning" if by_time else "generations", sum(counts), quiet) as progress:
        for number, spec in enumerate(specs):
            before, each = sum(counts[:number]), sizes[number]

            def tick(done: int, status: Status, before: int = before, each: int = each) -> None:
                now = int(status.seconds) if by_time else status.generation
                progress.update(before + done * each + min(now, each))

            try:
                played, new = retune(spec, how, tick)
            except KeyboardInterrupt:
                raise Interrupted("the tuning was not finished; players whose tuning was finished are kept") from None
            found.append(played)
            for item in new:
                made.setdefault(item.path, item)
    return found, tuple(made.values())
