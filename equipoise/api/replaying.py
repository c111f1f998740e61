"""Games played again: `eq.replay`, `eq.verify`, and the known answers of `equipoise self-test`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import polars as pl

from analysis.check.baseline import as_measured, read_baseline
from analysis.check.checking import golden_digest
from analysis.course import finding
from analysis.course.finding import Found, estimate_chances, searched
from analysis.data.declarations import require_wins
from analysis.data.threads import on_threads
from analysis.data.verifying import Verified, verify_run
from analysis.runs import Run, load, load_spec
from analysis.stats.known_answers import KNOWN
from equipoise.api.reporting import Page
from equipoise.api.simulation import Simulation
from equipoise.output.progress import Following, following
from reports.pages.game import compose_game
from reports.words import Words
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import home
from simcore.kernel.compilation import is_cold
from simcore.kernel.streams import ANSWERS, STREAM_VERSION, draw_all, stream_digest
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.replay import Replay
from simcore.running.replay import replay as replay_game
from strategies.decision_costs import TABLES, decision_costs
from strategies.spec import whole_games
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
    * docs/reference/replay.md

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
    found = None if find is None else chosen(data, find, trust)
    return RecordedGame(**vars(replay_game(_spec(data, trust), found.index if found else index)), found=found)


def _spec(data: Run | Spec | Simulation | str | Path, trust: bool) -> Spec:
    if isinstance(data, str | Path):
        return load_spec(data, trust)
    return data if isinstance(data, Spec) else data.spec


def chosen(data: Run | Spec | Simulation | str | Path, what: str, trust: bool, progress: Following = None) -> Found:
    """Return the game that is looked for among those of a run."""
    run = load(data, trust=trust) if isinstance(data, str | Path) else data
    source = searched(run.spec if isinstance(run, Simulation) else run, what)
    with following(progress, "games", source.planned) as tick:
        return finding.find(source, what, tick)


# --- `eq.verify`: do the games of a run, played again, give what its files say? ---


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
        How to show progress; see `equipoise.output.progress.Following`.

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
    * docs/reference/commands.md

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


# --- Known answers: does this machine compute what the machine that published them computed? ---


LOG = logging.getLogger("equipoise.kernels")


@dataclass(frozen=True)
class Answer:
    """An answer of this machine."""

    about: str  # what was computed
    is_right: bool  # whether it is the known answer
    seconds: float  # how long it took, with what had to be compiled


def known_answers(games: Sequence[str], threads: int) -> Iterator[Answer]:
    """Yield what this machine answers: its random streams, its statistics, and games played by its kernels.

    games: The games to play: those of the baseline that the game ships, at each of its numbers of players.
    threads: Number of threads; the same games are also played by one.
    Raises UsageError if a game ships no baseline.
    """
    baselines = [(game, shipped_baseline(game)) for game in games]
    if is_cold(draw_all):
        LOG.info("Compiling the random streams; this happens once ...")
    yield _timed(f"random streams, version {STREAM_VERSION}", lambda: stream_digest() == ANSWERS[STREAM_VERSION])
    for known in KNOWN:
        yield _timed(f"{known.name} ({known.source})", lambda known=known: known.is_right)  # type: ignore[misc]
    for game, path in baselines:
        title = load_game(game).title
        baseline = read_baseline(path)
        setup, measured = as_measured(baseline), baseline.measured
        assert setup and measured
        count = measured.origin.golden_games
        for players, table in measured.tables.items():
            for number in sorted({1, threads}):
                play = partial(golden_digest, setup, players, measured.origin.seed, count)
                about = f"{count:,} games of {title}, {players} players, {number} thread{'s' * (number > 1)}"
                yield _timed(about, lambda play=play, number=number, table=table: _on(number, play) == table.golden)  # type: ignore[misc]


def shipped_baseline(game: str) -> Path:
    """Return the path of the baseline that a game ships."""
    path = Path(str(home(game).configs)) / "baselines" / "default.toml"
    if not path.is_file():
        raise UsageError(f"{game} ships no baseline, so that no answers are known; name another game", "game")
    return path


def _on(threads: int, play: Callable[[], str]) -> str:
    with on_threads(threads):
        return play()


def _timed(about: str, ask: Callable[[], bool]) -> Answer:
    began = time.perf_counter()
    right = ask()
    return Answer(about, right, time.perf_counter() - began)
