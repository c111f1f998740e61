"""What each value of some rules does: a grid of changes, played on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from equipoise.api.experiment import Experiment
from equipoise.output.progress import following, keeping
from equipoise.parameters import (
    GoAhead,
    Level,
    LineUps,
    MaybeGame,
    MaybeGames,
    MaybeRules,
    MaybeSeed,
    PlayerCounts,
    Retune,
    Skill,
    Typed,
    patience,
    target_names,
)
from equipoise.questions.asked import Shared, cast, listed, question, refuse
from simcore.errors import UsageError
from simcore.homes import GAMES

if TYPE_CHECKING:
    import polars as pl

    from analysis.sweep.sweeping import Cell, Sweep

GRID = ("settings", "game", "players", "strategies", "skill", "rules", "games", "seed")
"""The parameters that say what is played; a file replaces them."""


def game_of(given: Mapping[str, Any]) -> str:
    """Return the game of a sweep."""
    from analysis.sweep.sweeping import read_experiment

    if given["experiment"] is not None:
        return read_experiment(Path(given["experiment"])).game
    return given["game"] or GAMES[0]


@dataclass(frozen=True, eq=False, repr=False)
class Swept(Experiment):
    """A grid of rule changes."""

    @property
    def sweep(self) -> Sweep:
        """The result with all its tables."""
        result: Sweep = self.results[0]
        return result

    @property
    def cells(self) -> pl.DataFrame:
        """One row for each cell."""
        return self.sweep.to_polars("cells")

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds: every seat, camp and measure of every cell."""
        return self.table


@question(
    "equipoise sweep --set effects.mill_coins=1..4",
    "equipoise sweep --set effects.mill_coins=1..4 --set effects.barracks_coins=1..3 --target seats",
    "equipoise sweep --set shortfall='pay_available|debt' --players 3,4 --strategies 'champion|greedy'",
    "equipoise sweep experiment.toml",
    game=game_of,
)
def sweep(
    experiment: Annotated[str | Path | None, Typed(takes="FILE", argument=True)] = None,
    settings: Annotated[
        Mapping[str, str | Sequence[Any]] | Sequence[str] | None, Typed(takes="KEY=VALUES", each=True, option="set")
    ] = None,
    game: MaybeGame = None,
    players: PlayerCounts = None,
    strategies: LineUps = (),
    skill: Skill = None,
    rules: MaybeRules = None,
    games: MaybeGames = None,
    seed: MaybeSeed = None,
    target: Annotated[str | None, Typed(takes="TARGET", complete=target_names)] = None,
    margin: Annotated[str | None, Typed(takes="MARGIN")] = None,
    retune: Retune = None,
    yes: GoAhead = False,
    level: Level = 0.95,
    **given: Unpack[Shared],
) -> Swept:
    """Play every combination of some values of the rules on the same deals, and chart what each value does.

    Each combination, of values, numbers of players and strategies, is a cell.  A cell that was played before is not
    played again, so an interrupted sweep continues where it stopped.

    Parameters
    ----------
    experiment
        A TOML file that describes the sweep, instead of the options.
    settings
        A key of the rules and its values: `lo..hi`, `lo..hi:step`, `a|b|c`, or one value; may be repeated.
    strategies
        Strategies, one for all seats or one for each seat, separated by commas; several line-ups are separated by `|`.
        If empty, the game's defaults.
    rules
        Rules that the keys change: a shipped name, or the path of a TOML file.  If None, base.
    games
        Games of each cell.  If None, 1e5.
    target
        What a good cell looks like: `seats`, `camps`, a share of the wins such as `seat-3=0.25` or `lord=50%`, or a
        measure such as `length=12`.  A cell whose shares miss the target with confidence is stopped early.
    margin
        Distance from the target that counts as close enough: `12%` of it, or `3pp` (percentage points).  If None, 12%
        of the target.
    retune
        First tune the players that were tuned for other rules, in each cell, three times with different seeds.  Budget
        for each tuning of a strategy: a number of generations, or a time such as `60s`.  If None, no tuning; they play
        by habit.

    Raises
    ------
    UsageError
        If a key is unknown, a range is empty or reversed, the rules forbid a value, or the work would take too long.

    References
    ----------
    * docs/find-a-change.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.sweep(settings={"effects.mill_coins": [1, 3]}, players=2, strategies="greedy", games=1000)
    >>> found.cells.height
    3
    """
    from analysis.compare.comparing import tuning_notes
    from analysis.stats.margin import FAIR
    from analysis.sweep.sweeping import SweepPlan, cells_of, opening_notes, read_experiment, read_target
    from analysis.sweep.sweeping import sweep as play
    from equipoise.api.compare import axes_of, taught, tunings
    from equipoise.retuning import announce, find_how, say_by_habit
    from reports.pages.sweep import compose_sweep
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.habit import habits
    from strategies.spec import DEFAULT_SEED, whole_games

    if experiment is not None:
        instead = (settings, game, players, strategies, skill, rules, games, seed)
        refuse("the file describes the sweep; leave out the option or the file", dict(zip(GRID, instead, strict=True)))
        grid = read_experiment(Path(experiment))
    else:
        counts, lineups = tuple(listed(players)), tuple(listed(strategies))
        if skill is not None:
            lineups = (cast(load_game(game or GAMES[0]), lineups, skill),)
        each = 100_000 if games is None else whole_games(games)
        start = DEFAULT_SEED if seed is None else seed
        axes = tuple(axes_of(settings))
        grid = SweepPlan(game or GAMES[0], axes, "base" if rules is None else rules, counts, lineups, each, start)
    grid = replace(grid, target=target or grid.target, margin=margin or grid.margin)
    wanted = read_target(grid.target, grid.margin) if grid.target else None
    if wanted is None and grid.margin is not None:
        raise UsageError("a margin belongs to a target; add one, such as seats", "margin")
    cells, notes, threads = cells_of(grid), [], given["threads"]
    changed = load_rules(load_game(grid.game), grid.rules)

    def answer(some: Sequence[Cell]) -> Sweep:
        games = sum(spec.games for cell in some for spec in cell.specs)
        with keeping(), following(given["progress"], "games", games) as tick:
            return play(some, wanted, level, threads, lambda done, _: tick(done), partial(patience, yes))

    if retune is not None:
        specs, how, quiet = [cell.spec for cell in cells], find_how(retune, threads), given["progress"] is not True
        if not quiet and any(map(habits, specs)):
            announce(specs, tunings(how), "Without --retune, the players play by habit, and the answer comes at once.")
            say_by_habit(specs[0], answer(cells).verdicts)
        cells, tuned = taught(cells, how, quiet)
        notes = tuning_notes(tuned)
    result = answer(cells)
    result = replace(result, notes=(*result.notes, *opening_notes(cells, result, threads), *notes))
    compose = partial(compose_sweep, result, changed, margin=wanted.margin if wanted else FAIR)
    return Swept("sweep", (result,), changed, compose)
