"""`eq.verify`: is a run what it says?"""

from __future__ import annotations

from pathlib import Path

from analysis.data.verifying import Verified, verify_run
from analysis.runs import Run, load
from equipoise.api.following import Following, following


def verify(
    run: Run | str | Path, games: int | None = None, trust: bool = False, progress: Following = None
) -> Verified:
    """Play a run's games again, and compare them with its table and its digest of outcomes.

    Parameters
    ----------
    run
        A run, or its folder.
    games
        How many games, chosen at random, to play again; None: all.
    trust
        Whether Python code that the run's manifest names may run.
    progress
        See `equipoise.api.following.Following`.

    Returns
    -------
    analysis.data.verifying.Verified
        Its `difference` is None where the run is what it says.

    Raises
    ------
    UsageError
        If the run cannot be read or is damaged.
    """
    opened = run if isinstance(run, Run) else load(run, trust=trust)
    count = min(games or opened.manifest.games_written, opened.manifest.games_written)
    with following(progress, "games", count) as tick:
        return verify_run(opened, games, tick)
