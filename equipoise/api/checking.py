"""`eq.check`: does the game still play as a committed baseline says it does?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.check.baseline import Instead, read_baseline
from analysis.check.checking import Check
from analysis.check.checking import check as check_baseline
from analysis.check.results import Tables, check_results, open_tables
from analysis.data.threads import on_threads
from analysis.runs.load import Run, load
from equipoise.api.importing import runs_in
from equipoise.output.progress import Following, following
from equipoise.parameters import Threads
from equipoise.questions.asked import listed, refuse, refuse_both
from equipoise.retuning import find_how, retune_all
from simcore.rules.files import Settings, as_settings
from simcore.running.batch import Spec
from strategies.spec import whole_games

if TYPE_CHECKING:
    from strategies.tuning.retune import How, Retuned


def check(
    baseline: str | Path,
    *,
    rules: str | None = None,
    settings: Settings = None,
    strategies: str | Sequence[str] = (),
    skill: str | None = None,
    retune: str | int | None = None,
    results: Run | str | Path | None = None,
    full: bool = False,
    seed: int | None = None,
    games: float | None = None,
    threads: Threads = None,
    progress: Following = None,
) -> Check:
    """Check whether a game is still balanced as a baseline file says.

    Parameters
    ----------
    baseline
        Path of the baseline file.
    rules, settings, strategies, skill
        Rules, changes of rules, and strategies or players of a skill to check instead of those that the baseline names.
    retune
        If given, first tune the players that were tuned for other rules; takes the values of `eq.simulate`.
    results
        For a baseline of a table of results: the run of a later table, which is judged; nothing is played.
    full
        Whether to play fresh deals even if nothing changed.
    seed
        Random seed of the fresh deals.  If None, it is derived from the digests, so that the verdict depends on nothing
        else.
    games
        Largest number of fresh games at each player count.  If None, the number in the file.
    threads
        Number of threads; it does not affect the results.  If None, one for each processor.
    progress
        How to show progress; see `equipoise.output.progress.Following`.

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
    read = read_baseline(Path(baseline))
    if results is not None:
        played: dict[str, object] = {"rules": rules, "settings": settings, "strategies": strategies, "skill": skill}
        played |= {"retune": retune, "full": full or None, "seed": seed, "games": games}
        refuse("nothing is played if a table of results is judged; leave it out", played)
        return check_results(read, open_results(results))
    named = tuple(listed(strategies))
    refuse_both(skill, named)
    players_for = None if retune is None else partial(retuned, find_how(retune, threads), progress is not True)
    count = None if games is None else whole_games(games)
    most = (count or read.choices.judge.games) * len(read.choices.players)
    with on_threads(threads), following(progress, "games at most", most) as tick:
        return check_baseline(
            read, Instead(rules, as_settings(settings), named, skill), full, seed, count, tick, players_for
        )


def open_results(given: Run | str | Path) -> Tables:
    """Return the games of an imported run, of a folder of such runs, or of a table."""
    return open_tables(one if isinstance(one, Run) else load(one) for one in runs_in([given]))


def retuned(how: How, quiet: bool, specs: Sequence[Spec]) -> tuple[list[Spec], tuple[Retuned, ...]]:
    """Return runs with players tuned for their rules; names stay, because a baseline's measures name strategies."""
    found, players = retune_all(specs, how, quiet)
    return [replace(new, strategies=old.strategies) for new, old in zip(found, specs, strict=True)], players
