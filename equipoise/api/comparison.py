"""`eq.compare`: what a change of the rules did, measured on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl

from analysis.compare import (
    Chosen,
    Comparison,
    Reference,
    Version,
    compare_versions,
    find_versions,
    needs_tuning,
    sized,
)  # fmt: skip
from analysis.runs.versions import versions as made_with
from analysis.stats.intervals import check_level
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, Stages, keeping
from equipoise.retuning import find_how, retune_all
from reports.comparison import compose_comparison
from reports.study import words_of
from reports.words import ENGLISH
from simcore.homes import GAMES
from simcore.rules.files import Rules
from simcore.rules.settings import Settings, as_settings
from strategies.spec import DEFAULT_SEED, References, whole_games
from strategies.tuning.retune import How

DEFAULT_GAMES = 100_000
BUDGET = "60s"


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Experiment):
    """Versions of a game, played on the same deals.

    Parameters
    ----------
    by_version
        The rules of each version, by the label that tables and sentences use for it.
    """

    by_version: Mapping[str, Rules] = field(default_factory=dict)

    @property
    def comparison(self) -> Comparison:
        """The result with all its tables."""
        found: Comparison = self.results[0]
        return found

    @property
    def moved(self) -> pl.DataFrame:
        """The other measures that changed, largest change first."""
        return self.comparison.to_polars("moved")

    def to_dict(self) -> dict[str, Any]:
        """Return all results, with every table in full, as plain values that JSON can hold."""
        found, inputs = self.comparison, self.comparison.inputs[0]
        words = words_of(inputs.game, self.rules, ENGLISH)
        return {
            "game": inputs.game,
            "versions": [
                {"label": label, "rules_digest": own.digest, "settings": list(own.settings)}
                for label, own in self.by_version.items()
            ],
            "seed": inputs.seed,
            "strategies": list(inputs.strategies),
            "games": found.games,
            "level": found.level,
            "command": ["equipoise", *self.command],
            "made_with": made_with(),
            "verdicts": [words.verdict(verdict) for verdict in found.verdicts],
            "cautions": [words.note(note) for note in found.cautions],
            "notes": [words.note(note) for note in found.notes],
            "retuned": [player.to_dict() for player in found.retuned],
            "seats": found.table.to_dicts(),
            "distances": found.distances.to_dicts(),
            "moved": found.moved.to_dicts(),
        }


def compare(
    *versions: Reference,
    game: str = GAMES[0],
    players: int | Sequence[int] | None = None,
    strategies: References = (),
    settings: Settings = None,
    games: float = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    habit: bool = False,
    retune: str | int = BUDGET,
    level: float = 0.95,
    threads: int | None = None,
    trust: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Compared:
    """Measure what a change of the rules did: play the same deals under each version, and compare seats and measures.

    Parameters
    ----------
    *versions
        Names of shipped rule sets, paths of rule files, complete rules, runs, or run folders.  Each is compared with
        the first.
    game, strategies, seed
        As for `eq.simulate`.  If runs are among the versions, the runs decide what is played.
    players
        Players at the table, or several numbers.  If None, the game's usual number.
    settings
        If only one version is given: the changes that make the second one.
    games
        Games of each version, for each number of players and each kind of players.
    habit
        Whether all players keep the strategy that they have, and none is tuned for the versions.
    retune
        Budget of tuning each strategy at each number of players if it was tuned for other rules: a time such as "60s",
        or a number of generations.
    level
        Confidence level of the intervals.
    threads
        Number of threads.  If None, one for each processor.
    trust
        Whether Python code that a run names may be imported.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Raises
    ------
    UsageError
        If the versions cannot be compared.
    """
    check_level(level)
    how = find_how(retune, threads)
    chosen = Chosen(game, tuple(listed(players)), strategies, seed, whole_games(games))
    found = find_versions(versions, chosen, as_settings(settings), trust)
    result = _play(found, None if habit else how, level, threads, progress)
    rules = {version.label: next(iter(version.specs.values())).rules for version in found}
    compose = partial(compose_comparison, result, rules)
    return Compared("comparison", (result,), next(iter(rules.values())), compose, tuple(command), rules)


def _play(
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
