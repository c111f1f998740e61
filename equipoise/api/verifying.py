"""`eq.verify`: do the games of a run, played again, give what its files say?"""

from __future__ import annotations

from pathlib import Path

from analysis.data.verifying import Verified, verify_run
from analysis.runs import Run, load
from equipoise.api.following import Following, following
from strategies.spec import whole_games


def verify(
    run: Run | str | Path, games: float | None = None, trust: bool = False, progress: Following = None
) -> Verified:
    """Play a run's games again, and compare them with the run's table and digest of outcomes.

    Parameters
    ----------
    run
        A run, or a run folder.
    games
        Number of games, chosen at random, to play again.  If None, all games.
    trust
        Whether Python code that the run's manifest names may be run.
    progress
        How to show progress; see `equipoise.api.following.Following`.

    Returns
    -------
    analysis.data.verifying.Verified
        The attribute `difference` describes the first difference; it is None if there is none.

    Raises
    ------
    UsageError
        If the run cannot be read or is damaged.

    References
    ----------
    * docs/cli.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.simulate(players=2, strategies="random", games=400, out="runs/first")
    >>> eq.verify(found.run, games=100).difference is None
    True
    """
    opened = run if isinstance(run, Run) else load(run, trust=trust)
    wanted = None if games is None else whole_games(games)
    count = min(wanted or opened.manifest.games_written, opened.manifest.games_written)
    with following(progress, "games", count) as tick:
        return verify_run(opened, wanted, tick)
