"""What a change of the rules did, measured on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from equipoise.api.experiment import Experiment
from equipoise.parameters import (
    Level,
    LineUp,
    MaybeGame,
    MaybeGames,
    MaybeSeed,
    PlayerCounts,
    Retune,
    RuleChanges,
    Skill,
    Version,
)
from equipoise.questions.asked import RUNS_SAY, Shared, asked, question, refuse
from simcore.homes import GAMES

if TYPE_CHECKING:
    import polars as pl

    from analysis.compare.result import Comparison
    from simcore.rules.files import Rules

PLAYED = ("game", "players", "strategies", "skill", "games", "seed")
"""The parameters that say what is played; runs replace them."""


def game_of(given: Mapping[str, Any]) -> str:
    """Return the game of a comparison."""
    from equipoise.api.compare import game_of_run

    return game_of_run(given["versions"]) or given["game"] or GAMES[0]


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Experiment):
    """Versions of a game, played on the same deals."""

    by_version: Mapping[str, Rules] = field(default_factory=dict)  # by the label that tables and sentences use for it

    @property
    def comparison(self) -> Comparison:
        """The result with all its tables."""
        result: Comparison = self.results[0]
        return result

    @property
    def moved(self) -> pl.DataFrame:
        """The other measures that changed, largest change first."""
        return self.comparison.to_polars("moved")

    def to_dict(self) -> dict[str, Any]:
        """Return all results, with every table in full, as plain values that JSON can hold."""
        from analysis.runs.manifest import versions
        from reports.study.study import words_of
        from reports.words import ENGLISH

        result, inputs = self.comparison, self.comparison.inputs[0]
        words = words_of(inputs.game, self.rules, ENGLISH)
        return {
            "game": inputs.game,
            "versions": [
                {"label": label, "rules_digest": rules.digest, "settings": list(rules.settings)}
                for label, rules in self.by_version.items()
            ],
            "seed": inputs.seed,
            "strategies": list(inputs.strategies),
            "games": result.games,
            "level": result.level,
            "command": ["equipoise", *self.command],
            "made_with": versions(),
            "verdicts": [words.verdict(verdict) for verdict in result.verdicts],
            "levels": self.levels(),
            "cautions": [words.note(note) for note in result.cautions],
            "notes": [words.note(note) for note in result.notes],
            "retuned": [player.to_dict() for player in result.retuned],
            "seats": result.table.to_dicts(),
            "distances": result.distances.to_dicts(),
            "moved": result.moved.to_dicts(),
            **({"unit": result.unit} if result.unit else {}),
        }

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds: every seat before and after."""
        return self.table


@question(
    "equipoise compare base gentler-barracks",
    "equipoise compare base --set effects.mill_coins=3 --habit",
    "equipoise compare base my-first.toml my-second.toml --players 3,4",
    "equipoise compare runs/old runs/new",
    game=game_of,
    stem="comparison",
)
def compare(
    *versions: Version,
    game: MaybeGame = None,
    players: PlayerCounts = None,
    strategies: LineUp = (),
    skill: Skill = None,
    settings: RuleChanges = None,
    games: MaybeGames = None,
    seed: MaybeSeed = None,
    habit: bool = False,
    retune: Retune = None,
    trust: bool = False,
    level: Level = 0.95,
    **given: Unpack[Shared],
) -> Compared:
    """Show what a change of the rules did: each seat before and after on the same deals, and what else moved.

    Parameters
    ----------
    *versions
        Rule sets, rule files or run folders; each is compared with the first.  Runs say what is played.
    settings
        A change to the version that is named, which makes the second version; may be repeated.
    games
        Games of each version, for each number of players and each kind of players.  If None, 1e5.
    habit
        Compare only with the players as they are.  This is quick, but the sign may be wrong.
    retune
        Budget for tuning each strategy, at each number of players, that was tuned for other rules: a number of
        generations, or a time such as `60s`.  If None, 15 generations.
    trust
        Run Python code that a run names as a strategy.

    Raises
    ------
    UsageError
        If the versions cannot be compared.

    References
    ----------
    * docs/change-a-rule.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.compare("base", "gentler-barracks", players=2, strategies="greedy", habit=True, games=1000)
    >>> found.table["seat"].n_unique()
    2
    >>> sorted(found.plots())[:1]
    ['slope-same-2']
    """
    from analysis.compare.comparing import Chosen, find_versions
    from equipoise.api.compare import game_of_run, play_versions
    from equipoise.retuning import budget_of
    from reports.pages.compare import compose_comparison
    from simcore.rules.files import as_settings

    said = (game, players, strategies, skill, games, seed)
    played = {name: value for name, value in zip(PLAYED, said, strict=True) if value is not None}
    if game_of_run(versions):
        refuse(RUNS_SAY, {**played, "habit": habit or None, "retune": retune})
    how = budget_of(retune, habit, given["threads"])
    it = asked(game or GAMES[0], {"games": 100_000, "level": level, **played, **given})
    chosen = Chosen(it.game.name, it.players, it.strategies, it.seed, it.games)
    found = find_versions(versions, chosen, as_settings(settings), trust)
    result = play_versions(found, None if habit else how, it)
    rules = {version.label: next(iter(version.specs.values())).rules for version in found}
    compose = partial(compose_comparison, result, rules)
    return Compared("comparison", (result,), next(iter(rules.values())), compose, by_version=rules)
