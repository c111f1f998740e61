"""The runs that a report needs: planned for a game, played into the folder of the report, and continued there."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.data.threads import usual_threads
from analysis.headlines import summary_of
from analysis.runs import Run, load
from analysis.runs.folders import begun_beside, claim
from analysis.runs.manifest import Manifest
from analysis.runs.writer import Resumed, RunWriter, resume
from equipoise.api.following import Following, Tick, following
from equipoise.api.run_in_progress import RunInProgress
from equipoise.retuning import NOBODY, retune_all
from equipoise.signals import together
from equipoise.typed import command_line
from reports.study.study import Planned, plan
from simcore.errors import Interrupted, UsageError
from simcore.rules.files import Rules, Settings
from simcore.running.warm import compiling_aside

if TYPE_CHECKING:
    from strategies.tuning.retune import How

LOG = logging.getLogger("equipoise")

DECISIVE = (
    "game", "players", "strategy_tables", "rules_digest", "design", "seed", "games", "detail", "table_format", "code",
)  # fmt: skip
"""Fields of the manifest that must be as planned if an earlier run is to be continued."""


def asks_all(skill: str | None) -> bool:
    """Return whether players who look ahead are asked in any case; raise `UsageError` for any other level of skill."""
    if skill not in (None, "search"):
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


def play_runs(planned: Sequence[Planned], folder: Path, progress: Following, force: bool) -> list[Run]:
    """Play the runs into a folder; `force` replaces earlier runs.

    Progress begins anew with each run, as a game takes longer with more players, and longest if they look ahead.
    """
    for number, item in enumerate(planned, 1):
        place = folder / item.name
        resumed = _earlier(item, begun_beside(place) if force else place)
        if resumed:
            writer = resumed.writer
        else:
            with together():  # a folder with a manifest, or none
                claimed = claim(place, force)
                writer = RunWriter(claimed, item.spec, item.detail, "parquet", list(command_line()))
        run = RunInProgress(item.spec, usual_threads(), writer)
        with following(progress, f"games of run {number} of {len(planned)}", item.spec.games) as tick:

            def played(games: int, total: int, item: Planned = item, tick: Tick = tick) -> None:
                tick.note(item.name)
                tick(games)

            try:
                run.go_on(resumed, played) if resumed else run.play(played)
            except Interrupted:
                again = f"run the same command again with --out {folder.parent}"
                if not command_line():
                    again = f"call report again with out='{folder.parent}'"
                raise Interrupted(f"{folder} holds the games that were complete; to continue, {again}") from None
    return [load(folder / item.name) for item in planned]


def _earlier(item: Planned, place: Path | None) -> Resumed | None:
    """Return the run that an earlier report began in this folder, if it is the planned one; otherwise None."""
    if place is None:
        return None
    try:
        made = Manifest.read(place)
    except UsageError:
        return None
    same = Manifest.begin(item.spec, item.detail, "parquet", ())
    if any(getattr(made, name) != getattr(same, name) for name in DECISIVE):
        return None
    return resume(place, summary_of)
