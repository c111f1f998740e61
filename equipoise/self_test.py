"""Known answers: does this machine compute what the machine that published them computed?"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analysis.check.baseline import as_measured, read_baseline
from analysis.check.checking import golden_digest
from analysis.data.threads import on_threads
from analysis.stats.known_answers import KNOWN
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import home
from simcore.kernel.compilation import is_cold
from simcore.kernel.streams import ANSWERS, STREAM_VERSION, draw_all, stream_digest

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
