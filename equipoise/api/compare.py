"""Which of the versions are runs, and the playing of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from analysis.compare import Comparison, Version, compare_versions, needs_tuning, sized
from analysis.runs import Run
from equipoise.api.following import Following, Stages, keeping
from equipoise.retuning import retune_all
from reports.words import ENGLISH
from simcore.rules.files import Rules
from strategies.tuning.retune import How


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
    if how is not None and progress is True and needs_tuning(versions):
        import typer

        typer.echo(ENGLISH.note(sized(versions, level)), err=True)
    quiet = progress is not True
    with keeping(), Stages(progress) as tick:
        tune = None if how is None else lambda specs: retune_all(specs, how, quiet)
        return compare_versions(versions, tune, level, threads, tick)
