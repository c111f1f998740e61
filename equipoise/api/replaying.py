"""`eq.replay`: play one game of a run again, as text, as a log or as a page to step through."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from analysis.course import finding
from analysis.course.finding import Found, estimate_chances, searched
from analysis.data.declarations import require_wins
from analysis.runs import Run, load, load_spec
from equipoise.api.reporting import Page
from equipoise.api.simulated import Simulation
from reports.pages.game import compose_game
from reports.words import Words
from simcore.errors import UsageError
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.replay import Replay
from simcore.running.replay import replay as replay_game
from strategies.decision_costs import TABLES, decision_costs
from strategies.weighing import LEAST


@dataclass(frozen=True, repr=False)
class RecordedGame(Replay):
    """A recorded game."""

    found: Found | None = None  # what it was chosen for, if it was looked for

    def costs(self, tables: int = TABLES) -> pl.DataFrame:
        """Return what the moves have cost, one row for each decision among several.

        All legal moves are tried on imagined tables that the game's experts play to the end in all seats.

        tables: Number of imagined tables at every decision, at least 40.
        Returns polars.DataFrame: `seat`, `kind`, `question`, `answer`, `best` (the best move), `moves` (their number),
            `loss` (of the move against the best one, as a share of the win) and its standard error, `error`.
        Raises UsageError if the game does not say how to look ahead, or there are too few tables.

        Examples
        --------
        >>> import equipoise as eq
        >>> game = eq.replay(eq.make_spec(players=2, strategies="random"))
        >>> worst = game.costs().sort("loss").row(-1, named=True)
        >>> worst["answer"] != worst["best"]
        True
        """
        if tables < LEAST:
            raise UsageError(f"{tables} are too few; give {LEAST} or more", "tables")
        require_wins(self.spec.game, "costs")
        found = decision_costs(self.spec, int(self.header["game_id"]), tables)
        return pl.DataFrame([{**asdict(one), "seat": one.seat + 1} for one in found])

    def page(self, lang: str = "en") -> Page:
        """Return the page on which a reader steps through the game, round by round; `save` writes it."""
        chances = None if self.fault else estimate_chances(self.spec, int(self.header["game_id"]))
        return Page(compose_game(self, Words(lang), self.found, chances=chances), ())


def replay(
    data: Run | Spec | Simulation | str | Path, index: int = 0, trust: bool = False, *, find: str | None = None
) -> RecordedGame:
    """Play one game of a run again, and record every step.

    Parameters
    ----------
    data
        A run, a run folder, what `eq.simulate` returned, or a specification.
    index
        Number of the game, counted from 0 as in the column `game_id`.
    trust
        Whether Python code that the run's manifest names may be run.
    find
        Choose the game, in place of `index`: "closest", "longest", "shortest", "comeback", or "seat-3" for one that
        seat 3 wins.

    Returns
    -------
    RecordedGame
        The recorded game; `text()` and `page()` are for people, `jsonl()` for programs.

    Raises
    ------
    UsageError
        If the run cannot be read, no such game is found, or the game is too long to be recorded.

    References
    ----------
    * docs/replay.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> game = eq.replay(run, index=7)
    >>> len(game.text().splitlines()) > 10
    True
    """
    if not 0 <= index < MAX_GAMES:
        raise UsageError(f"{index} is out of range; give a whole number from 0 to {MAX_GAMES - 1:,}", "index")
    if find is not None and index:
        raise UsageError("it chooses the game; leave out index", "find")
    found = None if find is None else _found(data, find, trust)
    return RecordedGame(**vars(replay_game(_spec(data, trust), found.index if found else index)), found=found)


def _spec(data: Run | Spec | Simulation | str | Path, trust: bool) -> Spec:
    if isinstance(data, str | Path):
        return load_spec(data, trust)
    return data if isinstance(data, Spec) else data.spec


def _found(data: Run | Spec | Simulation | str | Path, what: str, trust: bool) -> Found:
    run = load(data, trust=trust) if isinstance(data, str | Path) else data
    return finding.find(searched(run.spec if isinstance(run, Simulation) else run, what), what)
