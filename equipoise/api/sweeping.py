"""`eq.sweep`: a grid of rule changes, played on the same deals."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from analysis.compare import tuning_notes
from analysis.stats.margin import FAIR
from analysis.sweep import Axis, Sweep, SweepPlan, cells_of, read_axis, read_experiment, read_target
from analysis.sweep import sweep as play
from equipoise.api.arguments import listed
from equipoise.api.experiment import Experiment
from equipoise.api.following import Following, following, keeping
from equipoise.retuning import find_how, retune_all
from reports.sweep import compose_sweep
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, load_rules
from simcore.rules.settings import as_settings
from strategies.spec import DEFAULT_SEED, References, whole_games
from strategies.tuning.retune import Retuned

DEFAULT_GAMES = 100_000
LONG = 1800
"""Seconds above which a sweep is played only if the user agrees."""

Values = str | Sequence[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Swept(Experiment):
    """A grid of rule changes."""

    @property
    def sweep(self) -> Sweep:
        """The result with all its tables."""
        found: Sweep = self.results[0]
        return found

    @property
    def cells(self) -> pl.DataFrame:
        """One row for each cell."""
        return self.sweep.to_polars("cells")

    def parquet(self) -> bytes:
        """Return the Parquet file of every seat, camp and measure of every cell."""
        buffer = io.BytesIO()
        self.table.write_parquet(buffer)
        return buffer.getvalue()


def sweep(
    experiment: str | Path | None = None,
    settings: Mapping[str, Values] | Sequence[str] | None = None,
    game: str = GAMES[0],
    players: int | Sequence[int] | None = None,
    strategies: Sequence[References] | str = (),
    rules: str | Path | Rules = "base",
    games: float = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    target: str | None = None,
    margin: str | None = None,
    retune: str | int | None = None,
    level: float = 0.95,
    threads: int | None = None,
    yes: bool = False,
    progress: Following = None,
    command: Sequence[str] = (),
) -> Swept:
    """Play every combination of some rule values, numbers of players and strategies, on the same deals.

    Each combination is a cell.  A cell that was played before is not played again, so an interrupted sweep continues
    where it stopped.

    Parameters
    ----------
    experiment
        A TOML file that describes the sweep; it replaces the arguments from `settings` to `seed`.
    settings
        Keys and the values to try: `{"effects.mill_coins": range(1, 5)}` or `["effects.mill_coins=1..4"]`.
    game, rules, seed
        As for `eq.simulate`.
    players
        Players at the table, or several numbers.  If None, the game's usual number.
    strategies
        Line-ups; each is one strategy for all seats, or one for each seat.
    games
        Games of each cell.
    target
        What a good cell looks like: "seats", "camps", or a share of the wins such as "seat-3=0.25" or "lord=50%".
        A cell that misses the target with confidence is stopped early.
    margin
        How far from the target, or from par, is close enough: "12%" of it, or "3pp" (percentage points).
    retune
        Budget of tuning each strategy in each cell whose rules it was not tuned for: a time such as "60s", or a number
        of generations.  If None, the players stay as they are, and play changed rules by habit.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    yes
        Whether to start even if the work takes more than half an hour.
    progress
        How to show progress; see `equipoise.api.following.Following`.
    command
        Command line to show in the documents.

    Raises
    ------
    UsageError
        If a key is unknown, a range is empty or reversed, the rules forbid a value, or the work would take too long.
    """
    if experiment is not None:
        grid = read_experiment(Path(experiment))
    else:
        counts, lineups = tuple(listed(players)), tuple(listed(strategies))
        grid = SweepPlan(game, tuple(_axes(settings)), rules, counts, lineups, whole_games(games), seed)
    grid = replace(grid, target=target or grid.target, margin=margin or grid.margin)
    wanted = read_target(grid.target, grid.margin) if grid.target else None
    if wanted is None and grid.margin is not None:
        raise UsageError("a margin belongs to a target; add one, such as seats", "margin")
    cells = cells_of(grid)
    tuned: tuple[Retuned, ...] = ()
    if retune is not None:
        specs, tuned = retune_all([cell.spec for cell in cells], find_how(retune, threads), progress is not True)
        cells = [replace(cell, spec=spec) for cell, spec in zip(cells, specs, strict=True)]
    with keeping(), following(progress, "games", sum(cell.spec.games for cell in cells)) as tick:
        found = play(cells, wanted, level, threads, lambda done, _: tick(done), partial(patience, yes))
    found = replace(found, notes=(*found.notes, *tuning_notes(tuned)))
    own = load_rules(load_game(grid.game), grid.rules)
    compose = partial(compose_sweep, found, own, margin=wanted.margin if wanted else FAIR)
    return Swept("sweep", (found,), own, compose, tuple(command))


def patience(yes: bool, seconds: float) -> None:
    """Raise `UsageError` if the work takes more than half an hour and the user has not agreed to that."""
    if seconds > LONG and not yes:
        hours, minutes = divmod(max(round(seconds / 60), 1), 60)
        text = f"{hours} h {minutes} min" if hours else f"{minutes} min"
        raise UsageError(
            f"this would take about {text} more; take fewer values or games", way_out=(", or confirm with", "yes")
        )


def _axes(settings: Mapping[str, Values] | Sequence[str] | None) -> list[Axis]:
    """Return the axes that a user wrote as texts, or as a mapping from keys to values."""
    if not isinstance(settings, Mapping):
        return [read_axis(text) for text in listed(settings)]
    found = []
    for key, values in settings.items():
        if isinstance(values, str):
            found.append(read_axis(f"{key}={values}"))
            continue
        texts = [setting.partition("=")[2] for value in values for setting in as_settings({key: value})]
        if not texts:
            raise UsageError(f"{key}: the list of values is empty", "settings")
        found.append(Axis(key, tuple(texts)))
    return found
