"""Which of the versions are runs, and the playing of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.compare import Comparison, Version, compare_versions, needs_tuning, sized
from analysis.data.results import Verdict
from analysis.runs import Run
from equipoise.api.following import Following, Stages, keeping
from equipoise.retuning import announce, retune_all, say_by_habit
from reports.words import ENGLISH
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.tuning.retune import TUNINGS, How, Retuned


def game_of_run(versions: Iterable[Any]) -> str | None:
    """Return the game of the first run among some versions; None if there is no run."""
    from analysis.runs.manifest import Manifest

    for one in versions:
        if isinstance(one, Run):
            return one.manifest.game
        if not isinstance(one, Rules) and Path(one).is_dir():
            return Manifest.read(Path(one)).game
    return None


def play_versions(
    versions: Sequence[Version], how: How | None, level: float, threads: int | None, progress: Following
) -> Comparison:
    """Tune if necessary, play and judge, with a progress bar for each stage."""
    import typer

    quiet = progress is not True
    first = next(iter(versions[0].specs.values()))

    def say(answer: Verdict) -> None:
        if not quiet:
            stages.close()
            say_by_habit(first, [answer])

    def tune(specs: Sequence[Spec], number: int) -> tuple[Sequence[Spec], tuple[Retuned, ...]]:
        assert how is not None
        if not (quiet or number):
            announce(specs, [replace(how, number=one) for one in range(TUNINGS)], "--habit answers without it.")
        return retune_all(specs, replace(how, number=number), quiet)

    if how is not None and not quiet and needs_tuning(versions):
        typer.echo(ENGLISH.note(sized(versions, level)), err=True)
    with keeping(), Stages(progress) as stages:
        return compare_versions(versions, None if how is None else tune, level, threads, stages, say)
